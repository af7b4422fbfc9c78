// Package scores is the score table of a verdict: the log density that every
// explanation gives to each record that took no part in its fit.
//
// The records are kept aside in parts (folds, or halves). Of every pair of
// explanations the table keeps the sum of their scores and of the products of their
// scores, part by part, from which the difference of the two and its standard error
// over records follow. These sums are all that places with records of their own tell
// each other. Scores are counted from those of the first explanation, so that nothing
// is lost in the differences.
//
// The package knows nothing of what an explanation is, nor how it was fitted.
package scores

import (
	"maps"
	"math"
	"slices"
)

// Records are the records kept aside.
type Records struct {
	Part  []int     // of every record here, in the order of its scores
	Count []float64 // how many equal records each of them stands for; nil: one
	Size  []float64 // how many records every part has, over all places

	// Add makes sums over the records here their totals over all places; nil where all
	// records are here.
	Add func(sums ...[]float64)
}

// Table holds the scores of explanations, which are told apart by E.
type Table[E comparable] struct {
	of      Records
	compare func(a, b E) int
	scores  map[E][]float64 // nil for an explanation that could not be fitted
	first   []float64       // the scores of the first explanation
	base    []float64       // their sums, by part
	sum     map[E][]float64 // sums of the scores less those of the first, by part
	cross   map[[2]E][]float64
}

// New returns an empty table; compare puts explanations into an order.
func New[E comparable](of Records, compare func(a, b E) int) *Table[E] {
	return &Table[E]{of: of, compare: compare, scores: map[E][]float64{}, sum: map[E][]float64{}, cross: map[[2]E][]float64{}}
}

// Scores returns the scores of an explanation on the records here, nil where it could
// not be fitted, and whether it was entered.
func (t *Table[E]) Scores(e E) ([]float64, bool) {
	v, ok := t.scores[e]
	return v, ok
}

// Enter adds explanations with their scores on the records here, in one exchange between
// places; nil scores are those of an explanation that could not be fitted.
func (t *Table[E]) Enter(list []E, scores [][]float64) {
	var sums [][]float64
	keep := func(v []float64) []float64 {
		sums = append(sums, v)
		return v
	}
	for i, e := range list {
		t.scores[e] = scores[i]
		if scores[i] != nil && t.first == nil {
			t.first = scores[i]
			t.base = keep(t.byPart(func(r int) float64 { return t.first[r] }))
		}
	}
	all := t.Sorted(func(E) bool { return true })
	for i, e := range list {
		own := scores[i]
		if own == nil {
			continue
		}
		t.sum[e] = keep(t.byPart(func(r int) float64 { return own[r] - t.first[r] }))
		for _, o := range all {
			if other := t.scores[o]; t.cross[[2]E{e, o}] == nil {
				x := keep(t.byPart(func(r int) float64 { return (own[r] - t.first[r]) * (other[r] - t.first[r]) }))
				t.cross[[2]E{e, o}], t.cross[[2]E{o, e}] = x, x
			}
		}
	}
	if len(sums) > 0 && t.of.Add != nil {
		t.of.Add(sums...)
	}
}

// byPart adds up a number of every record here, part by part.
func (t *Table[E]) byPart(of func(record int) float64) []float64 {
	out := make([]float64, len(t.of.Size))
	for r, part := range t.of.Part {
		if t.of.Count == nil {
			out[part] += of(r)
		} else {
			out[part] += t.of.Count[r] * of(r)
		}
	}
	return out
}

// Strike takes an explanation out again.
func (t *Table[E]) Strike(e E) {
	delete(t.scores, e)
	delete(t.sum, e)
	maps.DeleteFunc(t.cross, func(pair [2]E, _ []float64) bool { return pair[0] == e || pair[1] == e })
}

// Size returns the number of records in the parts from one to before another.
func (t *Table[E]) Size(from, to int) float64 { return sum(t.of.Size[from:to]) }

// Total returns the log density that an explanation gives to the records of the parts
// from one to before another; minus infinity where it could not be fitted.
func (t *Table[E]) Total(e E, from, to int) float64 {
	v, ok := t.sum[e]
	if !ok {
		return math.Inf(-1)
	}
	return sum(t.base[from:to]) + sum(v[from:to])
}

// Against returns by how many nats x describes the records of the parts from one to
// before another better than y, and the standard error of that over records.
func (t *Table[E]) Against(x, y E, from, to int) (nats, err float64) {
	if x == y {
		return 0, 0
	}
	xx, xy, yy := t.cross[[2]E{x, x}], t.cross[[2]E{x, y}], t.cross[[2]E{y, y}]
	square := 0.0
	for part := from; part < to; part++ {
		nats += t.sum[x][part] - t.sum[y][part]
		square += xx[part] - 2*xy[part] + yy[part]
	}
	return nats, math.Sqrt(max(square-nats*nats/t.Size(from, to), 0))
}

// Sorted returns the explanations with scores that pass, in their order.
func (t *Table[E]) Sorted(pass func(E) bool) []E {
	var out []E
	for e, v := range t.scores {
		if v != nil && pass(e) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, t.compare)
	return out
}

// Best returns the explanation that describes the records of the parts from one to before
// another best, of those that pass, and whether there is one; of equals the first in their
// order.
func (t *Table[E]) Best(from, to int, pass func(E) bool) (best E, found bool) {
	top := math.Inf(-1)
	for _, e := range t.Sorted(pass) {
		if v := t.Total(e, from, to); !found || v > top {
			best, found, top = e, true, v
		}
	}
	return best, found
}

func sum(list []float64) float64 {
	total := 0.0
	for _, v := range list {
		total += v
	}
	return total
}
