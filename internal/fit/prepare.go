package fit

import (
	"context"
	"errors"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
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
	// MinCell is the least count that may be shown of records that an earlier run
	// holds; 0 where it has none, or the order says another.
	MinCell int
	// Batches says how the records came, where they came by updates.
	Batches *Batches
	// Cached says that the rows came from the cache beside the data.
	Cached bool
}

// Prepare reads and encodes the data of an order. Rows that do not fit into
// memory go to rows, a file name, or to a temporary file where it is empty.
func Prepare(ctx context.Context, o Order, rows string) (*Prepared, error) {
	if err := o.mayKeepText(); err != nil {
		return nil, err
	}
	p, err := prepare(ctx, o, rows)
	if err != nil {
		return nil, err
	}
	if o.Encode.KeepText && !slices.Contains(p.Side(), dataset.KeptText) {
		return nil, errors.Join(Unsuited("‹keep-text›: these records are no running texts: leave ‹keep-text› out"), p.Close())
	}
	return p.of(o)
}

// of completes what is known of the records by what the order says of them.
func (p *Prepared) of(o Order) (*Prepared, error) {
	p.Health = p.Health || o.Health
	if p.Health && o.Encode.KeepText {
		return nil, errors.Join(textOfPeople, p.Close())
	}
	return p, nil
}

// mayKeepText refuses to keep texts of people.
func (o *Order) mayKeepText() error {
	if o.Encode.KeepText && (o.Health || o.MinCell > 0) {
		return textOfPeople
	}
	return nil
}

// textOfPeople is why a text may not be kept: nobody can tell what it gives away.
var textOfPeople = Unsuited("‹keep-text› keeps texts as they are, and these records are of people whose small numbers are withheld: leave ‹keep-text› out")

func prepare(ctx context.Context, o Order, rows string) (*Prepared, error) {
	if err := o.Uncounted(); err != nil {
		return nil, err
	}
	o.Encode.KeepOrder = o.Encode.KeepOrder || len(o.Views) > 0
	o.Encode.ByName = o.Fit.Privacy.Epsilon > 0
	inputs, list, err := o.List()
	if err != nil {
		return nil, err
	}
	var kept *cache
	if o.Cache {
		if kept, err = newCache(o, inputs); err != nil {
			return nil, err
		}
		if p, ok := kept.load(o.Encode.MaxMemory, o.Encode.Workers); ok {
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

// readAll reads and encodes.
func readAll(ctx context.Context, o Order, inputs []source.Input, rows string) (*Prepared, error) {
	problems := &record.Problems{Strict: o.Read.Strict}
	src, err := o.Open(ctx, inputs, problems)
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
	return NewPrepared(r, problems), nil
}

// NewPrepared joins encoded records and what the reader met.
func NewPrepared(r *encode.Result, problems *record.Problems) *Prepared {
	return &Prepared{
		Result: r, Reading: NewReading(problems), Plan: r.Summary.Plan,
		Health: IsHealth(r.Summary.Format, r.Vocab().System, r.Summary.OfPatients),
	}
}

// DiskSize returns the bytes of rows on disk, 0 where they are in memory.
func (p *Prepared) DiskSize() int64 { return p.Set.Size() }

// Side returns the names of the side columns.
func (p *Prepared) Side() []string { return p.Set.Describe().Side }

// Each hands the records to yield, block by block and in order.
func (p *Prepared) Each(ctx context.Context, yield func(first int, d *dataset.Dataset) error) error {
	return p.Set.Each(ctx, yield)
}

// Kind returns the kind of the records, and whether they are sequences.
func (p *Prepared) Kind() (kind record.Kind, sequences bool) {
	h := p.Set.Describe()
	return h.Kind, h.Sequences
}

// Earlier is what is known of records that were encoded before: their features
// are made already and stay what they are.
type Earlier struct {
	Plan   encode.Plan // by which they were encoded
	Health bool
	System string // of codes, as the vocabulary names it
	// Guesses are those of whoever read them: see Reading.Guesses.
	Guesses []record.Note
}

// Prepare encodes such records by these settings; what was wrong with them goes
// to problems.
func (e Earlier) Prepare(ctx context.Context, o Order, src record.Source, s encode.Settings, problems *record.Problems) (*Prepared, error) {
	if err := o.mayKeepText(); err != nil {
		return nil, err
	}
	s.Known = &e.System
	r, err := encode.Encode(ctx, src, s, problems)
	if err != nil {
		return nil, err
	}
	p := NewPrepared(r, problems)
	p.Plan, p.Health = e.Plan, e.Health
	p.Reading.Notes = append(p.Reading.Notes, e.Guesses...)
	return p.of(o)
}
