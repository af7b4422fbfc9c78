package fit

import (
	"context"
	"errors"
	"fmt"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// isDatabase reports whether the arguments name a database.
func isDatabase(args []string) bool {
	return len(args) == 1 && len(args[0]) >= 5 && args[0][:5] == "omop:"
}

// List lists the inputs of an order; a database and records have none.
func (o *Order) List() ([]source.Input, []Input, error) {
	if o.Records == nil && o.Inputs == nil {
		return Expand(o.Args)
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

// Expand lists the inputs; a database has none.
func Expand(args []string) ([]source.Input, []Input, error) {
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

// Open opens the records of an order, whose inputs are listed.
func (o *Order) Open(ctx context.Context, inputs []source.Input, p *record.Problems) (record.Source, error) {
	if o.Records != nil {
		return o.Records, nil
	}
	if inputs == nil {
		return read.Open(ctx, o.Args, o.Read, p)
	}
	return read.OpenInputs(ctx, inputs, o.Read, p)
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
