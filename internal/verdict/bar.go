package verdict

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/internal/par"
)

// bar is what the best of all candidates says of the records that are kept aside from a
// fit. A candidate that is tried to see whether it comes near the best is given up where
// it stays far below: EM gains less with every step, on records kept aside no more than
// on its own, so that a dozen times the gain of this step is more than is to come (gains
// fall to a third within three steps).
type bar struct {
	test  *sample
	score []float64 // log density of every row by the best
	times float64   // as far behind as so many times what is to come: given up
}

const (
	barSteps  = 3 // steps between two looks, which take about a third of one
	barAhead  = 12
	barErrors = 3 // standard errors of the difference that are no reason to give up
)

// beyond returns by how many nats a model is behind the best, less what is no reason to
// give up.
func (b *bar) beyond(m *model) float64 {
	if b == nil {
		return 0
	}
	test := b.test
	if m.forest.children() > 0 {
		test = m.forest.with(test, m.lay.cols)
	}
	return b.above(m.score(test, &stats{}))
}

// above is beyond of a model by what it says of every record.
func (b *bar) above(scores []float64) float64 {
	sum, square := 0.0, 0.0
	for i, v := range scores {
		d, n := b.score[i]-v, b.test.count[i]
		sum += n * d
		square += n * d * d
	}
	spread := math.Sqrt(max(square-sum*sum/b.test.n, 0))
	return sum - max(barErrors*spread, clearNats)
}

// barred does something while fits are given up that stay far below the best of all:
// behind it by so many times what they may gain yet.
func (j *judge) barred(times float64, do func() error) error {
	for i, b := range j.bars(times) {
		j.folds[i].path.bar = b
	}
	defer func() {
		for _, f := range j.folds {
			f.path.bar = nil
		}
	}()
	return do()
}

// bars are those of the folds: none where nothing was tried, or where records lie at
// several places.
func (j *judge) bars(times float64) []*bar {
	top, ok := j.best(func(candidate) bool { return true })
	if !ok || j.places != nil {
		return nil
	}
	out, at := make([]*bar, len(j.folds)), 0
	for i, f := range j.folds {
		n := f.test.rows()
		out[i] = &bar{test: f.test, score: j.scores[top][at:][:n], times: times}
		at += n
	}
	return out
}

// tryNear tries a candidate that is of use only where it comes near the best of all: in
// one fold first, and where it stays far below the best there, in no other; it then has
// no score. It reports whether there is such a fit.
func (j *judge) tryNear(ctx context.Context, c candidate, times float64) (bool, error) {
	if j.places != nil {
		return j.try(ctx, c)
	}
	var ok bool
	err := j.barred(times, func() (err error) {
		ok, err = j.near(ctx, c, nil)
		return err
	})
	return ok, err
}

// tryFewer is tryNear of a candidate that is also of use where it is better than another
// one. It is made by halves: of five parts one says little of all.
func (j *judge) tryFewer(ctx context.Context, c, than candidate) (bool, error) {
	if j.places != nil || len(j.folds) > 2 {
		return j.tryBelow(ctx, c, 1)
	}
	var ok bool
	err := j.barred(1, func() (err error) {
		ok, err = j.near(ctx, c, &than)
		return err
	})
	return ok, err
}

// wholly tries a candidate in all folds that was given up after the first.
func (j *judge) wholly(ctx context.Context, c candidate) error {
	if v, tried := j.scores[c]; !tried || v != nil || j.folds[0].path.fits[c] == nil {
		return nil
	}
	j.untried(c)
	_, err := j.tryBelow(ctx, c, 1)
	return err
}

// tryBelow is try of a candidate that is likely to be far below the best of all.
func (j *judge) tryBelow(ctx context.Context, c candidate, times float64) (bool, error) {
	var ok bool
	err := j.barred(times, func() (err error) {
		ok, err = j.try(ctx, c)
		return err
	})
	return ok, err
}

// left is what a candidate whose fits were given up might have come to beyond its score.
func (j *judge) left(c candidate) float64 {
	sum := 0.0
	for _, f := range j.folds {
		if m := f.path.fits[c]; m != nil {
			sum += m.left
		}
	}
	return sum
}

// near tries a candidate in one fold first; than is another that it may be better than.
func (j *judge) near(ctx context.Context, c candidate, than *candidate) (bool, error) {
	if v, ok := j.scores[c]; ok {
		return v != nil || j.folds[0].path.fits[c] != nil, nil
	}
	first := j.folds[0].path
	some := first.workers
	first.workers = par.Workers(j.workers) // nobody else is at work
	m := first.at(c)
	first.workers = some
	if m == nil && than == nil { // a candidate is scored in all folds or in none
		j.score(c, nil)
		return false, ctx.Err()
	}
	if m != nil && first.bar.beyond(m) > 0 && (than == nil || j.behind(m, *than)) {
		j.score(c, nil)
		return true, ctx.Err()
	}
	return j.try(ctx, c)
}

// behind reports that a model of the first fold is far worse there than a candidate.
func (j *judge) behind(m *model, than candidate) bool {
	test := j.folds[0].test
	b := &bar{test: test, score: j.scores[than][:test.rows()]}
	return b.beyond(m) > 0
}
