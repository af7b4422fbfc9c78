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
	s := &seeker{view: v}
	alpha0, remarks := s.estimate()
	return &Source{bag: bag, alpha0: alpha0, view: v, near: s.last, warnings: remarks}, nil
}

// slicePower is the power of the eigenvalues that weigh the slices
// (algorithms: decomposition).
const slicePower = 0.75

// seekAngle ends the sweeps of a candidate: the criterion, which is least at the
// best rotation, errs by the square of the angles that are left.
const seekAngle = 1e-3

// seeker looks for the α0 whose third moment is most diagonal. The components
// that one candidate shows are the start for the next.
type seeker struct {
	view  *view
	last  *mat.Dense // k×k: the last whitening times its rotation
	core  *spectral.Cube
	turn  []float64 // k×k×k: the corrected core in coordinates of a candidate
	room  spectral.Room
	joint *spectral.Joint
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
	weights := make([]float64, len(values))
	for r, v := range values {
		weights[r] = math.Pow(v/values[0], slicePower)
	}
	all := s.load(alpha0, a, start, weights)
	rot := s.joint.Diagonalise(seekAngle)
	var o mat.Dense // k×k: the rotation in whitened coordinates
	spectral.Mul(&o, start, rot.O)
	s.last = new(mat.Dense)
	spectral.Mul(s.last, a, &o)
	on := 0.0
	for i := range values {
		t := 0.0 // T(o_i,o_i,o_i), from slice r in the direction r
		for r, v := range s.joint.At(i, i) {
			t += o.At(r, i) * v / weights[r]
		}
		on += t * t
	}
	if all == 0 {
		return 0
	}
	return 1 - on/all
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

// start returns the rotation that comes nearest to the last components.
func (s *seeker) start(values []float64, a *mat.Dense) *mat.Dense {
	if o := nearest(s.last, values, a); o != nil {
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
	return judge(math.Exp(s.largerSide(&b)))
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
