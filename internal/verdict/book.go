package verdict

import (
	"maps"
	"math"
	"slices"
)

// book keeps what the scores of candidates come to, fold by fold: their sums and the
// sums of their products, from which every difference and its standard error follow.
// That is what places tell each other of the records kept aside. Scores are counted
// from those of the first candidate, so that nothing is lost in the differences.
type book struct {
	size   []float64 // records of every fold
	scores map[candidate][]float64
	ref    []float64 // scores of the first candidate, of the records here
	base   []float64 // their sums
	sum    map[candidate][]float64
	cross  map[[2]candidate][]float64
}

func newBook(size []float64) *book {
	return &book{size: size, scores: map[candidate][]float64{}, sum: map[candidate][]float64{}, cross: map[[2]candidate][]float64{}}
}

// enter adds candidates that have just been scored, in one exchange.
func (b *book) enter(j *judge, list []candidate, scores [][]float64) {
	var sums [][]float64
	added := func(of func(i int) float64) []float64 {
		out := make([]float64, len(b.size))
		b.each(j, func(f, i int, n float64) { out[f] += n * of(i) })
		sums = append(sums, out)
		return out
	}
	for at, c := range list {
		b.scores[c] = scores[at]
		if scores[at] != nil && b.ref == nil {
			b.ref = scores[at]
			b.base = added(func(i int) float64 { return b.ref[i] })
		}
	}
	others := slices.SortedFunc(maps.Keys(b.scores), compare)
	for at, c := range list {
		own := scores[at]
		if own == nil {
			continue
		}
		b.sum[c] = added(func(i int) float64 { return own[i] - b.ref[i] })
		for _, o := range others {
			other, pair := b.scores[o], [2]candidate{c, o}
			if other == nil || b.cross[pair] != nil { // that of one of the list
				continue
			}
			x := added(func(i int) float64 { return (own[i] - b.ref[i]) * (other[i] - b.ref[i]) })
			b.cross[pair], b.cross[[2]candidate{o, c}] = x, x
		}
	}
	if len(sums) > 0 {
		j.places.add(sums...)
	}
}

// each goes through the records here of every fold.
func (b *book) each(j *judge, do func(fold, i int, n float64)) {
	at := 0
	for f, x := range j.folds {
		for range x.test.rows() {
			do(f, at, j.count[at])
			at++
		}
	}
}

// strike drops a candidate.
func (b *book) strike(c candidate) {
	delete(b.scores, c)
	delete(b.sum, c)
	for pair := range b.cross {
		if pair[0] == c || pair[1] == c {
			delete(b.cross, pair)
		}
	}
}

// n returns the records of some folds.
func (b *book) n(from, to int) float64 { return sum(b.size[from:to]) }

// total returns the log density of the records of some folds.
func (b *book) total(c candidate, from, to int) float64 {
	v, ok := b.sum[c]
	if !ok {
		return math.Inf(-1)
	}
	return sum(b.base[from:to]) + sum(v[from:to])
}

// against returns how much better x is than y on the records of some folds.
func (b *book) against(x, y candidate, from, to int) Evidence {
	if x == y {
		return Evidence{}
	}
	sx, sy := b.sum[x], b.sum[y]
	xx, xy, yy := b.cross[[2]candidate{x, x}], b.cross[[2]candidate{x, y}], b.cross[[2]candidate{y, y}]
	diff, square, n := 0.0, 0.0, 0.0
	for f := from; f < to; f++ {
		diff += sx[f] - sy[f]
		square += xx[f] - 2*xy[f] + yy[f]
		n += b.size[f]
	}
	return Evidence{diff, math.Sqrt(max(square-diff*diff/n, 0))}
}
