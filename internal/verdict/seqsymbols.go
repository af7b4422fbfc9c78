package verdict

import (
	"math"
	"slices"
)

// impossible is the log probability of what was never seen: that of the models
// with states, so that both pay the same for it.
var impossible = math.Log(1e-300)

// steps returns the symbol of every step, -1 where none was observed.
func (w *walks) symbols() []int {
	out := make([]int, w.rows.N())
	for i := range out {
		out[i] = -1
		if index, _ := w.rows.Row(i); len(index) > 0 {
			out[i] = int(index[0])
		}
	}
	return out
}

// numbered counts the steps of every number in their sequence.
func (w *walks) numbered() []float64 {
	var at []float64
	for i := range w.n() {
		l := w.steps[i+1] - w.steps[i]
		for len(at) < l {
			at = append(at, 0)
		}
		for t := range l {
			at[t]++
		}
	}
	if w.places == nil {
		return at
	}
	longer := make([]float64, 32) // places with a sequence of 2^b steps or more
	for b := range longer {
		longer[b] = float64(boolInt(len(at) >= 1<<b))
	}
	w.places.add(longer)
	most := 1
	for b, n := range longer {
		if n > 0 {
			most = 2 << b
		}
	}
	at = append(at, make([]float64, most-len(at))...)
	w.places.add(at)
	for len(at) > 0 && at[len(at)-1] == 0 {
		at = at[:len(at)-1]
	}
	return at
}

// past is what is known before a step: its number, and the last symbols, the
// latest first. dim stands for the begin, dim+1 for a step that was not observed.
type past struct {
	period int
	last   [3]int
	run    int // steps that the last symbol has been shown for
}

// level is the part of the past that a level of a predictor heeds.
type level struct {
	pasts int64 // that there may be
	timed bool  // the period is heeded
	of    func(p past) int64
}

// predictor predicts the next symbol from the past: every level is drawn towards
// the one before it, the first towards the frequencies of all steps.
type predictor struct {
	dim    int
	levels []level
	count  []map[[2]int64]float64 // of every level: past and symbol
	total  []map[int64]float64
	pull   []float64 // of every level, in steps
	period func(t int) int
}

// learnSymbols counts what follows what.
func learnSymbols(w *walks, levels []level) *predictor {
	timed := slices.ContainsFunc(levels, func(l level) bool { return l.timed })
	p := &predictor{dim: w.rows.Dim, levels: levels, period: w.calendar(timed).of}
	for range levels {
		p.count, p.total = append(p.count, map[[2]int64]float64{}), append(p.total, map[int64]float64{})
	}
	p.each(w, w.symbols(), func(_ int, at past, s int) {
		for l, level := range levels {
			c := level.of(at)
			p.count[l][[2]int64{c, int64(s)}]++
			p.total[l][c]++
		}
	})
	p.together(w.places)
	p.pull = make([]float64, len(levels))
	for l := 1; l < len(levels); l++ {
		p.choosePull(w, l)
	}
	return p
}

// each calls use with the past of every observed step and its symbol.
func (p *predictor) each(w *walks, symbol []int, use func(sequence int, at past, s int)) {
	for i := range w.n() {
		at := past{last: [3]int{p.dim, p.dim, p.dim}}
		for t := w.steps[i]; t < w.steps[i+1]; t++ {
			at.period = p.period(t - w.steps[i])
			s := symbol[t]
			if s >= 0 {
				use(i, at, s)
			} else {
				s = p.dim + 1
			}
			if s != at.last[0] {
				at.run = 0
			}
			at.run++
			at.last = [3]int{s, at.last[0], at.last[1]}
		}
	}
}

// pulls are tried for every level.
func pulls() []float64 { return []float64{.5, 1, 2, 5, 10, 20, 50, 100} }

// choosePull takes the pull under which every step is predicted best by the others.
func (p *predictor) choosePull(w *walks, l int) {
	symbol, c := w.symbols(), pulls()
	p.pull[l] = c[w.likeliest(len(c), func(i int) []float64 {
		sum := 0.0
		p.each(w, symbol, func(_ int, at past, s int) {
			of := p.levels[l].of(at)
			n, all := p.count[l][[2]int64{of, int64(s)}]-1, p.total[l][of]-1
			sum += math.Log((n + c[i]*p.chance(at, s, l-1)) / (all + c[i]))
		})
		return []float64{sum}
	})]
}

// together adds up the counts of all places, past by past and symbol by symbol.
func (p *predictor) together(places *strand) {
	if places == nil {
		return
	}
	dim := int64(p.dim)
	tables := make([][]float64, len(p.levels))
	for l, level := range p.levels {
		tables[l] = make([]float64, level.pasts*dim)
		for at, n := range p.count[l] {
			tables[l][at[0]*dim+at[1]] = n
		}
	}
	places.add(tables...)
	for l, table := range tables {
		clear(p.count[l])
		clear(p.total[l])
		for e, n := range table {
			if n > 0 {
				of := int64(e) / dim
				p.count[l][[2]int64{of, int64(e) % dim}] = n
				p.total[l][of] += n
			}
		}
	}
}

// chance returns the probability of a symbol by the levels up to l.
func (p *predictor) chance(at past, s, l int) float64 {
	v := 0.0
	for i := 0; i <= l; i++ {
		of := p.levels[i].of(at)
		n, all := p.count[i][[2]int64{of, int64(s)}], p.total[i][of]
		if all+p.pull[i] > 0 {
			v = (n + p.pull[i]*v) / (all + p.pull[i])
		}
	}
	return v
}

// scores returns the log probability of every sequence. An own strength above 0
// adds to the past what the sequence itself has shown: the smaller, the more it
// follows its own way; own is the part of the past that this heeds.
func (p *predictor) scores(w *walks, strength float64, own level) []float64 {
	out := make([]float64, w.n())
	count, total := map[[2]int64]float64{}, map[int64]float64{}
	now := -1
	p.each(w, w.symbols(), func(i int, at past, s int) {
		v := p.chance(at, s, len(p.levels)-1)
		if strength > 0 {
			if i != now {
				clear(count)
				clear(total)
				now = i
			}
			c := own.of(at)
			key := [2]int64{c, int64(s)}
			if v > 0 {
				v = (strength*v + count[key]) / (strength + total[c])
			}
			count[key]++
			total[c]++
		}
		if v > 0 {
			out[i] += math.Log(v)
		} else {
			out[i] += impossible
		}
	})
	return out
}

// strengths of a sequence's own way, in steps.
func ownStrengths() []float64 { return []float64{.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512} }

// owned chooses the strength that suits the sequences it learned from.
func (p *predictor) owned(w *walks, own level) float64 {
	c := ownStrengths()
	return c[w.likeliest(len(c), func(i int) []float64 { return p.scores(w, c[i], own) })]
}

// Tables of what follows what that places add up.
const (
	mostSymbols  = 1000    // things that steps may hold, one each
	mostFollowed = 1 << 18 // numbers of a table of the last two or three steps
	kindSymbols  = 50      // things up to which kinds of courses are looked for
)

// mostRuns are the lengths of runs that are told apart: each up to eight steps, then
// three to every doubling.
const mostRuns = 32

func runLength(steps int) int {
	const each, doubling = 8, 3
	if steps <= each {
		return steps
	}
	return min(each+int(math.Ceil(doubling*math.Log2(float64(steps)/each))), mostRuns-1)
}

// inSeason heeds the last symbol, one of base with the begin and what was not observed,
// and the period.
func inSeason(base int64) level {
	return level{base * mostDates, true, func(p past) int64 { return int64(p.last[0])*mostDates + int64(p.period) }}
}

// symbolRivals scores the explanations without hidden states of steps that hold
// one thing each.
func symbolRivals(train, test *walks) map[memory][]float64 {
	train.calendar(true)
	base := int64(train.rows.Dim) + 2
	none := level{1, false, func(past) int64 { return 0 }}
	one := level{base, false, func(p past) int64 { return int64(p.last[0]) }}
	two := level{base * base, false, func(p past) int64 { return int64(p.last[0])*base + int64(p.last[1]) }}
	three := level{base * base * base, false, func(p past) int64 { return (int64(p.last[0])*base+int64(p.last[1]))*base + int64(p.last[2]) }}
	long := level{base * mostRuns, false, func(p past) int64 { return int64(p.last[0])*mostRuns + int64(runLength(p.run)) }}
	time := level{mostDates, true, func(p past) int64 { return int64(p.period) }}
	both := inSeason(base)
	fits := func(l level) bool { return train.places == nil || l.pasts*int64(train.rows.Dim) <= mostFollowed }
	return train.rivals(
		func(train *walks, score scoring) {
			plain := learnSymbols(train, []level{none})
			score(loose, plain.scores(test, 0, level{}))
			score(ownLevel, plain.scores(test, plain.owned(train, none), none))
		},
		func(train *walks, score scoring) {
			score(drifting, learnSymbols(train, []level{none, time}).scores(test, 0, level{}))
		},
		func(train *walks, score scoring) {
			step := learnSymbols(train, []level{none, one})
			score(visible, step.scores(test, 0, level{}))
			score(habits, step.scores(test, step.owned(train, one), one))
			if c := learnChains(train, step); c != nil {
				score(kindred, c.scores(test))
			}
		},
		func(train *walks, score scoring) {
			levels := []level{none, one}
			for _, l := range []level{two, three} {
				if fits(l) {
					levels = append(levels, l)
				}
			}
			if len(levels) > 2 {
				score(longer, learnSymbols(train, levels).scores(test, 0, level{}))
			}
		},
		func(train *walks, score scoring) {
			if fits(long) {
				score(dwelling, learnSymbols(train, []level{none, one, long}).scores(test, 0, level{}))
			}
		},
		func(train *walks, score scoring) {
			if fits(both) {
				score(seasons, learnSymbols(train, []level{none, one, both}).scores(test, 0, level{}))
			}
		},
	)
}
