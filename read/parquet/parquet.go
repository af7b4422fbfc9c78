// Package parquet reads Parquet files in four shapes: long (id, code and
// perhaps count, one row an entry), list (id and a list of codes, one row a
// record), wide (numeric columns, one row a record) and text (id and a column
// of running text).
//
// It takes opened inputs and gives records. Columns are named by options or
// guessed by their names. Pages are read one after the other, so memory does
// not grow with the file; sizes that a file claims are checked before they are
// believed, and a panic of the decoder is an error of the file.
//
// Step in the flow: source -> read/parquet -> record. It must not know code
// tables or models.
package parquet

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/read/source"
	"github.com/moiety-go/moiety/record"
)

// Options of the reader; the zero value guesses the columns.
type Options struct {
	ID    string   // column of record ids
	Code  string   // column of codes: single values or lists
	Count string   // column of counts, for the long shape
	Text  string   // column of running text
	Side  []string // columns to carry along: outcome, date, label
	// Columns are the numeric columns of the wide shape. Empty: all that are
	// not named otherwise.
	Columns []string
	Limits  Limits
	// Window and Limit bound the entries of the long shape held in memory: see
	// triplets.Options.
	Window, Limit int
}

// Limits bounds what a file may claim. The zero value means the defaults.
type Limits struct {
	Page      int64 // bytes of one page, stored or unpacked; 0: 256 MB
	RowGroup  int64 // rows of one row group; 0: 2^28
	RowGroups int   // row groups; 0: 2^15
	Columns   int   // columns; 0: 2^15
	Spool     int64 // bytes of a temporary copy of an input that is not a plain file; 0: 64 GB
}

func (l Limits) withDefaults() Limits {
	l.Page = orDefault(l.Page, 256<<20)
	l.RowGroup = orDefault(l.RowGroup, 1<<28)
	l.RowGroups = orDefault(l.RowGroups, 1<<15)
	l.Columns = orDefault(l.Columns, 1<<15)
	l.Spool = orDefault(l.Spool, 64<<30)
	return l
}

func orDefault[T int | int64](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}

type reader struct {
	inputs []source.Input
	o      Options
	p      *record.Problems
	schema record.Schema
}

// New returns a source of the given files, which must have the same columns.
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no Parquet file given: %w", source.ErrEmpty)
	}
	o.Limits = o.Limits.withDefaults()
	r := &reader{inputs: inputs, o: o, p: p}
	r.schema = record.Schema{Format: "parquet", Dict: record.NewDict(), Side: o.Side}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	files := make([]*file, 0, len(r.inputs))
	defer func() {
		for _, f := range files {
			f.close()
		}
	}()
	var plan plan
	for i, in := range r.inputs {
		f, err := open(ctx, in, r.o.Limits)
		if err != nil {
			return err
		}
		files = append(files, f)
		p, err := r.plan(f)
		if err != nil {
			return err
		}
		if i > 0 && !p.equal(plan) {
			return fmt.Errorf("%s has other columns than %s; read them one by one", in.Name, r.inputs[0].Name)
		}
		plan = p
	}
	for _, note := range plan.notes {
		r.p.Note("%s", note)
	}
	switch plan.shape {
	case long:
		return r.long(ctx, files, plan, yield)
	case wide:
		return r.wide(ctx, files, plan, yield)
	default:
		return r.lists(ctx, files, plan, yield)
	}
}
