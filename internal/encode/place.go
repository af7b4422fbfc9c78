package encode

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/sparse"
)

// spot is where the records and entries of a chunk go.
type spot struct{ record, entry int }

// target is the data set that is being written.
type target struct {
	rows  sparse.Rows
	ids   []string
	side  [][]string
	short []bool
}

// write makes the rows in memory. Who makes a part of them checks it while it is in the
// cache, as sparse.Rows.Check would in a pass of its own.
func (d *direct) write(ctx context.Context, k *collector) (*target, error) {
	e := d.e
	rank := d.ranks()
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	spots, n, entries := d.spots()
	valued := e.chosen.layout == dataset.Valued
	out := &target{rows: sparse.Rows{Dim: e.chosen.vocab.Len()}}
	index := d.inPlace(entries, valued)
	par.Together(e.s.Workers, // memory that was used before is cleared, by one core each
		func() { out.rows.Ptr = pages.Make[int](n + 1) },
		func() {
			if out.rows.Index = index; index == nil {
				out.rows.Index = pages.Make[uint32](entries)
			}
		},
		func() {
			if valued {
				out.rows.Value = pages.Make[float32](entries)
			}
		},
		func() { d.names(k, out, n) })
	if e.s.MinCodes > 0 {
		out.short = make([]bool, n)
	}
	type worker struct {
		*placer
		short, empty int
		beyond       bool
	}
	first := newPlacer(rank, out.rows.Dim)
	own := func() *worker { return &worker{placer: first.another()} }
	all, err := each(ctx, d, "encoding", own, func(w *worker, c *chunk, i int) {
		behind, short, empty := d.fill(out, w.placer, c, spots[i])
		w.short, w.empty = w.short+short, w.empty+empty
		list := out.rows.Index[spots[i].entry:behind.entry]
		w.beyond = w.beyond || len(list) > 0 && int(kernel.Largest(list)) >= out.rows.Dim
		*c = chunk{ptr: c.ptr} // lets go of the rest
	})
	for _, w := range all {
		e.sum.Short, e.sum.Empty = e.sum.Short+w.short, e.sum.Empty+w.empty
		if w.beyond {
			return nil, fmt.Errorf("encode: a row has a feature beyond the %d there are", out.rows.Dim)
		}
	}
	return out, err
}

// ranks returns the chosen feature by raw feature, -1 for none.
func (d *direct) ranks() []int32 {
	rank := make([]int32, len(d.term))
	for raw, t := range d.term {
		rank[raw] = -1
		if t >= 0 {
			rank[raw] = d.e.chosen.feature[t]
		}
	}
	return rank
}

// inPlace returns the features of the chunks, where they are one list and no record becomes
// shorter, so that every row is put in order where it is; else nil.
func (d *direct) inPlace(entries int, valued bool) []uint32 {
	list, ok := oneList(d.e.buffer.chunks, func(c *chunk) []uint32 { return c.feature })
	dim := d.e.chosen.vocab.Len()
	for _, c := range d.e.buffer.chunks {
		ok = ok && c.entries == len(c.feature) && byCells(c, dim, valued, c.distinct && d.own)
	}
	if ok && len(list) == entries {
		return list
	}
	return nil
}

// names makes room for ids and side columns of n records: that of the chunks,
// where all records stay and the lists of the chunks are one list.
func (d *direct) names(k *collector, t *target, n int) {
	buffer := func(of func(*chunk) []string) []string {
		if list, ok := oneList(d.e.buffer.chunks, of); ok && len(list) == n {
			return list
		}
		return pages.Make[string](n)
	}
	if k.ids != nil {
		t.ids = buffer(func(c *chunk) []string { return c.ids })
	}
	for s := range k.side {
		t.side = append(t.side, buffer(func(c *chunk) []string { return c.side[s] }))
	}
}

// oneList joins the lists of all chunks if each begins where the one before it
// ends.
func oneList[T any](chunks []*chunk, of func(*chunk) []T) (list []T, ok bool) {
	for _, c := range chunks {
		next := of(c)
		n := len(list)
		switch {
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
	chosen := d.ranks()
	stays := make([]uint8, len(chosen)) // by raw feature: 1 where it does
	for raw, h := range chosen {
		if h >= 0 {
			stays[raw] = 1
		}
	}
	fresh := func() *tally { return &tally{cells: make([]cell, d.e.chosen.vocab.Len())} }
	_, err := each(ctx, d, "measuring rows", fresh, func(t *tally, c *chunk, _ int) {
		keep := d.picker(c)
		c.entries = 0
		if c.distinct && d.own && keep.where == nil {
			for _, raw := range c.feature {
				c.entries += int(stays[raw])
			}
			return
		}
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
	for _, c := range d.e.buffer.chunks {
		list = append(list, spot{records, entries})
		records, entries = records+c.kept, entries+c.entries
	}
	return list, records, entries
}

// fill writes the records of a chunk to their place, and returns the place behind
// them.
func (d *direct) fill(out *target, p *placer, c *chunk, at spot) (behind spot, short, empty int) {
	rows := out.rows
	end := at.entry + c.entries // others write behind it
	rows.Index = rows.Index[:end]
	if rows.Value != nil {
		rows.Value = rows.Value[:end]
	}
	keep := d.picker(c)
	for lo, n := 0, c.n(); lo < n; {
		hi := keep.stretch(lo, n)
		ends := rows.Ptr[at.record+1 : at.record+1+hi-lo]
		from := at.entry
		at.entry = p.run(&rows, c, lo, hi, from, ends, c.distinct && d.own)
		for i, to := range ends {
			below := to-from < d.e.sum.ShortBelow
			if out.short != nil {
				out.short[at.record+i] = below
			}
			short, empty = short+count(below), empty+count(to == from)
			from = to
		}
		c.name(out, lo, hi, at.record)
		at.record += hi - lo
		for lo = hi; lo < n && !keep.keeps(lo); lo++ {
		}
	}
	return at, short, empty
}

// name gives records lo to hi-1, from number to on, their ids and side columns.
func (c *chunk) name(out *target, lo, hi, to int) {
	if out.ids != nil {
		ids := out.ids[to : to+hi-lo]
		if c.ids != nil {
			move(ids, c.ids[lo:hi])
		}
		for i, id := range ids {
			if id == "" {
				ids[i] = c.id(lo + i)
			}
		}
	}
	for s := range out.side {
		move(out.side[s][to:], c.side[s][lo:hi])
	}
}

// move copies names unless they are where they belong.
func move(dst, src []string) {
	if len(dst) > 0 && len(src) > 0 && &dst[0] != &src[0] {
		copy(dst, src)
	}
}
