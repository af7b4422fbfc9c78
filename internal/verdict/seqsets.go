package verdict

import (
	"math"
	"sync"
)

// own value of a feature at the step before.
const (
	wasNot = iota
	was
	unknownBefore // the first step, or one after a step that was not observed
	befores
)

// setLevels is the model of steps that hold several things, without states: every
// feature by itself, by what it was at the step before or by the period of time,
// and a level that a sequence has in all of them.
type setLevels struct {
	dim     int
	before  bool // heed the step before
	timed   bool // heed the period
	period  func(t int) int
	count   []float64 // context×dim: steps with the feature
	total   []float64 // context×(dim or 1): steps
	spread  float64   // of the levels of sequences, in log-odds; 0: none
	logs    [][][2]float64
	bases   [][]float64
	periods int
}

// levelNodes are places of the normal law and their weights, near enough to each
// other for long sequences, which tell their level to a tenth.
func levelNodes() (z, w []float64) {
	const nodes, reach = 49, 4.
	all := 0.
	for q := range nodes {
		x := reach * (2*float64(q)/(nodes-1) - 1)
		z, w = append(z, x), append(w, math.Exp(-x*x/2))
		all += w[q]
	}
	for q := range w {
		w[q] /= all
	}
	return z, w
}

const setPull = 2 // steps of the frequencies of all that every context is given

func (m *setLevels) contexts() int {
	n := 1
	if m.before {
		n = befores
	}
	if m.timed {
		n *= m.periods
	}
	return n
}

func (m *setLevels) context(before, period int) int {
	c := 0
	if m.before {
		c = before
	}
	if m.timed {
		c = c*m.periods + period
	}
	return c
}

// visits calls use with the features of every observed step, those of the step
// before (nil where there is none) and its period.
func visits(w *walks, period func(int) int, use func(sequence int, now, before []uint32, known bool, period int)) {
	for i := range w.n() {
		var before []uint32
		known := false
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			now, _ := w.rows.Row(t)
			if len(now) == 0 {
				known = false
				continue
			}
			use(i, now, before, known, period(t-w.steps[i]))
			before, known = now, true
		}
	}
}

func learnSets(w *walks, before, timed bool) *setLevels {
	m := &setLevels{dim: w.rows.Dim, before: before, timed: timed, period: w.calendar(timed).of, periods: w.calendar(timed).n}
	m.count, m.total = make([]float64, m.contexts()*m.dim), make([]float64, m.contexts()*m.dim)
	steps := make([]float64, m.contexts()) // steps whose features were all absent before, or have no before
	visits(w, m.period, func(_ int, now, past []uint32, known bool, period int) {
		usual := unknownBefore
		if known {
			usual = wasNot
		}
		c, held := m.context(usual, period), m.context(was, period)
		steps[c]++
		if m.before && known {
			for _, h := range past {
				m.total[c*m.dim+int(h)]--
				m.total[held*m.dim+int(h)]++
			}
		}
		for _, h := range now {
			at := c
			if m.before && known && contains(past, h) {
				at = held
			}
			m.count[at*m.dim+int(h)]++
		}
	})
	for c, n := range steps {
		for h := range m.dim {
			m.total[c*m.dim+h] += n
		}
	}
	w.places.add(m.count, m.total)
	m.ready()
	return m
}

func contains(sorted []uint32, h uint32) bool {
	for _, v := range sorted {
		if v == h {
			return true
		}
	}
	return false
}

// chance is the frequency of a feature in a context, drawn towards that in all.
func (m *setLevels) chance(c, h int) float64 {
	n, all := 0.0, 0.0
	for x := range m.contexts() {
		n += m.count[x*m.dim+h]
		all += m.total[x*m.dim+h]
	}
	mean := (n + 1e-9) / (all + 1e-9)
	v := (m.count[c*m.dim+h] + setPull*mean) / (m.total[c*m.dim+h] + setPull)
	return min(max(v, 1e-9), 1-1e-9)
}

// ready works out the log probabilities of every context, feature and level.
func (m *setLevels) ready() {
	z, weight := []float64{0}, []float64{1}
	if m.spread > 0 {
		z, weight = levelNodes()
	}
	n := m.contexts()
	m.logs, m.bases = make([][][2]float64, len(z)), make([][]float64, len(z))
	for q := range z {
		m.logs[q], m.bases[q] = make([][2]float64, n*m.dim), make([]float64, n)
	}
	for c := range n {
		for h := range m.dim {
			a := centred(m.chance(c, h), m.spread, z, weight)
			for q, x := range z {
				p := 1 / (1 + math.Exp(-a-m.spread*x))
				yes, no := math.Log(max(p, 1e-300)), math.Log(max(1-p, 1e-300))
				m.logs[q][c*m.dim+h] = [2]float64{no, yes}
				m.bases[q][c] += no
			}
		}
	}
}

// centred returns the log-odds whose mean over the levels is p.
func centred(p, spread float64, z, weight []float64) float64 {
	a := math.Log(p / (1 - p))
	if spread == 0 {
		return a
	}
	const rounds = 20
	for range rounds {
		mean, slope := 0.0, 0.0
		for q, x := range z {
			v := 1 / (1 + math.Exp(-a-spread*x))
			mean += weight[q] * v
			slope += weight[q] * v * (1 - v)
		}
		a -= min(max((mean-p)/max(slope, 1e-12), -1), 1)
	}
	return a
}

// scores returns the log probability of every sequence.
func (m *setLevels) scores(w *walks) []float64 {
	_, weight := levelNodes()
	if m.spread == 0 {
		weight = []float64{1}
	}
	at := make([]float64, w.n()*len(m.logs)) // sequence×level
	visits(w, m.period, func(i int, now, past []uint32, known bool, period int) {
		usual := unknownBefore
		if known {
			usual = wasNot
		}
		c, held := m.context(usual, period), m.context(was, period)
		for q, logs := range m.logs {
			v := m.bases[q][c]
			if m.before && known {
				for _, h := range past {
					v += logs[held*m.dim+int(h)][0] - logs[c*m.dim+int(h)][0]
				}
			}
			for _, h := range now {
				of := c
				if m.before && known && contains(past, h) {
					of = held
				}
				x := logs[of*m.dim+int(h)]
				v += x[1] - x[0]
			}
			at[i*len(m.logs)+q] += v
		}
	})
	out := make([]float64, w.n())
	for i := range out {
		out[i] = logWeighted(at[i*len(m.logs):][:len(m.logs)], weight)
	}
	return out
}

// logWeighted returns log Σ w·exp(v).
func logWeighted(v, w []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
	}
	all := 0.0
	for q, x := range v {
		all += w[q] * math.Exp(x-top)
	}
	return top + math.Log(all)
}

// levelled returns the same with the spread of levels that suits the sequences it
// learned from.
func (m *setLevels) levelled(w *walks) *setLevels {
	list := []*setLevels{m}
	for _, spread := range []float64{.25, .5, .75, 1, 1.25, 1.5, 2} {
		other := *m
		other.spread = spread
		other.ready()
		list = append(list, &other)
	}
	return list[w.likeliest(len(list), func(i int) []float64 { return list[i].scores(w) })]
}

// likeliest returns which of n explanations gives the sequences of all places the
// highest scores; the first of equals.
func (w *walks) likeliest(n int, scores func(i int) []float64) int {
	total := make([]float64, n)
	for i := range total {
		total[i] = sum(scores(i))
	}
	w.places.add(total)
	best := 0
	for i, v := range total {
		if v > total[best] {
			best = i
		}
	}
	return best
}

// setRivals scores the explanations without hidden states of steps that hold
// several things.
func setRivals(train, test *walks) map[memory][]float64 {
	train.calendar(true) // for all of them
	return train.rivals(
		func(train *walks, score scoring) {
			plain := learnSets(train, false, false)
			score(loose, plain.scores(test))
			score(ownLevel, plain.levelled(train).scores(test))
		},
		func(train *walks, score scoring) { score(drifting, learnSets(train, false, true).scores(test)) },
		func(train *walks, score scoring) {
			before := learnSets(train, true, false)
			score(visible, before.scores(test))
			score(habits, before.levelled(train).scores(test))
		},
		func(train *walks, score scoring) { score(seasons, learnSets(train, true, true).scores(test)) },
	)
}

// scoring takes the scores of an explanation.
type scoring func(m memory, scores []float64)

// rivals learns explanations one after the other, over several places side by side.
func (w *walks) rivals(learn ...func(w *walks, score scoring)) map[memory][]float64 {
	out := map[memory][]float64{}
	var mu sync.Mutex
	w.places.each(len(learn), func(i int, own *strand) {
		learn[i](w.on(own), func(m memory, scores []float64) {
			mu.Lock()
			defer mu.Unlock()
			out[m] = scores
		})
	})
	return out
}
