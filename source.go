package moiety

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A Source is data to fit or to place: Files, Texts, Table, Rows, Records or
// Dataset.
type Source interface {
	// fill completes an order of a fit with the data.
	fill(o *fit.Order) error
	// open reads the data as those of a run were.
	open(ctx context.Context, r *run.Run, o read.Options, p *record.Problems) (record.Source, error)
}

// Files are files, folders and patterns: all that "moiety fit" reads.
func Files(paths ...string) Source { return files(paths) }

type files []string

func (f files) fill(o *fit.Order) error {
	if len(f) == 0 {
		return errors.New("moiety: Files without a path")
	}
	o.Args = f
	return nil
}

func (f files) open(ctx context.Context, r *run.Run, o read.Options, p *record.Problems) (record.Source, error) {
	if len(f) == 0 {
		return nil, errors.New("moiety: Files without a path")
	}
	return r.OpenNew(ctx, f, o, p)
}

// Table is a table with the names of its columns; cells are as in a CSV file, ""
// where a value is missing. Kinds of columns are found as they are for files.
func Table(columns []string, cells [][]string) Source { return table{columns, cells} }

type table struct {
	columns []string
	cells   [][]string
}

func (t table) input() ([]source.Input, error) {
	if len(t.columns) == 0 {
		return nil, errors.New("moiety: Table without columns")
	}
	if len(t.cells) == 0 {
		return nil, errors.New("moiety: Table without rows")
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	for i, row := range append([][]string{t.columns}, t.cells...) {
		if len(row) != len(t.columns) {
			return nil, fmt.Errorf("moiety: row %d of the table has %d cells for %d columns", i, len(row), len(t.columns))
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return []source.Input{source.Bytes("the table", text.Bytes())}, w.Error()
}

// asTable says what is known of the text that input writes.
func asTable(o read.Options) read.Options {
	o.Header, o.Separator = "yes", ","
	return o
}

func (t table) fill(o *fit.Order) (err error) {
	o.Inputs, err = t.input()
	o.Read = asTable(o.Read)
	return err
}

func (t table) open(ctx context.Context, r *run.Run, o read.Options, p *record.Problems) (record.Source, error) {
	in, err := t.input()
	if err != nil {
		return nil, err
	}
	return r.OpenNewInputs(ctx, in, asTable(o), p)
}

// Texts are documents, one a string.
func Texts(documents []string) Source { return texts(documents) }

type texts []string

func (t texts) fill(o *fit.Order) error {
	if len(t) == 0 {
		return errors.New("moiety: Texts without a document")
	}
	o.Records = t.source()
	return nil
}

func (t texts) open(context.Context, *run.Run, read.Options, *record.Problems) (record.Source, error) {
	if len(t) == 0 {
		return nil, errors.New("moiety: Texts without a document")
	}
	return t.source(), nil
}

func (t texts) source() record.Source {
	return documents{t, &record.Schema{Format: "texts", Kind: record.Text, Dict: record.NewDict()}}
}

// documents are texts as a source of records.
type documents struct {
	texts  []string
	schema *record.Schema
}

func (d documents) Schema() *record.Schema { return d.schema }

func (d documents) Read(ctx context.Context, yield func(*record.Batch) error) error {
	const batch = 1024
	for lo := 0; lo < len(d.texts); lo += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := d.texts[lo:min(lo+batch, len(d.texts))]
		b := &record.Batch{Text: part}
		for i := range part {
			b.IDs = append(b.IDs, strconv.Itoa(lo+i+1))
		}
		if err := yield(b); err != nil {
			return err
		}
	}
	return nil
}

// Records are those of a format of your own.
func Records(src record.Source) Source { return records{src} }

type records struct{ src record.Source }

func (r records) fill(o *fit.Order) error {
	if r.src == nil {
		return errors.New("moiety: Records of nil")
	}
	o.Records = r.src
	return nil
}

func (r records) open(context.Context, *run.Run, read.Options, *record.Problems) (record.Source, error) {
	if r.src == nil {
		return nil, errors.New("moiety: Records of nil")
	}
	return r.src, nil
}

// Rows are compressed or dense rows with the names of their features: presences
// where they store no values, counts where all values are whole numbers of 0 or
// more, and measurements otherwise. Features keep their order.
func Rows(names []string, rows sparse.Rows) Source {
	return data{&dataset.Dataset{Kind: kindOf(rows), Rows: rows, Vocab: &vocab.Vocab{Names: names}}}
}

// kindOf says what the values of rows are.
func kindOf(rows sparse.Rows) record.Kind {
	if rows.IsBinary() {
		return record.Presence
	}
	counts := true
	note := func(v float64) { counts = counts && v >= 0 && v == math.Trunc(v) }
	for _, v := range rows.Dense {
		note(v)
	}
	for _, v := range rows.Value {
		note(float64(v))
	}
	if counts {
		return record.Counts
	}
	return record.Real
}

// Dataset is a data set that is encoded already, or a place of your own.
func Dataset(d dataset.Data) Source { return data{d} }

type data struct{ d dataset.Data }

// check reports what keeps the data from being read.
func (s data) check() error {
	if s.d == nil {
		return errors.New("moiety: Dataset of nil")
	}
	if d, ok := s.d.(*dataset.Dataset); ok {
		if d == nil {
			return errors.New("moiety: Dataset of nil")
		}
		if err := d.Check(); err != nil {
			return fmt.Errorf("moiety: %w", err)
		}
	}
	seen := map[string]bool{}
	for _, name := range s.d.Describe().Vocab.Names {
		if seen[name] {
			return fmt.Errorf("moiety: two features are called %q", name)
		}
		seen[name] = true
	}
	return nil
}

func (s data) source() record.Source {
	format := "rows"
	if s.d.Describe().Vocab.System == vocab.Genotypes {
		format = vocab.Genotypes
	}
	return encode.Records(s.d, format, nil)
}

func (s data) fill(o *fit.Order) error {
	if err := s.check(); err != nil {
		return err
	}
	h := s.d.Describe()
	o.Records, o.Encode.KeepOrder, o.Encode.KeepUnused = s.source(), true, true
	o.Encode.Counts = h.Kind != record.Presence
	if o.Encode.System == "" {
		o.Encode.System = string(codes.None)
		if sys := codes.System(h.Vocab.System); sys == codes.ICD9 || sys == codes.ICD10 {
			o.Encode.System, o.Encode.Rollup = string(sys), string(codes.Full)
		}
	}
	return nil
}

func (s data) open(context.Context, *run.Run, read.Options, *record.Problems) (record.Source, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return s.source(), nil
}
