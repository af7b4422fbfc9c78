package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// ward is a law of hospital records: age, laboratory values, flags, answers of
// three levels and counts, in groups that differ in some of them.
type ward struct {
	k         int
	apart     float64 // what tells groups apart, in deviations and log-odds of a column
	severity  float64 // what one degree of illness moves all columns by
	twins     bool    // flags that repeat others
	missing   float64 // share of values that are not there
	overdrawn bool    // counts vary more than chance
	flags     int
}

// MixedSingles are single populations of mixed columns.
func MixedSingles() []Law {
	laws := []Law{
		{Name: "ward: nothing in common", draw: ward{k: 1, flags: 8}.draw},
		{Name: "ward: severity", draw: ward{k: 1, severity: 1, flags: 8}.draw},
		{Name: "ward: strong severity", draw: ward{k: 1, severity: 2, flags: 12}.draw},
		{Name: "ward: flags that repeat others", draw: ward{k: 1, twins: true, flags: 8}.draw},
		{Name: "ward: a fifth is missing", draw: ward{k: 1, severity: 1, missing: .2, flags: 8}.draw},
		{Name: "ward: counts of all sizes", draw: ward{k: 1, severity: .5, overdrawn: true, flags: 4}.draw},
		{Name: "survey and ages: nothing in common", draw: poll{k: 1, items: 12, numbers: 1}.draw},
		{Name: "survey and ages: an attitude", draw: poll{k: 1, items: 12, numbers: 1, attitude: 1.5}.draw},
		{Name: "survey and ages: a strong attitude that changes with age", draw: poll{k: 1, items: 20, numbers: 3, attitude: 2.5, aged: .6}.draw},
		{Name: "survey and ages: an attitude, answers of yes-sayers", draw: poll{k: 1, items: 10, numbers: 2, attitude: 1, nodding: 1}.draw},
		{Name: "clinic: laboratory values that go together", draw: clinic{weights: []float64{1}, flags: 12, numbers: 6, linked: true}.draw},
	}
	for i := range laws {
		laws[i].Groups = 1
	}
	return laws
}

// MixedGroups are groups of mixed columns.
func MixedGroups() []Law {
	return []Law{
		{Name: "ward: 2 groups", Groups: 2, draw: ward{k: 2, apart: 2, flags: 12}.draw},
		{Name: "ward: 3 groups", Groups: 3, draw: ward{k: 3, apart: 2.5, flags: 12}.draw},
		{Name: "ward: 4 groups", Groups: 4, draw: ward{k: 4, apart: 3, flags: 16}.draw},
		{Name: "ward: 3 groups and severity", Groups: 3, draw: ward{k: 3, apart: 3, severity: .7, flags: 12}.draw},
		{Name: "ward: 3 groups, a tenth is missing", Groups: 3, draw: ward{k: 3, apart: 3, missing: .1, flags: 12}.draw},
		{Name: "survey and ages: 2 groups", Groups: 2, draw: poll{k: 2, items: 12, numbers: 1, apart: 2}.draw},
		{Name: "survey and ages: 4 groups", Groups: 4, draw: poll{k: 4, items: 16, numbers: 3, apart: 2}.draw},
		{Name: "survey and ages: 3 groups and an attitude", Groups: 3, draw: poll{k: 3, items: 20, numbers: 2, apart: 2.5, attitude: 1, aged: .5}.draw},
		{Name: "clinic: 3 groups, seen in flags and in numbers", Groups: 3, draw: clinic{weights: []float64{.5, .3, .2}, flags: 8, numbers: 2, apart: 1.5}.draw},
		{Name: "clinic: 4 groups, seen in flags and in numbers", Groups: 4, draw: clinic{weights: []float64{.4, .3, .2, .1}, flags: 12, numbers: 4, apart: 1.2}.draw},
		{Name: "hard: ward, 3 groups close together", Groups: 3, Hard: true, draw: ward{k: 3, apart: 1.2, flags: 8}.draw},
	}
}

const wardReals, wardAnswers, wardCounts = 4, 2, 2

func (w ward) draw(r *rand.Rand, n int) Draw {
	width := wardReals + w.flags + 3*wardAnswers + wardCounts
	shift := normal(r, 0, w.apart, w.k*width)
	load := uniform(r, .3, 1, width)
	base := uniform(r, -1.5, .5, width)
	rows := sparse.Rows{Dim: width}
	labels := make([]int, n)
	for i := range n {
		g := r.IntN(w.k)
		labels[i] = g
		rows.Dense = append(rows.Dense, w.record(r, shift[g*width:][:width], load, base)...)
	}
	return Draw{Rows: &rows, Kind: record.Mixed, Labels: labels, Columns: w.columns()}
}

func (w ward) record(r *rand.Rand, shift, load, base []float64) []float64 {
	x, ill := make([]float64, len(load)), w.severity*r.NormFloat64()
	for h := range wardReals {
		x[h] = r.NormFloat64() + shift[h] + load[h]*ill
	}
	x[0] = math.Round(60 + 12*x[0])
	x[1] = math.Exp(.5 * x[1])
	at := wardReals
	for f := range w.flags {
		h := at + f
		if r.Float64() < logistic(base[h]+shift[h]+load[h]*ill) {
			x[h] = 1
		}
		if w.twins && f%2 == 1 && r.Float64() < .97 {
			x[h] = x[h-1]
		}
	}
	at += w.flags
	for q := range wardAnswers {
		h, top, best := at+3*q, math.Inf(-1), 0
		for l := range 3 {
			if v := base[h+l] + shift[h+l] + float64(l-1)*load[h]*ill + noise(r); v > top {
				top, best = v, l
			}
		}
		x[h+best] = 1
	}
	at += 3 * wardAnswers
	for c := range wardCounts {
		mean := 3 * math.Exp(.4*(shift[at+c]+load[at+c]*ill))
		if w.overdrawn {
			mean *= gamma(r, 1.5) / 1.5
		}
		x[at+c] = float64(poisson(r, min(mean, 50)))
	}
	w.lose(r, x)
	return x
}

// lose leaves out values; a question is not answered as a whole.
func (w ward) lose(r *rand.Rand, x []float64) {
	for _, c := range w.columns() {
		if r.Float64() >= w.missing {
			continue
		}
		for h := c.From; h < c.To; h++ {
			x[h] = math.NaN()
			if c.Kind == vocab.Categorical {
				x[h] = 0
			}
		}
	}
}

func (w ward) columns() []vocab.Column {
	var out []vocab.Column
	at := 0
	add := func(kind vocab.Kind, n, each int) {
		for range n {
			out = append(out, vocab.Column{Kind: kind, From: at, To: at + each})
			at += each
		}
	}
	add(vocab.Real, wardReals, 1)
	add(vocab.Presence, w.flags, 1)
	add(vocab.Categorical, wardAnswers, 3)
	add(vocab.Counts, wardCounts, 1)
	return out
}

// poll is a law of answers of five levels beside numbers that the groups do not
// differ in, such as ages and weights.
type poll struct {
	k, items, numbers int
	apart             float64 // what tells groups apart, in log-odds of an answer
	attitude          float64 // what one attitude moves the levels of all answers by
	aged              float64 // correlation of the attitude with the first number
	nodding           float64 // how much more some choose the upper levels, whatever is asked
}

const pollLevels = 5

func (s poll) draw(r *rand.Rand, n int) Draw {
	width := s.numbers + pollLevels*s.items
	shift := normal(r, 0, s.apart, s.k*width)
	base := normal(r, 0, .5, width)
	load := uniform(r, .4, 1, s.items)
	for q := range load {
		if r.IntN(2) == 0 {
			load[q] = -load[q] // questions put the other way round
		}
	}
	rows := sparse.Rows{Dim: width}
	labels := make([]int, n)
	for i := range n {
		labels[i] = r.IntN(s.k)
		rows.Dense = append(rows.Dense, s.record(r, shift[labels[i]*width:][:width], base, load)...)
	}
	return Draw{Rows: &rows, Kind: record.Mixed, Labels: labels, Columns: s.columns()}
}

func (s poll) record(r *rand.Rand, shift, base, load []float64) []float64 {
	x := make([]float64, len(shift))
	age := r.NormFloat64()
	attitude := s.aged*age + math.Sqrt(1-s.aged*s.aged)*r.NormFloat64()
	nods := s.nodding * r.NormFloat64()
	for h := range s.numbers {
		x[h] = r.Float64()
	}
	x[0] = math.Round(50 + 15*age)
	for q, w := range load {
		at, top, best := s.numbers+pollLevels*q, math.Inf(-1), 0
		for l := range pollLevels {
			level := float64(l-pollLevels/2) / 2
			if v := base[at+l] + shift[at+l] + level*(w*s.attitude*attitude+nods) + noise(r); v > top {
				top, best = v, l
			}
		}
		x[at+best] = 1
	}
	return x
}

func (s poll) columns() []vocab.Column {
	var out []vocab.Column
	for h := range s.numbers {
		out = append(out, vocab.Column{Kind: vocab.Real, From: h, To: h + 1})
	}
	for at := s.numbers; at < s.numbers+pollLevels*s.items; at += pollLevels {
		out = append(out, vocab.Column{Kind: vocab.Categorical, From: at, To: at + pollLevels})
	}
	return out
}

// clinic is a law of flags and laboratory values of which groups of uneven sizes differ in
// both, a little in each.
type clinic struct {
	weights        []float64
	flags, numbers int
	apart          float64 // what tells groups apart in a number, in deviations
	linked         bool    // numbers go together
}

const often, seldom = .8, .14 // of a flag

func (c clinic) draw(r *rand.Rand, n int) Draw {
	k, width := len(c.weights), c.numbers+c.flags
	middle := normal(r, 0, c.apart, k*c.numbers)
	share := uniform(r, .1, .7, c.flags)
	mix := normal(r, 0, 1, c.numbers*c.numbers)
	p := make([]float64, k*c.flags)
	for i := range p {
		if p[i] = seldom; k == 1 {
			p[i] = share[i]
		} else if r.IntN(2) == 0 {
			p[i] = often
		}
	}
	rows := sparse.Rows{Dim: width, Dense: make([]float64, 0, n*width)}
	labels := make([]int, n)
	for i := range n {
		g := pick(r, c.weights)
		labels[i] = g
		own := normal(r, 0, 1, c.numbers)
		for h := range c.numbers {
			v := middle[g*c.numbers+h] + own[h]
			if c.linked {
				v = 0
				for l, w := range mix[h*c.numbers:][:c.numbers] {
					v += w * own[l]
				}
			}
			rows.Dense = append(rows.Dense, math.Round(1000+100*v)/10)
		}
		for f := range c.flags {
			v := 0.0
			if r.Float64() < p[g*c.flags+f] {
				v = 1
			}
			rows.Dense = append(rows.Dense, v)
		}
	}
	columns := make([]vocab.Column, width)
	for h := range columns {
		columns[h] = vocab.Column{Kind: vocab.Real, From: h, To: h + 1}
		if h >= c.numbers {
			columns[h].Kind = vocab.Presence
		}
	}
	return Draw{Rows: &rows, Kind: record.Mixed, Labels: labels, Columns: columns}
}
