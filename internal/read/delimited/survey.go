package delimited

import (
	"bytes"
	"context"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/read/source"
)

// Survey looks at every row of every input, on all cores, and returns p with
// what all of them tell about the columns. Kinds decided on it hold for every
// cell. An input that can be read only once is kept in memory; one that is too
// large for that is left as it is.
func (p *Profile) Survey(ctx context.Context, inputs []source.Input, o Options) (*Profile, error) {
	if p.Whole || p.Complete && len(inputs) == 1 && p.Rows+p.Ragged < sampleRows {
		p.Whole = true
		return p, nil
	}
	for _, in := range inputs {
		if again, err := in.Keep(keptStream); !again || err != nil {
			return p, err
		}
	}
	o = o.withDefaults()
	q := *p
	names := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		names[i] = c.Name
	}
	q.Columns, q.Rows, q.Ragged, q.kinds = newColumns(names), 0, 0, nil
	s := &Source{inputs: inputs, options: o, plan: &plan{names: names, dialect: p.dialect()}}
	if err := s.survey(ctx, &q); err != nil {
		return nil, err
	}
	q.Whole = true
	return &q, q.declare(o)
}

// keptStream is the size up to which an input that can be read once is kept in
// memory, so that its kinds are decided on all of it.
const keptStream = 256 << 20

// survey counts all pieces into q.
func (s *Source) survey(ctx context.Context, q *Profile) error {
	ps := s.pieces(ctx)
	defer ps.close()
	counters := &par.Helpers[counter]{Make: func() *counter { return q.counter(0, len(q.Columns)) }}
	err := par.InOrder(ctx, s.options.Workers, ps.next,
		func(ch piece) (struct{}, error) {
			c := counters.Take()
			d := ch.plan.dialect
			if d.header, d.skip = false, 0; ch.head > 0 {
				d.skip = ch.head
			}
			c.rows(ch.Data, d, spot{ch.file, ch.order, ch.Line}, ch.plan.at, -1)
			counters.Give(c)
			ch.Release()
			return struct{}{}, nil
		},
		func(struct{}) error { return nil })
	if err != nil {
		return err
	}
	for _, c := range par.All(counters) {
		c.finish(q)
	}
	return nil
}

// counter counts rows; every worker has its own.
type counter struct {
	columns []Column
	lo      int // the first of them among all
	width   int // of all
	limit   int
	n       int // rows
	ragged  int
	r       walk
	last    [][]byte
}

// A table of few columns has room for many of their values from the start.
const (
	fewColumns  = 16
	usualValues = 1000
)

// counter counts the columns from one number to another.
func (p *Profile) counter(lo, hi int) *counter {
	names := make([]string, hi-lo)
	for i, c := range p.Columns[lo:hi] {
		names[i] = c.Name
	}
	width := len(p.Columns)
	columns := newColumns(names)
	if width <= fewColumns {
		for i := range columns {
			columns[i].sample = make(map[string]*value, usualValues)
		}
	}
	return &counter{columns: columns, lo: lo, width: width, limit: limitOf(width), last: make([][]byte, len(names))}
}

// rows counts the rows of data, at most so many (-1: all). at tells where the
// columns lie in this file, nil: as in the first.
func (c *counter) rows(data []byte, d dialect, from spot, at []int, most int) {
	head := d.skip
	if d.header {
		head += 1 + d.below
	}
	first := true
	for c.r.over(data, from.line, d); (most < 0 || c.n < most) && c.r.next(); {
		if head > 0 {
			head--
			continue
		}
		c.row(d, spot{from.file, from.nth, c.r.line}, at, first)
		first = false
	}
}

// row counts one row.
func (c *counter) row(d dialect, where spot, at []int, first bool) {
	width := c.width
	if at != nil {
		width = slices.Max(at) + 1
	}
	if c.r.aside(width) != isRecord {
		return
	}
	if w := c.r.width(width); w != width && at == nil {
		c.ragged++
		if w > width {
			return
		}
	}
	c.n++
	for i := range c.columns {
		j := c.lo + i
		if at != nil {
			j = at[j]
		}
		f := c.r.field(j)
		again := !first && bytes.Equal(f, c.last[i])
		if !again {
			c.columns[i].Runs++
			c.last[i] = append(c.last[i][:0], f...)
		}
		c.columns[i].add(f, d, c.limit, where, again)
	}
}

// finish adds what was counted to the profile.
func (c *counter) finish(p *Profile) {
	if c.lo == 0 {
		p.Rows, p.Ragged = p.Rows+c.n, p.Ragged+c.ragged
	}
	for i := range c.columns {
		c.columns[i].flush()
		p.Columns[c.lo+i].join(&c.columns[i], c.limit)
	}
}
