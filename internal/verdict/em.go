package verdict

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
)

// EM of one candidate on one sample; n records, cols columns, c = groups×nodes components:
//
//	trainer.best      short runs from every start, then on from the likeliest
//	trainer.towards   steps until the gain is below enough, or the goal is out of reach
//	model.estep       (team.go) scores n×c from table (cols×c) and bias (c) → stats: n (c), s (cols×c)
//	model.maximise    (step.go) stats → pi (groups), b (groups×cols), a (dims×cols), by Newton's method

const (
	mostSteps  = 40
	shortSteps = 8  // after which starts are compared
	shapeSteps = 6  // after which shapes of a trend are
	heapSteps  = 5  // after which laws with two heaps are
	enough     = .1 // nats: EM has settled
	leastSteps = 5
)

// trainer fits models to one sample.
type trainer struct {
	lay *layout
	s   *sample
	pr  prior
	st  stats
	// pairs are the counts of features and of pairs of them, once they were asked for.
	pairs []float64
	// places adds up what the sample of every place gives; nil where all records are here.
	places *strand
	*pulse
	workers int  // cores for starts, side by side, and for every step; 0 is one
	bar     *bar // below which fits are given up; nil goes on
}

// em takes steps until the likelihood settles, at most so many.
func (t *trainer) em(m *model, s *sample, steps int, tol float64) *model {
	return t.towards(m, s, steps, tol, math.Inf(-1))
}

// towards takes steps until the likelihood settles, or until it cannot come to
// the goal: EM gains less with every step, so that it is out of reach where the
// gain of this step, kept up to the last one, would not be enough.
func (t *trainer) towards(m *model, s *sample, steps int, tol, goal float64) *model {
	old, below := 0.0, t.bar != nil
	t.st.team, t.st.alone = team(t.workers), t.places == nil
	for i := range steps {
		if !t.beat() || t.places.failed() != nil {
			break
		}
		m.estep(s, &t.st)
		t.places.addStats(&t.st)
		m.loglik = t.st.loglik
		m.maximise(&t.st, t.pr)
		gain := m.loglik - old
		if i >= leastSteps && gain >= -1 && (gain < tol || m.loglik+gain*float64(steps-1-i) < goal) {
			break
		}
		if below && i >= barSteps && i%barSteps == 0 && gain >= 0 {
			by := t.bar.beyond(m)
			if left := gain * barAhead; by > left*t.bar.times {
				m.left = left
				break
			}
			below = by > 0
		}
		old = m.loglik
	}
	return m
}

// best takes a few steps from every start and goes on from the best.
func (t *trainer) best(starts []*model, s *sample) *model {
	return t.bestTowards(starts, s, math.Inf(-1))
}

// bestTowards is best, given up where it cannot come to the goal.
func (t *trainer) bestTowards(starts []*model, s *sample, goal float64) *model {
	if len(starts) == 0 {
		return nil
	}
	if len(starts) > 1 {
		t.side(starts, s, shortSteps)
		if best := likeliest(starts); best.left > 0 { // given up
			return best
		}
	}
	return t.towards(likeliest(starts), s, mostSteps, enough, goal)
}

// side takes so many steps from every start, side by side. Starts share nothing that a
// step changes, and a step cannot fail: where the pulse has stopped, steps end.
func (t *trainer) side(starts []*model, s *sample, steps int) {
	alone := func(i int, places *strand) {
		other := &trainer{lay: t.lay, s: t.s, pr: t.pr, places: places, pulse: t.pulse, bar: t.bar}
		other.workers = (t.workers + len(starts) - 1) / len(starts)
		other.em(starts[i], s, steps, 0)
	}
	switch {
	case t.places != nil:
		t.places.each(len(starts), alone)
	case t.workers > 1 && len(starts) > 1:
		_ = par.Do(context.Background(), t.workers, len(starts), func(i int) error {
			alone(i, nil)
			return nil
		})
	default:
		for _, m := range starts {
			t.em(m, s, steps, 0)
		}
	}
}

// addStats adds up the sums of an E-step.
func (a *strand) addStats(st *stats) {
	if a == nil {
		return
	}
	fit := []float64{st.loglik}
	a.add(fit, st.n, st.s)
	st.loglik = fit[0]
}

func likeliest(list []*model) *model {
	return slices.MaxFunc(list, func(a, b *model) int {
		switch {
		case a.loglik < b.loglik:
			return -1
		case a.loglik > b.loglik:
			return 1
		}
		return 0
	})
}
