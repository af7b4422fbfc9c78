package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
)

// TestWalks: a fit of small random data by random flags, and verbs in random order on what
// it left: a seeded hundred, thousands in the long tests. MOIETY_WALK=17 does walk 17 alone,
// and 17-2000 those up to 2000. A walk that fails prints its commands and its data.
func TestWalks(t *testing.T) {
	numtest.NotShort(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	from, to := 1, numtest.Scale(0, 100, 3000)
	if only := os.Getenv("MOIETY_WALK"); only != "" {
		first, last, several := strings.Cut(only, "-")
		if !several {
			last = first
		}
		var err1, err2 error
		from, err1 = strconv.Atoi(first)
		to, err2 = strconv.Atoi(last)
		if err1 != nil || err2 != nil {
			t.Fatalf("MOIETY_WALK=%s: want a number, or two as 17-2000", only)
		}
	}
	codes := map[int]int{}
	for seed := from; seed <= to; seed++ {
		w := newWalk(t, seed)
		w.run()
		for code, n := range w.codes {
			codes[code] += n
		}
	}
	t.Logf("walks %d to %d, commands by exit code: %v", from, to, codes)
}

// walk is one fit and what is done with it.
type walk struct {
	t     *testing.T
	seed  int
	r     *rand.Rand
	dir   string
	kind  walkKind
	small *walkData
	flags []string // of the fit, without data and place
	data  []string // files of records, the first is the fit's
	runs  []walkRun
	limit int // smaller counts are not to be seen

	lines  []string // commands and what came of them
	made   int      // outputs so far
	codes  map[int]int
	failed bool
}

// walkRun is a run folder.
type walkRun struct {
	path    string
	records int    // 0: not known
	edited  bool   // by hand
	fitted  string // the data that it was fitted to; "" where there are others among them
}

func newWalk(t *testing.T, seed int) *walk {
	r := stream.New(uint64(seed), "cmd/walk")
	kinds := walkKinds()
	w := &walk{t: t, seed: seed, r: r, dir: t.TempDir(), kind: kinds[r.IntN(len(kinds))], codes: map[int]int{}}
	w.small = newWalkData(r)
	return w
}

// path is a new name in the folder of the walk.
func (w *walk) path(ending string) string {
	w.made++
	return filepath.Join(w.dir, fmt.Sprintf("o%d%s", w.made, ending))
}

// newData writes a file of records.
func (w *walk) newData() string {
	path := filepath.Join(w.dir, fmt.Sprintf("data%d.%s", len(w.data), w.kind.ending))
	if err := os.WriteFile(path, []byte(w.kind.write(w.small)), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.data = append(w.data, path)
	return path
}

// chance is true once in n times.
func (w *walk) chance(n int) bool { return w.r.IntN(n) == 0 }

func oneAmong[T any](w *walk, list []T) T { return list[w.r.IntN(len(list))] }

// run walks: a fit, and five verbs where there is a run, else one of those that take data.
func (w *walk) run() {
	defer func() {
		if w.failed || os.Getenv("MOIETY_WALK") != "" && w.t.Failed() {
			w.print()
		}
	}()
	verbs := walkVerbs()
	w.fit()
	for range 5 {
		v := oneAmong(w, verbs)
		if v.png && !w.chance(8) || v.run && len(w.runs) == 0 {
			continue
		}
		v.do(w)
	}
}

// fit is the first command.
func (w *walk) fit() {
	data := w.newData()
	w.flags = w.fitFlags()
	out := w.path("")
	if at := slices.Index(w.flags, "--min-cell"); at >= 0 {
		w.limit, _ = strconv.Atoi(w.flags[at+1])
	} else if w.kind.codes || slices.Contains(w.flags, "--health") {
		w.limit = 11
	}
	code, _ := w.command(append([]string{"fit", data, "-o", out}, w.flags...)...)
	if code != exitDone {
		return
	}
	w.runs = append(w.runs, walkRun{path: out, records: w.size(data), fitted: data})
	w.look(w.runs[0])
	if w.chance(6) {
		w.again(w.runs[0])
	}
}

// size is the number of records of a file, 0 where flags change it.
func (w *walk) size(string) int {
	for _, f := range w.flags {
		if slices.Contains([]string{"--where", "--freq", "--keep", "--transpose"}, f) {
			return 0
		}
	}
	return w.small.n
}

// again fits the same once more on other cores: the same bytes, timings aside.
func (w *walk) again(r walkRun) {
	if r.fitted == "" || slices.Contains(w.flags, "--epsilon") {
		return
	}
	out := w.path("")
	flags := append(slices.Clone(w.flags), "--workers", oneAmong(w, []string{"1", "2", "8"}))
	if code, said := w.command(append([]string{"fit", r.fitted, "-o", out}, flags...)...); code != exitDone {
		w.fail("the same fit ends with %d: %s", code, said)
	} else if err := sameFolder(r.path, out); err != nil {
		w.fail("the same fit on other cores: %v", err)
	}
}

// noNumber are words that no output has: numbers that are none, faults, temporary names.
var noNumber = regexp.MustCompile(`\bNaN\b|[+-]?\bInf\b|%!|<nil>|fault of moiety|\.moiety-[0-9]+-`)

// command does one command and checks what every command owes: no fault, an exit code of
// the contract, no half output, JSON where it was asked for, numbers that are some.
func (w *walk) command(args ...string) (code int, out string) {
	begun := time.Now()
	if !slices.Contains(args, "--workers") && w.chance(4) && hasFlag(args[0], "--workers") {
		args = append(args, "--workers", "2")
	}
	to := outOf(args)
	_, before := os.Lstat(to)
	code, out, said := inProcess(w.t, nil, args...)
	w.codes[code]++
	w.lines = append(w.lines, fmt.Sprintf("moiety %s  → %d %s", strings.ReplaceAll(strings.Join(args, " "), w.dir+string(filepath.Separator), ""), code, lastLine(said)))
	if took := time.Since(begun); took > 3*time.Minute { // a second or so, on a machine with nothing else to do
		w.fail("it took %v", took)
	}
	if strings.Contains(said, "fault of moiety") {
		_, rest, _ := strings.Cut(said, "add the file ")
		path, _, _ := strings.Cut(rest, ", which")
		text, _ := os.ReadFile(path)
		w.fail("it panics\n%s", text)
		return code, out
	}
	switch {
	case code == exitError && !walkRefusal(said):
		w.fail("exit 1: %s", lastLine(said))
	case code != exitDone && code != exitError && code != exitUsage && code != exitUnreadable && code != exitTooLittle:
		w.fail("exit %d", code)
	}
	if bad := noNumber.FindString(out + said); bad != "" {
		w.fail("it says %q", bad)
	}
	if _, after := os.Lstat(to); to != "" && code != exitDone && before != nil && after == nil {
		w.fail("it ends with %d and leaves %s", code, filepath.Base(to))
	}
	if code == exitDone && slices.Contains(args, "--json") {
		w.document(out)
	}
	if code == exitDone && to != "" {
		w.written(to)
	}
	return code, out
}

// hasFlag reports the verbs that take cores.
func hasFlag(verb, _ string) bool {
	return slices.Contains([]string{"fit", "assign", "choose", "eval", "inspect", "update", "convert", "features"}, verb)
}

// outOf is the place that a command writes.
func outOf(args []string) string {
	if at := slices.Index(args, "-o"); at >= 0 && at+1 < len(args) {
		return args[at+1]
	}
	return ""
}

func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, l := range slices.Backward(lines) {
		if strings.HasPrefix(l, "moiety:") {
			return l
		}
	}
	return ""
}

// walkRefusal lists what may be refused with exit 1: what a run of this kind cannot be.
func walkRefusal(said string) bool {
	return honest(said) || slices.ContainsFunc([]string{
		"no features with frequencies", "have no order in time", "there is nothing to undo", "holds no records",
		"was given by hand", "has no tree", "all rounds are done", "needs dates", "out of step", "has no edit to undo",
		"a tree of features is of", "bounds are known for", "are no words or codes: choose", "the format holds counts only: choose",
		"the format cannot hold: choose", "this format would lose: choose", "n-grams need running text", "are for words and codes; these are", "needs ICD codes",
		"differential privacy is there for", "has no model to judge", "have states, not cohorts", "leave --courses or the tree out", "leave --tree out", "is estimated for a number of groups: give -k", "want at least 2 shared", "they must be of one kind", "give a larger number of --trials", "does not go with mixed records: give codes as a list",
		"are not of one kind", "or use the model poisson",
	}, func(words string) bool { return strings.Contains(said, words) })
}

// document checks one of JSON.
func (w *walk) document(out string) {
	var doc any
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		w.fail("its JSON: %v", err)
		return
	}
	w.masked("", doc)
}

// peopleCounts are the names of counts of people in documents.
var peopleCounts = []string{"n", "count", "records", "size", "patients"}

// masked holds that no count of people in a document is below the limit.
func (w *walk) masked(path string, v any) {
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			w.masked(fmt.Sprintf("%s[%d]", path, i), x)
		}
	case map[string]any:
		for name, x := range v {
			if n, ok := x.(json.Number); ok && slices.Contains(peopleCounts, name) {
				if f, err := n.Float64(); err == nil && f > 0 && f < float64(w.limit) && f != float64(w.small.n) {
					w.fail("%s.%s is %v, below the limit", path, name, n)
				}
			}
			w.masked(path+"."+name, x)
		}
	}
}

// written looks at what a command wrote: text has no numbers that are none.
func (w *walk) written(path string) {
	_ = filepath.WalkDir(path, func(p string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if strings.HasPrefix(e.Name(), ".") {
			w.fail("%s is left in %s", e.Name(), filepath.Base(path))
		}
		switch filepath.Ext(p) {
		case ".csv", ".json", ".jsonl", ".svg", ".dot", ".mtx", ".txt":
			text, err := os.ReadFile(p)
			if bad := noNumber.Find(text); err != nil || bad != nil {
				at := bytes.Index(text, bad)
				w.fail("%s holds %.80q (%v)", filepath.Base(p), text[max(at-30, 0):], err)
			}
		}
		return nil
	})
}

func (w *walk) fail(format string, args ...any) {
	w.t.Helper()
	w.failed = true
	last := ""
	if len(w.lines) > 0 {
		last = w.lines[len(w.lines)-1]
	}
	w.t.Errorf("walk %d (MOIETY_WALK=%d go test ./cmd/moiety -run TestWalks): %s\n  %s", w.seed, w.seed, fmt.Sprintf(format, args...), last)
}

// print shows the walk, so that it can be done by hand.
func (w *walk) print() {
	w.t.Logf("walk %d, %s:\n  %s", w.seed, w.kind.name, strings.Join(w.lines, "\n  "))
	for _, path := range w.data {
		if text, err := os.ReadFile(path); err == nil && len(text) < 4000 {
			w.t.Logf("%s:\n%s", filepath.Base(path), text)
		}
	}
}
