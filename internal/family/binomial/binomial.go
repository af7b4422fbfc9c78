// Package binomial is the mixture of independent binomial counts with a common
// small number of trials m: allele counts 0, 1, 2, answers right out of ten.
// Given component j, feature h of a record is Binomial(m, μ_hj/m); centers are
// the means μ = m·p.
//
// It takes counts from 0 to m. From three trials on all moments are known from
// factorial ones; with two trials the entries (h,h,h) of the third moment, and
// with one all products of a feature with itself, are completed.
package binomial

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Options are the settings of the family. The zero value works.
type Options struct {
	Trials int // m; 0 means the largest count that the records hold
	// ByMoments has m estimated from the records where Trials is 0.
	ByMoments bool
}

// Family is the binomial mixture. It is made by New.
type Family struct{ loglinear.Mixture[density] }

// mostTrials is the largest m that is found from records: beyond it counts are
// no small totals and the Poisson mixture serves.
const mostTrials = 255

// New returns the family.
func New(o Options) (Family, error) {
	if o.Trials < 0 {
		return Family{}, fmt.Errorf("binomial: %d trials, want 1 or more, or 0 to take the largest count", o.Trials)
	}
	return Family{loglinear.Mixture[density]{D: density{trials: o.Trials, byMoments: o.ByMoments}}}, nil
}

// Trials is the name of the extra matrix (1×1) that holds m.
const Trials = "trials"

// Sources carry the number of trials to Normalise.
type (
	known struct { // three trials or more
		*moment.Sampled
		trials float64
		n      float64
	}
	completed struct { // one or two
		*moment.Standard
		trials float64
	}
)

// Source returns the moments of the standardised counts.
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	s, err := moment.NewSurvey(ctx, run, f.D.legal)
	if err != nil {
		return nil, fmt.Errorf("binomial: %w", err)
	}
	m := float64(f.D.trials)
	switch {
	case m == 0 && f.D.byMoments:
		m, err = estimated(ctx, run, s, k)
	case m == 0:
		m, err = largest(ctx, run)
	}
	if err != nil {
		return nil, err
	}
	formula := moment.Formula{Law: law(m), Scale: deviation(s, m)}
	if !moment.Varying(formula.Scale) {
		return nil, moment.ErrConstant()
	}
	if m >= 3 {
		formula.Pairs = s.PairsPay(k)
		return known{moment.NewSampled(run, formula, false), m, s.N}, nil
	}
	o := moment.CompleteOptions{TripleOnly: m == 2}
	if m == 1 {
		formula.Law = moment.Distinct()
	}
	formula.Pairs = run.Dim() <= moment.PairFeatures
	out := completed{&moment.Standard{Scale: formula.Scale, Mean: s.Mean(), N: s.N}, m}
	out.Completed, err = moment.Complete(ctx, moment.NewSampled(run, formula, m == 1), k, o)
	return out, err
}

// law knows the powers of the mean of m trials, of m = 1 none and of m = 2 the
// second.
func law(m float64) moment.Law {
	return moment.LawOf(func(x float64) float64 {
		if m > 1 {
			return x * (x - 1) * m / (m - 1)
		}
		return 0
	}, func(x float64) float64 {
		if m > 2 {
			return x * (x - 1) * (x - 2) * m * m / ((m - 1) * (m - 2))
		}
		return 0
	})
}

// legal says what is wrong with a value that should be a count of successes.
func (f density) legal(_ int, x float64) string {
	m := f.trials
	if m == 0 {
		m = mostTrials
	}
	switch {
	case !(x >= 0) || x != math.Trunc(x):
		return "counts must be whole numbers of 0 or more"
	case x > float64(m):
		return fmt.Sprintf("counts must not exceed the %d trials; give a larger number of trials, or use the model poisson", m)
	}
	return ""
}

// largest returns the largest count of the records, by a histogram: it adds up.
func largest(ctx context.Context, run pass.Runner) (float64, error) {
	histogram, err := pass.RunOne(ctx, run, histogramSum{})
	if err != nil {
		return 0, err
	}
	m := 1.0 // records without a single success have no more to tell
	for v, n := range histogram {
		if n > 0 {
			m = math.Max(m, float64(v))
		}
	}
	return m, nil
}

type histogramSum struct{}

func (histogramSum) Len() int { return mostTrials + 1 }

func (histogramSum) Add(state []float64, b pass.Block) error {
	count := func(x float64) { state[int(math.Min(math.Max(x, 0), mostTrials))]++ }
	for i := range b.Rows.N() {
		if b.Rows.IsDense() {
			for _, x := range b.Rows.DenseRow(i) {
				count(x)
			}
			continue
		}
		index, value := b.Rows.Row(i)
		if value == nil && len(index) > 0 {
			count(1)
		}
		for _, x := range value {
			count(float64(x))
		}
	}
	return nil
}

// deviation returns the standard deviation of each feature, infinite for
// constant ones.
func deviation(s *moment.Survey, m float64) []float64 {
	const rounding = 1e-12 // of m²: a variance below it is none
	mean, dev := s.Mean(), make([]float64, len(s.Sum))
	for h := range dev {
		v := s.SumSquares[h]/s.N - mean[h]*mean[h]
		if dev[h] = math.Sqrt(v); !(v > rounding*m*m) {
			dev[h] = math.Inf(1)
		}
	}
	return dev
}

// startClip bounds probabilities estimated by moments.
const startClip = 1e-3

// Normalise implements family.Family.
func (f Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	var p mixture.Params
	var warnings []warn.Warning
	var m float64
	switch s := src.(type) {
	case completed:
		m, warnings = s.trials, s.Warnings()
		p = mixture.New(s.Unscale(raw.Centers), s.Weights(raw.Weights))
	case known:
		m = s.trials
		counts, err := s.Counts(ctx)
		if err != nil {
			return raw, nil, err
		}
		std := moment.Standard{Scale: s.Formula().Scale, Mean: make([]float64, raw.Dim()), N: s.n}
		for h, v := range counts.Sum {
			std.Mean[h] = v / counts.N
		}
		p = mixture.New(std.Unscale(raw.Centers), std.Weights(raw.Weights))
	default:
		if f.D.trials == 0 {
			return raw, nil, fmt.Errorf("binomial: the number of trials is not known; set it")
		}
		m = float64(f.D.trials)
		p = mixture.New(mat.DenseCopyOf(raw.Centers), simplex.Clip(make([]float64, raw.K()), raw.Weights))
	}
	data := p.Centers.RawMatrix().Data
	for i, v := range data {
		data[i] = m * clip(v/m, startClip)
	}
	return p.With(Trials, mat.NewDense(1, 1, []float64{m})), warnings, nil
}

func clip(v, eps float64) float64 {
	if !(v > eps) { // also NaN
		return eps
	}
	return math.Min(v, 1-eps)
}

// trialsOf returns m: what the parameters say, or else the settings.
func (f density) trialsOf(p mixture.Params) (float64, error) {
	extra, ok := p.Extra[Trials]
	if !ok {
		if f.trials == 0 {
			return 0, fmt.Errorf("binomial: the parameters have no number of trials")
		}
		return float64(f.trials), nil
	}
	m := extra.At(0, 0)
	if !(m >= 1) || m != math.Trunc(m) || math.IsInf(m, 1) {
		return 0, fmt.Errorf("binomial: %v trials, want a whole number of 1 or more", m)
	}
	return m, nil
}

// Check reports the first mean outside 0 to m.
func (f density) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("binomial: %w", err)
	}
	m, err := f.trialsOf(p)
	if err != nil {
		return err
	}
	for h := range p.Dim() {
		for j, v := range p.Centers.RawRowView(h) {
			if v < 0 || v > m {
				return fmt.Errorf("binomial: mean of feature %d in component %d is %v, want 0 to %v", h+1, j+1, v, m)
			}
		}
	}
	return nil
}

// FreeParameters counts the weights and the means of features that vary.
func (f Family) FreeParameters(p mixture.Params) int {
	n := p.K() - 1
	m, err := f.D.trialsOf(p)
	if err != nil {
		return n
	}
	for h := range p.Dim() {
		for _, v := range p.Centers.RawRowView(h) {
			if v/m > 2*stepClip && v/m < 1-2*stepClip {
				n += p.K()
				break
			}
		}
	}
	return n
}
