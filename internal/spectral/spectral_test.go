package spectral_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
)

func random(seed uint64, d, l int) *mat.Dense {
	return spectral.Random(stream.New(seed, "test/random"), d, l)
}

// span returns how far the columns of a are from the span of the orthonormal q.
func span(q, a *mat.Dense) float64 {
	var c, back mat.Dense
	c.Mul(q.T(), a)
	back.Mul(q, &c)
	back.Sub(a, &back)
	return mat.Norm(&back, 2) / mat.Norm(a, 2)
}

func TestOrth(t *testing.T) {
	close := random(1, 300, 5) // columns closer and closer to the first
	for j := 1; j < 5; j++ {
		for h := range 300 {
			close.Set(h, j, close.At(h, 0)+math.Pow(10, -3*float64(j))*close.At(h, j))
		}
	}
	scaled := random(2, 300, 4) // columns of very different lengths
	for h := range 300 {
		scaled.Set(h, 2, 1e-200*scaled.At(h, 2))
		scaled.Set(h, 3, 1e120*scaled.At(h, 3))
	}
	low := new(mat.Dense) // 300×6 of rank 3
	low.Mul(random(3, 300, 3), random(4, 3, 6))
	for name, c := range map[string]struct {
		y    *mat.Dense
		rank int
	}{
		"small": {random(5, 20, 7), 7}, "tall": {random(6, 500, 20), 20}, "square": {random(7, 250, 250), 250},
		"close": {close, 5}, "scaled": {scaled, 4}, "low rank": {low, 3},
		"wide": {random(8, 4, 9), 4}, "one": {random(9, 300, 1), 1},
	} {
		before := mat.DenseCopyOf(c.y)
		q := spectral.Orth(c.y)
		if _, r := q.Dims(); r != c.rank {
			t.Errorf("%s: %d columns, want %d", name, r, c.rank)
			continue
		}
		if far := orthogonal(q); !(far <= exactTol) {
			t.Errorf("%s: QᵀQ differs from I by %g", name, far)
		}
		if far := span(q, c.y); !(far <= exactTol) {
			t.Errorf("%s: columns leave the basis by %g", name, far)
		}
		if !mat.Equal(before, c.y) {
			t.Errorf("%s: input changed", name)
		}
	}
	if q := spectral.Orth(mat.NewDense(300, 3, nil)); mat.Norm(q, 2) != 0 {
		t.Error("zeros: the basis is not zero")
	}
}

// spectrum returns a symmetric operator with the given eigenvalues.
func spectrum(seed uint64, d int, values []float64) (spectral.Apply, *mat.Dense) {
	v := spectral.Orth(random(seed, d, len(values)))
	scaled := mat.DenseCopyOf(v)
	for h := range d {
		for j, x := range values {
			scaled.Set(h, j, x*v.At(h, j))
		}
	}
	return func(_ context.Context, b *mat.Dense) (*mat.Dense, error) {
		var c, out mat.Dense
		c.Mul(v.T(), b)
		out.Mul(scaled, &c)
		return &out, nil
	}, v
}

func TestLeading(t *testing.T) {
	want := []float64{5, 3, -2.5, 1, 0.5}
	apply, v := spectrum(1, 60, want)
	values, vectors, passes, err := spectral.Leading(context.Background(), 60, 3, apply,
		spectral.LeadingOptions{Rand: stream.New(1, "test/leading")})
	if err != nil {
		t.Fatal(err)
	}
	if passes > 4 {
		t.Errorf("%d passes for an operator of rank 5", passes)
	}
	for j, w := range []float64{5, 3, -2.5} {
		if numtest.Off(values[j], w, exactTol) {
			t.Errorf("eigenvalue %d is %g, want %g", j, values[j], w)
		}
	}
	if far := permuted(vectors, mat.DenseCopyOf(v.Slice(0, 60, 0, 3))); !(far <= exactTol) {
		t.Errorf("eigenvectors off by %g", far)
	}
	fails := func(context.Context, *mat.Dense) (*mat.Dense, error) { return nil, context.Canceled }
	if _, _, _, err := spectral.Leading(context.Background(), 60, 3, fails, spectral.LeadingOptions{Rand: stream.New(1, "x")}); err == nil {
		t.Error("an operator that fails gave no error")
	}
}

func TestSymEig(t *testing.T) {
	const n = 8
	a := random(3, n, n)
	var s mat.Dense
	s.Add(a, a.T())
	values, vectors := spectral.SymEig(&s)
	var left, right mat.Dense
	left.Mul(&s, vectors)
	right.Mul(vectors, mat.NewDiagDense(n, values))
	left.Sub(&left, &right)
	if far := mat.Norm(&left, 2); !(far <= exactTol) || orthogonal(vectors) > exactTol {
		t.Errorf("AV − VΛ is %g", far)
	}
	for i := 1; i < n; i++ {
		if values[i] > values[i-1] {
			t.Errorf("values %v do not fall", values)
		}
	}
	s.Set(0, 0, math.NaN())
	if values, _ := spectral.SymEig(&s); !math.IsNaN(values[0]) {
		t.Error("NaN gave a number")
	}
}

// Cube operations against their definitions.
func TestCubeTwins(t *testing.T) {
	const n, m = 4, 3
	packed := make([]float64, moment.PackedLen(n))
	stream.Normals(stream.New(1, "test/cube"), packed)
	c := moment.Unpack(packed, n)
	a, v := random(1, n, m), mat.Col(nil, 0, random(2, n, 1))
	s := random(3, n, n)
	s.Add(s, mat.DenseCopyOf(s.T()))
	sum := c.Clone()
	sum.AddSym3(2, v)
	sum.AddPlaced(3, s, v)
	at := func(x, y, z int) float64 {
		return c.At(x, y, z) + 2*v[x]*v[y]*v[z] + 3*(s.At(x, y)*v[z]+s.At(x, z)*v[y]+s.At(y, z)*v[x])
	}
	con, congruent := sum.Contract(v), sum.Congruence(a)
	for x := range n {
		for y := range n {
			want := 0.0
			for z := range n {
				want += v[z] * at(x, y, z)
				if d := math.Abs(sum.At(x, y, z) - at(x, y, z)); !(d <= exactTol) || c.At(x, y, z) != c.At(z, x, y) {
					t.Fatalf("entry (%d,%d,%d) off by %g", x, y, z, d)
				}
			}
			if d := math.Abs(con.At(x, y) - want); !(d <= exactTol) {
				t.Fatalf("contraction off by %g", d)
			}
		}
	}
	for p := range m {
		for q := range m {
			for r := range m {
				want := 0.0
				for x := range n {
					for y := range n {
						for z := range n {
							want += a.At(x, p) * a.At(y, q) * a.At(z, r) * at(x, y, z)
						}
					}
				}
				if d := math.Abs(congruent.At(p, q, r) - want); !(d <= 1e-11) {
					t.Fatalf("congruence off by %g", d)
				}
			}
		}
	}
}

func BenchmarkOrth(b *testing.B) {
	for _, s := range []struct{ d, l int }{{100, 15}, {3000, 60}, {100000, 60}} {
		y := random(1, s.d, s.l)
		b.Run(fmt.Sprintf("d=%d/l=%d", s.d, s.l), func(b *testing.B) {
			for b.Loop() {
				spectral.Orth(y)
			}
		})
	}
}

// Turned is Modes in other memory: the same bits.
func TestTurned(t *testing.T) {
	for _, n := range []int{1, 3, 10} {
		a, b, c := random(1, n, n), random(2, n, n), random(3, n, n)
		cube := moment.NewCube(n)
		copy(cube.Data, random(4, n*n, n).RawMatrix().Data)
		want := make([]float64, n*n*n)
		cube.Modes(want, a, b, c, new(moment.CubeBuffer))
		dirty := random(5, n*n, n).RawMatrix().Data
		for i, v := range cube.Turned(a, b, c, dirty) {
			if v != want[i] {
				t.Fatalf("n = %d, number %d: %v, want %v", n, i, v, want[i])
			}
		}
	}
}

// TestOrthIn demands the bits of Orth, in memory of the right shape and of another, also
// where columns are so close that the quick way gives up.
func TestOrthIn(t *testing.T) {
	for _, close := range []float64{1, 1e-14} {
		y := random(4, 300, 6)
		for h := range 300 {
			y.Set(h, 5, y.At(h, 4)+close*y.At(h, 5))
		}
		want := spectral.Orth(y)
		for _, columns := range []int{6, 4} {
			if got := spectral.OrthIn(random(5, 300, columns), y); !mat.Equal(got, want) {
				t.Errorf("columns %g apart, memory of %d columns: another basis", close, columns)
			}
		}
	}
}
