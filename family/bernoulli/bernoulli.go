// Package bernoulli is the mixture of independent Bernoulli features: latent
// class analysis of presences, the model of patients in [T] ch. 4 and [P].
//
// The product of a feature with itself tells nothing about its square, so the
// diagonals of the moments are unknown. The default completes them
// (algorithms: standardise, HeteroPCA, complete the core); Raw keeps the
// biased ones as [T] Alg. 2 (ASVTD) does.
package bernoulli

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// Options are the settings of the family. The zero value is the default.
type Options struct {
	Raw bool // moments with the biased diagonal, features not standardised
	// Blocks lists runs of features that depend on each other by construction,
	// such as a code and its parents; their products are left out.
	Blocks [][2]int
}

// Family is the Bernoulli mixture.
type Family struct{ o Options }

// New returns the family.
func New(o Options) Family { return Family{o} }

// Name returns "bernoulli".
func (Family) Name() string { return "bernoulli" }

// pairFeatures is the largest number of features whose pair counts are kept:
// beyond it a table of them costs more than the passes it saves.
const pairFeatures = 2048

// source is the family's moments with what it takes to scale centers back.
type source struct {
	*moment.Completed
	scale, mean []float64 // of each feature
	n           float64
}

// Source implements family.Family.
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	formula := moment.Formula{Diagonal: moment.Distinct, Pairs: run.Dim() <= pairFeatures && len(f.o.Blocks) == 0}
	if f.o.Raw {
		formula.Diagonal = moment.Raw
		return moment.NewSampled(run, formula, true), nil
	}
	base := moment.NewSampled(run, formula, true)
	counts, err := base.Counts(ctx)
	if err != nil {
		return nil, err
	}
	src := &source{mean: make([]float64, run.Dim()), n: counts.N}
	for h, s := range counts.Sum {
		src.mean[h] = s / counts.N
	}
	varying := 0
	if src.scale, varying = standardScale(src.mean); varying == 0 {
		return nil, &moment.ErrTooFew{Reason: "every feature is present in all records or in none: there is nothing to tell groups apart"}
	}
	src.Completed, err = f.complete(ctx, run, base, src.scale, k)
	return src, err
}

// complete fills in the unknown entries of the standardised moments.
func (f Family) complete(ctx context.Context, run pass.Runner, base *moment.Sampled, scale []float64, k int) (*moment.Completed, error) {
	if len(f.o.Blocks) == 0 {
		return moment.Complete(ctx, base.Rescale(scale), k, moment.CompleteOptions{})
	}
	blocked, err := moment.NewBlocked(run, f.o.Blocks, moment.BlockedOptions{Scale: scale})
	if err != nil {
		return nil, err
	}
	return moment.Complete(ctx, blocked, k, moment.CompleteOptions{Blocks: f.o.Blocks})
}

// standardScale returns the standard deviation of each feature, infinite for
// constant ones, which drops them from the moments.
func standardScale(mean []float64) (scale []float64, varying int) {
	scale = make([]float64, len(mean))
	for h, p := range mean {
		scale[h] = math.Sqrt(p * (1 - p))
		if !(scale[h] > 0) {
			scale[h] = math.Inf(1)
			continue
		}
		varying++
	}
	return scale, varying
}

const (
	// settleClip bounds probabilities estimated by moments; a lower bound of
	// 1e-4 costs about .02 of ARI before EM (measured).
	settleClip = 1e-3
	// stepClip keeps logarithms finite in EM.
	stepClip = 1e-9
	// lightest is the least weight of a settled component, in records.
	lightest = 0.2
)

// Settle implements family.Family.
func (f Family) Settle(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	centers := mat.DenseCopyOf(raw.Centers)
	floor := 0.0
	var warnings []warn.Warning
	if s, ok := src.(*source); ok {
		s.unscale(centers)
		floor = lightest / s.n
		warnings = s.Warnings()
	}
	for i, v := range centers.RawMatrix().Data {
		centers.RawMatrix().Data[i] = clip(v, settleClip)
	}
	return mixture.New(centers, floorWeights(raw.Weights, floor)), warnings, nil
}

// unscale multiplies the rows by their scale; constant features get their mean.
func (s *source) unscale(centers *mat.Dense) {
	for h, f := range s.scale {
		row := centers.RawRowView(h)
		for j := range row {
			if math.IsInf(f, 1) {
				row[j] = s.mean[h]
			} else {
				row[j] *= f
			}
		}
	}
}

func clip(v, eps float64) float64 {
	if !(v > eps) { // also NaN
		return eps
	}
	return math.Min(v, 1-eps)
}

func floorWeights(w []float64, floor float64) []float64 {
	out := make([]float64, len(w))
	sum := 0.0
	for j, v := range w {
		out[j] = math.Max(v, floor)
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

// table returns log ω_j + Σ_h log(1−p_hj) and the log odds.
func table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	for j, w := range p.Weights {
		t.Bias[j] = math.Log(w)
	}
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			v = clip(v, stepClip)
			absent := math.Log1p(-v)
			t.Bias[j] += absent
			t.Slope[h*t.K+j] = math.Log(v) - absent
		}
	}
	return t
}

// EStep implements family.Family.
func (Family) EStep(p mixture.Params) (pass.Sum, error) { return table(p).EStep(), nil }

// HardStep implements family.Grouped.
func (Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	return table(p).HardStep(labels), nil
}

// MStep implements family.Family: μ = (Σ r x + pseudo·p)/(Σ r + pseudo), with p
// the mean of the feature over all records.
func (Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := loglinear.NewTable(old.Dim(), old.K()).Stats(stats)
	mean := s.Mean()
	centers := mat.NewDense(old.Dim(), old.K(), nil)
	for h, p := range mean {
		sum, row := s.Sum.RawRowView(h), centers.RawRowView(h)
		for j, c := range s.Count {
			if c+pseudo > 0 {
				row[j] = clip((sum[j]+pseudo*p)/(c+pseudo), stepClip)
			} else {
				row[j] = clip(p, stepClip)
			}
		}
	}
	return mixture.New(centers, s.Weights()), nil, nil
}

// Objective implements family.Family.
func (Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := loglinear.NewTable(p.Dim(), p.K()).Stats(stats)
	if pseudo == 0 {
		return s.LogLikelihood
	}
	prior := 0.0
	for h, mean := range s.Mean() {
		for _, v := range p.Centers.RawRowView(h) {
			v = clip(v, stepClip)
			prior += mean*math.Log(v) + (1-mean)*math.Log1p(-v)
		}
	}
	return s.LogLikelihood + pseudo*prior
}

// Posterior implements family.Family.
func (Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	table(p).Posterior(b.Rows, out, nil)
	return nil
}

// LogDensity implements family.Family.
func (Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	table(p).Posterior(b.Rows, make([]float64, b.Rows.N()*p.K()), out)
	return nil
}

// Sample implements family.Family.
func (Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	rows := sparse.Rows{Dim: p.Dim(), Ptr: []int{0}}
	labels := make([]int, n)
	columns := mat.DenseCopyOf(p.Centers.T()) // component by component
	for i := range n {
		labels[i] = family.Pick(r, p.Weights)
		for h, q := range columns.RawRowView(labels[i]) {
			if r.Float64() < q {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return family.Draw{Rows: rows, Labels: labels}, nil
}

// FreeParameters implements family.Family.
func (Family) FreeParameters(p mixture.Params) int {
	free := p.K() - 1
	for h := range p.Dim() {
		for _, v := range p.Centers.RawRowView(h) {
			if v > 2*stepClip && v < 1-2*stepClip {
				free++
			}
		}
	}
	return free
}

// Reorder implements family.Family.
func (Family) Reorder(p mixture.Params, order []int) mixture.Params { return p.Reorder(order) }

// Check implements family.Family.
func (Family) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return err
	}
	for h := range p.Dim() {
		for j, v := range p.Centers.RawRowView(h) {
			if v < 0 || v > 1 {
				return fmt.Errorf("bernoulli: probability of feature %d in component %d is %v, want 0 to 1", h+1, j+1, v)
			}
		}
	}
	return nil
}
