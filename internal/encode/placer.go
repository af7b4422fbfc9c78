package encode

import (
	"math/bits"
	"slices"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/sparse"
)

// placer writes rows with the numbers of chosen features, rising. Rows of
// presences, and rows with small values where no feature comes twice, go through a
// kernel; others are entered into a bitmap of all features and read out of it
// again, which also brings equal features together. Rows that are short for so
// many features are sorted.
type placer struct {
	number []uint32 // feature by raw feature, none for those left out
	none   uint32
	dim    int
	rows   kernel.Rearranger

	// For values of any size: features in use, a second bitmap of the words of the
	// first that are, and values by feature and more, see readWord.
	words []uint64
	used  []uint64
	value []float32
	keys  []uint64
	ones  []uint8
}

// newPlacer returns a placer for dim features; feature gives that of every raw
// feature, below 0 for none.
func newPlacer(feature []int32, dim int) *placer {
	p := &placer{dim: dim, number: make([]uint32, len(feature))}
	p.rows.Cells, p.none = kernel.CellsFor(dim)
	for raw, h := range feature {
		p.number[raw] = p.none
		if h >= 0 {
			p.number[raw] = uint32(h)
		}
	}
	return p
}

// another returns one for the same features, for another core.
func (p *placer) another() *placer {
	q := &placer{dim: p.dim, none: p.none, number: p.number}
	q.rows.Cells, _ = kernel.CellsFor(p.dim)
	return q
}

// valued makes what rows with values of any size need.
func (p *placer) valued() {
	if p.value == nil {
		n := (p.dim + 63) / 64
		p.words, p.used, p.value = make([]uint64, n), make([]uint64, (n+63)/64), make([]float32, 64*n+1)
	}
}

// cellsEach is the number of runs of 64 cells that cost as much as sorting an
// entry.
const cellsEach = 4

// byCells reports whether the records of a chunk can and should go through the
// kernel; distinct says that no feature comes twice in a record.
func byCells(c *chunk, dim int, valued, distinct bool) bool {
	if valued && (c.small == nil || !distinct) {
		return false
	}
	return dim/64*c.n() <= cellsEach*len(c.feature)
}

// run writes records lo to hi-1 of a chunk to out from entry at on, and where each
// ends to ends. It returns the place behind them.
func (p *placer) run(out *sparse.Rows, c *chunk, lo, hi, at int, ends []int, distinct bool) int {
	if byCells(c, p.dim, out.Value != nil, distinct) {
		r := &p.rows
		r.Ptr, r.Feature, r.Number, r.Value = c.ptr[lo:hi+1], c.feature, p.number, nil
		if r.Index, r.Real, r.End = out.Index, out.Value, ends; r.Real != nil {
			r.Value = c.small
		}
		return r.Run(at)
	}
	for i := lo; i < hi; i++ {
		at += p.row(out, c, c.ptr[i], c.ptr[i+1], at)
		ends[i-lo] = at
	}
	return at
}

// row writes the row with entries lo to hi-1 and returns the number of its
// features.
func (p *placer) row(out *sparse.Rows, c *chunk, lo, hi, at int) int {
	row, dst := c.feature[lo:hi], out.Index[at:]
	switch {
	case out.Value == nil:
		return p.sortPresent(dst, row)
	case c.small != nil:
		return place(p, dst, out.Value[at:], row, c.small[lo:hi])
	case c.value != nil:
		return place(p, dst, out.Value[at:], row, c.value[lo:hi])
	}
	return placeOnes(p, dst, out.Value[at:], row)
}

// wide reports that looking through the bitmap costs more than sorting.
func (p *placer) wide(entries int) bool { return len(p.used) > 16+2*entries }

func (p *placer) sortPresent(dst, row []uint32) int {
	p.keys = p.keys[:0]
	for _, raw := range row {
		if h := p.number[raw]; h < p.none {
			p.keys = append(p.keys, uint64(h))
		}
	}
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	for n, h := range p.keys {
		dst[n] = uint32(h)
	}
	return len(p.keys)
}

// place writes a row with values. The values of a feature that comes
// again are added up in their order, in single precision as sparse.Builder does.
// It may write to dst and out behind the row.
func place[V uint8 | float64](p *placer, dst []uint32, out []float32, row []uint32, value []V) int {
	p.valued()
	if p.wide(len(row)) {
		return sortPlace(p, dst, out, row, value)
	}
	value = value[:len(row)]
	if len(p.words) <= len(row) { // no marks: all words are looked at
		for e, raw := range row {
			if h := p.number[raw]; h < p.none {
				enter(p, h, float32(value[e]))
			}
		}
		return p.readAll(dst, out)
	}
	for e, raw := range row {
		h := p.number[raw]
		if h >= p.none {
			continue
		}
		enter(p, h, float32(value[e]))
		w := h >> 6
		p.used[w>>6] |= 1 << (w & 63)
	}
	n := 0
	for u, marks := range p.used {
		p.used[u] = 0
		for ; marks != 0; marks &= marks - 1 {
			n = p.readWord(u<<6+bits.TrailingZeros64(marks), dst, out, n)
		}
	}
	return n
}

// enter adds a value to the row at hand.
func enter(p *placer, h uint32, v float32) {
	w, bit := h>>6, uint64(1)<<(h&63)
	word := p.words[w]
	if word&bit != 0 {
		v = p.value[h] + v
	}
	p.value[h] = v
	p.words[w] = word | bit
}

// readAll takes the row at hand out of all words.
func (p *placer) readAll(dst []uint32, out []float32) (n int) {
	for w, word := range p.words {
		if word != 0 {
			n = p.readWord(w, dst, out, n)
		}
	}
	return n
}

// readWord takes the features of a word out of the row at hand and returns the
// number of entries with them. It reads four at a time, however many there are,
// so that no branch depends on their number; behind the last it finds the place
// after those of the word, which is there in the list of values.
func (p *placer) readWord(w int, dst []uint32, out []float32, n int) int {
	word, base := p.words[w], w<<6
	p.words[w] = 0
	for more := bits.OnesCount64(word); more > 0; {
		if n+4 > len(dst) || n+4 > len(out) {
			h := base + bits.TrailingZeros64(word)
			word &= word - 1
			dst[n], out[n] = uint32(h), p.value[h]
			n, more = n+1, more-1
			continue
		}
		d, o := dst[n:n+4:n+4], out[n:n+4:n+4]
		a := base + bits.TrailingZeros64(word)
		word &= word - 1
		b := base + bits.TrailingZeros64(word)
		word &= word - 1
		c := base + bits.TrailingZeros64(word)
		word &= word - 1
		e := base + bits.TrailingZeros64(word)
		word &= word - 1
		d[0], d[1], d[2], d[3] = uint32(a), uint32(b), uint32(c), uint32(e)
		o[0], o[1], o[2], o[3] = p.value[a], p.value[b], p.value[c], p.value[e]
		n, more = n+min(more, 4), more-4
	}
	return n
}

func sortPlace[V uint8 | float64](p *placer, dst []uint32, out []float32, row []uint32, value []V) int {
	p.keys = p.keys[:0]
	for e, raw := range row {
		if h := p.number[raw]; h < p.none {
			p.keys = append(p.keys, uint64(h)<<32|uint64(e))
		}
	}
	slices.Sort(p.keys)
	n := 0
	for i, k := range p.keys {
		v := float32(value[uint32(k)])
		if i > 0 && k>>32 == p.keys[i-1]>>32 {
			out[n-1] += v
			continue
		}
		dst[n], out[n] = uint32(k>>32), v
		n++
	}
	return n
}

// placeOnes is place for rows without values: every entry is one.
func placeOnes(p *placer, dst []uint32, out []float32, row []uint32) int {
	for len(p.ones) < len(row) {
		p.ones = append(p.ones, 1)
	}
	return place(p, dst, out, row, p.ones[:len(row)])
}
