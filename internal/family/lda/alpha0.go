package lda

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/moment"
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
		return nil, fmt.Errorf("lda: %w", &moment.ErrTooFew{Reason: fmt.Sprintf("%d topics over %d words: want between 1 and as many as there are words", k, bag.Dim())})
	}
	v, err := newView(ctx, bag, k, seed)
	if err != nil {
		return nil, err
	}
	s := &seeker{view: v, workers: moment.Workers(bag)}
	alpha0, remarks, err := s.estimate(ctx)
	if err != nil {
		return nil, err
	}
	return &Source{bag: bag, alpha0: alpha0, view: v, near: s.nearest(math.Log(alpha0)), warnings: remarks}, nil
}

// seeker looks for the α0 whose third moment is most diagonal. The components
// that one candidate shows are the start for those near it.
type seeker struct {
	view    *view
	workers int
	seen    bracket
	shown   []*mat.Dense // k×k, of every candidate in order: its whitening times its rotation, or nil
	desks   [2]desk
}

// try measures candidates, one or two, α0 = exp(x), side by side. What one of
// them shows is no start for the other, so that nothing depends on the number
// of workers.
func (s *seeker) try(ctx context.Context, x ...float64) error {
	candidates := make([]candidate, len(x))
	for i, x := range x {
		candidates[i] = candidate{x: x, start: s.nearest(x)}
	}
	err := par.Do(ctx, s.workers, len(candidates), func(i int) error {
		s.desks[i].off(ctx, s.view, &candidates[i])
		return nil
	})
	for _, l := range candidates {
		s.shown = slices.Insert(s.shown, s.seen.add(l.x, l.off), l.shown)
	}
	return err
}

// nearest returns the components that the candidate nearest to x showed, or nil.
func (s *seeker) nearest(x float64) *mat.Dense {
	if len(s.shown) == 0 {
		return nil
	}
	return s.shown[s.seen.nearest(x)]
}

// estimate returns the α0 that makes the third moment most diagonal.
func (s *seeker) estimate(ctx context.Context) (float64, []warn.Warning, error) {
	if len(s.view.y) == 1 {
		return aloneAlpha0, nil, nil
	}
	if err := s.climb(ctx); err != nil {
		return 0, nil, err
	}
	if s.seen.best() < 0 {
		return aloneAlpha0, []warn.Warning{warn.New(warn.Serious, "alpha0-unknown",
			"Ask for fewer groups, or give alpha0.",
			"The documents do not tell how strongly they mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}, nil
	}
	for x, ok := s.seen.next(); ok; x, ok = s.seen.next() {
		if err := s.try(ctx, s.with(x)...); err != nil {
			return 0, nil, err
		}
	}
	x, err := s.largerSide(ctx)
	alpha0, remarks := judge(math.Exp(x))
	return alpha0, remarks, err
}

// climb measures the grid from below, up to the second candidate in a row that
// is worse than the one before it. Where M2 is not positive it is not at any
// larger α0 either, which takes more of M1⊗M1 away.
func (s *seeker) climb(ctx context.Context) error {
	grid := make([]float64, gridSize)
	for i := range grid {
		grid[i] = math.Log(gridLow) + float64(i)*math.Log(gridHigh/gridLow)/(gridSize-1)
	}
	// The first starts from nothing; it is the start for the others.
	ask, grid := grid[:1], grid[1:]
	for {
		if err := s.try(ctx, ask...); err != nil {
			return err
		}
		worse := s.seen.rises()
		if worse >= 2 || len(grid) == 0 {
			return nil
		}
		n := min(2, len(grid))
		ask = grid[:n:n]
		if worse == 1 { // the best is known to lie between two others
			if x, ok := s.seen.next(); ok {
				n, ask = 1, []float64{grid[0], x}
			}
		}
		grid = grid[n:]
	}
}

// with returns x and, beside it, where the parabola reaches what largerSide
// will ask for.
func (s *seeker) with(x float64) []float64 {
	b := &s.seen
	at := b.best()
	far := b.reach(at, b.f[at]*(1+flat))
	if far > b.x[at]+logTol && far < b.x[at]+mostLarger && math.Abs(far-x) > logTol && math.Abs(far-b.x[b.nearest(far)]) > logTol {
		return []float64{x, far}
	}
	return []float64{x}
}

// largerSide returns the largest log α0, at most mostLarger above the best,
// whose criterion is as good as the best up to the share flat: where the
// parabola says so to logTol of a candidate, or between one that is as good and
// one that is not.
func (s *seeker) largerSide(ctx context.Context) (float64, error) {
	b := &s.seen
	best := b.best()
	limit := b.f[best] * (1 + flat)
	lo, hi := b.x[best], math.Min(b.x[best]+mostLarger, math.Log(gridHigh))
	for hi-lo > 2*logTol {
		x := b.reach(b.best(), limit)
		if x < hi && math.Abs(x-b.x[b.nearest(x)]) < logTol {
			return x, nil
		}
		if !(x > lo+logTol && x < hi-logTol) {
			x = (lo + hi) / 2
		}
		if err := s.try(ctx, x); err != nil {
			return 0, err
		}
		if b.f[b.nearest(x)] <= limit {
			lo = x
		} else {
			hi = x
		}
	}
	return (lo + hi) / 2, nil
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
