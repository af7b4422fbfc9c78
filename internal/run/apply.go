package run

import (
	"context"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Applied are new data that were encoded as those of a run. They are in a file
// that goes away when they are closed.
type Applied struct {
	*dataset.File
	Met *encode.Applied
}

// Apply reads new data and encodes them as those of the run were; what was
// wrong with them goes to p.
func (r *Run) Apply(ctx context.Context, args []string, o read.Options, p *record.Problems) (_ *Applied, err error) {
	src, err := r.OpenNew(ctx, args, o, p)
	if err != nil {
		return nil, err
	}
	return r.applied(ctx, src, o.Workers, o.TempDir)
}

// OpenNew opens data that will be placed in the groups of a run. A table is read
// as that of the run was, column by column: a few records alone would not tell
// answers from counts. The data need not have the labels and times that the
// data of the run had.
func (r *Run) OpenNew(ctx context.Context, args []string, o read.Options, p *record.Problems) (record.Source, error) {
	inputs, _, err := fit.Expand(args)
	if err != nil {
		return nil, err
	}
	return r.openLike(ctx, fit.Order{Args: args, Read: o}, inputs, p)
}

// OpenNewInputs is OpenNew for data in memory.
func (r *Run) OpenNewInputs(ctx context.Context, inputs []source.Input, o read.Options, p *record.Problems) (record.Source, error) {
	return r.openLike(ctx, fit.Order{Read: o}, inputs, p)
}

func (r *Run) openLike(ctx context.Context, order fit.Order, inputs []source.Input, p *record.Problems) (record.Source, error) {
	o := r.like(order.Read)
	order = fit.Order{Args: order.Args, Read: o}
	before := *p
	src, err := order.Open(ctx, inputs, p)
	if err == nil || len(o.Label) == 0 && o.Time == "" {
		return src, err
	}
	beside := slices.Clone(o.Label)
	if o.Time != "" && r.Manifest.Encoding.Format != string(delimited.Sequences) {
		beside = append(beside, o.Time)
		o.Time = ""
	}
	o.Label = nil
	*p = before
	order.Read = o
	src, again := order.Open(ctx, inputs, p)
	if again != nil {
		return nil, err
	}
	p.Aside("read without the columns %s, which the run's data had", strings.Join(beside, ", "))
	return src, nil
}

// like returns the options by which a table is read as that of the run was.
func (r *Run) like(o read.Options) read.Options {
	shape := delimited.Shape(r.Manifest.Encoding.Format)
	if o.Format != "" && o.Format != "auto" && !read.IsContainer(o.Format) || !delimited.Wide(shape) {
		return o
	}
	o.Like = &delimited.Like{Shape: shape, Kinds: map[string]record.Kind{}}
	v := r.Outcome.Model.Vocab
	for _, c := range v.Columns {
		if o.Like.Kinds[c.Name] = recordKind(c.Kind); r.Manifest.Plan.Answers {
			o.Like.Kinds[c.Name] = shape.Kind()
		}
	}
	if len(v.Columns) == 0 {
		for _, name := range v.Names {
			o.Like.Kinds[name] = shape.Kind()
		}
	}
	return o
}

// recordKind is the reader's word for the kind of a column.
func recordKind(k vocab.Kind) record.Kind {
	return map[vocab.Kind]record.Kind{
		vocab.Presence: record.Presence, vocab.Counts: record.Counts, vocab.Real: record.Real, vocab.Categorical: record.Categorical,
	}[k]
}

// applied writes the encoded records to a temporary file.
func (r *Run) applied(ctx context.Context, src record.Source, workers int, dir string) (*Applied, error) {
	var w *dataset.Writer
	defer func() {
		if w != nil {
			w.Abort()
		}
	}()
	met, err := encode.Apply(ctx, src, r.Manifest.Plan, r.Outcome.Model.Vocab, workers, func(_ int, d *dataset.Dataset) (err error) {
		if w == nil {
			if w, err = dataset.NewScratch(dir, d.Describe()); err != nil {
				return err
			}
		}
		return w.Append(d)
	})
	if err != nil {
		return nil, err
	}
	if w == nil {
		return nil, fit.ErrNothing
	}
	f, err := w.Opened()
	if err != nil {
		return nil, err
	}
	return &Applied{f, met}, nil
}
