package bernoulli

import (
	"slices"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// flipped returns a runner over the same records in which features that most
// records have stand for their absence. A feature of mean p near one lies p/σ
// standard deviations from zero and carries the leading direction almost alone,
// where its unknown square cannot be filled in; its absence lies close to zero.
func flipped(run pass.Runner, flip []bool) pass.Runner {
	var often []uint32
	for h, f := range flip {
		if f {
			often = append(often, uint32(h))
		}
	}
	return pass.MapInto(run, func(b pass.Block, memory *sparse.Rows) pass.Block { return turn(b, flip, often, memory) })
}

// common reports which features are present in more than half of the records.
func common(mean []float64) (flip []bool, any bool) {
	flip = make([]bool, len(mean))
	for h, p := range mean {
		flip[h] = p > 0.5 && p < 1
		any = any || flip[h]
	}
	return flip, any
}

// turn returns the block with the flipped features, which often lists, as binary rows in the
// given memory. A row has few features of many, so that they are merged with those that are
// flipped and the others are not looked at.
func turn(b pass.Block, flip []bool, often []uint32, memory *sparse.Rows) pass.Block {
	n := b.Rows.N()
	rows := sparse.Rows{Dim: b.Rows.Dim, Ptr: append(slices.Grow(memory.Ptr[:0], n+1), 0), Index: memory.Index[:0]}
	if !b.Rows.IsDense() {
		rows.Index = slices.Grow(rows.Index, b.Rows.NNZ()+n*len(often))
	}
	var present []bool
	for i := range n {
		if !b.Rows.IsDense() {
			index, value := b.Rows.Row(i)
			if merged, ok := merge(rows.Index, index, value, often); ok {
				rows.Index, rows.Ptr = merged, append(rows.Ptr, len(merged))
				continue
			}
		}
		if present == nil {
			present = make([]bool, b.Rows.Dim)
		}
		clear(present)
		mark(present, b.Rows, i)
		for h, p := range present {
			if p != flip[h] {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	*memory, b.Rows = rows, rows
	return b
}

// merge appends the features that either the row has or often lists, and not both, in
// rising order; ok is false where the row's do not rise.
func merge(out, index []uint32, value []float32, often []uint32) (_ []uint32, ok bool) {
	n, at, most := len(out), 0, len(index)+len(often)
	out = slices.Grow(out, most)[:n+most]
	for e, h := range index {
		if e > 0 && h <= index[e-1] {
			return nil, false
		}
		if value != nil && value[e] == 0 {
			continue
		}
		for at < len(often) && often[at] < h {
			out[n] = often[at]
			n, at = n+1, at+1
		}
		if at < len(often) && often[at] == h {
			at++
			continue
		}
		out[n] = h
		n++
	}
	n += copy(out[n:], often[at:])
	return out[:n], true
}

// mark sets the features that row i has.
func mark(present []bool, rows sparse.Rows, i int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			present[h] = v != 0
		}
		return
	}
	index, value := rows.Row(i)
	for e, h := range index {
		present[h] = value == nil || value[e] != 0
	}
}
