package encode

import (
	"context"
	"io"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// writeParts writes the rows the short way where the records, or the rows, are in a
// file: every chunk into a part of its own, on all cores, and the parts one behind the
// other, cut into the blocks of the file.
func (e *encoder) writeParts(ctx context.Context, k *collector, r *Result, out *dataset.Writer) error {
	n, err := e.buffer.ready()
	if err != nil {
		return err
	}
	d, rank := e.short, e.short.ranks()
	placers := &helpers[placer]{make: func() *placer { return newPlacer(rank, e.chosen.vocab.Len()) }}
	b := e.newBlocks(k, out)
	defer b.behind.Wait()
	e.buffer.release = true
	at, done := 0, int64(0)
	next := func() (int, error) {
		if at == n {
			return 0, io.EOF
		}
		at++
		return at - 1, nil
	}
	work := func(i int) (*part, error) {
		c, err := d.chunk(i)
		if err != nil {
			return nil, err
		}
		p := placers.take()
		defer placers.give(p)
		return d.part(p, c, k), nil
	}
	var short []bool
	err = par.InOrder(ctx, e.buffer.atATime(e.s.Workers), next, work, func(p *part) error {
		e.sum.Short, e.sum.Empty = e.sum.Short+p.short, e.sum.Empty+p.empty
		short = append(short, p.target.short...)
		done += p.read
		d.report(ctx, "encoding", done, p.read)
		return b.add(ctx, p)
	})
	if err != nil {
		return err
	}
	if slices.Contains(short, true) {
		r.Short = short
	}
	return b.end(ctx, r)
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
	read         int64 // records of the chunk
}

// part writes a chunk by itself.
func (d *direct) part(p *placer, c *chunk, k *collector) *part {
	n := c.n()
	c.entries = len(c.feature) // at the most
	t := &part{read: int64(n), target: target{rows: sparse.Rows{Dim: p.dim, Ptr: make([]int, n+1), Index: make([]uint32, c.entries)}}}
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
	t.end, t.short, t.empty = d.fill(&t.target, p, c, spot{})
	if t.target.short != nil {
		t.target.short = t.target.short[:t.end.record]
	}
	return t
}

// blocks puts parts together: into blocks of a file, or into one data set. As many
// blocks as there are workers are put together at a time, each part of them by a core,
// and written while the next are.
type blocks struct {
	like    dataset.Dataset
	ids     bool
	valued  bool
	workers int
	out     *dataset.Writer // nil: one data set in memory
	at      dataset.Dataset // records in their place
	open    []stretch       // records that have none yet
	n       int             // how many
	behind  par.Group       // writes
	err     error           // of the last write
}

// stretch are records lo to hi-1 of a part, and where they go.
type stretch struct {
	from   *target
	lo, hi int
	to     spot
}

func (e *encoder) newBlocks(k *collector, out *dataset.Writer) *blocks {
	b := &blocks{like: k.like, ids: k.ids != nil, valued: e.chosen.layout == dataset.Valued, workers: par.Workers(e.s.Workers), out: out}
	b.reset()
	if out == nil {
		b.room(e.sum.Kept, e.chosenEntries())
	}
	return b
}

// reset begins a data set without records.
func (b *blocks) reset() {
	b.at = b.like
	b.at.Rows = sparse.Rows{Dim: b.like.Vocab.Len(), Ptr: []int{0}, Index: []uint32{}}
	if b.valued {
		b.at.Rows.Value = []float32{}
	}
	if b.ids {
		b.at.IDs = []string{}
	}
	b.at.Side = nil
	for _, s := range b.like.Side {
		b.at.Side = append(b.at.Side, dataset.Side{Name: s.Name, Values: []string{}})
	}
}

// room makes room for more records behind those at hand.
func (b *blocks) room(records, entries int) {
	rows := &b.at.Rows
	rows.Ptr, rows.Index = slices.Grow(rows.Ptr, records), slices.Grow(rows.Index, entries)
	if b.valued {
		rows.Value = slices.Grow(rows.Value, entries)
	}
	if b.ids {
		b.at.IDs = slices.Grow(b.at.IDs, records)
	}
	for s := range b.at.Side {
		b.at.Side[s].Values = slices.Grow(b.at.Side[s].Values, records)
	}
}

// add adds the records of a part.
func (b *blocks) add(ctx context.Context, p *part) error {
	for lo := 0; lo < p.end.record; {
		hi := min(p.end.record, lo+b.workers*pass.BlockRecords-b.n)
		b.open = append(b.open, stretch{from: &p.target, lo: lo, hi: hi})
		b.n += hi - lo
		if lo = hi; b.n == b.workers*pass.BlockRecords {
			if err := b.place(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// place brings the open records to their place, and has them written.
func (b *blocks) place(ctx context.Context) error {
	to := spot{len(b.at.Rows.Ptr) - 1, len(b.at.Rows.Index)}
	from := to
	for i := range b.open {
		s := &b.open[i]
		s.to = to
		to = spot{to.record + s.hi - s.lo, to.entry + s.from.rows.Ptr[s.hi] - s.from.rows.Ptr[s.lo]}
	}
	b.room(to.record-from.record, to.entry-from.entry)
	b.extend(to)
	err := par.Do(ctx, b.workers, len(b.open), func(i int) error {
		b.copy(&b.open[i])
		return nil
	})
	b.open, b.n = nil, 0
	if err == nil && b.out != nil {
		err = b.write()
	}
	return err
}

// extend makes the data set as long as it has room for.
func (b *blocks) extend(to spot) {
	rows := &b.at.Rows
	rows.Ptr, rows.Index = rows.Ptr[:to.record+1], rows.Index[:to.entry]
	if b.valued {
		rows.Value = rows.Value[:to.entry]
	}
	if b.ids {
		b.at.IDs = b.at.IDs[:to.record]
	}
	for s := range b.at.Side {
		b.at.Side[s].Values = b.at.Side[s].Values[:to.record]
	}
}

// copy copies a stretch of records to its place.
func (b *blocks) copy(s *stretch) {
	rows, from := &b.at.Rows, &s.from.rows
	lo, hi := from.Ptr[s.lo], from.Ptr[s.hi]
	copy(rows.Index[s.to.entry:], from.Index[lo:hi])
	if b.valued {
		copy(rows.Value[s.to.entry:], from.Value[lo:hi])
	}
	ends := rows.Ptr[s.to.record+1:]
	for i, end := range from.Ptr[s.lo+1 : s.hi+1] {
		ends[i] = s.to.entry + end - lo
	}
	if b.ids {
		copy(b.at.IDs[s.to.record:], s.from.ids[s.lo:s.hi])
	}
	for c := range s.from.side {
		copy(b.at.Side[c].Values[s.to.record:], s.from.side[c][s.lo:s.hi])
	}
}

// write writes the records at hand behind those before, which are written first.
func (b *blocks) write() error {
	d := b.at
	b.reset()
	if b.behind.Wait(); b.err != nil {
		return b.err
	}
	if b.workers == 1 {
		return b.out.Append(&d)
	}
	b.behind.Go(func() { b.err = b.out.Append(&d) })
	return nil
}

// end writes what is left, or hands the data set over.
func (b *blocks) end(ctx context.Context, r *Result) error {
	if b.n > 0 {
		if err := b.place(ctx); err != nil {
			return err
		}
	}
	if b.out == nil {
		d := b.at
		r.Set = &d
		return nil
	}
	b.behind.Wait()
	return b.err
}
