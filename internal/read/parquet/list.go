package parquet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Options name the columns of files with lists.
type Options struct {
	ID   string   // column of record ids; "": records are numbered
	List string   // column of codes
	Side []string // columns to carry along: outcome, date, label
}

const (
	batchRecords = 4096
	batchEntries = 1 << 18
)

// lists reads one record a row: a list of codes.
type lists struct {
	files   []*File
	p       *record.Problems
	schema  record.Schema
	columns [][]*column // of each file: id or nil, list, side columns
}

// New returns a source of files with a list of codes in every row.
func New(files []*File, o Options, p *record.Problems) (record.Source, error) {
	if len(files) == 0 {
		return nil, fmt.Errorf("no Parquet file given: %w", source.ErrEmpty)
	}
	if err := check(files); err != nil {
		return nil, err
	}
	r := &lists{files: files, p: p}
	r.schema = record.Schema{Format: "parquet", Kind: record.Presence, Dict: record.NewDict(), Side: o.Side}
	for _, f := range files {
		columns, err := f.find(o)
		if err != nil {
			return nil, err
		}
		r.columns = append(r.columns, columns)
	}
	return r, nil
}

// find resolves the columns of the options.
func (f *File) find(o Options) ([]*column, error) {
	columns := []*column{nil}
	for _, c := range f.list {
		if c.name == o.List {
			columns = append(columns, c)
		}
	}
	if len(columns) != 2 {
		return nil, record.NoColumn("%s has no column of lists %q; it has %s", f.in.Name, o.List, strings.Join(f.Lists(), ", "))
	}
	for i, name := range append([]string{o.ID}, o.Side...) {
		if name == "" {
			continue
		}
		at := slices.IndexFunc(f.flat, func(c *column) bool { return c.name == name })
		switch {
		case at < 0:
			return nil, record.NoColumn("%s has no column %q; it has %s", f.in.Name, name, strings.Join(f.Flat(), ", "))
		case i == 0:
			columns[0] = f.flat[at]
		default:
			columns = append(columns, f.flat[at])
		}
	}
	return columns, nil
}

// Schema implements record.Source.
func (r *lists) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *lists) Read(ctx context.Context, yield func(*record.Batch) error) error {
	l := &rowBatch{yield: yield, dict: r.schema.Dict}
	for i, f := range r.files {
		columns := r.columns[i]
		err := f.file.rows(ctx, columns, (*column).words, l.row)
		if err != nil {
			return err
		}
	}
	if l.again > 0 {
		r.p.Repaired("codes recorded again in the same record", l.again)
	}
	return l.flush()
}

// rowBatch collects records.
type rowBatch struct {
	b     record.Batch
	dict  *record.Dict
	again int
	word  []byte // buffer
	yield func(*record.Batch) error
}

// row takes one row off the cursors of id, list and side columns.
func (l *rowBatch) row(c []*cursor) error {
	if l.b.Side == nil && len(c) > 2 {
		l.b.Side = make([][]string, len(c)-2)
	}
	for i, cursor := range c {
		if cursor == nil || i == 1 {
			continue
		}
		v, err := cursor.append(l.word[:0])
		if err != nil {
			return err
		}
		s := string(v)
		if i == 0 {
			l.b.IDs = append(l.b.IDs, s)
		} else {
			l.b.Side[i-2] = append(l.b.Side[i-2], s)
		}
	}
	start := len(l.b.Feature)
	if err := l.list(c[1]); err != nil {
		return err
	}
	l.again += l.once(start)
	return l.end()
}

// list takes the words of one row; what is null or empty is left out.
func (l *rowBatch) list(c *cursor) (err error) {
	for next := false; !next; {
		if l.word, err = c.append(l.word[:0]); err != nil {
			return err
		}
		if len(l.word) > 0 {
			l.b.Feature = append(l.b.Feature, l.dict.Add(strings.ToValidUTF8(string(l.word), "\uFFFD")))
		}
		if next, err = c.startsRow(); err != nil {
			return err
		}
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

// end closes a record.
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

func (l *rowBatch) flush() error {
	b := l.b
	l.b = record.Batch{}
	if b.N() == 0 {
		return nil
	}
	if b.Feature == nil {
		b.Feature = []uint32{}
	}
	return l.yield(&b)
}
