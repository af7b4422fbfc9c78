package lda

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/spectral"
	"github.com/moiety-go/moiety/warn"
)

const (
	// leastAlpha0 is the floor of an estimate: below it the moments do not tell
	// α0 (algorithms: LDA), and a value too small costs far more than one too
	// large.
	leastAlpha0 = 0.3
	// The grid of candidates.
	gridLow, gridHigh, gridSize = 0.2, 50.0, 6
	// aloneAlpha0 is used for a single topic, where α0 means nothing.
	aloneAlpha0 = 1
	// logTol is the error of log α0 that is left: sampling errors are larger.
	logTol = 0.03
	// flat is the share by which the criterion may exceed its least value on
	// the larger side that is taken, and mostLarger how far in log α0 that
	// side may lie.
	flat       = 0.01
	mostLarger = 0.35
)

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

// slicePower is the power of the eigenvalues that weigh the slices
// (algorithms: decomposition).
const slicePower = 0.75

// seeker looks for the α0 whose third moment is most diagonal. The components
// that one candidate shows are the start for the next.
type seeker struct {
	view *view
	last *mat.Dense // k×k: the last whitening times its rotation
}

// off returns the share of the whitened third moment that a rotation leaves
// off its diagonal: zero at the true α0 = exp(x) in exact moments.
func (s *seeker) off(x float64) float64 {
	alpha0 := math.Exp(x)
	values, a, ok := s.view.whitening(alpha0)
	if !ok {
		return math.Inf(1)
	}
	start := s.start(values, a)
	t := s.view.corrected(alpha0).Congruence(a)
	k := t.N
	slices := make([]*mat.Dense, k)
	for r := range slices {
		slices[r] = new(mat.Dense)
		var half mat.Dense
		spectral.Mul(&half, t.Slice(r), start)
		spectral.MulTrans(slices[r], start, &half)
		slices[r].Scale(math.Pow(values[r]/values[0], slicePower), slices[r])
	}
	var o mat.Dense
	spectral.Mul(&o, start, spectral.JointDiagonalise(slices, k).O)
	s.last = new(mat.Dense)
	spectral.Mul(s.last, a, &o)
	return t.Congruence(&o).OffDiagonal()
}

// start returns the rotation that comes nearest to the last components in the
// coordinates of the whitening a: a^-1 = diag(values)·aᵀ.
func (s *seeker) start(values []float64, a *mat.Dense) *mat.Dense {
	k := len(values)
	if s.last != nil {
		o := new(mat.Dense)
		spectral.MulTrans(o, a, s.last)
		for r, v := range values {
			for j := range k {
				o.Set(r, j, v*o.At(r, j))
			}
		}
		o = spectral.Orth(o)
		if _, rank := o.Dims(); rank == k {
			return o
		}
	}
	o := mat.NewDense(k, k, nil)
	for j := range k {
		o.Set(j, j, 1)
	}
	return o
}

// estimate returns the α0 that makes the third moment most diagonal.
func (v *view) estimate() (float64, []warn.Warning) {
	if len(v.y) == 1 {
		return aloneAlpha0, nil
	}
	s := &seeker{view: v}
	step := math.Log(gridHigh/gridLow) / (gridSize - 1)
	b := bracket{}
	for i := range gridSize {
		x := math.Log(gridLow) + float64(i)*step
		b.add(x, s.off(x))
	}
	if b.best() < 0 {
		return aloneAlpha0, []warn.Warning{warn.New(warn.Serious, "alpha0-unknown",
			"Ask for fewer groups, or give alpha0.",
			"The documents do not tell how strongly they mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}
	}
	for x, ok := b.next(); ok; x, ok = b.next() {
		b.add(x, s.off(x))
	}
	return v.judge(math.Exp(s.largerSide(&b)))
}

// largerSide returns the largest log α0, at most mostLarger above the best,
// whose criterion is as good as the best up to the share flat.
func (s *seeker) largerSide(b *bracket) float64 {
	at := b.best()
	limit := b.f[at] * (1 + flat)
	lo, hi := b.x[at], math.Min(b.x[at]+mostLarger, math.Log(gridHigh))
	for hi-lo > 2*logTol {
		x := b.reach(at, limit)
		if !(x > lo+logTol && x < hi-logTol) {
			x = (lo + hi) / 2
		}
		o := s.off(x)
		b.add(x, o)
		at = b.best()
		if o <= limit {
			lo = x
		} else {
			hi = x
		}
	}
	return (lo + hi) / 2
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
