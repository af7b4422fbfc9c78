package verdict

import "math"

// scattered is a forecast whose errors are larger in some sequences, or at some times,
// by degrees: the logarithm of their size lies on a line, where each sequence keeps its
// place or wanders (stochastic volatility, Taylor 1986). Two states, one calm and one
// wild, would be slices of it.
type scattered struct {
	of    *foretold
	moves passage
}

const scatterSteps = 12 // of EM

// learnScatter fits both ways to the forecast that suits best, and takes the likelier.
func learnScatter(w *walks, f *foretold) *scattered {
	var list []*scattered
	for _, tails := range [...]float64{0, f.tails} {
		for _, moves := range [...]passage{keeping(w), strolling()} {
			one := *f
			one.tails = tails
			list = append(list, &scattered{&one, moves})
		}
		if f.tails == 0 {
			break
		}
	}
	last := make([]float64, len(list))
	w.places.each(len(list), func(i int, own *strand) {
		for range scatterSteps {
			if !w.beat() {
				return
			}
			last[i] = list[i].step(w.on(own))
		}
	})
	best := 0
	for i, v := range last {
		if v > last[best] {
			best = i
		}
	}
	return list[best]
}

// keeping are sizes that each sequence keeps, spread by a half to begin with.
func keeping(w *walks) passage {
	p := &paced{per: max(w.places.one(float64(w.rows.N()))/float64(max(w.many(), 1)), 1)}
	for _, at := range [...][2]float64{{-.5, 0}, {.5, 0}} {
		p.note(at, 1)
	}
	p.relearn()
	return p
}

// strolling are sizes that change from step to step, slowly to begin with.
func strolling() passage {
	w := &wandering{first: [2]float64{0, .5}, pull: .8, jolt: .3, moves: make([]float64, linePlaces*linePlaces)}
	w.ready()
	return w
}

// densities sets out (rows×places) for every sequence and calls use.
func (s *scattered) densities(w *walks, use func(sequence int, density []float64)) {
	d := float64(len(s.of.use))
	all := make([]float64, w.rows.N()*linePlaces)
	s.of.far(w, func(_, t int, q float64) {
		for g := range linePlaces {
			z := place(g)
			all[t*linePlaces+g] = s.of.density(q*math.Exp(-2*z)) - d*z
		}
	})
	for i := range w.n() {
		use(i, all[w.steps[i]*linePlaces:w.steps[i+1]*linePlaces])
	}
}

// step is a step of EM: rows count by how small their errors are expected to be.
func (s *scattered) step(w *walks) float64 {
	total := []float64{0}
	weight := make([]float64, w.rows.N())
	var chance []float64
	s.densities(w, func(i int, density []float64) {
		chance = grown(chance, len(density))
		total[0] += s.moves.follow(density, chance)
		for t := range len(density) / linePlaces {
			for g, c := range chance[t*linePlaces:][:linePlaces] {
				weight[w.steps[i]+t] += c * math.Exp(-2*place(g))
			}
		}
	})
	before := *s.of
	if !s.of.regress(w, weight) {
		*s.of = before
	}
	w.places.add(append(s.moves.gathered(), total)...)
	s.moves.relearn()
	return total[0]
}

// scores returns the log density of every sequence.
func (s *scattered) scores(w *walks) []float64 {
	out := make([]float64, w.n())
	s.densities(w, func(i int, density []float64) { out[i] = s.moves.follow(density, nil) })
	return out
}
