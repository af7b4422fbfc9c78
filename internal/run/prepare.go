package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// ErrNothing says that the input could be opened but holds no record.
var ErrNothing = errors.New("the data hold no record that can be read")

// Prepared is data ready for a fit. It must be closed.
type Prepared struct {
	*encode.Result
	Inputs  []Input
	Reading Reading
	// Plan encodes new records in the same way.
	Plan   encode.Plan
	Health bool
	// Tables are the counts of all sites, where records lie at several.
	Tables explain.Tables
	// Batches says how the records came, where they came by updates.
	Batches *Batches
	// Cached says that the rows came from the cache beside the data.
	Cached bool

	kept *rowWriter // the rows, where they are being written; nil elsewhere
}

// Prepare reads and encodes the data of an order. Rows that do not fit into
// memory go to rows, a file name, or to a temporary file where it is empty.
func Prepare(ctx context.Context, o Order, rows string) (*Prepared, error) {
	if o.Encode.KeepText && (o.Health || o.MinCell > 0) {
		return nil, textOfPeople
	}
	p, err := prepare(ctx, o, rows)
	if err != nil {
		return nil, err
	}
	p.Health = p.Health || o.Health
	if err := keepable(o, p); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// textOfPeople is why a text may not be kept: nobody can tell what it gives away.
var textOfPeople = unsuited("--keep-text keeps texts as they are, and these records are of people whose small numbers are withheld: leave --keep-text out")

// keepable reports whether the texts of an order may and can be kept.
func keepable(o Order, p *Prepared) error {
	switch {
	case !o.Encode.KeepText:
		return nil
	case p.Health:
		return textOfPeople
	case o.Within == "" && !slices.Contains(p.Side(), dataset.KeptText):
		return unsuited("--keep-text: these records are no running texts: leave --keep-text out")
	}
	return nil
}

func prepare(ctx context.Context, o Order, rows string) (*Prepared, error) {
	if o.Within != "" {
		return prepareWithin(ctx, o, rows)
	}
	o.Encode.KeepOrder = o.Encode.KeepOrder || len(o.Views) > 0
	inputs, list, err := o.inputs()
	if err != nil {
		return nil, err
	}
	var kept *cache
	if o.Cache {
		if kept, err = newCache(o, inputs); err != nil {
			return nil, err
		}
		if p, ok := kept.load(o.Encode.MaxMemory); ok {
			p.Inputs = list
			return p, nil
		}
	}
	p, err := readAll(ctx, o, inputs, rows)
	if err != nil {
		return nil, err
	}
	p.Inputs = list
	if kept != nil {
		if err := kept.save(p); err != nil {
			p.Close()
			return nil, err
		}
	}
	return p, nil
}

// isDatabase reports whether the arguments name a database.
func isDatabase(args []string) bool {
	return len(args) == 1 && len(args[0]) >= 5 && args[0][:5] == "omop:"
}

// inputs lists the inputs of an order; a database and records have none.
func (o *Order) inputs() ([]source.Input, []Input, error) {
	if o.Records == nil && o.Inputs == nil {
		return expand(o.Args, o.Read)
	}
	var list []Input
	for _, in := range o.Inputs {
		list = append(list, Input{in.Name, in.Size()})
	}
	if o.Records != nil {
		list = []Input{{Name: "records", Bytes: -1}}
	}
	return o.Inputs, list, nil
}

// expand lists the inputs; a database has none.
func expand(args []string, o read.Options) ([]source.Input, []Input, error) {
	if isDatabase(args) {
		return nil, []Input{{Name: "omop:", Bytes: -1}}, nil // the rest of the argument is about the machine
	}
	inputs, err := source.Expand(args)
	if err != nil {
		return nil, nil, err
	}
	list := make([]Input, len(inputs))
	for i, in := range inputs {
		list[i] = Input{in.Name, in.Size()}
	}
	return inputs, list, nil
}

// readAll reads and encodes.
func readAll(ctx context.Context, o Order, inputs []source.Input, rows string) (*Prepared, error) {
	problems := &record.Problems{Strict: o.Read.Strict}
	src, err := open(ctx, o, inputs, problems)
	if err != nil {
		return nil, err
	}
	s := o.Encode
	s.Output = rows
	count := &counted{Source: src}
	r, err := encode.Encode(ctx, count, s, problems)
	if err != nil && isDatabase(o.Args) && count.n == 0 && ctx.Err() == nil {
		return nil, databaseError{err}
	}
	if err != nil {
		return nil, count.explain(err, problems)
	}
	return newPrepared(r, problems), nil
}

func open(ctx context.Context, o Order, inputs []source.Input, p *record.Problems) (record.Source, error) {
	if o.Records != nil {
		return o.Records, nil
	}
	if inputs == nil {
		return read.Open(ctx, o.Args, o.Read, p)
	}
	return read.OpenInputs(ctx, inputs, o.Read, p)
}

func newPrepared(r *encode.Result, problems *record.Problems) *Prepared {
	return &Prepared{
		Result: r, Reading: NewReading(problems), Plan: r.Summary.Plan,
		Health: isHealth(r.Summary.Format, r.Vocab().System),
	}
}

// databaseError says that a database gave no record.
type databaseError struct{ err error }

func (e databaseError) Error() string   { return e.err.Error() }
func (e databaseError) Unwrap() []error { return []error{e.err, ErrNothing} }

// counted counts the records of a source, to tell an input without records from
// one whose records were all left out.
type counted struct {
	record.Source
	n int
}

func (c *counted) Read(ctx context.Context, yield func(*record.Batch) error) error {
	return c.Source.Read(ctx, func(b *record.Batch) error {
		c.n += b.N()
		return yield(b)
	})
}

// explain turns "no records" into the reason.
func (c *counted) explain(err error, p *record.Problems) error {
	if !errors.Is(err, encode.ErrNoRecords) || c.n > 0 {
		return err
	}
	if len(p.First) > 0 {
		return fmt.Errorf("%w: all %d lines are malformed; the first is %w", ErrNothing, p.Skipped, p.First[0])
	}
	return fmt.Errorf("%w: %w", ErrNothing, err)
}

// Data returns what a fit needs to know.
func (p *Prepared) Data(workers int) fit.Data {
	set := p.Set()
	h := set.Describe()
	d := fit.Data{
		Run: set.Runner(workers), Rows: set.RowCount(), Vocab: h.Vocab, Kind: h.Kind,
		Sequences: h.Sequences, Fingerprint: unmade,
	}
	if p.kept == nil {
		d.Fingerprint = p.Fingerprint()
	}
	if p.Result.Data != nil {
		d.InMemory = &p.Result.Data.Rows
	}
	return d
}

// Kind returns the kind of the records, and whether they are sequences.
func (p *Prepared) Kind() (kind record.Kind, sequences bool) {
	h := p.Set().Describe()
	return h.Kind, h.Sequences
}

// Long returns the records that are not short, on which a model is learned
// where short ones are left out, and a function that forgets them. It is the
// whole data where no record is short.
func (p *Prepared) Long(workers int, dir string) (fit.Data, func(), error) {
	if p.Short == nil {
		return p.Data(workers), func() {}, nil
	}
	if d := p.Result.Data; d != nil {
		part := pick(d, p.isLong)
		q := &Prepared{Result: &encode.Result{Data: part}}
		return q.Data(workers), func() {}, nil
	}
	path := filepath.Join(dir, "long.tmp")
	if err := p.writeLong(path); err != nil {
		return fit.Data{}, nil, err
	}
	f, err := dataset.Open(path)
	if err != nil {
		return fit.Data{}, nil, errors.Join(err, os.Remove(path))
	}
	q := &Prepared{Result: &encode.Result{File: f}}
	return q.Data(workers), func() { f.Close(); os.Remove(path) }, nil
}

func (p *Prepared) isLong(i int) bool { return !p.Short[i] }

// writeLong writes the long records of a data set on disk to another file.
func (p *Prepared) writeLong(path string) error {
	w, err := dataset.NewWriter(path, p.File.Header)
	if err != nil {
		return err
	}
	defer w.Abort()
	first := 0
	for i := range p.File.Blocks() {
		b, err := p.File.Block(i)
		if err != nil {
			return err
		}
		if part := pick(b, func(i int) bool { return p.isLong(first + i) }); part.Len() > 0 {
			if err := w.Append(part); err != nil {
				return err
			}
		}
		first += b.Len()
	}
	return w.Close()
}

// DiskSize returns the bytes of rows on disk, 0 where they are in memory.
func (p *Prepared) DiskSize() int64 {
	if p.File == nil {
		return 0
	}
	return p.File.Size()
}

// Side returns the names of the side columns.
func (p *Prepared) Side() []string { return p.Set().Describe().Side }

// Each hands the records to yield, block by block and in order.
func (p *Prepared) Each(ctx context.Context, yield func(first int, d *dataset.Dataset) error) error {
	return p.Set().Each(ctx, yield)
}
