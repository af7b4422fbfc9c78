package encode

import (
	"context"
	"math/bits"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/sparse"
)

// placer sorts the entries of a row by feature. A row is entered into a bitmap
// of all features and read out of it again, which also brings equal features
// together; a second bitmap marks the words of the first that are in use. Rows
// that are short for so many features are sorted.
type placer struct {
	rank  []int32 // feature by raw feature, -1 for none
	words []uint64
	used  []uint64
	value []float32 // by feature, of the row at hand, and more; nil for presences
	keys  []uint64
	ones  []uint8
}

func newPlacer(rank []int32, dim int, valued bool) *placer {
	n := (dim + 63) / 64
	p := &placer{rank: rank, words: make([]uint64, n), used: make([]uint64, (n+63)/64)}
	if valued {
		p.value = make([]float32, 64*n+1) // one more, see readWord
	}
	return p
}

// few is the number of entries up to which a row of presences is sorted by
// counting, for each entry, the entries below it: no branch depends on them.
const few = 16

// Four features below fewest in a word of 64 bits: the highest bit of a lane is
// set where one number less another does not fall below zero.
const (
	fewest = 0x7fff
	lanes  = 0x0001000100010001
	tops   = lanes << 15
)

// noKeys is above all features, few times.
var noKeys = [few]uint16{
	fewest, fewest, fewest, fewest, fewest, fewest, fewest, fewest,
	fewest, fewest, fewest, fewest, fewest, fewest, fewest, fewest,
}

// fewPresent is present for at most few entries of fewer than fewest features.
func (p *placer) fewPresent(dst, row []uint32) int {
	key := noKeys
	n := 0
	for _, raw := range row {
		if h := p.rank[raw]; h >= 0 {
			key[n&(few-1)] = uint16(h)
			n++
		}
	}
	var word [few / 4]uint64
	for i := range word {
		word[i] = uint64(key[4*i]) | uint64(key[4*i+1])<<16 | uint64(key[4*i+2])<<32 | uint64(key[4*i+3])<<48
	}
	var sorted [few]uint16
	taken := uint32(0)
	for _, k := range key[:min(n, few)] {
		x := uint64(k)*lanes + fewest*lanes // its top bit stays where it is above
		below := (x-word[0])&tops | (x-word[1])&tops>>1 | (x-word[2])&tops>>2 | (x-word[3])&tops>>3
		at := bits.OnesCount64(below)
		sorted[at&(few-1)] = k
		taken |= 1 << at
	}
	m := 0
	for ; taken != 0; taken &= taken - 1 { // equal features share a place
		dst[m] = uint32(sorted[bits.TrailingZeros32(taken)&(few-1)])
		m++
	}
	return m
}

// wide reports that looking through the bitmap costs more than sorting.
func (p *placer) wide(entries int) bool { return len(p.used) > 16+2*entries }

// present writes the features of a row to dst, rising, and returns their number.
func (p *placer) present(dst, row []uint32) int {
	if len(row) <= few && 64*len(p.words) < fewest {
		return p.fewPresent(dst, row)
	}
	if p.wide(len(row)) {
		return p.sortPresent(dst, row)
	}
	for _, raw := range row {
		h := p.rank[raw]
		if h < 0 {
			continue
		}
		w := uint32(h) >> 6
		p.words[w] |= 1 << (h & 63)
		p.used[w>>6] |= 1 << (w & 63)
	}
	n := 0
	for u, marks := range p.used {
		p.used[u] = 0
		for ; marks != 0; marks &= marks - 1 {
			w := u<<6 + bits.TrailingZeros64(marks)
			word := p.words[w]
			p.words[w] = 0
			for ; word != 0; word &= word - 1 {
				dst[n] = uint32(w<<6 + bits.TrailingZeros64(word))
				n++
			}
		}
	}
	return n
}

func (p *placer) sortPresent(dst, row []uint32) int {
	p.keys = p.keys[:0]
	for _, raw := range row {
		if h := p.rank[raw]; h >= 0 {
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

// place is present for rows with values. The values of a feature that comes
// again are added up in their order, in single precision as sparse.Builder does.
// It may write to dst and out behind the row.
func place[V uint8 | float64](p *placer, dst []uint32, out []float32, row []uint32, value []V) int {
	if p.wide(len(row)) {
		return sortPlace(p, dst, out, row, value)
	}
	value = value[:len(row)]
	if len(p.words) <= len(row) { // no marks: all words are looked at
		for e, raw := range row {
			if h := p.rank[raw]; h >= 0 {
				enter(p, h, float32(value[e]))
			}
		}
		return p.readAll(dst, out)
	}
	for e, raw := range row {
		h := p.rank[raw]
		if h < 0 {
			continue
		}
		enter(p, h, float32(value[e]))
		w := uint32(h) >> 6
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
func enter(p *placer, h int32, v float32) {
	w, bit := uint32(h)>>6, uint64(1)<<(h&63)
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
		if h := p.rank[raw]; h >= 0 {
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

// spot is where the records and entries of a chunk go.
type spot struct{ record, entry int }

// target is the data set that is being written.
type target struct {
	rows  sparse.Rows
	ids   []string
	side  [][]string
	short []bool
}

// write makes the rows in memory.
func (d *direct) write(ctx context.Context, k *collector) (*target, error) {
	e := d.e
	rank := make([]int32, len(d.term))
	for raw, t := range d.term {
		rank[raw] = -1
		if t >= 0 {
			rank[raw] = e.chosen.feature[t]
		}
	}
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	spots, n, entries := d.spots()
	valued := e.chosen.layout == dataset.Valued
	out := newTarget(k, n, entries, valued)
	d.names(k, out, n)
	out.rows.Dim = e.chosen.vocab.Len()
	if e.s.MinCodes > 0 {
		out.short = make([]bool, n)
	}
	type worker struct {
		*placer
		short, empty int
	}
	fresh := func() *worker { return &worker{placer: newPlacer(rank, out.rows.Dim, valued)} }
	all, err := each(ctx, d, "encoding", fresh, func(w *worker, i int) {
		short, empty := d.fill(out, w.placer, i, spots[i])
		w.short, w.empty = w.short+short, w.empty+empty
	})
	for _, w := range all {
		e.sum.Short, e.sum.Empty = e.sum.Short+w.short, e.sum.Empty+w.empty
	}
	return out, err
}

func newTarget(k *collector, n, entries int, valued bool) *target {
	t := &target{rows: sparse.Rows{Ptr: pages.Make[int](n + 1), Index: pages.Make[uint32](entries)}}
	if valued {
		t.rows.Value = pages.Make[float32](entries)
	}
	return t
}

// names makes room for ids and side columns of n records: that of the chunks,
// where all records stay and the lists of the chunks are one list.
func (d *direct) names(k *collector, t *target, n int) {
	room := func(of func(*chunk) []string) []string {
		if list, ok := d.oneList(of); ok && len(list) == n {
			return list
		}
		return pages.Make[string](n)
	}
	if k.ids != nil {
		t.ids = room(func(c *chunk) []string { return c.ids })
	}
	for s := range k.side {
		t.side = append(t.side, room(func(c *chunk) []string { return c.side[s] }))
	}
}

// oneList joins the lists of all chunks if each begins where the one before it
// ends.
func (d *direct) oneList(of func(*chunk) []string) (list []string, ok bool) {
	for _, c := range d.chunks {
		next := of(c)
		n := len(list)
		switch {
		case len(next) != c.n():
			return nil, false
		case n == 0:
			list = next
		case len(next) == 0:
		case cap(list) < n+len(next) || &list[:n+1][n] != &next[0]:
			return nil, false
		default:
			list = list[:n+len(next)]
		}
	}
	return list, true
}

// measure counts the entries of every chunk again where features were left out.
func (d *direct) measure(ctx context.Context) error {
	feature := d.e.chosen.feature
	all := true
	for t, h := range feature {
		all = all && (h >= 0 || d.e.stats.df[t] == 0)
	}
	if all {
		return nil
	}
	chosen := make([]int32, len(d.term))
	for raw, t := range d.term {
		chosen[raw] = -1
		if t >= 0 {
			chosen[raw] = feature[t]
		}
	}
	fresh := func() *tally { return &tally{cells: make([]cell, d.e.chosen.vocab.Len())} }
	_, err := each(ctx, d, "measuring rows", fresh, func(t *tally, k int) {
		c := d.chunks[k]
		keep := d.picker(c)
		c.entries = 0
		for i := range c.n() {
			if keep.keeps(i) {
				t.next()
				c.entries += t.add(chosen, c.feature[c.ptr[i]:c.ptr[i+1]])
			}
		}
	})
	return err
}

// spots returns where each chunk begins, and the records and entries of all.
func (d *direct) spots() (list []spot, records, entries int) {
	for _, c := range d.chunks {
		list = append(list, spot{records, entries})
		records, entries = records+c.kept, entries+c.entries
	}
	return list, records, entries
}

// fill writes the records of chunk k to their place and lets go of the chunk.
func (d *direct) fill(out *target, p *placer, k int, at spot) (short, empty int) {
	c := d.chunks[k]
	end := at.entry + c.entries // others write behind it
	keep := d.picker(c)
	below := d.e.sum.ShortBelow
	for i := range c.n() {
		if !keep.keeps(i) {
			continue
		}
		lo, hi := c.ptr[i], c.ptr[i+1]
		row, dst := c.feature[lo:hi], out.rows.Index[at.entry:end]
		n := 0
		switch {
		case out.rows.Value == nil:
			n = p.present(dst, row)
		case c.small != nil:
			n = place(p, dst, out.rows.Value[at.entry:end], row, c.small[lo:hi])
		case c.value != nil:
			n = place(p, dst, out.rows.Value[at.entry:end], row, c.value[lo:hi])
		default:
			n = placeOnes(p, dst, out.rows.Value[at.entry:end], row)
		}
		at.entry += n
		out.rows.Ptr[at.record+1] = at.entry
		if keep.where != nil {
			d.name(out, k, i, at.record)
		}
		if out.short != nil {
			out.short[at.record] = n < below
		}
		short, empty = short+count(n < below), empty+count(n == 0)
		at.record++
	}
	if keep.where == nil {
		d.nameAll(out, k, at.record-c.n())
	}
	*c = chunk{ptr: c.ptr}
	return short, empty
}

// name gives a record its id and side columns.
func (d *direct) name(out *target, k, i, to int) {
	if out.ids != nil {
		out.ids[to] = d.id(k, i)
	}
	for s := range out.side {
		out.side[s][to] = d.chunks[k].side[s][i]
	}
}

// nameAll is name for all records of chunk k.
func (d *direct) nameAll(out *target, k, to int) {
	c := d.chunks[k]
	if out.ids != nil {
		ids := out.ids[to : to+c.n()]
		move(ids, c.ids)
		for i, id := range ids {
			if id == "" {
				ids[i] = d.id(k, i)
			}
		}
	}
	for s := range out.side {
		move(out.side[s][to:], c.side[s])
	}
}

// move copies names unless they are where they belong.
func move(dst, src []string) {
	if len(dst) > 0 && len(src) > 0 && &dst[0] != &src[0] {
		copy(dst, src)
	}
}

// placeOnes is place for rows without values: every entry is one.
func placeOnes(p *placer, dst []uint32, out []float32, row []uint32) int {
	for len(p.ones) < len(row) {
		p.ones = append(p.ones, 1)
	}
	return place(p, dst, out, row, p.ones[:len(row)])
}
