package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/model"
)

// fitFlags draws the flags of a fit: how the data are read, what is learned, of what size,
// and a few others.
func (w *walk) fitFlags() []string {
	k := func() string { return strconv.Itoa(1 + w.r.IntN(5)) }
	flags := slices.Clone(w.kind.reading)
	size := oneAmong(w, [][]string{
		nil, nil,
		{"-k", k()},
		{"-k", k()},
		{"-k", k()},
		{"-k", k(), "--tree"},
		{"--leaves", k()},
		{"--levels", "2"},
		{"--max-leaves", k()},
		{"--cautious"},
		{"--stability", "off"},
	})
	flags = append(flags, size...)
	flat := slices.Contains(size, "-k")
	switch name := oneAmong(w, w.kind.models); {
	case w.chance(3):
	case w.chance(12):
		name = oneAmong(w, model.Names())
		fallthrough
	default:
		flags = append(flags, "--model", name)
		switch {
		case name == "multiview":
			flags = append(flags, "--views", "x[abc]:x[!abc]")
		case name == "binomial" && w.kind.name != "genotypes" && w.chance(2):
			flags = append(flags, "--trials", oneAmong(w, []string{"20", "moments"}))
		case name == "gaussian" && w.chance(2):
			flags = append(flags, "--covariance", oneAmong(w, []string{"spherical", "common", "diagonal", "tied", "full"}))
		case name == "lda" && w.chance(2):
			flags = append(flags, oneAmong(w, [][]string{{"--alpha0", "1.5"}, {"--inference", "gibbs"}, {"--weights", "equal"}})...)
		case name == "bernoulli" && w.chance(3):
			flags = append(flags, "--moments", "raw")
		case name == "hmm" && flat && w.chance(3):
			flags = append(flags, "--courses", "2")
		}
	}
	more := [][]string{
		{"--refine", "none"},
		{"--double"},
		{"--prior", "0"},
		{"--seed", "7"},
		{"--max-memory", "1MB"},
		{"--min-df", "2"},
		{"--health"},
		{"--cache"},
		{"--keep-text"},
		{"--min-codes", "2"},
		{"--exclude", "xb"},
		{"--where", "ward = east"},
		{"--min-cell", "3"},
		{"--method", oneAmong(w, []string{"svtd", "sidiwo", "tpm", "svd", "eigen", "jennrich", "als", "random-projections", "d-sidiwo"})},
		{"--keep", "sums"},
		{"--label", "ward"},
		{"--epsilon", "1"},
		{"--counts"},
		{"--rollup", "3"},
		{"--max-df", "90%"},
		{"--vocab", "6"},
		{"--ngrams", "2"},
		{"--slices", "all"},
		{"--weights", "length"},
		{"--variance", "shared"},
		{"--transpose"},
	}
	for range w.r.IntN(3) {
		o := oneAmong(w, more)
		if !slices.Contains(flags, o[0]) && !(o[0] == "--method" && !flat) {
			flags = append(flags, o...)
		}
	}
	return flags
}

// walkVerb is something that is done on a walk.
type walkVerb struct {
	name string
	run  bool // it is about a run
	png  bool // it takes long, and is done less often
	do   func(w *walk)
}

// walkVerbs are all verbs. Each is done with flags of its own, and what it gives is checked
// where there is something to check beside what every command owes.
func walkVerbs() []walkVerb {
	out := []walkVerb{
		{"show", true, false, (*walk).show},
		{"show as JSON", true, false, func(w *walk) { w.look(w.aRun()) }},
		{"export tables", true, false, (*walk).exportTables},
		{"export tables", true, false, (*walk).exportTables},
		{"report", true, false, func(w *walk) {
			w.command(w.shared("report", w.aRun().path, "-o", w.path(oneAmong(w, []string{".html", ".pdf"})))...)
		}},
		{"assign", true, false, (*walk).assign},
		{"eval", true, false, func(w *walk) {
			w.command(append([]string{"eval", w.aRun().path}, oneAmong(w, [][]string{nil, {"--json"}, {"--repeats", "2"}, {"--blrt", "3"}, {"--three-step", "ward"}, {"--outcome", "ward"}})...)...)
		}},
		{"compare", true, false, func(w *walk) { w.command(w.shared("compare", w.aRun().path, w.aRun().path)...) }},
		{"edit", true, false, (*walk).edit},
		{"edit", true, false, (*walk).edit},
		{"sample", true, false, func(w *walk) {
			w.command(w.shared("sample", w.aRun().path, "-n", strconv.Itoa(1+w.r.IntN(40)), "-o", w.path(".csv"))...)
		}},
		{"update", true, false, (*walk).update},
		{"update", true, false, (*walk).update},
		{"fit within", true, false, (*walk).within},
		{"zip", true, false, (*walk).zip},
		{"choose", false, false, func(w *walk) { w.command(w.onData("choose", "--max", "4")...) }},
		{"inspect", false, false, func(w *walk) {
			w.command(w.onData("inspect", oneAmong(w, []string{"--json", "--bounds", "-q", "--share"}))...)
		}},
		{"features", false, false, func(w *walk) { w.command(w.onData("features", "-o", w.path(".svg"))...) }},
		{"convert", false, false, (*walk).convert},
		{"moments", false, false, (*walk).moments},
		{"study", false, false, (*walk).study},
	}
	for _, to := range []string{"json", "npz", "ldavis", "octis", "dot", "svg", "png", "model", "omop-cohort"} {
		out = append(out, walkVerb{"export " + to, true, to == "png" || to == "svg", func(w *walk) {
			w.command("export", w.aRun().path, "--to", to, "-o", w.path("."+to))
		}})
	}
	return out
}

func (w *walk) aRun() walkRun { return oneAmong(w, w.runs) }

// shared adds --share at times, and --json.
func (w *walk) shared(args ...string) []string {
	if w.chance(4) {
		args = append(args, "--share")
	}
	if w.chance(4) && args[0] != "report" && args[0] != "sample" {
		args = append(args, "--json")
	}
	return args
}

// onData is a command on the data of the walk, read as the fit read them.
func (w *walk) onData(verb string, more ...string) []string {
	args := append([]string{verb, w.data[0]}, w.kind.reading...)
	switch {
	case w.limit == 11:
		args = append(args, "--health")
	case w.limit > 0 && verb != "convert":
		args = append(args, "--min-cell", strconv.Itoa(w.limit))
	}
	return append(args, more...)
}

// show shows a run or one of its groups, and says the same twice.
func (w *walk) show() {
	r := w.aRun()
	args := w.shared("show", r.path)
	if w.chance(2) {
		args = slices.Insert(args, 2, w.groupOf(r))
	}
	code, out := w.command(args...)
	if again, text, _ := inProcess(w.t, nil, args...); again != code || text != out {
		w.fail("it says something else the second time")
	}
}

// walkReport is what is checked of the report of a run.
type walkReport struct {
	Shape  string
	Soft   bool
	Data   struct{ Records *int }
	Groups []struct {
		ID, Parent string
		Children   []string
		N          *int
		Share      *float64
	}
}

// report is the report of a run; nil where it cannot be told.
func (w *walk) report(r walkRun, more ...string) *walkReport {
	code, out := w.command(append([]string{"show", r.path, "--json"}, more...)...)
	var x walkReport
	if code != exitDone {
		if code != exitTooLittle {
			w.fail("a run that was written cannot be shown: exit %d", code)
		}
		return nil
	}
	if err := json.Unmarshal([]byte(out), &x); err != nil {
		w.fail("%v", err)
		return nil
	}
	return &x
}

// look holds that the sums of a report add up: children are their parent, leaves are all.
func (w *walk) look(r walkRun) {
	x := w.report(r)
	if x == nil {
		return
	}
	if r.records > 0 && x.Data.Records != nil && *x.Data.Records != r.records {
		w.fail("%d records are shown, %d were fitted", *x.Data.Records, r.records)
	}
	n, share := map[string]*int{}, 0.0
	leaves, known := 0, true
	for _, g := range x.Groups {
		n[g.ID] = g.N
		if len(g.Children) == 0 {
			if known = known && g.N != nil; g.N != nil {
				leaves += *g.N
			}
			if g.Share != nil {
				share += *g.Share
			}
		}
	}
	if x.Shape == "states" || x.Soft {
		return
	}
	if known && x.Data.Records != nil && leaves != *x.Data.Records {
		w.fail("the groups have %d records of %d", leaves, *x.Data.Records)
	}
	if known && numtest.Off(share, 1, 1e-6) {
		w.fail("the shares of the groups add up to %v", share)
	}
	for _, g := range x.Groups {
		sum, all := 0, g.N != nil && len(g.Children) > 0
		for _, c := range g.Children {
			if all = all && n[c] != nil; all {
				sum += *n[c]
			}
		}
		if all && sum != *g.N {
			w.fail("the children of %s have %d records of %d", g.ID, sum, *g.N)
		}
	}
}

// groupOf is the name of a group of a run, and at times of none.
func (w *walk) groupOf(r walkRun) string {
	if o, err := run.Open(r.path); err == nil && !w.chance(10) {
		if ids := o.GroupIDs(); len(ids) > 0 {
			return oneAmong(w, ids)
		}
	}
	return "1.7"
}

// exportTables holds that every record is placed once, in a group that there is.
func (w *walk) exportTables() {
	r, out := w.aRun(), w.path("")
	if code, _ := w.command(w.shared("export", r.path, "--to", "csv", "-o", out)...); code != exitDone {
		return
	}
	groups := map[string]bool{}
	for _, row := range w.csv(filepath.Join(out, "weights.csv")) {
		groups[row[0]] = true
	}
	if text, err := os.ReadFile(filepath.Join(out, "assignments.csv")); err == nil && len(text) > 0 {
		rows, placed := w.csv(filepath.Join(out, "assignments.csv")), map[string]bool{}
		if r.records > 0 && len(rows) != r.records && !w.kind.steps() {
			w.fail("%d records are placed, %d were fitted", len(rows), r.records)
		}
		for _, row := range rows {
			if placed[row[0]] && len(row[0]) > 0 {
				w.fail("record %s is placed twice", row[0])
				break
			}
			placed[row[0]] = true
			if p, err := strconv.ParseFloat(row[2], 64); !groups[row[1]] || row[2] != "" && (err != nil || !(p >= 0 && p <= 1)) {
				w.fail("record %s is placed in %q with %q", row[0], row[1], row[2])
				break
			}
		}
	}
	for _, row := range w.csv(filepath.Join(out, "nodes.csv")) {
		if n, err := strconv.Atoi(row[3]); err == nil && n > 0 && n < w.limit && n != w.small.n {
			w.fail("nodes.csv tells of %d records", n)
		}
	}
}

// csv are the rows of a table below its head; nil where there is none.
func (w *walk) csv(path string) [][]string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		w.fail("%s: %v", filepath.Base(path), err)
		return nil
	}
	return rows[1:]
}

// assign holds that records are placed as fitting placed them.
func (w *walk) assign() {
	r := w.aRun()
	out := w.path(".csv")
	code, _ := w.command(append([]string{"assign", r.path, w.data[0], "-o", out}, oneAmong(w, [][]string{nil, nil, {"--probabilities", "all"}, {"--courses"}})...)...)
	if code != exitDone || r.edited || r.fitted != w.data[0] || r.records == 0 || w.kind.steps() {
		return
	}
	tables := w.path("")
	if code, _ := w.command("export", r.path, "--to", "csv", "-o", tables); code != exitDone {
		return
	}
	placed, fitted := w.csv(out), w.csv(filepath.Join(tables, "assignments.csv"))
	if len(fitted) == 0 {
		return
	}
	if len(placed) != len(fitted) {
		w.fail("%d records of %d are placed", len(placed), len(fitted))
		return
	}
	for i := range placed {
		if placed[i][0] != fitted[i][0] || placed[i][1] != fitted[i][1] {
			w.fail("record %s is in %s, fitting put %s into %s", placed[i][0], placed[i][1], fitted[i][0], fitted[i][1])
			return
		}
	}
}

// edit changes a run by hand, and takes it back at times.
func (w *walk) edit() {
	i := w.r.IntN(len(w.runs))
	r := w.runs[i]
	id := map[string]string{"codes": "p3", "list": "p3", "texts": "d3", "lines": "4", "sequences": "s3", "visits": "s3", "courses": "s3", "words": "3"}[w.kind.name]
	if id == "" {
		id = "r3"
	}
	code, _ := w.command(append([]string{"edit", r.path}, oneAmong(w, [][]string{
		{"rename", w.groupOf(r), "a name, \"of\" mine"},
		{"note", w.groupOf(r), "=1+1 <b>"},
		{"move", id, "--to", w.groupOf(r)},
		{"merge", w.groupOf(r), "--to", w.groupOf(r)},
		{"--undo"},
		{"--list"},
	})...)...)
	if code == exitDone {
		w.runs[i].edited = true
		w.look(w.runs[i])
	}
}

// update goes on with new records or without old ones.
func (w *walk) update() {
	r := w.aRun()
	args, out := []string{"update", r.path}, w.path("")
	grown := 0
	switch w.r.IntN(3) {
	case 0:
		args = append(args, "--withdraw", oneAmong(w, []string{"r1", "p1", "d1", "s1", "2"}))
		grown = -1
	default:
		before := *w.small
		w.small.first, w.small.n = w.small.first+w.small.n, 1+w.r.IntN(20)
		args, grown = append(args, w.newData()), w.small.n
		first := w.small.first
		*w.small = before
		w.small.first = first
	}
	if w.chance(3) {
		args = append(args, "--forget", ".8")
	}
	if code, _ := w.command(append(args, "-o", out)...); code == exitDone {
		next := walkRun{path: out}
		if r.records > 0 {
			next.records = r.records + grown
		}
		w.runs = append(w.runs, next)
		w.look(next)
	}
}

// within looks into a group.
func (w *walk) within() {
	r, out := w.aRun(), w.path("")
	if code, _ := w.command("fit", "--within", r.path+":"+w.groupOf(r), "-o", out); code == exitDone {
		w.runs = append(w.runs, walkRun{path: out})
		w.look(walkRun{path: out})
	}
}

// zip sends a run as an archive: it is the same where it is opened.
func (w *walk) zip() {
	r, file := w.aRun(), w.path(".zip")
	o, err := run.Open(r.path)
	var b bytes.Buffer
	if err == nil {
		err = o.WriteZip(w.t.Context(), &b)
	}
	if err == nil {
		err = os.WriteFile(file, b.Bytes(), 0o600)
	}
	if err != nil {
		w.fail("packing: %v", err)
		return
	}
	code, out := w.command("show", file, "--json", "-q")
	if again, text := w.command("show", r.path, "--json", "-q"); again != code || text != out {
		w.fail("the archive of the run says something else")
	}
}

// convert writes the data in another form, which is read again.
func (w *walk) convert() {
	to := oneAmong(w, []string{"uci", "mtx", "svmlight", "jsonl", "csv", "parquet"})
	out := w.path(map[string]string{"uci": ".txt", "svmlight": ".svm"}[to] + map[string]string{"mtx": ".mtx", "jsonl": ".jsonl", "csv": ".csv", "parquet": ".parquet"}[to])
	if code, _ := w.command(append(append([]string{"convert", w.data[0]}, w.kind.reading...), "--to", to, "-o", out)...); code == exitDone {
		w.command("inspect", out, "-q")
	}
}

// mostRounds are done of a study: the steps of a refinement may be hundreds.
const mostRounds = 40

// moments does a study of three sites by hand.
func (w *walk) moments() {
	sites := w.sites()
	flags := append(slices.Clone(w.kind.reading), "-k", strconv.Itoa(1+w.r.IntN(3)))
	all := w.path(".mom")
	files := []string{w.path("a.mom"), w.path("b.mom"), w.path("c.mom")}
	for round := range mostRounds {
		for i, data := range sites {
			args := append(append([]string{"moments", data}, flags...), "-o", files[i], "--force")
			if round > 0 {
				args = append(args, "--with", all)
			}
			if code, out := w.command(args...); code != exitDone {
				_ = out
				w.finish(all, round)
				return
			}
		}
		if code, _ := w.command(append([]string{"merge", "-o", all, "--force"}, files...)...); code != exitDone {
			return
		}
	}
}

// finish fits the totals, where a site says that they are all that is needed.
func (w *walk) finish(all string, round int) {
	if round < 2 || !strings.Contains(w.lines[len(w.lines)-1], "all rounds are done") {
		return
	}
	out := w.path("")
	if code, _ := w.command("fit", all, "-o", out); code == exitDone {
		w.runs = append(w.runs, walkRun{path: out})
		w.look(walkRun{path: out})
	}
}

// sites are the data of three sites: a study of fewer is refused, since each would know the
// sums of the other.
func (w *walk) sites() []string {
	out, before := []string{w.data[0]}, *w.small
	for range 2 {
		w.small.first += w.small.n
		out = append(out, w.newData())
	}
	*w.small = before
	return out
}

// study does a study of three sites in folders.
func (w *walk) study() {
	files, home := w.sites(), w.path("study")
	flags, agreed := []string{"-k", strconv.Itoa(1 + w.r.IntN(3))}, []string(nil)
	if w.chance(2) {
		agreed = []string{"--open"}
	}
	if code, _ := w.command(slices.Concat([]string{"study", "new", home, "--sites", "3"}, flags, agreed)...); code != exitDone {
		return
	}
	sites := []string{w.path("a.site"), w.path("b.site"), w.path("c.site")}
	for i, data := range files {
		args := append([]string{"study", "join", home, data, "--site", fmt.Sprint("S", i), "--home", sites[i]}, slices.Concat(w.kind.reading, agreed)...)
		if code, _ := w.command(args...); code != exitDone {
			return
		}
	}
	for range mostRounds {
		if code, _ := w.command("study", "round", home); code != exitDone {
			break
		}
		for _, s := range sites {
			w.command("study", "round", s)
		}
	}
	out := w.path("")
	if code, _ := w.command("study", "close", home, "-o", out); code == exitDone {
		w.runs = append(w.runs, walkRun{path: out})
		w.look(walkRun{path: out})
	}
}
