package main

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/run"
	"github.com/moiety-go/moiety/show"
)

// exporting is a run on its way into files of other forms.
type exporting struct {
	report  *explain.Report
	outcome *fit.Outcome
	rows    *dataset.File
	path    string
	theta   bool
	dates   show.Dates
	records bool     // something written holds records
	files   []string // written
	notes   []string // for people
}

// exporters is the table format -> writer.
func exporters() map[string]func(context.Context, *exporting) error {
	return map[string]func(context.Context, *exporting) error{
		"csv": exportCSV,
		"svg": func(ctx context.Context, x *exporting) error { return x.pictures(ctx, ".svg", show.WriteSVG) },
		"png": func(ctx context.Context, x *exporting) error {
			return x.pictures(ctx, ".png", func(w io.Writer, s *show.Scene) error { return show.WritePNG(w, s, pngScale) })
		},
		"json": func(_ context.Context, x *exporting) error {
			return x.file(x.path, "", func(w io.Writer) error { return show.JSON(w, x.report) })
		},
		"npz": exportNPZ,
		"ldavis": func(_ context.Context, x *exporting) error {
			write := show.WriteLDAvis
			if strings.EqualFold(filepath.Ext(x.path), ".json") {
				write = show.WriteLDAvisJSON
			}
			return x.file(x.path, "", func(w io.Writer) error { return write(w, x.report) })
		},
		"dot": func(_ context.Context, x *exporting) error {
			return x.file(x.path, "", func(w io.Writer) error { return show.DOT(w, x.report) })
		},
		"octis": func(_ context.Context, x *exporting) error {
			return x.file(x.path, "", func(w io.Writer) error { return show.OCTIS(w, x.report) })
		},
		"omop-cohort": func(ctx context.Context, x *exporting) error {
			return x.file(x.path, show.OMOPCohort, func(w io.Writer) error { return show.OMOPCohortCSV(ctx, w, x.outcome, x.rows, x.dates) })
		},
	}
}

func (a *app) exportCommand() *cobra.Command {
	x := &exporting{}
	var to string
	lambda, n := 0.6, 0
	known := slices.Sorted(maps.Keys(exporters()))
	c := &cobra.Command{
		Use:   "export RUN --to FORMAT -o PATH",
		Short: "Write the groups of a run for other programs",
		Long: `Writes the groups of a run in a form that other programs read: csv a folder of
tables, svg and png a folder of pictures, json the whole report, npz arrays for
numpy, ldavis a page with the map of topics (or its data, to a .json file), octis
topics, dot the tree for Graphviz, omop-cohort a cohort table with the group's
number as its definition.`,
		Args: argsBetween(1, 1, "RUN --to FORMAT -o PATH"),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" || x.path == "" {
				return misuse("write --to FORMAT and -o PATH; formats are %s", list(known))
			}
			if err := oneOf("to", to, known...); err != nil {
				return err
			}
			for flag, format := range map[string]string{"theta": "npz", "date": "omop-cohort", "end-date": "omop-cohort"} {
				if c.Flags().Changed(flag) && to != format {
					return misuse("--%s is for --to %s", flag, format)
				}
			}
			s, err := explanation(lambda, n)
			if err != nil {
				return err
			}
			return a.export(c.Context(), args[0], to, s, x)
		},
	}
	c.Flags().StringVar(&to, "to", "", "form to write: "+list(known))
	c.Flags().StringVarP(&x.path, "out", "o", "", "file or folder to write")
	c.Flags().Float64Var(&lambda, "lambda", lambda, "weight of frequency against distinctness, 0 to 1")
	c.Flags().IntVarP(&n, "number", "n", 0, "features of each list (20)")
	c.Flags().BoolVar(&x.theta, "theta", false, "npz: the probabilities of every record too")
	c.Flags().StringVar(&x.dates.Start, "date", "", "omop-cohort: column of start dates (the run's --time)")
	c.Flags().StringVar(&x.dates.End, "end-date", "", "omop-cohort: column of end dates")
	return c
}

func (a *app) export(ctx context.Context, path, to string, s explain.Settings, x *exporting) error {
	r, err := run.Open(path)
	if err != nil {
		return err
	}
	if err := x.open(a.listening(ctx), r, s); err != nil {
		return err
	}
	defer x.rows.Close()
	if x.dates.Start == "" {
		x.dates.Start = r.Manifest.Settings.Read.Time
	}
	if err := exporters()[to](ctx, x); err != nil {
		return err
	}
	if a.json {
		return a.document("export", struct {
			Format  string   `json:"format"`
			Files   []string `json:"files"`
			Records bool     `json:"holds_records"`
		}{to, x.files, x.records})
	}
	for _, note := range x.notes {
		a.whisper("%s", note)
	}
	for _, f := range x.files {
		a.say("wrote %s", f)
	}
	if x.records {
		a.say("%s", wrap("! Note that "+show.RecordsNotice+".", 100, "  "))
	}
	return nil
}

// open explains the run and opens its rows.
func (x *exporting) open(ctx context.Context, r *run.Run, s explain.Settings) (err error) {
	if x.report, err = r.Explain(ctx, s); err != nil {
		return err
	}
	if x.rows, err = r.Rows(); err != nil {
		return err
	}
	x.outcome, err = r.Edited(ctx, x.rows)
	return err
}

// file writes one file under a temporary name; output is its name for
// show.HoldsRecords.
func (x *exporting) file(path, output string, write func(io.Writer) error) error {
	f, err := newFile(path)
	if err != nil {
		return err
	}
	defer f.abandon()
	if err := write(f); err != nil {
		return err
	}
	if err := f.finish(); err != nil {
		return err
	}
	x.records = x.records || show.HoldsRecords(output)
	x.files = append(x.files, path)
	return nil
}

// exportCSV writes the tables of the contract into a folder.
func exportCSV(ctx context.Context, x *exporting) error {
	if err := os.MkdirAll(x.path, 0o777); err != nil {
		return err
	}
	tables := []struct {
		name, output string
		on           bool
		write        func(io.Writer) error
	}{
		{"centers.csv", "", true, func(w io.Writer) error { return show.CentersCSV(w, x.report) }},
		{"weights.csv", "", true, func(w io.Writer) error { return show.WeightsCSV(w, x.report) }},
		{"assignments.csv", show.Assignments, true, func(w io.Writer) error { return show.AssignmentsCSV(ctx, w, x.report, x.outcome, x.rows) }},
		{"steps.csv", show.Steps, x.rows.Sequences, func(w io.Writer) error { return show.StepsCSV(ctx, w, x.report, x.outcome, x.rows) }},
		{"nodes.csv", "", x.outcome.Tree != nil, func(w io.Writer) error { return show.NodesCSV(w, x.report) }},
		{"topics.csv", "", true, func(w io.Writer) error { return show.TopicsCSV(w, x.report) }},
	}
	for _, t := range tables {
		if !t.on {
			continue
		}
		if err := x.file(filepath.Join(x.path, t.name), t.output, t.write); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func exportNPZ(ctx context.Context, x *exporting) error {
	var theta []float64
	output := ""
	if x.theta {
		f, err := x.outcome.Model.Family()
		if err != nil {
			return err
		}
		output = show.Theta
		k := x.outcome.Model.Params.K()
		theta = make([]float64, len(x.outcome.Group)*k)
		err = assign.Each(ctx, f, x.outcome.Model.Params, x.rows.Runner(0), func(first int, posterior []float64) error {
			copy(theta[first*k:], posterior)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return x.file(x.path, output, func(w io.Writer) error { return show.NPZ(w, x.report, theta) })
}
