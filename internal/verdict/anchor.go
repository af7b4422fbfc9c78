package verdict

import (
	"math"
	"math/rand/v2"
)

// leastAnchor is the number of records that a start over several places is the
// average of, at the least.
const leastAnchor = 20

// anchored returns groups around features that go with others than the features
// before them do: each group begins as the average of all records that have one
// feature, or gave one answer. It takes the part of scattered where records lie at
// several places, for it needs nothing but counts of pairs, and shows no record.
// Features are drawn like records there: by how far the average of their records
// lies from those that were drawn, beyond what so few records lie apart by chance.
func (t *trainer) anchored(k int, r *rand.Rand) *model {
	seen, both := t.joint()
	a := &anchors{trainer: t, seen: seen, both: both, item: make([]int, t.lay.cols)}
	for i, it := range t.lay.items {
		for j := it.first; j < t.lay.cols && (i+1 == len(t.lay.items) || j < t.lay.items[i+1].first); j++ {
			a.item[j] = i
		}
	}
	far := make([]float64, t.lay.cols)
	for j := range far {
		far[j] = a.apart(j, -1)
	}
	m := newModel(t.lay, k, none, noNodes(), nil)
	for g := range k {
		j := a.draw(far, r)
		copy(m.group(g), a.around(j, r))
		for l := range far {
			far[l] = min(far[l], a.apart(l, j))
		}
	}
	return m
}

// anchors are features with the averages of their records.
type anchors struct {
	*trainer
	seen, both []float64
	item       []int // of every column
}

// pair counts the records that have both columns.
func (a *anchors) pair(j, l int) float64 {
	if j > l {
		j, l = l, j
	}
	if j == l {
		return a.seen[j]
	}
	return a.both[j*a.lay.cols+l]
}

// apart is the squared distance of the average of the records of column j from that
// of another, in standard deviations, or from that of all (−1), less what chance
// gives; times the records of j.
func (a *anchors) apart(j, other int) float64 {
	if a.seen[j] < leastAnchor {
		return 0
	}
	sum, chance := 0.0, 0.0
	for l, o := range a.pr.overall {
		if a.item[l] == a.item[j] || other >= 0 && a.item[l] == a.item[other] {
			continue
		}
		to, noise := o, 1.0
		if other >= 0 {
			to, noise = a.pair(other, l)/a.seen[other], 1+a.seen[j]/a.seen[other]
		}
		d := a.pair(j, l)/a.seen[j] - to
		sum += a.seen[j] * d * d / (o * (1 - o))
		chance += noise
	}
	return max(sum-chance, 0)
}

// draw draws a column by how far it lies from those before; by its records where
// none lies farther than chance has it.
func (a *anchors) draw(far []float64, r *rand.Rand) int {
	weight, total := far, 0.0
	for _, v := range weight {
		total += v
	}
	if total == 0 {
		weight = a.seen
		for _, v := range weight {
			total += v
		}
	}
	u := r.Float64() * total
	for j, v := range weight {
		if u -= v; u < 0 {
			return j
		}
	}
	return len(weight) - 1
}

// around returns log-odds of the records of a column, of which the column itself
// tells less than all; a little chance keeps two groups around one column apart.
func (a *anchors) around(j int, r *rand.Rand) []float64 {
	const pull, chance = .35, .05
	sums := make([]float64, a.lay.cols)
	for l := range sums {
		sums[l] = a.pair(j, l)
		if a.item[l] == a.item[j] {
			sums[l] = (1 - pull) * a.pr.overall[l] * a.seen[j]
		}
	}
	sums[j] += pull * a.seen[j]
	out := a.odds(sums, a.seen[j])
	for l := range out {
		out[l] = clip(out[l], steep) + chance*r.NormFloat64()
	}
	if !a.lay.presence {
		for _, it := range a.lay.items {
			out[it.first] = 0
		}
	}
	if math.IsNaN(out[0]) { // no record anywhere
		clear(out)
	}
	return out
}
