package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// hospital writes a wide list of example patients.
func hospital(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("patient,age,dx1,dx2,dx3,dx4,dx5,dx6\n")
	for _, p := range synth.Hospital(7, n) {
		codes := append(slices.Clone(p.Codes), make([]string, 6)...)[:6]
		b.WriteString(p.ID + ",60," + strings.Join(codes, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "patients.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func order(data, out string) Order {
	return Order{Order: fit.Order{Args: []string{data}, Fit: fit.Settings{Seed: 1, Tree: fit.TreeShape{Leaves: 4, Splitter: "auto"}}}, Out: out}
}

func made(t *testing.T) *Run {
	t.Helper()
	r, err := Make(t.Context(), order(hospital(t, 600), filepath.Join(t.TempDir(), "r")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMakeAndOpen(t *testing.T) {
	r := made(t)
	m := r.Manifest
	if m.Records != 600 || m.Groups != 4 || !m.Health || m.MinCell != report.DefaultMinCell || !m.HoldsRecords || m.Seed != 1 {
		t.Errorf("manifest: %+v", m)
	}
	if len(m.Timings.Stages) > 0 || m.Timings.Started != "" {
		t.Errorf("timings without a clock: %+v", m.Timings)
	}
	if len(r.Outcome.Group) != 600 || r.Outcome.Tree == nil || r.Outcome.K() != 4 {
		t.Errorf("%d places, %d groups", len(r.Outcome.Group), r.Outcome.K())
	}
	d, err := r.Data()
	if err != nil || d.Len() != 600 || d.ID(0) != "P100001" {
		t.Errorf("rows: %v", err)
	}
	again, err := Open(r.Path)
	if err != nil || !slices.Equal(again.Outcome.Group, r.Outcome.Group) || !slices.Equal(again.Outcome.Leaves, r.Outcome.Leaves) {
		t.Errorf("opened again: %v", err)
	}
	s, err := r.FitSettings()
	if err != nil || s.Tree.Leaves != 4 || s.Spec.Model != "bernoulli" {
		t.Errorf("settings %+v, %v", s, err)
	}
}

// The clock is the caller's, and timings are all it changes.
func TestTimings(t *testing.T) {
	o := order(hospital(t, 300), filepath.Join(t.TempDir(), "r"))
	now := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time { now = now.Add(time.Second); return now }
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if tm := r.Manifest.Timings; tm.Started != "2020-01-02T03:04:06Z" || len(tm.Stages) != 3 || tm.Stages[0].Seconds != 1 {
		t.Errorf("%+v", tm)
	}
	// What came before the order, and the words, have stages of their own.
	o.Force, o.Words, o.Began = true, &report.Settings{}, now.Add(-time.Hour)
	if r, err = Make(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	var stages []string
	for _, s := range r.Manifest.Timings.Stages {
		stages = append(stages, s.Name)
	}
	want := []string{"starting", "reading and encoding", "fitting", "describing", "writing"}
	if first := r.Manifest.Timings.Stages[0].Seconds; !slices.Equal(stages, want) || first < 3600 || first > 3610 {
		t.Errorf("stages %q, want %q; started for %v s", stages, want, first)
	}
}

func TestNothingStaysBehind(t *testing.T) {
	dir := t.TempDir()
	data := hospital(t, 300)
	o := order(data, filepath.Join(dir, "r"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Make(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	o.Fit = fit.Settings{K: 301}
	if _, err := Make(t.Context(), o); !errors.Is(err, fit.ErrTooLittle) {
		t.Errorf("too many groups: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	o := order(hospital(t, 300), filepath.Join(dir, "r"))
	if _, err := Make(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), o); !errors.Is(err, ErrExists) {
		t.Errorf("without force: %v", err)
	}
	o.Force = true
	if _, err := Make(t.Context(), o); err != nil {
		t.Errorf("with force: %v", err)
	}
	mine := filepath.Join(dir, "mine")
	if err := os.MkdirAll(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(mine, "manifest.json"), []byte(`{"kind":"other"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Out = mine
	if _, err := Make(t.Context(), o); !errors.Is(err, ErrExists) {
		t.Errorf("a folder of somebody else's: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestDamaged(t *testing.T) {
	r := made(t)
	for _, c := range []struct {
		file string
		do   func([]byte) []byte
		want error
	}{
		{manifestFile, func(b []byte) []byte { return b[:len(b)/2] }, container.ErrDamaged},
		{manifestFile, func(b []byte) []byte { return bytes.Replace(b, []byte(`"version": 2`), []byte(`"version": 9`), 1) }, container.ErrNewer},
		{manifestFile, func([]byte) []byte { return []byte(`{"kind":"letter"}`) }, ErrNotRun},
		{treeFile, func(b []byte) []byte { return b[:len(b)-1] }, container.ErrDamaged},
		{assignmentsFile, func(b []byte) []byte { b[30] ^= 1; return b }, container.ErrDamaged},
		{assignmentsFile, func(b []byte) []byte { b[len(assignmentsMagic)] = 9; return b }, container.ErrNewer},
		{assignmentsFile, func([]byte) []byte { return []byte("a letter") }, container.ErrForeign},
		{assignmentsFile, func(b []byte) []byte { return b[:25] }, container.ErrDamaged},
		{editsFile, func([]byte) []byte { return []byte("{") }, container.ErrDamaged},
		{editsFile, func([]byte) []byte { return []byte(`{"version":3}`) }, container.ErrNewer},
	} {
		path := filepath.Join(r.Path, c.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, c.do(bytes.Clone(data)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(r.Path); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.file, err, c.want)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNotRun) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestAssignmentsFile(t *testing.T) {
	many, sures := make([]int32, 600_001), make([]float32, 600_001) // several parts
	for i := range many {
		many[i], sures[i] = int32(i%127), float32(i)/600_001
	}
	for _, c := range []struct {
		group []int32
		sure  []float32
	}{{[]int32{0, 5, 300, 70000}, []float32{1, .25, 0, .5}}, {many, sures}, {nil, nil}} {
		data, seal := encoded(t, c.group, c.sure)
		g, p, err := decodeAssignments(data)
		if err != nil || !slices.Equal(g, c.group) || !slices.Equal(p, c.sure) {
			t.Errorf("%d groups are not what was written: %v", len(c.group), err)
		}
		if seal != container.Seal(data) {
			t.Errorf("%d groups: the seal is not that of the file", len(c.group))
		}
		for at := len(assignmentsMagic) + 4; at < len(data); at += 1 + len(data)/50 { // a byte of the head, of every part and of the sum
			data[at] ^= 64
			if _, _, err := decodeAssignments(data); !errors.Is(err, container.ErrDamaged) {
				t.Errorf("%d groups, byte %d changed: %v", len(c.group), at, err)
			}
			data[at] ^= 64
		}
		old := slices.Clone(data[:len(data)-sha256.Size])
		old[len(assignmentsMagic)] = 1
		sum := sha256.Sum256(old)
		if g, p, err := decodeAssignments(append(old, sum[:]...)); err != nil || !slices.Equal(g, c.group) || !slices.Equal(p, c.sure) {
			t.Errorf("%d groups are not what version 1 wrote: %v", len(c.group), err)
		}
	}
}

func encoded(t *testing.T, group []int32, probability []float32) (data []byte, seal string) {
	t.Helper()
	var b bytes.Buffer
	seal, err := encodeAssignments(&b, group, probability, 2)
	if err != nil {
		t.Fatal(err)
	}
	var alone bytes.Buffer
	if _, err := encodeAssignments(&alone, group, probability, 1); err != nil || !bytes.Equal(alone.Bytes(), b.Bytes()) {
		t.Errorf("%d groups: one worker writes other bytes than two (%v)", len(group), err)
	}
	return b.Bytes(), seal
}

func TestEdits(t *testing.T) {
	r := made(t)
	first := r.GroupID(0)
	for _, bad := range []Edit{
		{Kind: Rename, Group: "9"},
		{Kind: MoveOne, Record: "P100001", To: "1"}, // the root is no group of its own
		{Kind: MoveOne, To: first},
		{Kind: MoveGroup, Group: "9", To: first},
		{Kind: "burn"},
	} {
		if err := r.AddEdit(bad); err == nil {
			t.Errorf("accepted: %+v", bad)
		}
	}
	steps := []Edit{
		{Kind: Rename, Group: first, Text: "hearts"},
		{Kind: Note, Group: "1", Text: "everybody"},
		{Kind: MoveOne, Record: "P100001", To: r.GroupID(3)},
		{Kind: MoveGroup, Group: first, To: r.GroupID(1)},
	}
	for _, e := range steps {
		if err := r.AddEdit(e); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Open(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Edits.List(); !slices.Equal(got, steps) {
		t.Errorf("%+v", got)
	}
	report, err := again.Explain(t.Context(), report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := report.Find(first); g.Name != "hearts" {
		t.Errorf("the name did not travel: %q", g.Name)
	}
	if !slices.ContainsFunc(report.Warnings, func(w warn.Warning) bool { return w.Code == "moved-by-hand" }) {
		t.Error("moves by hand are not told")
	}
	d, err := again.Data()
	if err != nil {
		t.Fatal(err)
	}
	edited := func() []int32 {
		o, err := again.Edited(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return o.Group
	}
	groups := edited()
	if slices.Contains(groups, 0) || groups[0] != 3 && again.Outcome.Group[0] != 0 {
		t.Errorf("moves are not in force: %v", groups[:5])
	}
	for range 2 {
		if _, err := again.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	if again.Edits.Names()[first] != "hearts" || again.Edits.Notes()["1"] != "everybody" || len(again.Edits.All) != 4 {
		t.Error("undo took too much")
	}
	if got := edited(); !slices.Equal(got, again.Outcome.Group) {
		t.Error("undo did not take the moves back")
	}
	again.Undo()
	again.Undo()
	if _, err := again.Undo(); err == nil {
		t.Error("undid nothing")
	}
}

func TestWithin(t *testing.T) {
	r := made(t)
	id := r.GroupID(0)
	n := 0
	for _, g := range r.Outcome.Group {
		if g == 0 {
			n++
		}
	}
	o := Order{Order: fit.Order{Fit: fit.Settings{K: 2, Seed: 1}}, Within: r.Path + ":" + id, Out: filepath.Join(t.TempDir(), "in")}
	in, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if in.Manifest.Records != n || !in.Manifest.Health || in.Outcome.Model.Vocab.System != "icd9" {
		t.Errorf("%d records, want %d; %+v", in.Manifest.Records, n, in.Manifest.Health)
	}
	titles := in.Outcome.Model.Vocab
	if titles.Title(0) == titles.Names[0] {
		t.Error("titles are lost")
	}
	for _, bad := range []string{r.Path, r.Path + ":9.9"} {
		o.Within, o.Force = bad, true
		if _, err := Make(t.Context(), o); err == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
}

// Records left out of the learning are placed all the same.
func TestShortRecords(t *testing.T) {
	o := order(hospital(t, 600), filepath.Join(t.TempDir(), "r"))
	o.Encode.MinCodes = 4
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcome.Group) != 600 || r.Outcome.Tree.Nodes[0].N >= 600 || r.Outcome.Tree.Nodes[0].N == 0 {
		t.Errorf("%d placed, %d learned from", len(r.Outcome.Group), r.Outcome.Tree.Nodes[0].N)
	}
}

// Streaming from disk gives the bytes of memory.
func TestStreamed(t *testing.T) {
	t.Parallel()
	data := hospital(t, 5000)
	o := order(data, filepath.Join(t.TempDir(), "r"))
	o.Fit = fit.Settings{K: 3, Seed: 1}
	o.Encode.MinCodes = 3
	inMemory, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Out = filepath.Join(t.TempDir(), "r")
	o.Encode.MaxMemory = 1000
	onDisk, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := Prepare(t.Context(), o, ""); err != nil || p.DiskSize() == 0 {
		t.Errorf("nothing was streamed (%v)", err)
	} else {
		p.Close()
	}
	for _, name := range []string{modelFile, rowsFile, assignmentsFile} {
		a, _ := os.ReadFile(filepath.Join(inMemory.Path, name))
		b, _ := os.ReadFile(filepath.Join(onDisk.Path, name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
	o.Fit = fit.Settings{Tree: fit.TreeShape{Leaves: 4, Splitter: "auto"}}
	o.Force = true
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a tree on disk: %v", err)
	}
}

// The verdict, the tree and the places are the same from memory and from disk,
// and the verdict is read back with the run.
func TestVerdictStreamed(t *testing.T) {
	numtest.NotShort(t)
	o := order(hospital(t, 5000), filepath.Join(t.TempDir(), "r"))
	o.Fit = fit.Settings{Seed: 1}
	inMemory, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Out = filepath.Join(t.TempDir(), "r")
	o.Encode.MaxMemory = 1000
	onDisk, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{treeFile, assignmentsFile} {
		a, _ := os.ReadFile(filepath.Join(inMemory.Path, name))
		b, _ := os.ReadFile(filepath.Join(onDisk.Path, name))
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("%s differs", name)
		}
	}
	v := onDisk.Outcome.Verdict
	if v == nil || v.Groups != onDisk.Outcome.K() || v.Reason == "" || !equalJSON(t, v, inMemory.Outcome.Verdict) {
		t.Errorf("verdict %+v, in memory %+v", v, inMemory.Outcome.Verdict)
	}
}

func TestReadSettingsRoundTrip(t *testing.T) {
	s := fit.ReadSettings{Format: "long", ID: "a", Label: []string{"x"}, Transpose: true, Cohort: 3, Table: "drug", Strict: true}
	if got := fit.NewReadSettings(s.Options()); !equalJSON(t, got, s) {
		t.Errorf("%+v", got)
	}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

// Nobody but the owner reads the files of a run.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	r := made(t)
	if err := r.AddEdit(Edit{Kind: Note, Group: "1", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range entries(t, r.Path) {
		if info, err := os.Stat(filepath.Join(r.Path, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// The report that is ordered with a run is the one of the run when it is opened, for
// any number of workers, whether its rows were in memory or on the disk; and what was
// written is what is returned.
// Words that cannot be made lose no run.
func TestWordsThatFail(t *testing.T) {
	o := order(hospital(t, 1500), filepath.Join(t.TempDir(), "r"))
	o.Fit = fit.Settings{K: 3, Seed: 1}
	o.Words = &report.Settings{ThreeStep: []string{"shoe size"}}
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), o.Out) || !strings.Contains(err.Error(), "shoe size") {
		t.Fatalf("the error is %v", err)
	}
	r, err := Open(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Explain(t.Context(), report.Settings{Brief: true}); err != nil {
		t.Error(err)
	}
}

func TestWords(t *testing.T) {
	data := hospital(t, 1500)
	for _, c := range []struct{ k, workers, memory int }{{3, 1, 0}, {3, 2, 0}, {3, 8, 1 << 16}, {0, 8, 0}} {
		o := order(data, filepath.Join(t.TempDir(), "r"))
		if c.k > 0 {
			o.Fit = fit.Settings{K: c.k, Seed: 1}
		}
		o.Fit.Workers, o.Encode.Workers, o.Encode.MaxMemory = c.workers, c.workers, int64(c.memory)
		o.Words = &report.Settings{Brief: true}
		r, err := Make(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := again.Explain(t.Context(), *o.Words)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Report, want) {
			t.Errorf("%+v: another report than that of the run", c)
		}
		for name, both := range map[string][2]any{
			"manifest": {r.Manifest, again.Manifest}, "edits": {r.Edits, again.Edits}, "checksums": {r.seals, again.seals},
		} {
			if a, b := jsonFile(both[0]), jsonFile(both[1]); !bytes.Equal(a, b) {
				t.Errorf("%+v: the %s of the folder are others", c, name)
			}
		}
		if now, err := r.Explain(t.Context(), *o.Words); err != nil || !reflect.DeepEqual(now, want) {
			t.Errorf("%+v: once it is written, it is explained otherwise: %v", c, err)
		}
	}
}
