package poisson

import (
	"math"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// density is what a Poisson count says of its component.
type density struct{ loglinear.Free }

// Name implements loglinear.Density.
func (density) Name() string { return "poisson" }

// leastMean stands for a mean of zero in logarithms. A count where the model
// has none then costs a component hundreds of nats, but no record is
// impossible: one that every component forbids is placed by its other features.
const leastMean = 1e-300

// Table returns log ω_j − Σ_h λ_hj and the slopes log λ_hj.
func (density) Table(p mixture.Params) *loglinear.Table {
	t := loglinear.Logs(p)
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= v
			t.Slope[h*t.K+j] = math.Log(math.Max(v, leastMean))
		}
	}
	return t
}

// strength returns the weight of the prior in records: pseudo records, or as
// many as hold pseudo counts a feature on average. Records of few counts say
// little, and a prior of one of them lets EM fit noise ([T] Fig. 2.1, n=10000:
// error .381 with one record, .289 with the twenty that hold one count a
// feature).
func strength(mean []float64, pseudo float64) float64 {
	total := 0.0
	for _, m := range mean {
		total += m
	}
	if !(total > 0) {
		return pseudo
	}
	return pseudo * math.Max(1, float64(len(mean))/total)
}

// Learn sets λ_hj to the averages of the counts under a prior of that strength.
func (density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
	centers := s.Averages(old.Centers, strength(s.Mean(), pseudo), func(v, _ float64) float64 { return v })
	return mixture.New(centers, s.Weights()), nil
}

// Prior is that of a gamma law with mean m_h worth c records:
// c·Σ_hj (m_h log λ_hj − λ_hj).
func (density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
	prior, mean := 0.0, s.Mean()
	for h, m := range mean {
		for _, v := range p.Centers.RawRowView(h) {
			if m > 0 {
				prior += m * math.Log(math.Max(v, leastMean))
			}
			prior -= v
		}
	}
	return strength(mean, pseudo) * prior
}

// Base returns −Σ_h log x_ih!.
func (density) Base(_ mixture.Params, rows sparse.Rows, i int) float64 {
	sum := 0.0
	rows.Each(i, func(_ int, x float64) {
		if x > 1 || math.IsNaN(x) {
			v, _ := math.Lgamma(x + 1)
			sum -= v
		}
	})
	return sum
}
