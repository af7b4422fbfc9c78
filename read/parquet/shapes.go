package parquet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/read/triplets"
	"github.com/moiety-go/moiety/record"
)

const (
	batchRecords = 4096
	batchEntries = 1 << 18
	batchText    = 16 << 20
	blockEntries = 1 << 16
)

// long groups (id, code[, count]) rows by id, in order of first appearance.
func (r *reader) long(ctx context.Context, files []*file, p plan, yield func(*record.Batch) error) error {
	if len(p.side) > 0 {
		return fmt.Errorf("%s: side columns need one row a record; this file has one row a code", r.inputs[0].Name)
	}
	r.schema.Kind = record.Presence
	if p.count != nil {
		r.schema.Kind = record.Counts
	}
	l := &longRows{r: r, valued: p.count != nil, ids: record.NewDict()}
	l.group = triplets.NewGrouper(triplets.Options{Name: r.inputs[0].Name, Window: r.o.Window, Limit: r.o.Limit},
		func(first int, b *record.Batch) error {
			b.IDs = slices.Clone(l.ids.Names()[first : first+b.N()])
			return yield(b)
		})
	for _, f := range files {
		row := 0
		err := rowsOf(ctx, f, r.o.Limits, []*column{p.id, p.code, p.count}, func(c []*cursor) error {
			row++
			return l.row(f, row, c)
		})
		if err != nil {
			return err
		}
	}
	if err := l.flush(); err != nil {
		return err
	}
	if _, err := l.group.Close(l.ids.Len()); err != nil {
		return err
	}
	if n := l.group.Repeated(); n > 0 {
		r.p.Repaired("codes recorded again in the same record", n)
	}
	if l.empty > 0 {
		r.p.Repaired("rows without a code, left out", l.empty)
	}
	return nil
}

// longRows collects rows of the long shape into blocks.
type longRows struct {
	r      *reader
	valued bool
	ids    *record.Dict
	group  *triplets.Grouper
	block  triplets.Block
	empty  int
}

func (l *longRows) row(f *file, row int, c []*cursor) error {
	id, err := c[0].next()
	if err != nil {
		return err
	}
	code, err := c[1].next()
	if err != nil {
		return err
	}
	n := 1.0
	if c[2] != nil {
		v, err := c[2].next()
		if err != nil {
			return err
		}
		var ok bool
		if n, ok = number(v); !ok || n < 0 || n != math.Trunc(n) || n > math.MaxInt32 {
			return l.r.p.Malformed(&record.ParseError{File: f.name, Line: row, Text: v.String(), Msg: "the count must be a whole number from 0"})
		}
	}
	who, ok := word(id)
	if who = strings.TrimSpace(who); !ok || who == "" {
		return l.r.p.Malformed(&record.ParseError{File: f.name, Line: row, Msg: "a row without an id"})
	}
	return l.add(who, code, n)
}

// add appends an entry; a row without a code still makes its record exist.
func (l *longRows) add(who string, code pq.Value, n float64) error {
	number := l.ids.Add(who)
	b := &l.block
	if k := len(b.Runs); k == 0 || b.Runs[k-1].Record != number {
		b.Runs = append(b.Runs, triplets.Run{Record: number, Start: len(b.Feature)})
	}
	what, ok := word(code)
	switch what = strings.TrimSpace(what); {
	case !ok || what == "":
		l.empty++
	case n > 0:
		b.Feature = append(b.Feature, l.r.schema.Dict.Add(what))
		if l.valued {
			b.Value = append(b.Value, n)
		}
	}
	if len(b.Feature) < blockEntries && len(b.Runs) < blockEntries {
		return nil
	}
	return l.flush()
}

func (l *longRows) flush() error {
	b := l.block
	l.block = triplets.Block{}
	if l.valued && b.Value == nil {
		b.Value = []float64{}
	}
	return l.group.Add(&b)
}

// lists reads one record a row: a list of codes, or a text.
func (r *reader) lists(ctx context.Context, files []*file, p plan, yield func(*record.Batch) error) error {
	r.schema.Kind = record.Presence
	if p.shape == text {
		r.schema.Kind = record.Text
	}
	l := &rowBatch{side: len(p.side), yield: yield}
	again := 0
	columns := append([]*column{p.id, p.code, p.text}, p.side...)
	for _, f := range files {
		err := rowsOf(ctx, f, r.o.Limits, columns, func(c []*cursor) error {
			if err := l.head(c[0], c[3:]); err != nil {
				return err
			}
			if p.shape == text {
				v, err := c[2].next()
				if err != nil {
					return err
				}
				s, _ := word(v)
				return l.endText(s)
			}
			start := len(l.b.Feature)
			if err := c[1].list(func(v pq.Value) {
				if s, _ := word(v); strings.TrimSpace(s) != "" {
					l.b.Feature = append(l.b.Feature, r.schema.Dict.Add(strings.TrimSpace(s)))
				}
			}); err != nil {
				return err
			}
			again += l.once(start)
			return l.end()
		})
		if err != nil {
			return err
		}
	}
	if again > 0 {
		r.p.Repaired("codes recorded again in the same record", again)
	}
	return l.flush()
}

// rowBatch collects records of the shapes with one record a row.
type rowBatch struct {
	b     record.Batch
	side  int
	bytes int
	yield func(*record.Batch) error
}

// head takes the id and the side columns of a row.
func (l *rowBatch) head(id *cursor, side []*cursor) error {
	if l.b.Side == nil && l.side > 0 {
		l.b.Side = make([][]string, l.side)
	}
	if id != nil {
		v, err := id.next()
		if err != nil {
			return err
		}
		s, _ := word(v)
		l.b.IDs = append(l.b.IDs, strings.TrimSpace(s))
	}
	for i, c := range side {
		v, err := c.next()
		if err != nil {
			return err
		}
		s, _ := word(v)
		l.b.Side[i] = append(l.b.Side[i], s)
	}
	return nil
}

// once sorts the features from start on, keeps each once, and returns how many
// came again.
func (l *rowBatch) once(start int) int {
	f := l.b.Feature[start:]
	slices.Sort(f)
	kept := len(slices.Compact(f))
	l.b.Feature = l.b.Feature[:start+kept]
	return len(f) - kept
}

// end closes a record with features.
func (l *rowBatch) end() error {
	if l.b.Ptr == nil {
		l.b.Ptr = []int{0}
	}
	l.b.Ptr = append(l.b.Ptr, len(l.b.Feature))
	if len(l.b.Ptr) <= batchRecords && len(l.b.Feature) < batchEntries {
		return nil
	}
	return l.flush()
}

// endText closes a record with text.
func (l *rowBatch) endText(s string) error {
	l.b.Text = append(l.b.Text, s)
	if l.bytes += len(s); len(l.b.Text) < batchRecords && l.bytes < batchText {
		return nil
	}
	return l.flush()
}

func (l *rowBatch) flush() error {
	b := l.b
	l.b, l.bytes = record.Batch{}, 0
	if b.N() == 0 {
		return nil
	}
	if b.Text == nil && b.Feature == nil {
		b.Feature = []uint32{}
	}
	return l.yield(&b)
}
