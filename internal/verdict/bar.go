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
}

const (
	barSteps  = 3 // steps between two looks, which take about a third of one
	barAhead  = 12
	barErrors = 3 // standard errors of the difference that are no reason to give up
)

// beyond reports that a model is out of reach of the best even where it gains so much
// more. Of repeated features, which are scored on other columns, nothing is said.
func (b *bar) beyond(m *model, gain float64) bool {
	if b == nil || m.forest.children() > 0 {
		return false
	}
	sum, square := 0.0, 0.0
	for i, v := range m.score(b.test, &stats{}) {
		d, n := b.score[i]-v, b.test.count[i]
		sum += n * d
		square += n * d * d
	}
	spread := math.Sqrt(max(square-sum*sum/b.test.n, 0))
	return sum-max(gain, 0) > max(barErrors*spread, clearNats)
}

// tryNear tries a candidate that is of use only where it comes near the best of all: in
// one fold first, and where it stays far below the best there, in no other; it then has
// no score. It reports whether there is such a fit.
func (j *judge) tryNear(ctx context.Context, c candidate) (bool, error) {
	top, ok := j.best(func(candidate) bool { return true })
	if !ok || j.places != nil {
		return j.try(ctx, c)
	}
	at := 0
	for _, f := range j.folds {
		n := f.test.rows()
		f.path.bar = &bar{f.test, j.scores[top][at:][:n]}
		at += n
	}
	defer func() {
		for _, f := range j.folds {
			f.path.bar = nil
		}
	}()
	first := j.folds[0].path
	some := first.workers
	first.workers = par.Workers(j.workers) // nobody else is at work
	m := first.at(c)
	first.workers = some
	if m != nil && first.bar.beyond(m, 0) {
		j.scores[c] = nil
		return true, ctx.Err()
	}
	return j.try(ctx, c)
}
