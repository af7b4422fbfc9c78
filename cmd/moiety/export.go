package main

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/export"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// exporting is a run on its way into files of other forms.
type exporting struct {
	machine machine
	app     *app
	*export.Source
	to      target
	theta   bool
	all     string // --probabilities
	dates   show.Dates
	records bool        // something written holds records
	staged  outfile.Set // written, not in their places yet
	stale   []string    // earlier outputs that have no successor
	files   []string    // their names
	notes   []string    // for people
	share   bool        // fit to be shared
	shared  *run.SharedModel
	guarded int // cells that spreadsheets would take for formulas
}

func (a *app) exporting() *exporting { return &exporting{app: a} }

// exporter writes one format.
type exporter struct {
	// form returns the form of the one file of the format; nil: it is a folder.
	form  func(path string) outfile.Form
	write func(context.Context, *exporting) error
}

// exporters is the table format -> writer.
func exporters() map[string]exporter {
	one := func(name string, write func(io.Writer, *report.Report) error) exporter {
		return exporter{
			func(string) outfile.Form { return formOf(name) },
			func(ctx context.Context, x *exporting) error {
				return x.file(ctx, x.to.path, formOf(name), "", func(w io.Writer) error { return write(w, x.Report) })
			},
		}
	}
	return map[string]exporter{
		"csv": {nil, exportCSV},
		"svg": {nil, func(ctx context.Context, x *exporting) error { return x.pictures(ctx, "svg", show.WriteSVG) }},
		"png": {nil, func(ctx context.Context, x *exporting) error {
			return x.pictures(ctx, "png", func(w io.Writer, s *show.Scene) error { return show.WritePNG(w, s, export.PNGScale) })
		}},
		"json":   {func(string) outfile.Form { return formOf("json") }, exportJSON},
		"npz":    {func(string) outfile.Form { return formOf("npz") }, exportNPZ},
		"ldavis": {ldavisForm, exportLDAvis},
		"model": {func(string) outfile.Form { return modelForm() }, func(ctx context.Context, x *exporting) error {
			return x.file(ctx, x.to.path, modelForm(), "", x.shared.Write)
		}},
		"dot":   one("dot", show.DOT),
		"octis": {octisForm, exportOCTIS},
		"omop-cohort": {
			func(string) outfile.Form { return tableForm(show.OMOPCohort) },
			exportCohort,
		},
	}
}

// check says whether the output may be written, before any work is done.
func (e exporter) check(t target) error {
	if e.form == nil {
		return checkFolder(t.path)
	}
	return outfile.Check(t.path, e.form(t.path), t.force)
}

func (a *app) exportCommand() *cobra.Command {
	x := a.exporting()
	var to string
	lambda, n := 0.6, 0
	known := slices.Sorted(maps.Keys(exporters()))
	var three []string
	c := &cobra.Command{
		Use:   "export RUN --to FORMAT -o PATH",
		Short: "Write the groups of a run for other programs",
		Long: `Writes the groups of a run in a form that other programs read: csv a folder of
tables, svg and png a folder of pictures, json the whole report, npz arrays for
numpy, ldavis a page with the map of topics (or its data, to a .json file), octis
topics (or OCTIS' own arrays with their vocabulary, to a .npz file), dot the tree for Graphviz, omop-cohort a cohort table with the group's
number as its definition, model one file to send out: without records and rare
names, of rounded numbers, by which "moiety assign" places new records.`,
		Args: argsBetween(1, 1, "RUN --to FORMAT -o PATH"),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" || x.to.path == "" {
				return misuse("write --to FORMAT and -o PATH; formats are %s", list(known))
			}
			if err := oneOf("to", to, known...); err != nil {
				return err
			}
			if to == "ldavis" && filepath.Ext(x.to.path) == "" {
				x.to.path += ".html" // a page without it is not opened as one
			}
			if err := oneOf("probabilities", x.all, bestOnly, everyGroup); err != nil {
				return err
			}
			if c.Flags().Changed("probabilities") && to != "csv" && to != "npz" && to != "json" && to != "octis" {
				return misuse("--probabilities is for --to csv, json, npz and octis")
			}
			for flag, format := range map[string]string{"theta": "npz", "date": "omop-cohort", "end-date": "omop-cohort"} {
				if c.Flags().Changed(flag) && to != format {
					return misuse("--%s is for --to %s", flag, format)
				}
			}
			if len(three) > 0 && to != "csv" && to != "json" {
				return misuse("--three-step is for --to csv and json")
			}
			if err := x.machine.begin(a); err != nil {
				return err
			}
			if err := x.sharable(to); err != nil {
				return err
			}
			x.theta = x.theta || (to == "npz" || to == "octis") && x.all == everyGroup
			s, err := explanation(lambda, n)
			if err != nil {
				return err
			}
			s.Share, s.ThreeStep = x.share || to == "model", three
			return a.export(c.Context(), args[0], to, s, x)
		},
	}
	c.Flags().StringVar(&to, "to", "", "form to write: "+list(known))
	complete(c, "to", known...)
	x.to.add(c, "file or folder to write")
	c.Flags().Float64Var(&lambda, "lambda", lambda, "weight of frequency against distinctness, 0 to 1")
	c.Flags().IntVarP(&n, "number", "n", 0, "features of each list (20)")
	addShare(c, &x.share)
	addThreeStep(c, &three)
	addProbabilities(c, &x.all)
	c.Flags().BoolVar(&x.theta, "theta", false, "npz: the probabilities of every record too, as --probabilities all")
	c.Flags().StringVar(&x.dates.Start, "date", "", "omop-cohort: column of start dates (the run's --time, or cohort_start_date)")
	c.Flags().StringVar(&x.dates.End, "end-date", "", "omop-cohort: column of end dates (or cohort_end_date)")
	x.machine.addMemory(c)
	return c
}

// sharable refuses to share single records.
func (x *exporting) sharable(to string) error {
	for word, on := range map[string]bool{"--theta": x.theta, "--probabilities all": x.all == everyGroup, "omop-cohort": to == "omop-cohort"} {
		if on && x.share {
			return misuse("--share: %s holds single records, and these are not shared", word)
		}
	}
	return nil
}

func (a *app) export(ctx context.Context, path, to string, s report.Settings, x *exporting) error {
	if err := exporters()[to].check(x.to); err != nil {
		return err
	}
	r, err := a.openRun(path)
	if err != nil {
		return err
	}
	if err := x.open(a.listening(ctx), r, s); err != nil {
		return err
	}
	defer x.Close()
	if x.dates.Start == "" {
		x.dates.Start = x.Dates.Start
		x.dates.End = cmp.Or(x.dates.End, x.Dates.End)
	}
	if to == "model" {
		if x.shared, err = r.Shared(a.listening(ctx)); err != nil {
			return err
		}
	}
	defer x.staged.Abandon()
	if err := exporters()[to].write(ctx, x); err != nil {
		return err
	}
	if err := x.commit(); err != nil {
		return err
	}
	if a.json {
		return a.document("export", struct {
			Format  string      `json:"format"`
			Files   []string    `json:"files"`
			Records bool        `json:"holds_records"`
			Ring    report.Ring `json:"ring,omitempty"`
		}{to, x.files, x.records, x.Report.Ring})
	}
	for _, note := range x.notes {
		a.sayVerbose("%s", note)
	}
	for _, f := range x.files {
		a.say("wrote %s", f)
	}
	if x.guarded > 0 {
		a.say("%s", guardedNote(x.guarded))
	}
	a.sayRing(x.Report.RingWords())
	if x.records {
		a.say("%s", wrap("! Note that "+show.RecordsNotice+".", 100, "  "))
	}
	return nil
}

// open explains the run and opens its rows.
func (x *exporting) open(ctx context.Context, r *run.Run, s report.Settings) (err error) {
	x.Source, err = export.Open(ctx, r, s)
	return err
}

// file writes one file, which gets its place with the others; kind is its name
// for show.HoldsRecords.
func (x *exporting) file(ctx context.Context, path string, form outfile.Form, kind string, write func(io.Writer) error) error {
	private := show.HoldsRecords(kind)
	f, err := x.app.create(ctx, target{path, x.to.force}, form, private)
	if err != nil {
		return err
	}
	x.staged.Add(f)
	x.files = append(x.files, f.Path)
	if err := write(guarded{f, &x.guarded}); err != nil {
		return err
	}
	x.records = x.records || private
	return f.Close()
}

// commit puts all files in their places.
func (x *exporting) commit() error {
	if err := x.staged.Commit(); err != nil {
		return err
	}
	for _, path := range x.stale {
		if err := os.Remove(path); err != nil {
			return err
		}
		x.notes = append(x.notes, "removed "+path+", of an earlier export")
	}
	return nil
}

// forget marks earlier outputs in the folder that this one does not have: they
// go, so that it never holds tables or pictures of two runs.
func (x *exporting) forget(pattern string, form outfile.Form) error {
	paths, err := filepath.Glob(filepath.Join(x.to.path, pattern))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if !x.staged.Holds(path) && outfile.IsOurs(path, form) {
			x.stale = append(x.stale, path)
		}
	}
	return nil
}

// exportCSV writes the tables of the contract into a folder.
func exportCSV(ctx context.Context, x *exporting) error {
	all, err := x.posterior()
	if err != nil {
		return err
	}
	x.Posterior = all
	for _, t := range x.Tables(ctx) {
		if err := x.file(ctx, filepath.Join(x.to.path, t.Name), tableForm(t.Name), t.Kind, t.Write); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, name := range export.TableNames {
		if err := x.forget(name, tableForm(name)); err != nil {
			return err
		}
	}
	return x.about(ctx)
}

// about writes in which ring a folder of tables or pictures stands, for data of
// people.
func (x *exporting) about(ctx context.Context) error {
	for _, o := range x.About() {
		return x.file(ctx, filepath.Join(x.to.path, o.Name), formOf("about"), "", o.Write)
	}
	return x.forget(export.AboutFile, formOf("about"))
}

// modelForm is the form of a model to be sent out.
func modelForm() outfile.Form {
	return outfile.Form{Name: "a shared model of moiety", Ours: func(head, _ []byte) bool { return run.SharedFile.VersionOf(head) > 0 }}
}

func ldavisForm(path string) outfile.Form {
	return formOf("ldavis" + ldavisEnding(path))
}

func ldavisEnding(path string) string {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return ".json"
	}
	return ".html"
}

// exportLDAvis writes the page, or its data to a .json file.
func exportLDAvis(ctx context.Context, x *exporting) error {
	write := show.WriteLDAvis
	if ldavisEnding(x.to.path) == ".json" {
		write = show.WriteLDAvisJSON
	}
	return x.file(ctx, x.to.path, ldavisForm(x.to.path), "", func(w io.Writer) error { return write(w, x.Report) })
}

func exportNPZ(ctx context.Context, x *exporting) error {
	write, err := x.arrays(ctx)
	if err != nil {
		return err
	}
	kind := ""
	if x.theta {
		kind = show.Theta
	}
	return x.file(ctx, x.to.path, formOf("npz"), kind, write)
}

// arrays returns what writes the arrays, with the probabilities of every record
// where they were asked for.
func (x *exporting) arrays(ctx context.Context) (func(io.Writer) error, error) {
	theta, err := x.probabilities(ctx)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return show.NPZ(w, x.Report, x.Columns(), theta) }, nil
}

// exportOCTIS writes topics, with the matrix of documents where the
// probabilities of every record were asked for.
func exportOCTIS(ctx context.Context, x *exporting) error {
	theta, err := x.probabilities(ctx)
	if err != nil {
		return err
	}
	kind := ""
	if theta != nil {
		kind = show.Theta
	}
	if !isArrays(x.to.path) {
		return x.file(ctx, x.to.path, formOf("octis"), kind, func(w io.Writer) error { return show.OCTIS(w, x.Report, theta) })
	}
	err = x.file(ctx, x.to.path, formOf("npz"), kind, func(w io.Writer) error { return show.OCTISArrays(w, x.Report, theta) })
	if err != nil {
		return err
	}
	beside := strings.TrimSuffix(x.to.path, filepath.Ext(x.to.path)) + ".vocabulary.json"
	return x.file(ctx, beside, formOf("octis"), "", func(w io.Writer) error { return show.OCTISVocabulary(w, x.Report) })
}

// exportCohort writes a cohort table, and what its definitions are beside it.
func exportCohort(ctx context.Context, x *exporting) error {
	left, dates := 0, x.dates
	dates.Undated = func(n int) { left = n }
	err := x.file(ctx, x.to.path, tableForm(show.OMOPCohort), show.OMOPCohort, func(w io.Writer) error {
		return show.OMOPCohortCSV(ctx, w, x.Outcome.Placed(), x.Rows, dates)
	})
	if err != nil {
		return err
	}
	if left > 0 {
		x.app.say("%s left out of the cohort: no start date.\n", count(left, "record was", "records were"))
	}
	beside := strings.TrimSuffix(x.to.path, filepath.Ext(x.to.path)) + "_definition.csv"
	return x.file(ctx, beside, tableForm("cohort_definition"), "", func(w io.Writer) error { return show.OMOPDefinitionsCSV(w, x.Report) })
}

// isArrays reports a file of arrays, by its name.
func isArrays(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npz") }

// octisForm is what an earlier file of topics looks like.
func octisForm(path string) outfile.Form {
	if isArrays(path) {
		return formOf("npz")
	}
	return formOf("octis")
}

// probabilities are those of every record, where they were asked for.
func (x *exporting) probabilities(ctx context.Context) (theta *show.Probabilities, err error) {
	if x.theta {
		x.all = everyGroup
		if x.Posterior, err = x.posterior(); err != nil {
			return nil, err
		}
		theta = x.Theta(ctx)
	}
	return theta, nil
}

// posterior returns what gives the probabilities of all groups, where they were
// asked for; else nil.
func (x *exporting) posterior() (show.Posterior, error) {
	if x.all != everyGroup {
		return nil, nil
	}
	placer, err := fit.NewPlacer(x.Outcome)
	if err != nil {
		return nil, err
	}
	return placer.Posterior()
}

// exportJSON writes the report, and the places of records beside it where they
// were asked for.
func exportJSON(ctx context.Context, x *exporting) error {
	all, err := x.posterior()
	if err != nil {
		return err
	}
	if all == nil {
		return x.file(ctx, x.to.path, formOf("json"), "", func(w io.Writer) error { return show.JSON(w, x.Report) })
	}
	return x.file(ctx, x.to.path, formOf("json"), show.Theta, func(w io.Writer) error {
		return show.JSONPlaces(ctx, w, x.Report, x.Outcome.Placed(), x.Rows, all)
	})
}
