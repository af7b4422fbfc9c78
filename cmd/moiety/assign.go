package main

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/progress"
	"github.com/moiety-go/moiety/read"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/run"
	"github.com/moiety-go/moiety/show"
)

func (a *app) assignCommand() *cobra.Command {
	var r reading
	var out target
	var m machine
	c := &cobra.Command{
		Use:   "assign RUN DATA...",
		Short: "Place new records in the groups of a run",
		Long: `Places new records in the groups of a run and writes id,group,probability,
one line a record. The data are read as those of the run were, unless flags say
otherwise. Records stream through: memory does not grow with the data.`,
		Args: argsBetween(2, -1, "RUN DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			out.orStdout()
			if a.json && out.path == "" {
				return misuse("--json prints a summary: write the places to a file with -o FILE.csv")
			}
			if err := m.begin(a); err != nil {
				return err
			}
			opened, err := a.openRunOf(c, args)
			if err != nil {
				return err
			}
			options := r.over(opened.Manifest.Settings.Read.Options())
			options.Workers, options.MaxMemory = m.workers, m.share()
			return a.assign(c.Context(), opened, args[1:], options, out)
		},
	}
	out.add(c, "file to write (default: standard output)")
	r.add(c)
	m.add(c)
	return c
}

// assign streams new records through the model.
func (a *app) assign(ctx context.Context, r *run.Run, args []string, o read.Options, out target) error {
	w := io.Writer(a.out)
	var f *outfile.File
	if out.path != "" {
		var err error
		if f, err = a.create(ctx, out, show.TableForm("assignments.csv"), true); err != nil {
			return err
		}
		defer f.Abandon()
		w = f
	}
	s := newScorer(r, w)
	met, problems, err := s.score(a.listening(ctx), args, o)
	if err != nil {
		return ofData(err)
	}
	if f != nil {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	a.warn(append(run.NewReading(problems).Warnings(), met.Warnings...))
	if a.json {
		return a.document("assign", s.summary(met, run.NewReading(problems), out.path))
	}
	a.say("%s placed.", count(met.Records, "record", "records"))
	if s.guarded > 0 {
		a.say("%s", guardedNote(s.guarded))
	}
	if met.UnknownUses > 0 {
		a.say("%s of %s were not in the vocabulary of the run and were passed over.",
			count(met.UnknownUses, "feature", "features"), thousands(int64(met.Entries)))
	}
	return nil
}

// scorer places blocks of records and writes them.
type scorer struct {
	run    *run.Run
	w      io.Writer
	report explain.Report // the ids of the groups
	n      []int          // records, or steps, of each group
	done   int64
	head   bool // the head of the table is written

	guarded int // cells that spreadsheets would take for formulas
}

func newScorer(r *run.Run, w io.Writer) *scorer {
	s := &scorer{run: r, w: w, n: make([]int, r.Outcome.K())}
	for j := range s.n {
		s.report.Groups = append(s.report.Groups, explain.Group{ID: r.GroupID(j)})
		s.report.Leaves = append(s.report.Leaves, j)
	}
	return s
}

func (s *scorer) score(ctx context.Context, args []string, o read.Options) (*encode.Applied, *record.Problems, error) {
	problems := &record.Problems{Strict: o.Strict}
	src, err := s.run.OpenNew(ctx, args, o, problems)
	if err != nil {
		return nil, nil, err
	}
	placer, err := run.NewPlacer(s.run.Outcome)
	if err != nil {
		return nil, nil, err
	}
	met, err := encode.Apply(ctx, src, s.run.Manifest.Plan, s.run.Outcome.Model.Vocab, o.Workers, func(first int, d *dataset.Dataset) error {
		group, probability, err := placer.Place(pass.Block{First: first, Rows: d.Rows, Steps: d.Steps})
		if err != nil {
			return err
		}
		s.done += int64(d.Len())
		progress.Report(ctx, progress.Event{Step: "placing", Done: s.done, Unit: "records"})
		return s.write(ctx, d, group, probability)
	})
	if err != nil {
		return nil, nil, err
	}
	if met.Records == 0 {
		return nil, nil, run.ErrNothing
	}
	return met, problems, nil
}

// write writes the places of a block as "export" does.
func (s *scorer) write(ctx context.Context, d *dataset.Dataset, group []int32, probability []float32) error {
	for _, g := range group {
		s.n[g]++
	}
	var b bytes.Buffer
	if err := show.AssignmentsCSV(ctx, guarded{&b, &s.guarded}, &s.report, &fit.Outcome{Group: group, Probability: probability}, d); err != nil {
		return err
	}
	text := b.Bytes()
	if s.head {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	s.head = true
	_, err := s.w.Write(text)
	return err
}

func (s *scorer) summary(met *encode.Applied, reading run.Reading, out string) any {
	return struct {
		Run     string          `json:"run"`
		Out     string          `json:"out"`
		Groups  []int           `json:"groups"` // records of each, by number
		Met     *encode.Applied `json:"met"`
		Reading run.Reading     `json:"reading"`
	}{s.run.Path, out, s.n, met, reading}
}
