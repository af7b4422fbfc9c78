package encode

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/pass"
)

// direct is the short way through counting and writing, for records that are
// lists of features with whole numbers: most words and codes. Every raw feature
// has one term, and chunks are treated on all cores, a chunk by one of them: all
// those in memory, then those of the buffer's file, some at a time. All that is added up is whole numbers, so the order
// does not matter. Other records go through terms.row, one by one.
type direct struct {
	e      *encoder
	chunks []*chunk // at hand: of the present window
	term   []int32  // by raw feature, -1 for none
	first  []int    // number of the first record of each chunk, from 0
	own    bool     // every raw feature has a term, and shares it with no other
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

// windows hands out the chunks, some at a time, as d.chunks; those in memory at
// once where whole says so.
func (d *direct) windows(ctx context.Context, whole bool, f func() error) error {
	n := 0
	return d.e.buffer.windows(ctx, d.e.s.Workers, whole, func(chunks []*chunk) error {
		d.chunks, d.first = chunks, d.first[:0]
		for _, c := range chunks {
			c.complete(d.e.schema)
			d.first = append(d.first, n)
			n += c.n()
		}
		return f()
	})
}

// each hands all chunks to f on all cores, with a helper that no other call uses
// at the same time, and returns the helpers. begin and then, where there are, are
// called before and after each window of chunks.
func each[H any](ctx context.Context, d *direct, step string, whole bool, begin func() error, make func() *H, f func(h *H, i int), then func() error) ([]*H, error) {
	var mu sync.Mutex
	var free, all []*H
	take := func() *H {
		mu.Lock()
		defer mu.Unlock()
		if n := len(free); n > 0 {
			h := free[n-1]
			free = free[:n-1]
			return h
		}
		h := make()
		all = append(all, h)
		return h
	}
	give := func(h *H) {
		mu.Lock()
		free = append(free, h)
		mu.Unlock()
	}
	var done atomic.Int64
	err := d.windows(ctx, whole, func() error {
		if begin != nil {
			if err := begin(); err != nil {
				return err
			}
		}
		err := par.Do(ctx, d.e.s.Workers, len(d.chunks), func(i int) error {
			n := int64(d.chunks[i].n())
			h := take()
			f(h, i)
			give(h)
			d.report(ctx, step, done.Add(n), n)
			return nil
		})
		if err == nil && then != nil {
			err = then()
		}
		return err
	})
	return all, err
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

// id returns the id of record i of chunk k.
func (d *direct) id(k, i int) string {
	if c := d.chunks[k]; c.ids != nil && c.ids[i] != "" {
		return c.ids[i]
	}
	return strconv.Itoa(d.first[k] + i + 1)
}

// idLength is the length of id, without making it.
func (d *direct) idLength(k, i int) int {
	if c := d.chunks[k]; c.ids != nil && c.ids[i] != "" {
		return len(c.ids[i])
	}
	digits := 1
	for n := d.first[k] + i + 1; n >= 10; n /= 10 {
		digits++
	}
	return digits
}
