package lda

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
)

// Sample draws documents: a mixture each, then a topic for every word.
func (f *Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	alpha, err := alphaOf(p)
	if err != nil {
		return family.Draw{}, err
	}
	theta := make([]float64, p.K())
	rows, err := topics.Sample(p.Centers, r, n, func(i int) int { return shape.Length(i, topics.Length) }, func(int) func() int {
		dirichlet(r, theta, alpha)
		return func() int { return family.Pick(r, theta) }
	})
	if err != nil {
		return family.Draw{}, fmt.Errorf("lda: %w", err)
	}
	return family.Draw{Rows: rows}, nil
}

// dirichlet draws from the Dirichlet law with parameters alpha. Small
// parameters underflow as gammas, so it works with their logarithms.
func dirichlet(r *rand.Rand, dst, alpha []float64) {
	top := math.Inf(-1)
	for j, a := range alpha {
		dst[j] = logGammaDraw(r, a)
		top = math.Max(top, dst[j])
	}
	sum := 0.0
	for j, v := range dst {
		dst[j] = math.Exp(v - top)
		sum += dst[j]
	}
	for j := range dst {
		dst[j] /= sum
	}
}

// logGammaDraw returns the logarithm of a draw from the gamma law of shape a
// (Marsaglia and Tsang 2000; below 1 by their power of a uniform number).
func logGammaDraw(r *rand.Rand, a float64) float64 {
	boost := 0.0
	if a < 1 {
		boost = math.Log(1-r.Float64()) / a
		a++
	}
	d := a - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return math.Log(d*v) + boost
		}
	}
}
