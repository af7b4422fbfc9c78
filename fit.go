package moiety

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/run"
)

// Fit finds the groups of the data. The result must be closed.
func Fit(ctx context.Context, src Source, o Options) (*Result, error) {
	if src == nil {
		return nil, errors.New("moiety: Fit without a Source: give Files, Texts, Table, Rows, Records or Dataset")
	}
	order, err := o.order()
	if err != nil {
		return nil, inFields(err)
	}
	if err := src.fill(&order); err != nil {
		return nil, err
	}
	f, err := fit.Do(o.listened(ctx), order)
	if err != nil {
		return nil, inFields(err)
	}
	m := run.New(f)
	return &Result{run: m.Run(), made: m, workers: o.Workers}, nil
}

// listened carries progress to whoever asked for it.
func (o Options) listened(ctx context.Context) context.Context {
	if o.Progress == nil {
		return ctx
	}
	return progress.With(ctx, func(e progress.Event) { o.Progress(Event(e)) })
}
