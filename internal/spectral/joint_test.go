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

// exactTol is some hundred roundings of numbers of size one.
const exactTol = 1e-12

// rotation returns a random n×n orthogonal matrix.
func rotation(seed uint64, n int) *mat.Dense {
	return spectral.Orth(spectral.Random(stream.New(seed, "test/rotation"), n, n))
}

// diagonalCube returns Σ_i (i+1)·o_i⊗o_i⊗o_i.
func diagonalCube(o *mat.Dense) *moment.Cube {
	n, _ := o.Dims()
	t := moment.NewCube(n)
	for i := range n {
		t.AddSym3(float64(i+1), mat.Col(nil, i, o))
	}
	return t
}

// permuted returns how far |AᵀB| is from a permutation matrix.
func permuted(a, b *mat.Dense) float64 {
	var c mat.Dense
	c.Mul(a.T(), b)
	n, _ := c.Dims()
	far := 0.0
	for i := range n {
		best := 0.0
		for j := range n {
			best = math.Max(best, math.Abs(c.At(i, j)))
		}
		far = math.Max(far, math.Abs(best-1))
	}
	return far
}

func orthogonal(o *mat.Dense) float64 {
	var c mat.Dense
	c.Mul(o.T(), o)
	n, _ := c.Dims()
	far := 0.0
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			far = math.Max(far, math.Abs(c.At(i, j)-want))
		}
	}
	return far
}

// offDiagonal returns the share of the squared entries off the diagonal.
func offDiagonal(t *moment.Cube) float64 {
	on, all := 0.0, 0.0
	for _, v := range t.Data {
		all += v * v
	}
	for i := range t.N {
		on += t.At(i, i, i) * t.At(i, i, i)
	}
	return 1 - on/all
}

func cubeSlices(t *moment.Cube) []*mat.Dense {
	out := make([]*mat.Dense, t.N)
	for a := range out {
		out[a] = t.Slice(a)
	}
	return out
}

func TestJointDiagonaliseFindsTheRotation(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 20} {
		o := rotation(uint64(n), n)
		cube := diagonalCube(o)
		before := cube.Clone()
		rot := spectral.JointDiagonalise(context.Background(), cubeSlices(cube), n)
		if far := permuted(o, rot.O); !(far <= exactTol) || !rot.Converged {
			t.Errorf("n=%d: rotation off by %g after %d sweeps", n, far, rot.Sweeps)
		}
		if far := orthogonal(rot.O); !(far <= exactTol) {
			t.Errorf("n=%d: OᵀO differs from I by %g", n, far)
		}
		if rot.Off > exactTol {
			t.Errorf("n=%d: share off the diagonal %g", n, rot.Off)
		}
		for i, v := range before.Data {
			if cube.Data[i] != v {
				t.Fatalf("n=%d: input changed", n)
			}
		}
	}
}

// diagonalise leaves the cube as it is.
func diagonalise(t *moment.Cube, start *mat.Dense) spectral.Rotation {
	w := t.Clone()
	if start != nil {
		w = t.Congruence(start)
	}
	return spectral.DiagonaliseCube(context.Background(), w.Data, w.N, start)
}

func TestDiagonaliseCubeFindsTheRotation(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 20} {
		o := rotation(uint64(n), n)
		for _, start := range []*mat.Dense{nil, rotation(99, n)} {
			rot := diagonalise(diagonalCube(o), start)
			if far := permuted(o, rot.O); !(far <= exactTol) || !rot.Converged {
				t.Errorf("n=%d: rotation off by %g after %d sweeps", n, far, rot.Sweeps)
			}
			if far := orthogonal(rot.O); !(far <= exactTol) || rot.Off > exactTol {
				t.Errorf("n=%d: OᵀO off by %g, share off the diagonal %g", n, far, rot.Off)
			}
		}
	}
}

// Equal diagonal entries beside an entry off the diagonal need a turn of a
// half a right angle; a formula by half angles stays at 0.
func TestJointDiagonaliseEqualDiagonal(t *testing.T) {
	a := mat.NewDense(2, 2, []float64{1, 1, 1, 1})
	rot := spectral.JointDiagonalise(context.Background(), []*mat.Dense{a}, 2)
	if rot.Off > exactTol || !rot.Converged {
		t.Errorf("share off the diagonal %g, converged %v", rot.Off, rot.Converged)
	}
}

// Matrices that any rotation diagonalises must not keep the sweeps busy.
func TestJointDiagonaliseDegenerate(t *testing.T) {
	n := 6
	o := rotation(3, n)
	var same mat.Dense
	same.Mul(o, o.T()) // the identity, with rounding errors
	for name, slices := range map[string][]*mat.Dense{
		"identity": {&same, &same},
		"zero":     {mat.NewDense(n, n, nil)},
		"none":     nil,
		"nan":      {mat.NewDense(n, n, append(make([]float64, n*n-1), math.NaN()))},
	} {
		if rot := spectral.JointDiagonalise(context.Background(), slices, n); !rot.Converged || orthogonal(rot.O) > exactTol {
			t.Errorf("%s: %d sweeps, OᵀO off by %g", name, rot.Sweeps, orthogonal(rot.O))
		}
	}
	if rot := diagonalise(moment.NewCube(n), nil); !rot.Converged {
		t.Error("zero cube: not converged")
	}
}

// The sum of squares off the diagonal found must be no larger than at any
// point of a fine grid (n = 2, slices that no rotation diagonalises).
func TestPairAnglesAgainstGrid(t *testing.T) {
	const points = 1001
	r := stream.New(5, "test/grid")
	for range 20 {
		cube := moment.NewCube(2)
		for range 5 {
			v := make([]float64, 2)
			stream.Normals(r, v)
			cube.AddSym3(r.NormFloat64(), v)
		}
		slices := cubeSlices(cube)
		joint, best := spectral.JointDiagonalise(context.Background(), slices, 2), diagonalise(cube, nil)
		for i := range points {
			s, c := math.Sincos(math.Pi * float64(i) / points)
			o := mat.NewDense(2, 2, []float64{c, -s, s, c})
			off, all := 0.0, 0.0
			for _, a := range slices {
				var b, m mat.Dense
				b.Mul(o.T(), a)
				m.Mul(&b, o)
				off += 2 * m.At(0, 1) * m.At(0, 1)
				all += m.At(0, 0)*m.At(0, 0) + m.At(1, 1)*m.At(1, 1)
			}
			if off/(off+all) < joint.Off-exactTol {
				t.Fatalf("angle %d of the grid leaves %g off the diagonal, the closed form %g", i, off/(off+all), joint.Off)
			}
			if g := offDiagonal(cube.Congruence(o)); g < best.Off-exactTol {
				t.Fatalf("cube: angle %d of the grid leaves %g off the diagonal, the closed form %g", i, g, best.Off)
			}
		}
	}
}

func BenchmarkJointDiagonalise(b *testing.B) {
	for _, n := range []int{10, 50, 100} {
		cube := noisyCube(n)
		slices := cubeSlices(cube)
		b.Run(fmt.Sprint("k=", n), func(b *testing.B) {
			for b.Loop() {
				spectral.JointDiagonalise(context.Background(), slices, n)
			}
		})
	}
}

func BenchmarkDiagonaliseCube(b *testing.B) {
	for _, n := range []int{10, 50} {
		cube := noisyCube(n)
		b.Run(fmt.Sprint("k=", n), func(b *testing.B) {
			for b.Loop() {
				diagonalise(cube, nil)
			}
		})
	}
}

func noisyCube(n int) *moment.Cube {
	cube := diagonalCube(rotation(1, n))
	r := stream.New(2, "test/noise")
	noise := make([]float64, moment.PackedLen(n))
	stream.Normals(r, noise)
	cube.AddScaled(0.01, moment.Unpack(noise, n))
	return cube
}

// A search that nobody waits for any more ends within a row of pairs.
func TestDiagonalisingEnds(t *testing.T) {
	const n, looks = 12, 3
	cube := make([]float64, n*n*n)
	stream.Normals(stream.New(1, "test/ends"), cube)
	slices := make([]*mat.Dense, n)
	for r := range slices {
		slices[r] = mat.NewDense(n, n, nil)
		for p := range n {
			for q := range n {
				slices[r].Set(p, q, cube[(min(p, q)*n+max(p, q))*n+r])
			}
		}
	}
	for name, rot := range map[string]spectral.Rotation{
		"joint": spectral.JointDiagonalise(numtest.EndsAfter(t.Context(), looks), slices, n),
		"norms": spectral.LeastNorms(numtest.EndsAfter(t.Context(), looks), slices, n, spectral.Rotation{O: rotation(1, n)}),
		"cube":  spectral.DiagonaliseCube(numtest.EndsAfter(t.Context(), looks), cube, n, nil),
	} {
		if rot.Sweeps != 1 {
			t.Errorf("%s: %d sweeps", name, rot.Sweeps)
		}
	}
}
