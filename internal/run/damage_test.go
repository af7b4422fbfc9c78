package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/report"
)

// damages are the ways in which a file goes bad.
var damages = map[string]func(r *rand.Rand, b []byte) []byte{
	"flip":   func(r *rand.Rand, b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b },
	"cut":    func(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] },
	"insert": func(r *rand.Rand, b []byte) []byte { return insert(b, r.IntN(len(b)+1), noise(r, 1+r.IntN(16))) },
	"zero": func(r *rand.Rand, b []byte) []byte {
		at := r.IntN(len(b))
		clear(b[at:min(len(b), at+1+r.IntN(64))])
		return b
	},
	"swap": func(r *rand.Rand, b []byte) []byte {
		n := 1 + r.IntN(min(64, len(b)/2))
		x, y := r.IntN(len(b)-n+1), r.IntN(len(b)-n+1)
		first, second := bytes.Clone(b[x:x+n]), bytes.Clone(b[y:y+n])
		copy(b[x:], second)
		copy(b[y:], first)
		return b
	},
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func insert(b []byte, at int, more []byte) []byte {
	return append(append(bytes.Clone(b[:at]), more...), b[at:]...)
}

// said is all that a run tells.
func said(t *testing.T, path string) (text string, err error) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r, err := Open(path)
	if err != nil {
		return "", err
	}
	report, err := r.Explain(t.Context(), report.Settings{})
	if err != nil {
		return "", err
	}
	m := r.Manifest
	out, err := json.Marshal([]any{report, m, r.Edits.List(), r.Outcome.Group})
	return string(out), err
}

// known are the errors of a damaged run.
func known(err error) bool {
	for _, e := range []error{container.ErrDamaged, container.ErrNewer, container.ErrForeign, dataset.ErrDamaged, ErrNotRun} {
		if errors.Is(err, e) {
			return true
		}
	}
	return strings.Contains(err.Error(), "not a data set file of moiety") || strings.Contains(err.Error(), "use a newer moiety")
}

// A damaged file is refused, or what it tells is the same: never another
// number, a panic, or memory without bound.
func TestDamages(t *testing.T) {
	o := order(hospital(t, 200), filepath.Join(t.TempDir(), "r"))
	now := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time { now = now.Add(time.Second); return now }
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.AddEdits([]Edit{{Kind: Rename, Group: "1", Text: "all"}, {Kind: MoveOne, Record: "P100001", To: r.GroupID(1)}}); err != nil {
		t.Fatal(err)
	}
	want, err := said(t, r.Path)
	if err != nil {
		t.Fatal(err)
	}
	usual := allocated(func() { said(t, r.Path) })
	each := numtest.Scale(15, 170, 1000)
	tried, refused, most := 0, 0, uint64(0)
	for _, file := range entries(t, r.Path) {
		path := filepath.Join(r.Path, file)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		random := stream.New(uint64(len(file)), "damages/"+file)
		for how := range damages {
			for range (each + len(damages) - 1) / len(damages) {
				bad := damages[how](random, bytes.Clone(good))
				if bytes.Equal(bad, good) {
					continue
				}
				if err := os.WriteFile(path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				var got string
				var err error
				most = max(most, allocated(func() { got, err = said(t, r.Path) }))
				switch {
				case err != nil && !known(err):
					t.Errorf("%s, %s: %v", file, how, err)
				case err == nil && got != want:
					t.Errorf("%s, %s: another result", file, how)
				}
				tried++
				if err != nil {
					refused++
				}
			}
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if most > 2*usual+16<<20 {
		t.Errorf("%d bytes allocated, %d for a good run", most, usual)
	}
	if got, err := said(t, r.Path); err != nil || got != want {
		t.Errorf("the good run: %v", err)
	}
	t.Logf("count: %d damages of the files of a run: %d refused, the others without effect; at most %d MB allocated, %d MB for a good run",
		tried, refused, most>>20, usual>>20)
}

// allocated returns the bytes that some work asks for.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Files of another run of the same data do not belong into a folder.
func TestFilesOfAnotherRun(t *testing.T) {
	t.Parallel()
	data := hospital(t, 300)
	make := func(name string, change func(*Order)) *Run {
		o := order(data, filepath.Join(t.TempDir(), name))
		o.Fit = fit.Settings{K: 3, Seed: 1}
		change(&o)
		r, err := Make(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.AddEdit(Edit{Kind: Note, Group: "1", Text: name}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	a := make("a", func(*Order) {})
	tried := 0
	for name, b := range map[string]*Run{
		"another seed":        make("b", func(o *Order) { o.Fit.Seed = 2 }),
		"another refinement":  make("b", func(o *Order) { o.Fit.Refine = "none" }),
		"a limit of its own":  make("b", func(o *Order) { o.MinCell = -1 }),
		"other rows":          make("b", func(o *Order) { o.Encode.MinDF = dataset.Amount{Count: 9} }),
		"other, and no names": make("b", func(o *Order) { o.Encode.Rollup = "chapter" }),
	} {
		if testing.Short() && name != "another seed" && name != "other rows" {
			continue
		}
		for _, files := range [][]string{
			{modelFile},
			{assignmentsFile},
			{rowsFile},
			{editsFile},
			{manifestFile},
			{sealsFile},
			{modelFile, assignmentsFile},
			{modelFile, assignmentsFile, rowsFile},
			{modelFile, assignmentsFile, rowsFile, sealsFile},
			{manifestFile, sealsFile},
			{manifestFile, sealsFile, editsFile},
			{manifestFile, editsFile},
		} {
			path := filepath.Join(t.TempDir(), "r")
			if err := os.CopyFS(path, os.DirFS(a.Path)); err != nil {
				t.Fatal(err)
			}
			changed := false
			for _, file := range files {
				mine, err := os.ReadFile(filepath.Join(path, file))
				if err != nil {
					t.Fatal(err)
				}
				theirs, err := os.ReadFile(filepath.Join(b.Path, file))
				if err != nil {
					t.Fatal(err)
				}
				changed = changed || !bytes.Equal(mine, theirs)
				if err := os.WriteFile(filepath.Join(path, file), theirs, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if !changed || sameFiles(t, path, b.Path) {
				continue // nothing of another run, or the other run itself
			}
			tried++
			if _, err := said(t, path); !errors.Is(err, container.ErrDamaged) {
				t.Errorf("%s: %v of it: %v", name, files, err)
			}
		}
	}
	t.Logf("count: %d mixtures of two runs of the same data, all refused", tried)
}

func sameFiles(t *testing.T, a, b string) bool {
	t.Helper()
	for _, name := range entries(t, a) {
		x, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := os.ReadFile(filepath.Join(b, name)); err != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// resealed writes another manifest into a run, with the checksums that it would
// have.
func resealed(t *testing.T, path string, change func(text string) string) {
	t.Helper()
	list, err := readSeals(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(path, manifestFile))
	if err != nil {
		t.Fatal(err)
	}
	next := change(string(text))
	if next == string(text) {
		t.Fatal("nothing changed")
	}
	list.Files[manifestFile] = sealed([]byte(next))
	list = newSeals(list.Files)
	for name, text := range map[string][]byte{manifestFile: []byte(next), sealsFile: list.text(), editsFile: newEdits(list.Sum, nil).text()} {
		if err := os.WriteFile(filepath.Join(path, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Keys that are missing or unknown are errors, whatever the checksums say.
func TestKeys(t *testing.T) {
	r := made(t)
	for _, c := range []struct{ old, new string }{
		{`  "min_cell": 11,` + "\n", ""},
		{`  "min_cell": 11,`, `  "min_cell": null,`},
		{`  "min_cell": 11,`, `  "min_cell": -1,`},
		{`  "min_cell": 11,`, `  "min_cell": "11",`},
		{`  "health": true,` + "\n", ""},
		{`  "min_cell": 11,`, `  "min_cell": 11, "max_cell": 3,`},
		{`    "encode": {`, `    "more": 1, "encode": {`},
	} {
		path := filepath.Join(t.TempDir(), "r")
		if err := os.CopyFS(path, os.DirFS(r.Path)); err != nil {
			t.Fatal(err)
		}
		resealed(t, path, func(s string) string { return strings.Replace(s, c.old, c.new, 1) })
		if _, err := Open(path); !errors.Is(err, container.ErrDamaged) {
			t.Errorf("%q for %q: %v", c.new, c.old, err)
		}
	}
	id := r.id()
	good := newEdits(id, []Edit{{Kind: Note, Group: "1", Text: "x"}}).text()
	for _, c := range []struct{ old, new string }{
		{`"text": "x"`, `"text": "x", "size": 3`},
		{`"kind": "note",`, `"kind": "note", "kind": "rename",`},
		{`"version": 2,`, ``},
		{`"version": 2`, `"version": 1`},
		{`"version": 2`, `"version": 0`},
		{`"edits"`, `"Edits"`},
		{"\n}\n", "\n}\n\n"},
	} {
		if _, err := parseEdits(good, false); err != nil {
			t.Fatal(err)
		}
		if _, err := parseEdits([]byte(strings.Replace(string(good), c.old, c.new, 1)), false); err == nil {
			t.Errorf("edits: %q for %q is accepted", c.new, c.old)
		}
	}
}

// Every bit of a manifest and of a list of edits is checked, that of the timings
// too.
func TestEveryBit(t *testing.T) {
	o := order(hospital(t, 200), filepath.Join(t.TempDir(), "r"))
	now := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time { now = now.Add(time.Second); return now }
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.AddEdit(Edit{Kind: Note, Group: "1", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, read := range map[string]func(text []byte) error{
		manifestFile: func(text []byte) error { _, err := parseManifest(text, r.seals); return err },
		editsFile:    func(text []byte) error { _, err := parseEdits(text, false); return err },
		sealsFile:    func(text []byte) error { _, err := parseSeals(text); return err },
	} {
		text, err := os.ReadFile(filepath.Join(r.Path, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := read(text); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 8*len(text); i += numtest.Scale(11, 1, 1) {
			text[i/8] ^= 1 << (i % 8)
			if read(text) == nil {
				t.Errorf("%s, bit %d of byte %d: accepted", name, i%8, i/8)
			}
			text[i/8] ^= 1 << (i % 8)
			tried++
		}
	}
	t.Logf("count: %d flipped bits of manifest, edits and checksums, all refused", tried)
}
