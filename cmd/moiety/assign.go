package main

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/encode"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/progress"
	"github.com/moiety-go/moiety/read"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/run"
)

func (a *app) assignCommand() *cobra.Command {
	var r reading
	var out string
	workers := 0
	c := &cobra.Command{
		Use:   "assign RUN DATA...",
		Short: "Place new records in the groups of a run",
		Long: `Places new records in the groups of a run and writes id,group,probability,
one line a record. The data are read as those of the run were, unless flags say
otherwise. Records stream through: memory does not grow with the data.`,
		Args: argsBetween(2, -1, "RUN DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			if a.json && out == "" {
				return misuse("--json prints a summary: write the places to a file with -o FILE.csv")
			}
			opened, err := run.Open(args[0])
			if err != nil {
				return err
			}
			options := r.over(opened.Manifest.Settings.Read.Options())
			options.Workers = workers
			return a.assign(c.Context(), opened, args[1:], options, out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	r.add(c)
	c.Flags().IntVar(&workers, "workers", 0, "cores to use; 0: all")
	return c
}

// assign streams new records through the model.
func (a *app) assign(ctx context.Context, r *run.Run, args []string, o read.Options, out string) error {
	w := io.Writer(a.out)
	var f *file
	if out != "" {
		var err error
		if f, err = newFile(out); err != nil {
			return err
		}
		defer f.abandon()
		w = f
	}
	s := &scorer{run: r, w: csv.NewWriter(w), n: make([]int, r.Outcome.K())}
	met, problems, err := s.score(a.listening(ctx), args, o)
	if err != nil {
		return ofData(err)
	}
	if f != nil {
		if err := f.finish(); err != nil {
			return err
		}
	}
	a.warn(append(run.NewReading(problems).Warnings(), met.Warnings...))
	if a.json {
		return a.document("assign", s.summary(met, run.NewReading(problems), out))
	}
	a.say("%s placed.", count(met.Records, "record", "records"))
	if met.UnknownUses > 0 {
		a.say("%s of %s were not in the vocabulary of the run and were passed over.",
			count(met.UnknownUses, "feature", "features"), thousands(int64(met.Entries)))
	}
	return nil
}

// scorer places blocks of records and writes them.
type scorer struct {
	run     *run.Run
	w       *csv.Writer
	n       []int // records of each group
	done    int64
	started bool
}

func (s *scorer) score(ctx context.Context, args []string, o read.Options) (*encode.Applied, *record.Problems, error) {
	problems := &record.Problems{Strict: o.Strict}
	src, err := read.Open(ctx, args, o, problems)
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
		return s.write(d, group, probability)
	})
	if err != nil {
		return nil, nil, err
	}
	if met.Records == 0 {
		return nil, nil, run.ErrNothing
	}
	s.w.Flush()
	return met, problems, s.w.Error()
}

// write writes the places of a block: a line a record, or a line a step of
// sequences.
func (s *scorer) write(d *dataset.Dataset, group []int32, probability []float32) error {
	if !s.started {
		s.started = true
		head := []string{"id", "group", "probability"}
		if d.Steps != nil {
			head = []string{"id", "step", "group", "probability"}
		}
		if err := s.w.Write(head); err != nil {
			return err
		}
	}
	for i := range d.Len() {
		from, to := i, i+1
		if d.Steps != nil {
			from, to = d.Steps[i], d.Steps[i+1]
		}
		for row := from; row < to; row++ {
			s.n[group[row]]++
			line := []string{d.ID(i), strconv.Itoa(int(group[row]) + 1), formatProbability(probability[row])}
			if d.Steps != nil {
				line = []string{line[0], strconv.Itoa(row - from + 1), line[1], line[2]}
			}
			if err := s.w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func formatProbability(p float32) string { return strconv.FormatFloat(float64(p), 'g', -1, 32) }

func (s *scorer) summary(met *encode.Applied, reading run.Reading, out string) any {
	return struct {
		Run     string          `json:"run"`
		Out     string          `json:"out"`
		Groups  []int           `json:"groups"` // records of each, by number
		Met     *encode.Applied `json:"met"`
		Reading run.Reading     `json:"reading"`
	}{s.run.Path, out, s.n, met, reading}
}
