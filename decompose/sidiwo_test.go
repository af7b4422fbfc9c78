package decompose

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

func randomSlices(seed uint64, n, k int) []*mat.Dense {
	r := stream.New(seed, "test/slices")
	out := make([]*mat.Dense, n)
	for i := range out {
		a := spectral.Random(r, k, k)
		out[i] = new(mat.Dense)
		out[i].Add(a, a.T())
	}
	return out
}

// off is Σ_r (OᵀH_rO)[1,2]² by the definition.
func off(slices []*mat.Dense, theta float64) float64 {
	s, c := math.Sincos(theta)
	o := mat.NewDense(2, 2, []float64{c, s, -s, c})
	sum := 0.0
	for _, h := range slices {
		var a, b mat.Dense
		a.Mul(o.T(), h)
		b.Mul(&a, o)
		sum += b.At(0, 1) * b.At(0, 1)
	}
	return sum
}

// The closed form is no worse than any point of a fine grid, equals the
// definition, and the opposite angle is worse: a wrong sign fails.
func TestTwoGroupsClosedForm(t *testing.T) {
	const tol = 1e-12 // rounding of sums of a few dozen squares of size one
	for seed := range uint64(50) {
		slices := randomSlices(seed, 7, 2)
		p := newPair(slices)
		theta, least, separation := p.best()
		if d := math.Abs(off(slices, theta) - least); !(d <= tol*(1+least)) {
			t.Fatalf("F* = %g, but the definition gives %g", least, off(slices, theta))
		}
		for i := range 2001 {
			grid := off(slices, math.Pi*float64(i)/4000-math.Pi/4)
			if grid < least-tol*(1+least) {
				t.Fatalf("grid point %d has %g < %g", i, grid, least)
			}
		}
		if math.Abs(theta) > 0.01 && math.Abs(theta) < math.Pi/4-0.01 && off(slices, -theta) <= least {
			t.Fatal("the opposite angle is as good: the test cannot see a sign")
		}
		if separation < 0 || separation > 1 {
			t.Fatalf("separation %g", separation)
		}
		rot, _ := diagonalise(context.Background(), slices, 2)
		joint := spectral.JointDiagonalise(context.Background(), slices, 2)
		if numtest.Off(rot.Off, joint.Off, tol) {
			t.Fatalf("share off the diagonal %g, by sweeps %g", rot.Off, joint.Off)
		}
	}
}

// All slices that any rotation leaves alike: finite, with a warning.
func TestTwoGroupsDegenerate(t *testing.T) {
	theta, least, separation := newPair([]*mat.Dense{identity(2), identity(2)}).best()
	if theta != 0 || least != 0 || separation != 0 {
		t.Errorf("got %g, %g, %g, want zeros", theta, least, separation)
	}
}

// The QR factor has the same sum of squares off the diagonal under every
// rotation.
func TestCompressionIsExact(t *testing.T) {
	const d, k, tol = 40, 4, 1e-11
	slices := randomSlices(3, d, k)
	packed := mat.NewDense(d, k*(k+1)/2, nil)
	for r, s := range slices {
		packInto(packed.RawRowView(r), s)
	}
	small := compress(packed, k)
	if len(small) != k*(k+1)/2 {
		t.Fatalf("%d matrices, want %d", len(small), k*(k+1)/2)
	}
	o := spectral.Orth(spectral.Random(stream.New(1, "test/o"), k, k))
	sum := func(all []*mat.Dense) float64 {
		total := 0.0
		for _, h := range all {
			var a, b mat.Dense
			a.Mul(o.T(), h)
			b.Mul(&a, o)
			for i := range k {
				for j := range i {
					total += b.At(i, j) * b.At(i, j)
				}
			}
		}
		return total
	}
	if a, b := sum(slices), sum(small); numtest.Off(a, b, tol*a) {
		t.Errorf("sum of squares %g, compressed %g", a, b)
	}
}

// Two pseudo-centers of orthogonal components are the two of largest ω‖μ‖²
// ([H] Thm 3.1).
func TestFewerThanThereAreOrthogonal(t *testing.T) {
	c := mat.NewDense(8, 4, nil)
	for h := range 8 {
		c.Set(h, h/2, 1)
	}
	p := mixture.New(c, []float64{0.4, 0.3, 0.2, 0.1})
	r, err := SIDIWO(context.Background(), moment.NewExact(p), 2, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for h := range 8 {
		for j := range 2 {
			if d := math.Abs(r.Params.Centers.At(h, j) - c.At(h, j)); !(d <= 1e-9) {
				t.Fatalf("center %d, feature %d off by %g", j, h, d)
			}
		}
	}
	if d := math.Abs(r.Params.Weights[0] - 4.0/7); !(d <= 1e-9) {
		t.Errorf("weights %v, want 4/7 and 3/7", r.Params.Weights)
	}
}
