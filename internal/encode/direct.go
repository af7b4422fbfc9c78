package encode

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
)

// direct is the short way through counting and writing, for records that are
// lists of features with whole numbers: most words and codes. Every raw feature
// has one term, and chunks are treated on all cores, a chunk by one of them, which
// also reads it where it is in the buffer's file. All that is added up is whole
// numbers, so the order does not matter. Other records go through terms.row, one by
// one.
type direct struct {
	e    *encoder
	term []int32 // by raw feature, -1 for none
	own  bool    // every raw feature has a term, and shares it with no other
}

// direct returns the short way, nil where the records do not allow it.
func (e *encoder) direct() *direct {
	if e.oneByOne || hasColumns(e.kind) || e.buffer.other {
		return nil
	}
	d := &direct{e: e}
	var ok bool
	if d.term, ok = e.terms.single(); !ok {
		return nil
	}
	d.own = areOwn(d.term, e.terms.dict.Len())
	return d
}

// areOwn reports that all terms are there and different.
func areOwn(term []int32, terms int) bool {
	seen := make([]bool, terms)
	for _, t := range term {
		if t < 0 || seen[t] {
			return false
		}
		seen[t] = true
	}
	return true
}

// chunk returns chunk i, with all columns.
func (d *direct) chunk(i int) (*chunk, error) {
	c, err := d.e.buffer.chunk(i)
	if err == nil {
		c.complete(d.e.schema)
	}
	return c, err
}

// each hands all chunks to f on all cores, with their number and a helper, and returns
// the helpers.
func each[H any](ctx context.Context, d *direct, step string, make func() *H, f func(h *H, c *chunk, i int)) ([]*H, error) {
	own := &par.Helpers[H]{Make: make}
	err := d.each(ctx, step, func(c *chunk, i int) {
		h := own.Take()
		f(h, c, i)
		own.Give(h)
	})
	return par.All(own), err
}

// each hands all chunks to f on all cores, with their number. In memory, chunks that are
// treated at a time lie far apart.
func (d *direct) each(ctx context.Context, step string, f func(c *chunk, i int)) error {
	n, err := d.e.buffer.ready()
	if err != nil {
		return err
	}
	workers := d.e.buffer.atATime(d.e.s.Workers)
	var done atomic.Int64
	do := par.Do
	if d.e.buffer.file == nil {
		do = par.Apart
	}
	return do(ctx, workers, n, func(i int) error {
		c, err := d.chunk(i)
		if err != nil {
			return err
		}
		records := int64(c.n())
		f(c, i)
		c.recycle()
		d.report(ctx, step, done.Add(records), records)
		return nil
	})
}

// report tells of progress where a border of blocks was crossed.
func (d *direct) report(ctx context.Context, step string, now, more int64) {
	total := int64(d.e.sum.Read)
	if now == total || now/pass.BlockRecords != (now-more)/pass.BlockRecords {
		progress.Report(ctx, progress.Event{Step: step, Done: now, Total: total, Unit: "records"})
	}
}

// picker tells which records of a chunk stay.
type picker struct {
	where *Where
	at    sample
}

func (d *direct) picker(c *chunk) picker {
	return picker{d.e.where, sample{side: c.side, feature: c.features}}
}

func (p *picker) keeps(i int) bool {
	return p.where == nil || p.where.root.judge(&p.at, i) == yes
}

// stretch returns the end of the records from lo on that stay, at most n. The
// first may be one that does not: the stretch is empty then.
func (p *picker) stretch(lo, n int) int {
	if p.where == nil {
		return n
	}
	for lo < n && p.keeps(lo) {
		lo++
	}
	return lo
}

// id returns the id of record i of a chunk.
func (c *chunk) id(i int) string {
	if c.ids != nil && c.ids[i] != "" {
		return c.ids[i]
	}
	return strconv.Itoa(c.first + i + 1)
}

// idLength is the length of id, without making it.
func (c *chunk) idLength(i int) int {
	if c.ids != nil && c.ids[i] != "" {
		return len(c.ids[i])
	}
	digits := 1
	for n := c.first + i + 1; n >= 10; n /= 10 {
		digits++
	}
	return digits
}
