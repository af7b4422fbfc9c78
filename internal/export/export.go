// Package export lists the files that other programs read of a run: tables,
// pictures, arrays, topics, a cohort, a model. The command line puts them into a
// folder, the workbench into an archive; both take the same list, so that both
// write the same bytes.
//
// Step in the flow: run -> show. It must not know where files go, flags or
// requests.
package export

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// Source is a run on its way into files of other forms. It must be closed.
type Source struct {
	Report  *report.Report
	Outcome *fit.Outcome // after the edits
	Rows    dataset.Data // the records, on disk or in memory
	// Posterior gives the probabilities of all groups where they are wanted; nil
	// gives that of the best one alone.
	Posterior show.Posterior
	Dates     show.Dates
	Order     []uint32 // of features: see encode.Summary

	done func() error
}

// Open explains a run and opens its rows.
func Open(ctx context.Context, r *run.Run, s report.Settings) (*Source, error) {
	report, err := r.Explain(ctx, s)
	if err != nil {
		return nil, err
	}
	return OpenExplained(ctx, r, report)
}

// OpenExplained is Open for a run that is explained already.
func OpenExplained(ctx context.Context, r *run.Run, report *report.Report) (*Source, error) {
	rows, done, err := r.Records()
	if err != nil {
		return nil, err
	}
	edited, err := r.Edited(ctx, rows)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	return &Source{
		Report: report, Outcome: edited, Rows: rows, Order: r.Manifest.Encoding.Order,
		Dates: datesOf(rows.Describe().Side, r.Manifest.Settings.Read.Time), done: done,
	}, nil
}

// datesOf names the columns of a cohort's dates: that of the times, or else those that are
// called as in a cohort table, as the records of an OMOP database have them.
func datesOf(side []string, time string) show.Dates {
	const first, last = "cohort_start_date", "cohort_end_date"
	d := show.Dates{Start: time}
	if d.Start == "" && slices.Contains(side, first) {
		d.Start = first
		if slices.Contains(side, last) {
			d.End = last
		}
	}
	return d
}

// Close closes the rows.
func (x *Source) Close() error { return x.done() }

// Shared reports whether what is written is for everybody.
func (x *Source) Shared() bool { return x.Report.Ring == report.Shared }

// Behind returns the rows behind the report, which stay on disk.
func (x *Source) Behind(ctx context.Context) (show.Records, error) {
	rec := show.Records{Rows: show.RowsOf(ctx, x.Rows), Group: x.Outcome.Group, Probability: x.Outcome.Probability}
	var err error
	if x.Report.Shape == report.States {
		rec.Steps, err = show.StepsOf(ctx, x.Rows)
	}
	return rec, err
}

// Output is one file.
type Output struct {
	Name string // of the file
	// Kind is the file's name for show.HoldsRecords, "" where it holds none.
	Kind  string
	Write func(io.Writer) error
}

// AboutFile says in which ring a folder of tables or pictures stands: they have
// no room for it themselves.
const AboutFile = "about.txt"

// About returns the note for a folder of tables or pictures of people.
func (x *Source) About() []Output {
	if x.Report.Ring == report.Open {
		return nil
	}
	return []Output{{AboutFile, "", func(w io.Writer) error { return show.About(w, x.Report) }}}
}

// Columns returns the places of the features among the columns of the data, nil
// where features are no columns.
func (x *Source) Columns() []uint32 {
	h := x.Rows.Describe()
	v := h.Vocab
	if len(x.Order) == v.Len() {
		return x.Order
	}
	if k := h.Kind; k != record.Real && k != record.Categorical && k != record.Mixed {
		return nil
	}
	out := make([]uint32, v.Len())
	for f := range out {
		out[f] = uint32(f)
	}
	for i, c := range v.Columns {
		for f := c.From; f < c.To; f++ {
			out[f] = uint32(i)
		}
	}
	return out
}

// Theta returns the probabilities of every record, nil where only those of the
// best group are wanted.
func (x *Source) Theta(ctx context.Context) *show.Probabilities {
	if x.Posterior == nil {
		return nil
	}
	return &show.Probabilities{Rows: len(x.Outcome.Group), Labels: x.Outcome.Group, Each: func(visit func([]float64) error) error {
		return x.posteriors(ctx, visit)
	}, Records: func(visit func(string, int) error) error { return x.ids(ctx, visit) }, Sequences: x.Rows.Describe().Sequences}
}

// ids hands over the ids of the records, and their steps.
func (x *Source) ids(ctx context.Context, visit func(id string, steps int) error) error {
	return x.Rows.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			steps := 1
			if d.Steps != nil {
				steps = d.Steps[i+1] - d.Steps[i]
			}
			if err := visit(d.ID(i), steps); err != nil {
				return err
			}
		}
		return nil
	})
}

// posteriors hands over the probabilities of every row, block by block.
func (x *Source) posteriors(ctx context.Context, visit func([]float64) error) error {
	k := len(x.Report.Leaves)
	var buffer []float64
	return x.Rows.Each(ctx, func(first int, d *dataset.Dataset) error {
		if n := d.Rows.N() * k; cap(buffer) < n {
			buffer = make([]float64, n)
		} else {
			buffer = buffer[:n]
		}
		if err := x.Posterior(pass.Block{First: first, Rows: d.Rows, Steps: d.Steps}, buffer); err != nil {
			return err
		}
		return visit(buffer)
	})
}
