package export

import (
	"context"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TableNames are the names of all tables that a run may have.
var TableNames = []string{
	"centers.csv", "weights.csv", "assignments.csv", "steps.csv", "nodes.csv", "topics.csv", "transitions.csv", "groups.csv",
	"sides.csv", "outcomes.csv", "trends.csv", "trend-words.csv", "parameters.csv", "classification.csv", "fit.csv", "residuals.csv",
	"courses.csv", "course_transitions.csv", "waits.csv",
}

// Tables lists the tables of the run.
func (x *Source) Tables(ctx context.Context) []Output {
	r, inside := x.Report, !x.Shared()
	of := func(write func(io.Writer, *report.Report) error) func(io.Writer) error {
		return func(w io.Writer) error { return write(w, r) }
	}
	all := []struct {
		kind  string
		on    bool
		write func(io.Writer) error
	}{
		{"", true, of(show.CentersCSV)},
		{"", true, of(show.WeightsCSV)},
		{show.Assignments, inside, func(w io.Writer) error {
			return show.AssignmentsCSV(ctx, w, r, x.Outcome.Placed(), x.Rows, x.Posterior)
		}},
		{show.Steps, x.Rows.Describe().Sequences && inside, func(w io.Writer) error {
			return show.StepsCSV(ctx, w, r, x.Outcome.Placed(), x.Rows, x.Posterior)
		}},
		{"", x.Outcome.Tree != nil, of(show.NodesCSV)},
		{"", true, of(show.TopicsCSV)},
		{"", r.Shape == report.States, of(show.TransitionsCSV)},
		{"", inside, of(show.GroupsCSV)},
		{"", len(r.Sides) > 0, of(show.SidesCSV)},
		{"", len(r.Distal) > 0, of(show.OutcomesCSV)},
		{"", len(r.Trends) > 0, of(show.TrendsCSV)},
		{"", show.HasTrendWords(r), of(show.TrendWordsCSV)},
		{"", r.Inference != nil, of(show.ParametersCSV)},
		{"", r.Inference != nil, of(show.ClassificationCSV)},
		{"", r.Inference != nil, of(show.FitCSV)},
		{"", r.Inference != nil, of(show.ResidualsCSV)},
		{show.Courses, len(r.Courses) > 0 && inside, func(w io.Writer) error { return x.courses(ctx, w) }},
		{"", len(r.Courses) > 0, of(show.CourseTransitionsCSV)},
		{"", show.HasWaits(r), of(show.WaitsCSV)},
	}
	var out []Output
	for i, t := range all {
		if t.on {
			out = append(out, Output{TableNames[i], t.kind, t.write})
		}
	}
	return out
}

// courses writes the course of every sequence.
func (x *Source) courses(ctx context.Context, w io.Writer) error {
	m := x.Outcome.Model
	fam, err := m.Family()
	if err != nil {
		return err
	}
	f, ok := fam.(family.Coursed)
	if !ok {
		return fmt.Errorf("export: the model %s has no courses", fam.Info().Name)
	}
	return show.CoursesCSV(ctx, w, x.Report, x.Rows, func(b pass.Block, out []float64) error {
		return f.CoursePosterior(m.Params, m.Provenance.Courses, b, out)
	})
}
