package lda

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/stream"
	"github.com/moiety-go/moiety/warn"
)

const (
	// leastAlpha0 is the floor of an estimate: below it the moments do not tell
	// α0 (algorithms: LDA), and a value too small costs far more than one too
	// large.
	leastAlpha0 = 0.3
	// The grid of candidates.
	gridLow, gridHigh, gridSize = 0.01, 50.0, 25
	// aloneAlpha0 is used for a single topic, where α0 means nothing.
	aloneAlpha0 = 1
	// goldenTol is the width of the last bracket of log α0.
	goldenTol = 0.01
	// flat is the share by which the criterion may exceed its least value on
	// the larger side that is taken.
	flat = 0.01
)

// view is the raw moments in the leading subspace U of the raw M2, which does
// not depend on α0.
type view struct {
	u      *mat.Dense     // d×k
	m1     []float64      // d
	second *mat.Dense     // d×k: M2·U
	y      []float64      // k: UᵀM1
	g      *mat.Dense     // k×k: UᵀM2U
	core   *spectral.Cube // k×k×k: M3(U,U,U)
}

// EstimateSource returns the corrected moments of the raw ones for k topics
// with α0 estimated (algorithms: LDA): the α0 whose correction makes the
// whitened third moment most nearly diagonal. Data are touched only to see the
// raw moments in their leading subspace, once for all candidates.
func EstimateSource(ctx context.Context, bag moment.Source, k int, seed uint64) (*Source, error) {
	if k < 1 || k > bag.Dim() {
		return nil, fmt.Errorf("lda: %d topics over %d words: want between 1 and as many as there are words", k, bag.Dim())
	}
	v, err := newView(ctx, bag, k, seed)
	if err != nil {
		return nil, err
	}
	alpha0, remarks := v.estimate()
	return &Source{bag: bag, alpha0: alpha0, view: v, warnings: remarks}, nil
}

// Passes and tolerance of the subspace: sampling errors are far larger.
const (
	viewPasses = 8
	viewTol    = 1e-6
)

func newView(ctx context.Context, bag moment.Source, k int, seed uint64) (*view, error) {
	m1, err := bag.First(ctx)
	if err != nil {
		return nil, err
	}
	apply := func(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
		p, err := bag.Project(ctx, b, moment.Second)
		if err != nil {
			return nil, err
		}
		return p.Second, nil
	}
	_, u, _, err := spectral.Leading(ctx, bag.Dim(), k, apply, spectral.LeadingOptions{
		Passes: viewPasses, Tol: viewTol, Rand: stream.New(seed, "lda alpha0 basis"),
	})
	if err != nil {
		return nil, err
	}
	p, err := bag.Project(ctx, u, moment.Second|moment.Core)
	if err != nil {
		return nil, err
	}
	v := &view{u: u, m1: m1, second: p.Second, y: mulTransVec(u, m1), g: new(mat.Dense), core: p.Core}
	v.g.Mul(u.T(), p.Second)
	return v, nil
}

// whitening returns the eigenvalues of the corrected M2 in U, falling, and A
// (k×k) with W = U·A whitening it; ok is false where one is not positive.
func (v *view) whitening(alpha0 float64) (values []float64, a *mat.Dense, ok bool) {
	c1, _, _, scale, _ := factors(alpha0)
	k := len(v.y)
	g := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range k {
			g.Set(i, j, scale*(v.g.At(i, j)-c1*v.y[i]*v.y[j]))
		}
	}
	values, a = spectral.SymEig(g)
	for j, s := range values {
		if !(s > 0) {
			return values, nil, false
		}
		for i := range k {
			a.Set(i, j, a.At(i, j)/math.Sqrt(s))
		}
	}
	return values, a, true
}

// corrected returns the corrected third moment in U.
func (v *view) corrected(alpha0 float64) *spectral.Cube {
	t := v.core.Clone()
	correctCore(t, v.g, v.y, alpha0)
	return t
}

// slicePower is the power of the eigenvalues that weigh the slices
// (algorithms: decomposition).
const slicePower = 0.75

// off returns the share of the whitened third moment that a rotation leaves
// off its diagonal: zero at the true α0 in exact moments.
func (v *view) off(alpha0 float64) float64 {
	values, a, ok := v.whitening(alpha0)
	if !ok {
		return math.Inf(1)
	}
	t := v.corrected(alpha0).Congruence(a)
	k := t.N
	slices := make([]*mat.Dense, k)
	for r := range slices {
		slices[r] = mat.DenseCopyOf(t.Slice(r))
		slices[r].Scale(math.Pow(values[r]/values[0], slicePower), slices[r])
	}
	rot := spectral.JointDiagonalise(slices, k)
	return t.Congruence(rot.O).OffDiagonal()
}

// estimate returns the α0 that makes the third moment most diagonal.
func (v *view) estimate() (float64, []warn.Warning) {
	if len(v.y) == 1 {
		return aloneAlpha0, nil
	}
	step := math.Log(gridHigh/gridLow) / (gridSize - 1)
	best, at, least := math.Inf(1), -1, 0.0
	for i := range gridSize {
		x := math.Log(gridLow) + float64(i)*step
		if o := v.off(math.Exp(x)); o < best {
			best, at, least = o, i, x
		}
	}
	if at < 0 {
		return aloneAlpha0, []warn.Warning{warn.New(warn.Serious, "alpha0-unknown",
			"Ask for fewer groups, or give alpha0.",
			"The documents do not tell how strongly they mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}
	}
	least, best = v.golden(least-step, least+step, least, best)
	alpha0 := math.Exp(v.largerSide(least, best, step))
	return v.judge(alpha0)
}

// golden narrows the bracket [lo, hi] of log α0 around a minimum.
func (v *view) golden(lo, hi, at, best float64) (float64, float64) {
	const phi = 0.6180339887498949
	keep := func(x float64) float64 {
		o := v.off(math.Exp(x))
		if o < best {
			at, best = x, o
		}
		return o
	}
	x1, x2 := hi-phi*(hi-lo), lo+phi*(hi-lo)
	f1, f2 := keep(x1), keep(x2)
	for hi-lo > goldenTol {
		if f1 < f2 {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - phi*(hi-lo)
			f1 = keep(x1)
		} else {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + phi*(hi-lo)
			f2 = keep(x2)
		}
	}
	return at, best
}

// largerSide returns the largest log α0 within one step whose criterion is as
// good as the best up to the share flat.
func (v *view) largerSide(at, best, step float64) float64 {
	good := func(x float64) bool { return v.off(math.Exp(x)) <= best*(1+flat) }
	lo, hi := at, at+step
	if good(hi) {
		return hi
	}
	for hi-lo > goldenTol {
		if mid := (lo + hi) / 2; good(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// judge applies the floor and says where the estimate is at an edge.
func (v *view) judge(alpha0 float64) (float64, []warn.Warning) {
	switch {
	case alpha0 <= leastAlpha0:
		return leastAlpha0, []warn.Warning{warn.New(warn.Note, "alpha0-small", "",
			"Documents hold one topic or little more each: alpha0 is <= %v, which is as much as the data tell.", leastAlpha0)}
	case alpha0 >= gridHigh:
		return gridHigh, []warn.Warning{warn.New(warn.Caution, "alpha0-large", "Ask for fewer groups, or give alpha0.",
			"Documents mix all topics nearly alike: alpha0 is at its largest value of %v, and topics are hard to tell apart.", gridHigh)}
	}
	return alpha0, nil
}

// Whitening hands decompose what the estimation of α0 already knows: W and E
// (d×k) with WᵀM2W = I and M2 ≈ EEᵀ, and the eigenvalues. It serves the k that
// the source was made for, when alpha0 was estimated.
func (s *Source) Whitening(_ context.Context, k int) (w, e *mat.Dense, eigen []float64, ok bool) {
	if s.view == nil || k != len(s.view.y) {
		return nil, nil, nil, false
	}
	values, a, ok := s.view.whitening(s.alpha0)
	if !ok {
		return nil, nil, nil, false
	}
	if s.w == nil {
		s.w = new(mat.Dense)
		s.w.Mul(s.view.u, a)
	}
	e = new(mat.Dense)
	e.Mul(corrector{s.alpha0, s.view.m1, s.view.y}.second(s.view.second), a)
	return s.w, e, values, true
}

// whitened returns the corrected moments in the basis W of Whitening.
func (v *view) whitened(alpha0 float64, want moment.Want) *moment.Projection {
	_, a, _ := v.whitening(alpha0)
	out := &moment.Projection{}
	if want&moment.Second != 0 {
		out.Second = new(mat.Dense)
		out.Second.Mul(corrector{alpha0, v.m1, v.y}.second(v.second), a)
	}
	if want&moment.Core != 0 {
		out.Core = v.corrected(alpha0).Congruence(a)
	}
	return out
}
