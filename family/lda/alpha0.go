package lda

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	// closeBy is how near in log α0 one neighbour of the best candidate must be
	// for the lowest point of the parabola to be trusted.
	closeBy = 0.35
	// flat is the share by which the criterion may exceed its least value on
	// the larger side that is taken, and mostLarger how far in log α0 that
	// side may lie.
	flat       = 0.009
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
	s := &seeker{view: v}
	alpha0, remarks := s.estimate()
	return &Source{bag: bag, alpha0: alpha0, view: v, near: s.nearest(math.Log(alpha0)), warnings: remarks}, nil
}

// slicePower is the power of the eigenvalues that weigh the slices
// (algorithms: decomposition).
const slicePower = 0.75

// seekAngle ends the sweeps of a candidate: the criterion, which is least at the
// best rotation, errs by the square of the angles that are left.
const seekAngle = 1e-3

// seeker looks for the α0 whose third moment is most diagonal. The components
// that one candidate shows are the start for those near it.
type seeker struct {
	view  *view
	seen  bracket
	shown []*mat.Dense // k×k, of every candidate in order: its whitening times its rotation, or nil
	core  *spectral.Cube
	turn  []float64 // k×k×k: the corrected core in coordinates of a candidate
	room  spectral.Room
	joint *spectral.Joint
}

// try measures the candidate α0 = exp(x) and returns what it showed.
func (s *seeker) try(x float64) float64 {
	v, shown := s.off(x)
	s.shown = slices.Insert(s.shown, s.seen.add(x, v), shown)
	return v
}

// nearest returns the components that the candidate nearest to x showed, or nil.
func (s *seeker) nearest(x float64) *mat.Dense {
	if len(s.shown) == 0 {
		return nil
	}
	return s.shown[s.seen.nearest(x)]
}

// off returns the share of the whitened third moment that a rotation leaves
// off its diagonal, zero at the true α0 = exp(x) in exact moments, and the
// components so found.
func (s *seeker) off(x float64) (share float64, shown *mat.Dense) {
	alpha0 := math.Exp(x)
	values, a, ok := s.view.whitening(alpha0)
	if !ok {
		return math.Inf(1), nil
	}
	start := startFrom(s.nearest(x), values, a)
	weights := make([]float64, len(values))
	for r, v := range values {
		weights[r] = math.Pow(v/values[0], slicePower)
	}
	all := s.load(alpha0, a, start, weights)
	rot := s.joint.Diagonalise(seekAngle)
	var o mat.Dense // k×k: the rotation in whitened coordinates
	spectral.Mul(&o, start, rot.O)
	shown = new(mat.Dense)
	spectral.Mul(shown, a, &o)
	on := 0.0
	for i := range values {
		t := 0.0 // T(o_i,o_i,o_i), from slice r in the direction r
		for r, v := range s.joint.At(i, i) {
			t += o.At(r, i) * v / weights[r]
		}
		on += t * t
	}
	if all == 0 {
		return 0, shown
	}
	return 1 - on/all, shown
}

// load sets the matrices to be diagonalised, slice r of the whitened third
// moment times weight r, turned by start, and returns the sum of squares of the
// third moment.
func (s *seeker) load(alpha0 float64, a, start *mat.Dense, weights []float64) float64 {
	k := len(weights)
	if s.joint == nil {
		s.core, s.turn, s.joint = spectral.NewCube(k), make([]float64, k*k*k), spectral.NewJoint(k, k)
	}
	s.view.correctedIn(s.core, alpha0)
	var turned mat.Dense
	spectral.Mul(&turned, a, start)
	s.core.Modes(s.turn, &turned, &turned, a, &s.room)
	all := 0.0
	for p := range k {
		for q := range k {
			from := s.turn[(p*k+q)*k:][:k]
			for _, v := range from {
				all += v * v
			}
			if q < p {
				continue
			}
			to := s.joint.At(p, q)
			for r, v := range from {
				to[r] = weights[r] * v
			}
		}
	}
	return all
}

// startFrom returns the rotation that comes nearest to components, or the
// identity where there is none.
func startFrom(shown *mat.Dense, values []float64, a *mat.Dense) *mat.Dense {
	if o := nearest(shown, values, a); o != nil {
		return o
	}
	k := len(values)
	o := mat.NewDense(k, k, nil)
	for j := range k {
		o.Set(j, j, 1)
	}
	return o
}

// nearest returns the rotation that comes nearest to components, the columns of
// last, in the coordinates of the whitening a: a^-1 = diag(values)·aᵀ. It
// returns nil where there is none.
func nearest(last *mat.Dense, values []float64, a *mat.Dense) *mat.Dense {
	if last == nil {
		return nil
	}
	o := new(mat.Dense)
	spectral.MulTrans(o, a, last)
	for r, v := range values {
		for j := range values {
			o.Set(r, j, v*o.At(r, j))
		}
	}
	o = spectral.Orth(o)
	if _, rank := o.Dims(); rank < len(values) {
		return nil
	}
	return o
}

// estimate returns the α0 that makes the third moment most diagonal.
func (s *seeker) estimate() (float64, []warn.Warning) {
	if len(s.view.y) == 1 {
		return aloneAlpha0, nil
	}
	s.climb()
	if s.seen.best() < 0 {
		return aloneAlpha0, []warn.Warning{warn.New(warn.Serious, "alpha0-unknown",
			"Ask for fewer groups, or give alpha0.",
			"The documents do not tell how strongly they mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}
	}
	for x, ok := s.seen.next(); ok; x, ok = s.seen.next() {
		s.try(x)
	}
	return judge(math.Exp(s.largerSide()))
}

// climb measures the grid from below, up to the second candidate in a row that
// is worse than the one before it. Where M2 is not positive it is not at any
// larger α0 either, which takes more of M1⊗M1 away.
func (s *seeker) climb() {
	step := math.Log(gridHigh/gridLow) / (gridSize - 1)
	before, worse := math.Inf(1), 0
	for i := 0; i < gridSize && worse < 2; i++ {
		v := s.try(math.Log(gridLow) + float64(i)*step)
		if math.IsInf(v, 1) {
			return
		}
		if worse++; v <= before {
			worse = 0
		}
		before = v
	}
}

// largerSide returns the largest log α0, at most mostLarger above the best,
// whose criterion is as good as the best up to the share flat: where the
// parabola says so twice to logTol, or between a place that is as good and one
// that is not.
func (s *seeker) largerSide() float64 {
	b := &s.seen
	best := b.best()
	limit := b.f[best] * (1 + flat)
	lo, hi := b.x[best], math.Min(b.x[best]+mostLarger, math.Log(gridHigh))
	for last := lo; hi-lo > 2*logTol; {
		x := b.reach(b.best(), limit)
		if math.Abs(x-last) < logTol {
			return x
		}
		if !(x > lo+logTol && x < hi-logTol) {
			x = (lo + hi) / 2
		}
		if last = x; s.try(x) <= limit {
			lo = x
		} else {
			hi = x
		}
	}
	return (lo + hi) / 2
}

// judge applies the floor and says where the estimate is at an edge.
func judge(alpha0 float64) (float64, []warn.Warning) {
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
