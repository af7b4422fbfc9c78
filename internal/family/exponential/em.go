package exponential

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// density is what a measurement says of its component.
type density struct{ loglinear.Free }

// Name implements loglinear.Density.
func (density) Name() string { return "exponential" }

// Table returns log ω_j − Σ_h log μ_hj and the slopes −1/μ_hj.
func (density) Table(p mixture.Params) *loglinear.Table {
	t := loglinear.Logs(p)
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= math.Log(v)
			t.Slope[h*t.K+j] = -1 / v
		}
	}
	return t
}

// leastShare bounds the mean of a feature in a component from below, as a share
// of its mean over all records: a component that holds zeros alone would
// otherwise have infinite density.
const leastShare = 1e-9

// Learn sets μ_hj to the averages.
func (density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
	for h, m := range s.Mean() {
		if !(m > 0) {
			return old, fmt.Errorf("exponential: feature %d is zero in all records: leave it out", h+1)
		}
	}
	centers := s.Averages(old.Centers, pseudo, func(v, mean float64) float64 { return math.Max(v, leastShare*mean) })
	return mixture.New(centers, s.Weights()), nil
}

// Prior is that of an inverse gamma law worth pseudo records:
// −pseudo·Σ_hj (log μ_hj + m_h/μ_hj).
func (density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
	prior := 0.0
	for h, m := range s.Mean() {
		for _, v := range p.Centers.RawRowView(h) {
			prior -= math.Log(v) + m/v
		}
	}
	return pseudo * prior
}

// Legal reports a value that the model cannot have; zeros, which rounding makes
// of short times, are let through.
func (density) Legal(_ mixture.Params, rows sparse.Rows, i int) (err error) {
	rows.Each(i, func(h int, x float64) {
		if err == nil && !(x >= 0) {
			err = fmt.Errorf("feature %d is %v: %s", h+1, x, remedy)
		}
	})
	return err
}

// Sample draws n dense records; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d := p.Dim()
	rows, labels := sparse.Rows{Dim: d, Dense: make([]float64, 0, n*d)}, make([]int, n)
	for i := range n {
		labels[i] = family.Pick(r, p.Weights)
		for h := range d {
			rows.Dense = append(rows.Dense, p.Centers.At(h, labels[i])*positive(r))
		}
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}

// positive draws from the standard exponential law, never exactly zero.
func positive(r *rand.Rand) float64 {
	for {
		if x := r.ExpFloat64(); x > 0 {
			return x
		}
	}
}
