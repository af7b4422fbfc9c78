package verdict

import (
	"cmp"
	"math"
	"slices"
)

// Words that bring others along ("new york") are predicted by their partners, whatever
// the document is about, and topics of few words would be claimed for that. Words of a
// topic go with many others about equally; partners go with one or two far more than
// with any other word. A word whose partner was seen is not asked for, of any
// explanation: what is left to predict is what documents are about.

const (
	mostPaired  = 1000 // most frequent words among which partners are looked for
	mostPartner = 3    // partners of a word: what comes before it, and after it, and one to spare
	standsTwice = 2    // times the correlation of the next word that a partner's is
)

// partners returns the words that go with each word far more than any other does; nil
// for words without.
func (b *bag) partners() [][]uint32 {
	n, seen := []float64{float64(b.n())}, make([]float64, b.cols)
	for _, j := range b.index {
		seen[j]++
	}
	b.places.add(n, seen)
	var words []int
	for j, s := range seen {
		if s >= leastRecords && s <= n[0]-leastRecords {
			words = append(words, j)
		}
	}
	slices.SortStableFunc(words, func(x, y int) int { return cmp.Compare(seen[y], seen[x]) })
	words = words[:min(len(words), mostPaired)]
	d := len(words)
	column := make([]int, b.cols)
	for at, j := range words {
		column[j] = at + 1
	}
	both := make([]float64, d*d)
	var in []int
	for i := range b.n() {
		in = in[:0]
		index, _ := b.row(i)
		for _, j := range index {
			if c := column[j]; c > 0 {
				in = append(in, c-1)
			}
		}
		for at, x := range in { // every pair once, in either of its two places
			row := both[x*d:][:d]
			for _, y := range in[at:] {
				row[y]++
			}
		}
	}
	b.places.addTriangle(both, d)
	for x := range d {
		for y := range x {
			n := both[x*d+y] + both[y*d+x]
			both[x*d+y], both[y*d+x] = n, n
		}
	}
	out := make([][]uint32, b.cols)
	for x, j := range words {
		for _, y := range standing(both[x*d:][:d], x, words, seen, n[0]) {
			out[j] = append(out[j], uint32(words[y]))
		}
	}
	return out
}

// standing returns the places of the words whose correlation with word x stands out.
func standing(both []float64, x int, words []int, seen []float64, n float64) []int {
	type other struct {
		at int
		r  float64
	}
	var top [mostPartner + 1]other // the largest, in falling order
	px := seen[words[x]] / n
	for y, v := range both {
		if y == x {
			continue
		}
		py := seen[words[y]] / n
		r := (v/n - px*py) / math.Sqrt(px*(1-px)*py*(1-py))
		for at := range top {
			if r > top[at].r {
				copy(top[at+1:], top[at:])
				top[at] = other{y, r}
				break
			}
		}
	}
	var out []int
	for _, o := range top[:mostPartner] {
		if o.r > leastResidual && o.r*math.Sqrt(n) > clearResidual && o.r >= standsTwice*top[mostPartner].r {
			out = append(out, o.at)
		}
	}
	return out
}

// leaveOut takes words whose partner was seen from what is to be predicted.
func (c *completions) leaveOut(partners [][]uint32) {
	if !slices.ContainsFunc(partners, func(list []uint32) bool { return list != nil }) {
		return
	}
	mark := make([]bool, c.cols)
	for i := range c.n() {
		lo, hi := c.ptr[i], c.ptr[i+1]
		for e := lo; e < hi; e++ {
			mark[c.index[e]] = c.seen[e] > 0
		}
		for e := lo; e < hi; e++ {
			if c.hidden[e] > 0 && slices.ContainsFunc(partners[c.index[e]], func(j uint32) bool { return mark[j] }) {
				c.toPredict -= c.hidden[e]
				c.hidden[e] = 0
			}
		}
		for e := lo; e < hi; e++ {
			mark[c.index[e]] = false
		}
	}
}
