// Package geometric is the example of docs/library.md, "How to add a model": the
// mixture of independent geometric counts, as of visits until something happens.
// Given component j, feature h of a record is x with probability
// (1−q)·q^x, q = μ_hj/(1+μ_hj), whose mean is μ_hj.
package geometric

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// Family is the geometric mixture. The log density is linear in the record, so
// that loglinear makes all steps from the density below.
type Family struct{ loglinear.Mixture[density] }

// Info says how the model is called and spoken of.
func (Family) Info() family.Info {
	return family.Info{
		Name: "geometric", Group: "group", Paper: "[T] ch. 1",
		Words:       "groups in which every feature has its own average count (a mixture of geometric counts)",
		Unit:        family.Only(family.Average),
		Plain:       true,
		SameMoments: true,
		EM:          family.EMHints{Quick: true},
	}
}

// Source returns the moments: x(x−1)/2 and x(x−1)(x−2)/6 have the means μ² and μ³.
func (Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	s, err := moment.NewSurvey(ctx, run, func(_ int, x float64) string {
		if !(x >= 0) || math.IsInf(x, 1) || x != math.Trunc(x) {
			return "counts must be whole numbers of 0 or more"
		}
		return ""
	})
	if err != nil {
		return nil, fmt.Errorf("geometric: %w", err)
	}
	law := moment.LawOf(
		func(x float64) float64 { return x * (x - 1) / 2 },
		func(x float64) float64 { return x * (x - 1) * (x - 2) / 6 },
	)
	return moment.NewSampled(run, moment.Formula{Law: law, Scale: s.Deviation(), Pairs: s.PairsPay(k)}, false), nil
}

// startFloor is the least mean that moments may hand to EM, as a share of the
// feature's mean over all records.
const startFloor = 0.01

// Normalise turns raw centers into means.
func (Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	p, err := family.Means(ctx, src, raw, startFloor)
	return p, nil, err
}

// Sample draws n records.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	build, labels := sparse.NewBuilder(p.Dim(), false), make([]int, n)
	for i := range n {
		var index []uint32
		var value []float32
		labels[i] = family.Pick(r, p.Weights)
		for h := range p.Dim() {
			mean := p.Centers.At(h, labels[i])
			if x := math.Floor(r.ExpFloat64() / math.Log1p(1/mean)); x > 0 {
				index, value = append(index, uint32(h)), append(value, float32(x))
			}
		}
		if err := build.Add(index, value); err != nil {
			return family.Draw{}, err
		}
	}
	return family.Draw{Rows: build.Rows(), Labels: labels}, nil
}

// FreeParameters counts the weights and the means.
func (Family) FreeParameters(p mixture.Params) int { return p.K() - 1 + p.K()*p.Dim() }

// density is what a geometric count says of its component.
type density struct{ loglinear.Free }

// least stands for a mean of zero in logarithms.
const least = 1e-300

// Name begins the errors.
func (density) Name() string { return "geometric" }

// Check reports the first mean that is none.
func (density) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("geometric: %w", err)
	}
	for h := range p.Dim() {
		for j, v := range p.Centers.RawRowView(h) {
			if v < 0 {
				return fmt.Errorf("geometric: mean of feature %d in component %d is %v, want >= 0", h+1, j+1, v)
			}
		}
	}
	return nil
}

// Table returns log ω_j − Σ_h log(1+μ_hj) and the slopes log μ_hj/(1+μ_hj).
func (density) Table(p mixture.Params) *loglinear.Table {
	t := loglinear.Logs(p)
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= math.Log1p(v)
			t.Slope[h*t.K+j] = math.Log(math.Max(v, least)) - math.Log1p(v)
		}
	}
	return t
}

// Learn sets the means to the averages of the counts.
func (density) Learn(s loglinear.Stats, old mixture.Params, pseudo float64) (mixture.Params, error) {
	return mixture.New(s.Averages(old.Centers, pseudo, func(v, _ float64) float64 { return v }), s.Weights()), nil
}

// Prior is that of as many records at the mean of each feature.
func (density) Prior(s loglinear.Stats, p mixture.Params, pseudo float64) float64 {
	prior := 0.0
	for h, m := range s.Mean() {
		for _, v := range p.Centers.RawRowView(h) {
			prior += m*math.Log(math.Max(v, least)) - (m+1)*math.Log1p(v)
		}
	}
	return pseudo * prior
}
