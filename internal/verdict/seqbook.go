package verdict

import (
	"maps"
	"math"
	"slices"
)

// ledger keeps what the scores of explanations of sequences come to, on either half of the
// sequences kept aside: their sums and the sums of their products, from which every
// difference and its standard error follow. Scores are counted from those of the first
// explanation, so that nothing is lost in the differences.
type ledger struct {
	half   []int      // of every sequence here, in the order of the scores
	size   [2]float64 // sequences of either half, of all places
	scores map[course][]float64
	ref    []float64 // scores of the first explanation, of the sequences here
	base   []float64 // their sums
	sum    map[course][]float64
	cross  map[[2]course][]float64
}

func newLedger(half []int, size [2]float64) *ledger {
	return &ledger{half: half, size: size, scores: map[course][]float64{}, sum: map[course][]float64{}, cross: map[[2]course][]float64{}}
}

// enter adds explanations that have just been scored, in one exchange.
func (l *ledger) enter(places *strand, list []course, scores [][]float64) {
	var sums [][]float64
	added := func(of func(i int) float64) []float64 {
		out := make([]float64, 2)
		for i, h := range l.half {
			out[h] += of(i)
		}
		sums = append(sums, out)
		return out
	}
	for at, c := range list {
		if l.scores[c] = scores[at]; l.ref == nil {
			l.ref = scores[at]
			l.base = added(func(i int) float64 { return l.ref[i] })
		}
	}
	for at, c := range list {
		own := scores[at]
		l.sum[c] = added(func(i int) float64 { return own[i] - l.ref[i] })
	}
	for at, c := range list {
		own := scores[at]
		for _, o := range l.ordered(func(course) bool { return true }) {
			other, pair := l.scores[o], [2]course{c, o}
			if l.cross[pair] != nil { // that of one of the list
				continue
			}
			x := added(func(i int) float64 { return (own[i] - l.ref[i]) * (other[i] - l.ref[i]) })
			l.cross[pair], l.cross[[2]course{o, c}] = x, x
		}
	}
	places.add(sums...)
}

// total is what an explanation comes to on the halves from one to another.
func (l *ledger) total(c course, from, to int) float64 {
	return sum(l.base[from:to]) + sum(l.sum[c][from:to])
}

// ordered lists explanations by number and memory.
func (l *ledger) ordered(ask func(course) bool) []course {
	list := slices.SortedFunc(maps.Keys(l.scores), course.compare)
	return slices.DeleteFunc(list, func(c course) bool { return !ask(c) })
}

// best returns the best of the explanations that were asked for; of equals the
// first by number and memory.
func (l *ledger) best(ask func(course) bool) (course, bool) { return l.bestIn(0, 2, ask) }

// bestIn is best on the halves from one to another.
func (l *ledger) bestIn(from, to int, ask func(course) bool) (course, bool) {
	list := l.ordered(ask)
	if len(list) == 0 {
		return course{}, false
	}
	top := list[0]
	for _, c := range list {
		if l.total(c, from, to) > l.total(top, from, to) {
			top = c
		}
	}
	return top, true
}

// against is how much better x is than y, with the standard error over sequences.
func (l *ledger) against(x, y course) Evidence { return l.againstIn(x, y, 0, 2) }

// againstIn is the same on the halves from one to another.
func (l *ledger) againstIn(x, y course, from, to int) Evidence {
	if x == y {
		return Evidence{}
	}
	xx, xy, yy := l.cross[[2]course{x, x}], l.cross[[2]course{x, y}], l.cross[[2]course{y, y}]
	diff, square, n := 0.0, 0.0, 0.0
	for h := from; h < to; h++ {
		diff += l.sum[x][h] - l.sum[y][h]
		square += xx[h] - 2*xy[h] + yy[h]
		n += l.size[h]
	}
	return Evidence{diff, math.Sqrt(max(square-diff*diff/n, 0))}
}
