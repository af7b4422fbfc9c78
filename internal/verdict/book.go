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
	ref    []float64               // scores of the first candidate, of the records here
	above  map[candidate][]float64 // scores less those
	base   []float64               // sums of ref
	sum    map[candidate][]float64
	cross  map[[2]candidate][]float64
}

func newBook(size []float64) *book {
	return &book{
		size: size, scores: map[candidate][]float64{}, above: map[candidate][]float64{},
		sum: map[candidate][]float64{}, cross: map[[2]candidate][]float64{},
	}
}

// enter adds candidates that have just been scored, in one exchange.
func (b *book) enter(j *judge, list []candidate, scores [][]float64) {
	var sums [][]float64
	added := func(v []float64) []float64 {
		out := j.byFold(v)
		sums = append(sums, out)
		return out
	}
	for at, c := range list {
		b.scores[c] = scores[at]
		if scores[at] != nil && b.ref == nil {
			b.ref = scores[at]
			b.base = added(b.ref)
		}
		if scores[at] != nil {
			b.above[c] = make([]float64, len(b.ref))
			for i, v := range scores[at] {
				b.above[c][i] = v - b.ref[i]
			}
		}
	}
	others := slices.SortedFunc(maps.Keys(b.above), compare)
	for at, c := range list {
		if scores[at] == nil {
			continue
		}
		b.sum[c] = added(b.above[c])
		var fresh []candidate // the others are of the list
		var with [][]float64
		for _, o := range others {
			if b.cross[[2]candidate{c, o}] == nil {
				fresh, with = append(fresh, o), append(with, b.above[o])
			}
		}
		for i, x := range j.products(b.above[c], with) {
			sums = append(sums, x)
			b.cross[[2]candidate{c, fresh[i]}], b.cross[[2]candidate{fresh[i], c}] = x, x
		}
	}
	if len(sums) > 0 {
		j.places.add(sums...)
	}
}

// byFold adds up numbers of the records here, fold by fold.
func (j *judge) byFold(v []float64) []float64 {
	out, at := make([]float64, len(j.folds)), 0
	for f, x := range j.folds {
		for range x.test.rows() {
			out[f] += j.count[at] * v[at]
			at++
		}
	}
	return out
}

// products is byFold of the products of numbers with several others, four at a time: an
// addition waits for the one before.
func (j *judge) products(v []float64, others [][]float64) [][]float64 {
	out := make([][]float64, len(others))
	for i := range out {
		out[i] = make([]float64, len(j.folds))
	}
	for first := 0; first < len(others); first += 4 {
		last := len(others) - 1
		four := [4]int{first, min(first+1, last), min(first+2, last), min(first+3, last)}
		at := 0
		for f, x := range j.folds {
			count := j.count[at:][:x.test.rows()]
			cut := func(v []float64) []float64 { return v[at:][:len(count)] }
			v, w, x, y, z := cut(v), cut(others[four[0]]), cut(others[four[1]]), cut(others[four[2]]), cut(others[four[3]])
			var sw, sx, sy, sz float64
			for i, n := range count {
				sw += n * (v[i] * w[i])
				sx += n * (v[i] * x[i])
				sy += n * (v[i] * y[i])
				sz += n * (v[i] * z[i])
			}
			for i, sum := range [4]float64{sw, sx, sy, sz} {
				out[four[i]][f] = sum
			}
			at += len(count)
		}
	}
	return out
}

// strike drops a candidate.
func (b *book) strike(c candidate) {
	delete(b.scores, c)
	delete(b.above, c)
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
