package spectral_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
)

// noisySlices are m matrices that share eigenvectors but for noise.
func noisySlices(seed uint64, n, m int, noise float64) []*mat.Dense {
	r, o := stream.New(seed, "test/norms"), rotation(seed, n)
	out := make([]*mat.Dense, m)
	for i := range out {
		d := mat.NewDense(n, n, nil)
		for a := range n {
			for b := range n {
				x := noise * r.NormFloat64()
				if a == b {
					x += r.NormFloat64()
				}
				d.Set(a, b, d.At(a, b)+x/2)
				d.Set(b, a, d.At(b, a)+x/2)
			}
		}
		var left, all mat.Dense
		left.Mul(o, d)
		all.Mul(&left, o.T())
		out[i] = &all
	}
	return out
}

func turned(slices []*mat.Dense, o *mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(slices))
	for i, s := range slices {
		var left, all mat.Dense
		left.Mul(o.T(), s)
		all.Mul(&left, o)
		out[i] = &all
	}
	return out
}

// sumOfNorms is the objective of LeastNorms for slices as they are.
func sumOfNorms(slices []*mat.Dense, n int) float64 {
	sum := 0.0
	for p := range n {
		for q := p + 1; q < n; q++ {
			square := 0.0
			for _, s := range slices {
				square += s.At(p, q) * s.At(p, q)
			}
			sum += 2 * math.Sqrt(square)
		}
	}
	return sum
}

// The least sum of norms is below that of the least squares, and no small turn of
// any pair lowers it further; the squares in turn are lower where they are sought.
func TestLeastNorms(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		const n = 4
		slices := noisySlices(seed, n, 12, 0.3)
		squares := spectral.JointDiagonalise(context.Background(), slices, n)
		norms := spectral.LeastNorms(context.Background(), slices, n, squares)
		if far := orthogonal(norms.O); !(far <= 1e-12) {
			t.Fatalf("seed %d: OᵀO is off by %g", seed, far)
		}
		least, other := sumOfNorms(turned(slices, norms.O), n), sumOfNorms(turned(slices, squares.O), n)
		if !(least < other) || !norms.Converged {
			t.Errorf("seed %d: norms %.9g, least squares %.9g, converged %v", seed, least, other, norms.Converged)
		}
		if !(norms.Off > squares.Off) {
			t.Errorf("seed %d: share off the diagonal %.9g, least squares %.9g", seed, norms.Off, squares.Off)
		}
		for p := range n {
			for q := range p {
				for _, theta := range []float64{1e-3, -1e-3, 0.3, -0.3} {
					g := mat.DenseCopyOf(norms.O)
					for a := range n {
						x, y := g.At(a, p), g.At(a, q)
						g.Set(a, p, math.Cos(theta)*x+math.Sin(theta)*y)
						g.Set(a, q, math.Cos(theta)*y-math.Sin(theta)*x)
					}
					if v := sumOfNorms(turned(slices, g), n); v < least*(1-1e-12) {
						t.Errorf("seed %d: a turn of (%d,%d) by %g gives %.12g, below %.12g", seed, p, q, theta, v, least)
					}
				}
			}
		}
	}
}

// Two components have one entry off the diagonal: both objectives are the same.
func TestLeastNormsOfTwo(t *testing.T) {
	slices := noisySlices(3, 2, 9, 0.4)
	squares := spectral.JointDiagonalise(context.Background(), slices, 2)
	norms := spectral.LeastNorms(context.Background(), slices, 2, squares)
	if far := permuted(norms.O, squares.O); !(far <= 1e-7) {
		t.Errorf("rotations differ by %g", far)
	}
}

// Slices that share their eigenvectors are diagonal after either.
func TestLeastNormsExact(t *testing.T) {
	slices := noisySlices(7, 5, 8, 0)
	rot := spectral.LeastNorms(context.Background(), slices, 5, spectral.JointDiagonalise(context.Background(), slices, 5))
	if v := sumOfNorms(turned(slices, rot.O), 5); v > 1e-12 {
		t.Errorf("%g is left off the diagonal", v)
	}
}
