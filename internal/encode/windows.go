package encode

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// writeWindows writes the rows the short way where the records, or the rows, are in
// a file: the chunks of a window on all cores, each into a part of its own, and the
// parts one behind the other, cut into the blocks of the file.
func (e *encoder) writeWindows(ctx context.Context, k *collector, r *Result, out *dataset.Writer) error {
	d, rank := e.short, e.short.ranks()
	b := &blocks{like: k.like, ids: k.ids != nil, out: out}
	b.reset()
	if out == nil {
		b.reserve(e.sum.Kept, e.chosenEntries())
	}
	var parts []*part // of the present window
	var short []bool
	begin := func() error {
		parts = make([]*part, len(d.chunks))
		return nil
	}
	then := func() error {
		for _, p := range parts {
			e.sum.Short, e.sum.Empty = e.sum.Short+p.short, e.sum.Empty+p.empty
			short = append(short, p.target.short...)
			if err := b.add(p); err != nil {
				return err
			}
		}
		return nil
	}
	fresh := func() *placer { return newPlacer(rank, e.chosen.vocab.Len()) }
	e.buffer.release = true
	if _, err := each(ctx, d, "encoding", false, begin, fresh, func(p *placer, i int) { parts[i] = d.part(p, i, k) }, then); err != nil {
		return err
	}
	if slices.Contains(short, true) {
		r.Short = short
	}
	return b.end(r)
}

// chosenEntries is the number of entries of all rows.
func (e *encoder) chosenEntries() (n int) {
	for t, h := range e.chosen.feature {
		if h >= 0 {
			n += e.stats.df[t]
		}
	}
	return n
}

// part is what a chunk becomes.
type part struct {
	target       target
	end          spot // its records and entries
	short, empty int
}

// part writes chunk i by itself.
func (d *direct) part(p *placer, i int, k *collector) *part {
	c := d.chunks[i]
	n := c.n()
	c.entries = len(c.feature) // at the most
	t := &part{target: target{rows: sparse.Rows{Dim: p.dim, Ptr: make([]int, n+1), Index: make([]uint32, c.entries)}}}
	if d.e.chosen.layout == dataset.Valued {
		t.target.rows.Value = make([]float32, c.entries)
	}
	if k.ids != nil {
		t.target.ids = make([]string, n)
	}
	for range k.side {
		t.target.side = append(t.target.side, make([]string, n))
	}
	if d.e.s.MinCodes > 0 {
		t.target.short = make([]bool, n)
	}
	t.end, t.short, t.empty = d.fill(&t.target, p, i, spot{})
	if t.target.short != nil {
		t.target.short = t.target.short[:t.end.record]
	}
	return t
}

// blocks puts parts together: into blocks of a file, or into one data set.
type blocks struct {
	like dataset.Dataset
	ids  bool
	out  *dataset.Writer // nil: one data set in memory
	at   dataset.Dataset // records so far
}

func (b *blocks) reset() {
	b.at = b.like
	b.at.Rows = sparse.Rows{Dim: b.like.Vocab.Len(), Ptr: []int{0}, Index: []uint32{}}
	if b.ids {
		b.at.IDs = []string{}
	}
	b.at.Side = nil
	for _, s := range b.like.Side {
		b.at.Side = append(b.at.Side, dataset.Side{Name: s.Name, Values: []string{}})
	}
}

// reserve makes room for all records at once.
func (b *blocks) reserve(records, entries int) {
	b.at.Rows.Ptr = append(make([]int, 0, records+1), 0)
	b.at.Rows.Index = make([]uint32, 0, entries)
	if b.ids {
		b.at.IDs = make([]string, 0, records)
	}
	for s := range b.at.Side {
		b.at.Side[s].Values = make([]string, 0, records)
	}
}

// add adds the records of a part, and writes the blocks that are full.
func (b *blocks) add(p *part) error {
	for lo := 0; lo < p.end.record; {
		hi := p.end.record
		if b.out != nil {
			hi = min(hi, lo+pass.BlockRecords-(len(b.at.Rows.Ptr)-1))
		}
		b.copy(&p.target, lo, hi)
		if lo = hi; b.out != nil && len(b.at.Rows.Ptr)-1 == pass.BlockRecords {
			if err := b.write(); err != nil {
				return err
			}
		}
	}
	return nil
}

// copy adds records lo to hi-1.
func (b *blocks) copy(t *target, lo, hi int) {
	rows, from := &b.at.Rows, t.rows.Ptr[lo]
	base := len(rows.Index) - from
	rows.Index = append(rows.Index, t.rows.Index[from:t.rows.Ptr[hi]]...)
	if t.rows.Value != nil {
		rows.Value = append(rows.Value, t.rows.Value[from:t.rows.Ptr[hi]]...)
	}
	for _, end := range t.rows.Ptr[lo+1 : hi+1] {
		rows.Ptr = append(rows.Ptr, base+end)
	}
	if b.ids {
		b.at.IDs = append(b.at.IDs, t.ids[lo:hi]...)
	}
	for s := range t.side {
		b.at.Side[s].Values = append(b.at.Side[s].Values, t.side[s][lo:hi]...)
	}
}

func (b *blocks) write() error {
	d := b.at
	b.reset()
	return b.out.Append(&d)
}

// end writes the last block, or hands the data set over.
func (b *blocks) end(r *Result) error {
	if b.out == nil {
		d := b.at
		r.Set = &d
		return nil
	}
	if len(b.at.Rows.Ptr) > 1 {
		return b.write()
	}
	return nil
}
