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
