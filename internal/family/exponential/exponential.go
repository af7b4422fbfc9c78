// Package exponential is the mixture of independent exponential measurements:
// waiting times, lengths of stay, amounts. Given component j, feature h of a
// record has density e^(−x/μ_hj)/μ_hj.
//
// It takes positive numbers and gives the moments in which x²/2 and x³/6 stand
// for μ² and μ³ ([T] ch. 1, the footnote on other laws than Poisson), the E-
// and M-step, densities and samples.
package exponential

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Family is the exponential mixture. The zero value is ready to use.
type Family struct{ loglinear.Mixture[density] }

// law: x²/2 and x³/6 have the means μ² and μ³.
func law() moment.Law {
	return moment.Law{Correct: func(e2, c, x []float64) {
		for i, v := range x {
			e2[i], c[i] = v*v/2, v*v*v*(2.0/3)
		}
	}}
}

// New returns the exponential mixture.
func New() Family { return Family{} }

// Source returns the moments of the features divided by their means: days and
// minutes then tell the same.
func (Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	s, err := moment.NewSurvey(ctx, run, legal)
	if err != nil {
		return nil, fmt.Errorf("exponential: %w", err)
	}
	if s.Entries < s.N*float64(run.Dim()) {
		if _, err := pass.RunOne(ctx, run, allThere{}); err != nil {
			return nil, fmt.Errorf("exponential: %w", err)
		}
	}
	return moment.NewSampled(run, moment.Formula{Law: law(), Scale: s.Mean(), Pairs: s.PairsPay(k)}, false), nil
}

const remedy = "values must be greater than 0; choose the model gaussian or mixed for measurements that may be zero, negative or missing"

func legal(_ int, x float64) string {
	if !(x > 0) || math.IsInf(x, 1) {
		return remedy
	}
	return ""
}

// allThere reports the first feature that a sparse record does not hold.
type allThere struct{}

func (allThere) Len() int { return 0 }

func (allThere) Add(_ []float64, b pass.Block) error {
	for i := range b.Rows.N() {
		index, _ := b.Rows.Row(i)
		for h := range b.Rows.Dim {
			if h >= len(index) || int(index[h]) != h {
				return &moment.ValueError{Record: b.First + i, Feature: h, Value: 0, Want: remedy}
			}
		}
	}
	return nil
}

// startFloor is the least mean of a feature in a component, as a share of the
// feature's mean over all records, that a decomposition may hand to EM.
const startFloor = 0.02

// Normalise implements family.Family.
func (Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	p, err := family.Means(ctx, src, raw, startFloor)
	if err != nil {
		return raw, nil, fmt.Errorf("exponential: %w", err)
	}
	return p, nil, nil
}

// Check reports the first mean that is not positive.
func (density) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("exponential: %w", err)
	}
	for h := range p.Dim() {
		for j, v := range p.Centers.RawRowView(h) {
			if !(v > 0) {
				return fmt.Errorf("exponential: mean of feature %d in component %d is %v, want > 0", h+1, j+1, v)
			}
		}
	}
	return nil
}

// FreeParameters counts the weights and all means.
func (Family) FreeParameters(p mixture.Params) int { return p.K() - 1 + p.K()*p.Dim() }
