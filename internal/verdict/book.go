package verdict

import "math"

// book keeps what the scores of candidates come to, fold by fold: their sums and the
// sums of their products, from which every difference and its standard error follow.
// That is what places tell each other of the records kept aside. Scores are counted
// from those of the first candidate, so that nothing is lost in the differences.
type book struct {
	size  []float64 // records of every fold
	ref   []float64 // scores of the first candidate, of the records here
	base  []float64 // their sums
	sum   map[candidate][]float64
	cross map[[2]candidate][]float64
}

func newBook(size []float64) *book {
	return &book{size: size, sum: map[candidate][]float64{}, cross: map[[2]candidate][]float64{}}
}

// enter adds a candidate that has just been scored.
func (b *book) enter(c candidate, j *judge) {
	folds := len(b.size)
	if b.ref == nil {
		b.ref, b.base = j.scores[c], make([]float64, folds)
		b.each(j, func(f, i int, n float64) { b.base[f] += n * b.ref[i] })
		j.places.add(b.base)
	}
	own := j.scores[c]
	others := j.tried() // with c itself
	lists := make([][]float64, len(others)+1)
	for at := range lists {
		lists[at] = make([]float64, folds)
	}
	b.each(j, func(f, i int, n float64) { lists[len(others)][f] += n * (own[i] - b.ref[i]) })
	for at, o := range others {
		other, out := j.scores[o], lists[at]
		b.each(j, func(f, i int, n float64) { out[f] += n * (own[i] - b.ref[i]) * (other[i] - b.ref[i]) })
	}
	j.places.add(lists...)
	b.sum[c] = lists[len(others)]
	for at, o := range others {
		b.cross[[2]candidate{c, o}], b.cross[[2]candidate{o, c}] = lists[at], lists[at]
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
