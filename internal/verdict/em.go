package verdict

import "slices"

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
	*pulse
}

// em takes steps until the likelihood settles, at most so many.
func (t *trainer) em(m *model, s *sample, steps int, tol float64) *model {
	old := 0.0
	for i := range steps {
		if !t.beat() {
			break
		}
		m.estep(s, &t.st)
		m.loglik = t.st.loglik
		m.maximise(&t.st, t.pr)
		if gain := m.loglik - old; i >= leastSteps && gain < tol && gain >= -1 {
			break
		}
		old = m.loglik
	}
	return m
}

// best takes a few steps from every start and goes on from the best.
func (t *trainer) best(starts []*model, s *sample) *model {
	if len(starts) == 0 {
		return nil
	}
	if len(starts) > 1 {
		for _, m := range starts {
			t.em(m, s, shortSteps, 0)
		}
	}
	return t.em(likeliest(starts), s, mostSteps, enough)
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
