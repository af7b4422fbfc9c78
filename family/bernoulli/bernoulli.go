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
	formula := moment.Formula{Law: moment.Distinct(), Pairs: run.Dim() <= moment.PairFeatures && len(f.o.Blocks) == 0}
	if f.o.Raw {
		formula.Law = moment.Raw()
		return moment.NewSampled(run, formula, true), nil
	}
	base := moment.NewSampled(run, formula, true)
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
		base = moment.NewSampled(run, formula, true)
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
	// settleClip bounds probabilities estimated by moments; a lower bound of
	// 1e-4 costs about .02 of ARI before EM (measured).
	settleClip = 1e-3
	// stepClip keeps logarithms finite in EM.
	stepClip = 1e-9
)

// Settle implements family.Family.
func (f Family) Settle(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	centers, weights := mat.DenseCopyOf(raw.Centers), raw.Weights
	var warnings []warn.Warning
	if s, ok := src.(*moment.Standard); ok {
		centers, weights, warnings = s.Unscale(raw.Centers), s.Weights(raw.Weights), s.Warnings()
	}
	for i, v := range centers.RawMatrix().Data {
		centers.RawMatrix().Data[i] = clip(v, settleClip)
	}
	return mixture.New(centers, weights), warnings, nil
}

func clip(v, eps float64) float64 {
	if !(v > eps) { // also NaN
		return eps
	}
	return min(v, 1-eps)
}

// table returns log ω_j + Σ_h log(1−p_hj) and the log odds. Logarithms of
// absences are those of products, exact to 1e-13 of their sum.
func table(p mixture.Params) *loglinear.Table {
	t := loglinear.NewTable(p.Dim(), p.K())
	absent := make([]float64, t.K)
	for j, w := range p.Weights {
		t.Bias[j], absent[j] = math.Log(w), 1
	}
	for h := range t.D {
		slope := t.Slope[h*t.K:][:t.K]
		for j, v := range p.Centers.RawRowView(h) {
			v = clip(v, stepClip)
			absent[j] *= 1 - v
			slope[j] = math.Log(v / (1 - v))
		}
		if h%factors == factors-1 || h == t.D-1 {
			for j, v := range absent {
				t.Bias[j] += math.Log(v)
				absent[j] = 1
			}
		}
	}
	return t
}

// EStep implements family.Family.
func (f Family) EStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).EStep(), nil
}

// QuickEStep implements family.Quick.
func (f Family) QuickEStep(p mixture.Params) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).QuickEStep(), nil
}

// HardStep implements family.Grouped.
func (f Family) HardStep(p mixture.Params, labels []int32) (pass.Sum, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	return table(p).HardStep(labels), nil
}

// Partition implements family.Summed.
func (f Family) Partition(sizes []float64, sums [][]float64) []float64 {
	return loglinear.Partition(sizes, sums)
}

// statistics reads a state of the E-step under p.
func statistics(p mixture.Params, stats []float64) loglinear.Stats {
	return (&loglinear.Table{D: p.Dim(), K: p.K()}).Stats(stats)
}

// MStep implements family.Family: μ = (Σ r x + pseudo·p)/(Σ r + pseudo), with p
// the mean of the feature over all records.
func (Family) MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error) {
	s := statistics(old, stats)
	if !(s.N > 0) {
		return old, nil, fmt.Errorf("bernoulli: no records to learn from")
	}
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
	return mixture.New(centers, s.Weights()), s.Emptied(), nil
}

// Objective implements family.Family.
func (Family) Objective(stats []float64, p mixture.Params, pseudo float64) float64 {
	s := statistics(p, stats)
	if pseudo == 0 {
		return s.LogLikelihood
	}
	prior := 0.0
	for h, mean := range s.Mean() {
		present, absent := logs(p.Centers.RawRowView(h))
		prior += mean*present + (1-mean)*absent
	}
	return s.LogLikelihood + pseudo*prior
}

// factors is the number of probabilities whose product stays a normal number.
const factors = 32

// logs returns Σ_j log p_j and Σ_j log(1−p_j), as logarithms of products. What
// rounding 1−p_j adds is below 1e-15 for each.
func logs(row []float64) (present, absent float64) {
	for lo := 0; lo < len(row); lo += factors {
		p, q := 1.0, 1.0
		for _, v := range row[lo:min(lo+factors, len(row))] {
			v = clip(v, stepClip)
			p *= v
			q *= 1 - v
		}
		present += math.Log(p)
		absent += math.Log(q)
	}
	return present, absent
}

// Posterior implements family.Family.
func (f Family) Posterior(p mixture.Params, b pass.Block, out []float64) error {
	if err := f.fits(p, b); err != nil {
		return err
	}
	table(p).Posterior(b.Rows, out, nil)
	return nil
}

// Places implements family.Placer.
func (f Family) Places(p mixture.Params) (func(b pass.Block, group []int32, probability []float32) error, error) {
	if err := f.Check(p); err != nil {
		return nil, err
	}
	places := table(p).Places()
	return func(b pass.Block, group []int32, probability []float32) error {
		if b.Rows.Dim != p.Dim() {
			return otherFeatures(b, p)
		}
		places.Of(b.Rows, group, probability)
		return nil
	}, nil
}

// LogDensity implements family.Family.
func (f Family) LogDensity(p mixture.Params, b pass.Block, out []float64) error {
	if err := f.fits(p, b); err != nil {
		return err
	}
	table(p).Posterior(b.Rows, make([]float64, b.Rows.N()*p.K()), out)
	return nil
}

func (f Family) fits(p mixture.Params, b pass.Block) error {
	if err := f.Check(p); err != nil {
		return err
	}
	if b.Rows.Dim != p.Dim() {
		return otherFeatures(b, p)
	}
	return nil
}

func otherFeatures(b pass.Block, p mixture.Params) error {
	return fmt.Errorf("bernoulli: records of %d features for a model of %d", b.Rows.Dim, p.Dim())
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
