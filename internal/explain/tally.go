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

// head returns the head numbers of a leaf.
func (t *tally) head(state []float64, leaf int) []float64 { return state[leaf*headLen:][:headLen] }

// part returns one number of every feature of a leaf.
func (t *tally) part(state []float64, leaf, p int) []float64 {
	return state[t.leaves*headLen+(leaf*t.parts.n+p)*t.dim:][:t.dim]
}

// Add implements pass.Sum.
func (t *tally) Add(state []float64, b pass.Block) error {
	first := firstRow(b)
	for i := range b.Rows.N() {
		leaf, sure := int(t.group[first+i]), float64(t.probability[first+i])
		head := t.head(state, leaf)
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
		if b.Rows.IsDense() {
			t.values(state, leaf, b.Rows, i)
			continue
		}
		index, value := b.Rows.Row(i)
		if value == nil {
			have := t.part(state, leaf, 0)
			for _, h := range index {
				have[h]++
			}
		}
		switch {
		case value == nil && t.parts.n == 1:
		case value != nil && t.parts.square == 0:
			t.counts(state, leaf, index, value)
		default:
			t.values(state, leaf, b.Rows, i)
		}
	}
	return nil
}

// counts adds a row as of words: there may be many, and no squares are asked for.
func (t *tally) counts(state []float64, leaf int, index []uint32, value []float32) {
	have, miss, sum := t.part(state, leaf, 0), t.part(state, leaf, t.parts.miss), t.part(state, leaf, t.parts.sum)
	for e, h := range index {
		switch v := float64(value[e]); {
		case v != v:
			if t.parts.miss > 0 {
				miss[h]++
			}
		case v != 0:
			have[h]++
			if t.parts.sum > 0 {
				sum[h] += v
			}
		}
	}
}

// values adds the values of a row; presences are counted already.
func (t *tally) values(state []float64, leaf int, rows sparse.Rows, i int) {
	have, miss := t.part(state, leaf, 0), t.part(state, leaf, t.parts.miss)
	sum, square := t.part(state, leaf, t.parts.sum), t.part(state, leaf, t.parts.square)
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

// take fills the leaf of a group with what was added up.
func (c *cells) take(t *tally, state []float64, group, leaf int) {
	head, part := t.head(state, group), func(p int) []float64 { return t.part(state, group, p) }
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
