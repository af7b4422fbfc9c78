package encode

import (
	"context"
	"io"
	"slices"
	"sync"

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
	placers := &par.Helpers[placer]{Make: func() *placer { return newPlacer(rank, e.chosen.vocab.Len()) }}
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
		p := placers.Take()
		defer placers.Give(p)
		defer c.recycle()
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
	t := parts.Get().(*part)
	old := t.target
	*t = part{read: int64(n), target: target{rows: sparse.Rows{Dim: p.dim, Ptr: sized(old.rows.Ptr, n+1), Index: sized(old.rows.Index, c.entries)}}}
	t.target.rows.Ptr[0] = 0
	if d.e.chosen.layout == dataset.Valued {
		t.target.rows.Value = sized(old.rows.Value, c.entries)
	}
	if k.ids != nil {
		t.target.ids = cleared(old.ids, n)
	}
	for s := range k.side {
		var column []string
		if s < len(old.side) {
			column = old.side[s]
		}
		t.target.side = append(t.target.side, cleared(column, n))
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

// parts is the memory of parts whose records have their place.
var parts = sync.Pool{New: func() any { return new(part) }}

// cleared is sized for names: none is there.
func cleared(old []string, n int) []string {
	list := sized(old, n)
	clear(list)
	return list
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
	last    dataset.Dataset // those that are being written
	open    []stretch       // records that have none yet
	n       int             // how many
	behind  par.Group       // writes
	err     error           // of the last write
}

// stretch are records lo to hi-1 of a part, and where they go.
type stretch struct {
	from   *part
	lo, hi int
	to     spot
}

func (e *encoder) newBlocks(k *collector, out *dataset.Writer) *blocks {
	b := &blocks{like: k.like, ids: k.ids != nil, valued: e.chosen.layout == dataset.Valued, workers: par.Workers(e.s.Workers), out: out}
	b.at = b.empty(dataset.Dataset{})
	if out == nil {
		b.room(e.sum.Kept, e.chosenEntries())
	}
	return b
}

// empty returns a data set without records, in the memory of one that is done with.
func (b *blocks) empty(old dataset.Dataset) dataset.Dataset {
	d := b.like
	d.Rows = sparse.Rows{Dim: b.like.Vocab.Len(), Ptr: append(old.Rows.Ptr[:0], 0), Index: sized(old.Rows.Index, 0)}
	if b.valued {
		d.Rows.Value = sized(old.Rows.Value, 0)
	}
	if b.ids {
		d.IDs = sized(old.IDs, 0)
	}
	d.Side = nil
	for s, like := range b.like.Side {
		var values []string
		if s < len(old.Side) {
			values = old.Side[s].Values
		}
		d.Side = append(d.Side, dataset.Side{Name: like.Name, Values: sized(values, 0)})
	}
	return d
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
		b.open = append(b.open, stretch{from: p, lo: lo, hi: hi})
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
		to = spot{to.record + s.hi - s.lo, to.entry + s.from.target.rows.Ptr[s.hi] - s.from.target.rows.Ptr[s.lo]}
	}
	b.room(to.record-from.record, to.entry-from.entry)
	b.extend(to)
	err := par.Do(ctx, b.workers, len(b.open), func(i int) error {
		b.copy(&b.open[i])
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range b.open {
		if s.hi == s.from.end.record { // all of it has its place
			parts.Put(s.from)
		}
	}
	if b.open, b.n = b.open[:0], 0; b.out != nil {
		return b.write()
	}
	return nil
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
	rows, from := &b.at.Rows, &s.from.target.rows
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
		copy(b.at.IDs[s.to.record:], s.from.target.ids[s.lo:s.hi])
	}
	for c := range s.from.target.side {
		copy(b.at.Side[c].Values[s.to.record:], s.from.target.side[c][s.lo:s.hi])
	}
}

// write writes the records at hand behind those before, which are written first.
func (b *blocks) write() error {
	if b.behind.Wait(); b.err != nil {
		return b.err
	}
	b.at, b.last = b.empty(b.last), b.at
	if b.workers == 1 {
		return b.out.Append(&b.last)
	}
	b.behind.Go(func() { b.err = b.out.Append(&b.last) })
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
		return d.Check()
	}
	b.behind.Wait()
	return b.err
}
