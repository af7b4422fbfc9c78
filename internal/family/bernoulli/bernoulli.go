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
	"github.com/moiety-go/moiety/family/loglinear"
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
type Family struct {
	loglinear.Mixture[density]
	o Options
}

// New returns the family.
func New(o Options) Family { return Family{o: o} }

// Questions implements family.Questioned: every feature is one.
func (Family) Questions(dim int) []family.Question {
	out := make([]family.Question, dim)
	for h := range out {
		out[h] = family.Question{From: h, To: h + 1, Presence: true}
	}
	return out
}

// Source implements family.Family.
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if err := f.presences(ctx, run); err != nil {
		return nil, fmt.Errorf("bernoulli: %w", err)
	}
	return f.source(ctx, run, moment.NewSampled(run, f.formula(run.Dim()), true), k)
}

// CountedSource implements family.Counted.
func (f Family) CountedSource(ctx context.Context, run pass.Runner, count func() (moment.Presences, error), k int) (moment.Source, error) {
	formula := f.formula(run.Dim())
	if !formula.Pairs {
		return f.Source(ctx, run, k)
	}
	counts, err := count()
	if err != nil {
		return nil, err
	}
	return f.source(ctx, run, moment.NewCounted(run, formula, counts), k)
}

// CountedStats implements family.Counted.
func (f Family) CountedStats(n []int, has [][]float64) []float64 {
	return loglinear.CountedStats(n, has)
}

// formula is that of the moments of records of d features.
func (f Family) formula(d int) moment.Formula {
	out := moment.Formula{Law: moment.Distinct(), Pairs: d <= moment.PairFeatures && len(f.o.Blocks) == 0}
	if f.o.Raw {
		out.Law = moment.Raw()
	}
	return out
}

// source returns the source behind Source, base being the moments of the records as they are.
func (f Family) source(ctx context.Context, run pass.Runner, base *moment.Sampled, k int) (moment.Source, error) {
	if f.o.Raw {
		return base, nil
	}
	counts, err := base.Counts(ctx)
	if err != nil {
		return nil, err
	}
	if counts.N == 0 {
		return nil, &moment.ErrTooFew{Reason: "no records"}
	}
	src := &moment.Standard{Mean: make([]float64, run.Dim()), N: counts.N}
	for h, s := range counts.Sum {
		src.Mean[h] = s / counts.N
	}
	scale := standardScale(src.Mean)
	if !moment.Varying(scale) {
		return nil, moment.ErrConstant()
	}
	src.Scale = scale
	if flip, any := common(src.Mean); any {
		run = flipped(run, flip)
		base = base.Turned(run, flip)
		src.Shift, src.Scale = turnedBack(scale, flip)
	}
	src.Completed, err = f.complete(ctx, run, base, scale, k)
	return src, err
}

// turnedBack returns the shift and scale that bring centers of flipped features
// back: 1 − σ·c.
func turnedBack(scale []float64, flip []bool) (shift, turned []float64) {
	shift, turned = make([]float64, len(scale)), append([]float64(nil), scale...)
	for h, f := range flip {
		if f {
			shift[h], turned[h] = 1, -scale[h]
		}
	}
	return shift, turned
}

// presences refuses rows that hold other values than 0 and 1; binary rows,
// which hold none, cost nothing to check.
func (f Family) presences(ctx context.Context, run pass.Runner) error {
	if run.Can().Binary {
		return nil
	}
	_, err := moment.NewSurvey(ctx, run, func(_ int, x float64) string {
		if x == 0 || x == 1 {
			return ""
		}
		return "presences are 0 or 1; use the model poisson for counts, categorical or mixed for other columns"
	})
	return err
}

// complete fills in the unknown entries of the standardised moments.
func (f Family) complete(ctx context.Context, run pass.Runner, base *moment.Sampled, scale []float64, k int) (*moment.Completed, error) {
	if len(f.o.Blocks) == 0 {
		return moment.Complete(ctx, base.Rescale(scale), k, moment.CompleteOptions{})
	}
	blocked, err := moment.NewBlocked(run, f.o.Blocks, moment.BlockedOptions{Scale: scale, Pairs: run.Dim() <= moment.PairFeatures})
	if err != nil {
		return nil, err
	}
	return moment.Complete(ctx, blocked, k, moment.CompleteOptions{Blocks: f.o.Blocks})
}

// standardScale returns the standard deviation of each feature, infinite for
// constant ones, which drops them from the moments.
func standardScale(mean []float64) []float64 {
	scale := make([]float64, len(mean))
	for h, p := range mean {
		if scale[h] = math.Sqrt(p * (1 - p)); !(scale[h] > 0) {
			scale[h] = math.Inf(1)
		}
	}
	return scale
}

const (
	// startClip bounds probabilities estimated by moments; a lower bound of
	// 1e-4 costs about .02 of ARI before EM (measured).
	startClip = 1e-3
	// stepClip keeps logarithms finite in EM.
	stepClip = 1e-9
)

// Normalise implements family.Family.
func (f Family) Normalise(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	centers, weights := mat.DenseCopyOf(raw.Centers), raw.Weights
	var warnings []warn.Warning
	if s, ok := src.(*moment.Standard); ok {
		centers, weights, warnings = s.Unscale(raw.Centers), s.Weights(raw.Weights), s.Warnings()
	}
	for i, v := range centers.RawMatrix().Data {
		centers.RawMatrix().Data[i] = clip(v, startClip)
	}
	return mixture.New(centers, weights), warnings, nil
}

func clip(v, eps float64) float64 {
	if !(v > eps) { // also NaN
		return eps
	}
	return min(v, 1-eps)
}

// Sample implements family.Family.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
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
