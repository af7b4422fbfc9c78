package explain

import (
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// tally is the sum behind cells: of every leaf its rows, how surely they are in
// it, and of every feature there what is asked for.
//
// Its state is, by leaf, head numbers, and after those of all leaves, by leaf
// again, a table of parts × dim: counts, and where they are asked for missing
// ones, sums and squares.
type tally struct {
	dim         int
	group       []int32   // of every row
	probability []float32 // of every row
	leaves      int
	shift       []float64 // of every feature, where squares are asked for
	parts       tallied
}

// tallied says which numbers a feature has, and where they stand.
type tallied struct{ miss, sum, square, n int } // places from 1 on, 0 where they are not asked for; n of them

// Head numbers of a leaf.
const (
	headRows = iota
	headChance
	headSure // three of them
	headLen  = headSure + 3
)

// parts returns the numbers of a feature that these cells hold.
func (c *cells) parts() tallied {
	p := tallied{n: 1}
	for _, x := range []struct {
		asked bool
		place *int
	}{{c.miss != nil, &p.miss}, {c.sum != nil, &p.sum}, {c.square != nil, &p.square}} {
		if x.asked {
			*x.place = p.n
			p.n++
		}
	}
	return p
}

// Len implements pass.Sum.
func (t *tally) Len() int { return t.leaves * (headLen + t.parts.n*t.dim) }

// of returns the numbers of a leaf: its head, and one list a part.
func (t *tally) of(state []float64, leaf int) (head []float64, part func(p int) []float64) {
	features := state[t.leaves*headLen+leaf*t.parts.n*t.dim:]
	return state[leaf*headLen:][:headLen], func(p int) []float64 { return features[p*t.dim:][:t.dim] }
}

// Add implements pass.Sum.
func (t *tally) Add(state []float64, b pass.Block) error {
	first := firstRow(b)
	for i := range b.Rows.N() {
		head, part := t.of(state, int(t.group[first+i]))
		sure := float64(t.probability[first+i])
		head[headRows]++
		head[headChance] += sure
		switch {
		case sure > sureAbove:
			head[headSure]++
		case sure < doubtfulBelow:
			head[headSure+2]++
		default:
			head[headSure+1]++
		}
		if b.Rows.IsBinary() {
			have := part(0)
			index, _ := b.Rows.Row(i)
			for _, h := range index {
				have[h]++
			}
			if t.parts.n == 1 {
				continue
			}
		}
		t.values(part, b.Rows, i)
	}
	return nil
}

// values adds the values of a row; presences are counted already.
func (t *tally) values(part func(int) []float64, rows sparse.Rows, i int) {
	have, miss, sum, square := part(0), part(t.parts.miss), part(t.parts.sum), part(t.parts.square)
	binary := rows.IsBinary()
	rows.Each(i, func(h int, v float64) {
		switch {
		case v != v:
			if t.parts.miss > 0 {
				miss[h]++
			}
			return
		case v != 0 && !binary:
			have[h]++
		}
		if t.parts.sum > 0 {
			sum[h] += v
		}
		if t.parts.square > 0 {
			// Zeros that are not stored are put right below.
			square[h] += (v - t.shift[h]) * (v - t.shift[h])
		}
	})
	if t.parts.square == 0 || rows.IsDense() {
		return
	}
	index, _ := rows.Row(i)
	at := 0
	for h, s := range t.shift {
		if at < len(index) && int(index[at]) == h {
			at++
			continue
		}
		square[h] += s * s
	}
}

// take fills the leaves with what was added up.
func (c *cells) take(t *tally, state []float64, h *hierarchy) {
	for group, leaf := range h.leaf {
		head, part := t.of(state, group)
		c.n[leaf], c.chance[leaf] = int(head[headRows]), head[headChance]
		for l := range c.sure {
			c.sure[l][leaf] = int(head[headSure+l])
		}
		for f, n := range part(0) {
			c.have[leaf][f] = int32(n)
		}
		if t.parts.miss > 0 {
			for f, n := range part(t.parts.miss) {
				c.miss[leaf][f] = int32(n)
			}
		}
		if t.parts.sum > 0 {
			copy(c.sum[leaf], part(t.parts.sum))
		}
		if t.parts.square > 0 {
			copy(c.square[leaf], part(t.parts.square))
		}
	}
}
