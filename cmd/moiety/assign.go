package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func (a *app) assignCommand() *cobra.Command {
	var r reading
	var out target
	var m machine
	var probabilities string
	var courses bool
	c := &cobra.Command{
		Use:   "assign RUN|MODEL DATA...",
		Short: "Place new records in the groups of a run",
		Long: `Places new records in the groups of a run, or of a model that somebody sent
("moiety export --to model"), and writes id,group,probability, one line a record.
With --probabilities all the probability of every group follows; a file named
.npz or .npy then holds arrays for numpy, one named .json a document. The data are read as those of the run
were, unless flags say otherwise. Records stream through: memory does not grow
with the data.`,
		Args: argsBetween(2, -1, "RUN|MODEL DATA..."),
		RunE: func(c *cobra.Command, args []string) error {
			out.orStdout()
			if a.json && out.path == "" {
				return misuse("--json prints a summary: write the places to a file with -o FILE.csv")
			}
			form, err := newPlacesForm(probabilities, out.path)
			if err != nil {
				return err
			}
			if courses && probabilities != bestOnly {
				return misuse("--courses writes the course of every sequence: leave it, or --probabilities, out")
			}
			if err := m.begin(a); err != nil {
				return err
			}
			opened, err := a.openGroups(c, args)
			if err != nil {
				return err
			}
			if opened.courses, err = coursesOf(opened, courses); err != nil {
				return err
			}
			if courses {
				form.known = tableForm("courses.csv")
			}
			options := r.over(opened.read.Options())
			options.Workers, options.MaxMemory = m.workers, m.share()
			return a.assign(c.Context(), opened, args[1:], options, out, form)
		},
	}
	out.add(c, "file to write (default: standard output)")
	addProbabilities(c, &probabilities)
	c.Flags().BoolVar(&courses, "courses", false, "sequences: write id,course,probability, the course that each of them takes (of a fit with --courses)")
	r.add(c)
	m.add(c)
	return c
}

// assign streams new records through the model.
func (a *app) assign(ctx context.Context, r *groups, args []string, o read.Options, out target, form placesForm) error {
	w := io.Writer(a.out)
	var f *outfile.File
	if out.path != "" {
		var err error
		if f, err = a.create(ctx, out, form.known, true); err != nil {
			return err
		}
		defer f.Abandon()
		w = f
	}
	s := newScorer(r, w, form)
	defer s.close()
	met, problems, err := s.score(a.listening(ctx), args, o)
	if err != nil {
		return ofData(err)
	}
	if f != nil {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	gate := explain.NewGate(r.health, r.limit, false, met.Records)
	a.warn(append(gate.Reading(fit.NewReading(problems)).Warnings(), gate.Warnings(met.Warnings)...))
	if a.json {
		return a.document("assign", s.summary(met, fit.NewReading(problems), out.path))
	}
	a.say("%s placed.", count(met.Records, "record", "records"))
	if s.guarded > 0 {
		a.say("%s", guardedNote(s.guarded))
	}
	if met.UnknownUses > 0 {
		a.say("%s of %s were not in the vocabulary of the run and were passed over.",
			counted(gate.Count(met.UnknownUses), "feature", "features"), thousands(int64(met.Entries)))
	}
	return nil
}

// scorer places blocks of records and writes them.
type scorer struct {
	to     *groups
	w      io.Writer
	report report.Report // the ids of the groups
	n      []int         // records, or steps, of each group
	done   int64
	head   bool // the head of the table is written

	guarded int // cells that spreadsheets would take for formulas

	form   placesForm
	all    show.Posterior // nil: the best group alone
	places *show.Places   // of forms that begin with their size; else nil
}

func newScorer(r *groups, w io.Writer, form placesForm) *scorer {
	s := &scorer{to: r, w: w, form: form, n: make([]int, len(r.ids))}
	for j, id := range r.ids {
		s.report.Groups = append(s.report.Groups, report.Group{ID: id})
		s.report.Leaves = append(s.report.Leaves, j)
	}
	if c := r.outcome.Model.Provenance.Courses; r.courses != nil {
		for j := range c.K() {
			s.report.Courses = append(s.report.Courses, report.Course{ID: strconv.Itoa(j + 1)})
		}
	}
	return s
}

// groups are those that new records are placed in: of a run, or of a model that
// was sent.
type groups struct {
	path    string
	outcome *fit.Outcome
	ids     []string
	open    func(context.Context, []string, read.Options, *record.Problems) (record.Source, error)
	plan    encode.Plan
	read    fit.ReadSettings
	courses show.Posterior // of every sequence, where they were asked for; else nil
	limit   int            // on small cells
	health  bool
}

// openGroups opens a run or a model file.
func (a *app) openGroups(c *cobra.Command, args []string) (*groups, error) {
	path := args[0]
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		m, err := run.OpenShared(path)
		if err != nil {
			return nil, runFirst(c, args, err)
		}
		g := &groups{path: path, outcome: m.Outcome(), open: m.OpenNew, plan: m.Plan, read: m.Read, limit: m.Limit, health: true}
		for _, x := range m.Groups {
			g.ids = append(g.ids, x.ID)
		}
		return g, nil
	}
	r, err := a.openRunOf(c, args)
	if err != nil {
		return nil, err
	}
	g := &groups{
		path: path, outcome: r.Outcome, open: r.OpenNew, plan: r.Manifest.Plan, read: r.Manifest.Settings.Read,
		limit: r.Manifest.MinCell, health: r.Manifest.Health,
	}
	for j := range r.Outcome.K() {
		g.ids = append(g.ids, r.GroupID(j))
	}
	return g, nil
}

func (s *scorer) score(ctx context.Context, args []string, o read.Options) (*encode.Applied, *record.Problems, error) {
	problems := &record.Problems{Strict: o.Strict}
	src, err := s.to.open(ctx, args, o, problems)
	if err != nil {
		return nil, nil, err
	}
	placer, err := fit.NewPlacer(s.to.outcome)
	if err != nil {
		return nil, nil, err
	}
	if err := s.begin(placer, o.TempDir); err != nil {
		return nil, nil, err
	}
	met, err := encode.Apply(ctx, src, s.to.plan, s.to.outcome.Model.Vocab, o.Workers, func(first int, d *dataset.Dataset) error {
		err := s.place(ctx, placer, pass.Block{First: first, Rows: d.Rows, Steps: d.Steps}, d)
		s.done += int64(d.Len())
		progress.Report(ctx, progress.Event{Step: "placing", Done: s.done, Unit: "records"})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if met.Records == 0 {
		return nil, nil, fit.ErrNothing
	}
	return met, problems, s.finish()
}

// place places a block of records and writes it.
func (s *scorer) place(ctx context.Context, placer *fit.Placer, b pass.Block, d *dataset.Dataset) error {
	group, probability, err := placer.Place(b)
	if err != nil {
		return err
	}
	for _, g := range group {
		s.n[g]++
	}
	if s.places != nil {
		all := make([]float64, b.Rows.N()*len(s.n))
		if err := s.all(b, all); err != nil {
			return err
		}
		return s.places.Add(d, group, all)
	}
	var text bytes.Buffer
	if s.to.courses != nil {
		if err := show.CoursesCSV(ctx, guarded{&text, &s.guarded}, &s.report, d, s.to.courses); err != nil {
			return err
		}
		return s.lines(text.Bytes())
	}
	write := show.AssignmentsCSV
	if s.all != nil && d.Steps != nil {
		write = show.StepsCSV
	}
	if err := write(ctx, guarded{&text, &s.guarded}, &s.report, report.Placed{Group: group, Probability: probability}, d, s.all); err != nil {
		return err
	}
	return s.lines(text.Bytes())
}

// lines writes a part of a table: the head once.
func (s *scorer) lines(b []byte) error {
	if s.head {
		b = b[bytes.IndexByte(b, '\n')+1:]
	}
	s.head = true
	_, err := s.w.Write(b)
	return err
}

// coursesOf returns what gives sequences the chances of their courses, nil where
// these were not asked for.
func coursesOf(g *groups, asked bool) (show.Posterior, error) {
	m := g.outcome.Model
	if !asked {
		return nil, nil
	}
	if m == nil || m.Provenance.Courses == nil {
		return nil, misuse("--courses: %s has no courses: fit again with --courses 2", g.path)
	}
	fam, err := m.Family()
	if err != nil {
		return nil, err
	}
	f, ok := fam.(family.Coursed)
	if !ok {
		return nil, misuse("--courses: the model %s has no courses", fam.Info().Name)
	}
	return func(b pass.Block, out []float64) error {
		return f.CoursePosterior(m.Params, m.Provenance.Courses, b, out)
	}, nil
}

func (s *scorer) summary(met *encode.Applied, reading fit.Reading, out string) any {
	g := explain.NewGate(s.to.health, s.to.limit, false, met.Records)
	return struct {
		Run     string           `json:"run"`
		Out     string           `json:"out"`
		Ring    report.Ring      `json:"ring,omitempty"`
		Groups  []report.Count   `json:"groups"` // records of each, by number
		Met     *explain.Applied `json:"met"`
		Reading fit.Reading      `json:"reading"`
	}{s.to.path, out, g.Ring, g.Parts(s.n), g.Applied(met), g.Reading(reading)}
}
