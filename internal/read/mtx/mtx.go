// Package mtx reads matrices in the Matrix Market format: coordinate or array;
// integer, real or pattern; general, symmetric or skew-symmetric.
//
// It takes opened inputs and gives one record for each row (for each column
// with Transpose, as in files of features × cells). Entries that are not
// stored are zeros. Lines are parsed on all cores; what is handed over does
// not depend on their number.
//
// Step in the flow: source -> read/mtx -> record. It must not know models.
package mtx

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/read/triplets"
	"github.com/moiety-go/moiety/record"
)

// Options of the reader; the zero value works.
type Options struct {
	// Transpose makes records of the columns instead of the rows. Without it the
	// files of cells and genes beside a matrix may show that it lies on its side.
	Transpose bool
	// NamesFile names the features, one a line; after a tab may follow a title.
	// Without it they are looked for beside the matrix, or are numbers from 1.
	NamesFile string
	// IDsFile names the records, one a line; what follows a tab is left out.
	// Without it they are looked for beside the matrix, too.
	IDsFile string
	Workers int // 0: all cores
	// Window and Limit bound the entries held in memory: see triplets.Options.
	Window, Limit int
}

type reader struct {
	inputs []source.Input
	o      Options
	p      *record.Problems
	schema record.Schema
	seen   content
	valued bool // some file is not a pattern
}

// New returns a source of the given matrices. A single file gives records
// numbered from 1 unless IDsFile names them; of several, ids are
// "name:number".
func New(inputs []source.Input, o Options, p *record.Problems) (record.Source, error) {
	if len(inputs) == 0 {
		return nil, fmt.Errorf("no matrix given: %w", source.ErrEmpty)
	}
	if o.IDsFile != "" && len(inputs) > 1 {
		return nil, fmt.Errorf("a file of record names fits one matrix, %d are given; join them first", len(inputs))
	}
	r := &reader{inputs: inputs, o: o, p: p}
	r.schema = record.Schema{Format: "mtx", Dict: record.NewDict(), Sparse: true}
	return r, nil
}

// Schema implements record.Source.
func (r *reader) Schema() *record.Schema { return &r.schema }

// Read implements record.Source.
func (r *reader) Read(ctx context.Context, yield func(*record.Batch) error) error {
	for _, in := range r.inputs {
		if err := r.readOne(ctx, in, yield); err != nil {
			return err
		}
	}
	r.conclude()
	return nil
}

// conclude sets the kind by what the values were.
func (r *reader) conclude() {
	switch {
	case !r.valued || !r.seen.other:
		r.schema.Kind = record.Presence // 0 and 1, however they are written
	case !r.seen.negative && !r.seen.fraction:
		r.schema.Kind = record.Counts
	default:
		r.schema.Kind = record.Real
		for i, name := range r.schema.Dict.Names() {
			r.schema.Columns = append(r.schema.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(i)})
		}
	}
}

func (r *reader) readOne(ctx context.Context, in source.Input, yield func(*record.Batch) error) error {
	opened, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	text := bufio.NewReaderSize(opened, 64<<10)
	head, err := readHeader(in.Name, text)
	if err != nil {
		return err
	}
	names, err := r.findNames(ctx, in, head)
	if err != nil {
		return err
	}
	head.transpose = names.transpose
	f := &file{in: in, head: head, p: r.p}
	if f.columns, err = r.columns(in, names.features, head.width()); err != nil {
		return err
	}
	name, err := r.naming(in, names.records, head.height(), yield)
	if err != nil {
		return err
	}
	f.group = triplets.NewGrouper(triplets.Options{Name: in.Name, Window: r.o.Window, Limit: r.o.Limit, Workers: r.o.Workers}, name)
	err = f.read(ctx, text, r.o.Workers)
	r.seen.merge(f.seen)
	r.valued = r.valued || !head.pattern
	return err
}

// columns names the features of one matrix.
func (r *reader) columns(in source.Input, l *list, width int) (*triplets.Columns, error) {
	if l == nil {
		return triplets.NewNumbered(r.schema.Dict, width, 1), nil
	}
	if len(l.names) != width {
		return nil, fmt.Errorf("%s names %s features, the matrix %s has %d; did you mean the other direction (transpose)?",
			l.name, atLeast(len(l.names), width), in.Name, width)
	}
	if r.schema.Titles == nil {
		r.schema.Titles = l.titles
	}
	columns, renamed := triplets.NewColumns(r.schema.Dict, l.names, width)
	if renamed > 0 {
		r.p.Repaired("feature names that are empty or come twice, told apart by their number", renamed)
	}
	return columns, nil
}

// atLeast words a number that was not counted beyond one more than is wanted.
func atLeast(n, want int) string {
	if n > want {
		return "more than " + strconv.Itoa(want)
	}
	return strconv.Itoa(n)
}

// naming returns an emitter that adds ids.
func (r *reader) naming(in source.Input, l *list, height int, yield func(*record.Batch) error) (func(int, *record.Batch) error, error) {
	id := func(i int) string { return in.Base() + ":" + strconv.Itoa(i+1) }
	switch {
	case l != nil:
		if len(l.names) != height {
			return nil, fmt.Errorf("%s names %s records, the matrix %s has %d", l.name, atLeast(len(l.names), height), in.Name, height)
		}
		id = func(i int) string { return l.names[i] }
	case len(r.inputs) == 1:
		return func(_ int, b *record.Batch) error { return yield(b) }, nil
	}
	return func(first int, b *record.Batch) error {
		b.IDs = make([]string, b.N())
		for i := range b.IDs {
			b.IDs[i] = id(first + i)
		}
		return yield(b)
	}, nil
}
