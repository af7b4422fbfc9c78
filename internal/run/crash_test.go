package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/durable/durabletest"
	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
)

// work is a fit that is done, ready to be written any number of times.
type work struct {
	order Order
	made  *fit.Made
}

func done(t *testing.T, k int) *work {
	t.Helper()
	o := order(hospital(t, 120), "")
	o.Fit = fit.Settings{K: k, Seed: 1}
	p, err := Prepare(t.Context(), o, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Fit(t.Context(), o.Order, t.TempDir(), fit.NewTimer(nil))
	if err != nil {
		t.Fatal(err)
	}
	return &work{o, m}
}

// write is Make without the fit.
func (w *work) write(t *testing.T, files durable.FS, target string, force bool) error {
	t.Helper()
	st, err := newStage(t.Context(), files, target, force)
	if err != nil {
		return err
	}
	defer st.abandon()
	_, err = st.write(t.Context(), &Made{Made: w.made, order: w.order})
	return err
}

// state opens a run as the next command would and tells all of it: "" where
// there is none.
func state(t *testing.T, path string) string {
	t.Helper()
	r, err := Open(path)
	if errors.Is(err, ErrNotRun) && len(entries(t, path)) == 0 {
		return ""
	}
	if err != nil {
		t.Fatalf("after the fault: %v", err)
	}
	f, err := r.Rows()
	if err != nil {
		t.Fatalf("after the fault: %v", err)
	}
	defer f.Close()
	if err := f.Verify(); err != nil {
		t.Fatalf("after the fault: %v", err)
	}
	text, err := json.Marshal([]any{r.id(), r.Outcome.Group, r.Edits})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// faults does some work with every fault at every operation. After each, the
// next command finds the state of before or of after, of after if the work said
// that it was done, and nothing else in the folder.
func faults(t *testing.T, what string, prepare func(dir string), do func(files durable.FS, dir string) error) {
	t.Helper()
	clean := func(dir string) string {
		prepare(dir)
		return filepath.Join(dir, "r")
	}
	dir := t.TempDir()
	before := state(t, clean(dir))
	f := durabletest.New(t, durabletest.Never, 0)
	if err := do(f, dir); err != nil {
		t.Fatal(err)
	}
	after := state(t, filepath.Join(dir, "r"))
	if before == after {
		t.Fatal("the work changes nothing")
	}
	tried, stayed := 0, 0
	stride := max(1, f.Count()/numtest.Scale(3, f.Count(), f.Count()))
	for name, fault := range durabletest.Faults {
		for i := f.Count(); i >= 0; i -= stride { // the first one comes after the work
			dir := t.TempDir()
			path := clean(dir)
			g := durabletest.New(t, fault, i)
			err := do(g, dir)
			g.End()
			got := state(t, path)
			switch {
			case !g.Struck() && i < f.Count():
				t.Errorf("%s, %s at %d: nothing happened", what, name, i)
			case err == nil && got != after:
				t.Errorf("%s, %s at %d: said done, and is not", what, name, i)
			case got != before && got != after:
				t.Errorf("%s, %s at %d: neither the old nor the new:\n%.200s", what, name, i, got)
			case fault == durabletest.Full && err != nil && !errors.Is(err, syscall.ENOSPC):
				t.Errorf("%s, %s at %d: says %v", what, name, i, err)
			case fault == durabletest.Broken && err != nil && !errors.Is(err, syscall.EIO):
				t.Errorf("%s, %s at %d: says %v", what, name, i, err)
			}
			if got == before {
				stayed++
			}
			if left := entries(t, dir); len(left) > 1 || len(left) == 1 && left[0] != "r" {
				t.Errorf("%s, %s at %d: left %v", what, name, i, left)
			}
			if left := entries(t, path); slices.ContainsFunc(left, func(s string) bool { return s[0] == '.' }) {
				t.Errorf("%s, %s at %d: left %v in the run", what, name, i, left)
			}
			tried++
		}
	}
	if stayed == 0 || stayed == tried {
		t.Errorf("%s: %d of %d faults left the old state", what, stayed, tried)
	}
	t.Logf("count: %d faults while %s: %d operations, by kill, power cut (names or contents lost), full disk, input/output error", tried, what, f.Count())
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !missing(dir) {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestFaultsCreate(t *testing.T) {
	t.Parallel()
	w := done(t, 2)
	faults(t, "creating a run", func(string) {}, func(files durable.FS, dir string) error {
		return w.write(t, files, filepath.Join(dir, "r"), false)
	})
	faults(t, "creating a run in an empty folder", func(dir string) {
		if err := os.Mkdir(filepath.Join(dir, "r"), 0o755); err != nil {
			t.Fatal(err)
		}
	}, func(files durable.FS, dir string) error {
		return w.write(t, files, filepath.Join(dir, "r"), false)
	})
}

// noExchange is a system that cannot exchange names.
type noExchange struct{ durable.FS }

func (noExchange) Exchange(string, string) error { return errors.ErrUnsupported }

func TestFaultsForce(t *testing.T) {
	t.Parallel()
	old, next := done(t, 2), done(t, 3)
	earlier := func(dir string) {
		if err := old.write(t, durabletest.New(t, durabletest.Never, 0), filepath.Join(dir, "r"), false); err != nil {
			t.Fatal(err)
		}
	}
	faults(t, "replacing a run", earlier, func(files durable.FS, dir string) error {
		return next.write(t, files, filepath.Join(dir, "r"), true)
	})
	faults(t, "replacing a run where names cannot be exchanged", earlier, func(files durable.FS, dir string) error {
		return next.write(t, noExchange{files}, filepath.Join(dir, "r"), true)
	})
}

func TestFaultsEdit(t *testing.T) {
	t.Parallel()
	w := done(t, 2)
	run := func(dir string, edits int) *Run {
		path := filepath.Join(dir, "r")
		if missing(path) {
			if err := w.write(t, durabletest.New(t, durabletest.Never, 0), path, false); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range edits {
			if err := r.AddEdit(Edit{Kind: Note, Group: "1", Text: "note " + strconv.Itoa(i)}); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	earlier := func(dir string) { run(dir, 2) }
	faults(t, "adding edits", earlier, func(files durable.FS, dir string) error {
		r := run(dir, 0)
		r.files = files
		return r.AddEdits([]Edit{{Kind: Rename, Group: "2", Text: "x"}, {Kind: MoveGroup, Group: "2", To: "1"}})
	})
	if testing.Short() {
		return
	}
	faults(t, "undoing an edit", earlier, func(files durable.FS, dir string) error {
		r := run(dir, 0)
		r.files = files
		_, err := r.Undo()
		return err
	})
}

// A model that is saved by itself is the old one or the new one.
func TestFaultsModel(t *testing.T) {
	t.Parallel()
	a, b := done(t, 2).made.Outcome.Model, done(t, 3).made.Outcome.Model
	old, err := a.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	next, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	f := durabletest.New(t, durabletest.Never, 0)
	if err := durable.WriteFile(f, filepath.Join(t.TempDir(), "m"), next, 0o644); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, fault := range durabletest.Faults {
		for i := range f.Count() {
			path := filepath.Join(t.TempDir(), "m")
			if err := os.WriteFile(path, old, 0o600); err != nil {
				t.Fatal(err)
			}
			err := durable.WriteFile(durabletest.New(t, fault, i), path, next, 0o644)
			got, readErr := os.ReadFile(path)
			if readErr != nil || !bytes.Equal(got, next) && (err == nil || !bytes.Equal(got, old)) {
				t.Errorf("%s at %d: %v, %v", name, i, err, readErr)
			}
			tried++
		}
	}
	t.Logf("count: %d faults while saving a model", tried)
}

// A run whose records are on disk is written by the same steps.
func TestFaultsStreamed(t *testing.T) {
	t.Parallel()
	o := order(hospital(t, 120), "")
	o.Fit = fit.Settings{K: 2, Seed: 1}
	o.Encode = encode.Settings{MaxMemory: 1000}
	for _, fault := range []durabletest.Fault{durabletest.Kill, durabletest.Full} {
		for i := 0; ; i += numtest.Scale(8, 3, 3) {
			o.Out = filepath.Join(t.TempDir(), "r")
			f := durabletest.New(t, fault, i)
			o.files = f
			_, err := Make(t.Context(), o)
			if !f.Struck() {
				break
			}
			if got := state(t, o.Out); err == nil && got == "" {
				t.Errorf("at %d: no error, and no run", i)
			}
			if left := entries(t, filepath.Dir(o.Out)); len(left) > 1 {
				t.Errorf("at %d: left %v", i, left)
			}
		}
	}
}
