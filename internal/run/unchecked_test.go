package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// first returns a copy of a run that was written before there were checksums.
func first(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "v1")
	if err := os.CopyFS(path, os.DirFS(filepath.Join("testdata", "v1"))); err != nil {
		t.Fatal(err)
	}
	return path
}

func replaceIn(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %q", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An old run opens with the default limit, whatever it says, and with a word.
func TestUnchecked(t *testing.T) {
	for _, limit := range []string{"11", "0", "1", "3", "-5", "20"} {
		path := first(t)
		if limit != "11" {
			replaceIn(t, filepath.Join(path, manifestFile), `"min_cell": 11`, `"min_cell": `+limit)
		}
		r, err := Open(path)
		if limit == "-5" {
			if !errors.Is(err, container.ErrDamaged) {
				t.Errorf("limit %s: %v", limit, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := report.DefaultMinCell
		if limit == "20" {
			want = 20
		}
		if !r.Unchecked || r.Manifest.MinCell != want || !r.Manifest.Health || len(r.Messages) != 1 || !strings.Contains(r.Messages[0], "unchecked") {
			t.Errorf("limit %s: unchecked %v, limit %d, told %q", limit, r.Unchecked, r.Manifest.MinCell, r.Messages)
		}
		report, err := r.Explain(t.Context(), report.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(report.Warnings, func(w warn.Warning) bool { return w.Code == "unchecked" }) {
			t.Errorf("warnings: %v", report.Warnings)
		}
	}
}

// Health data are recognised by their codes where the manifest does not say so.
func TestUncheckedHealth(t *testing.T) {
	path := first(t)
	replaceIn(t, filepath.Join(path, manifestFile), `"health": true`, `"health": false`)
	r, err := Open(path)
	if err != nil || !r.Manifest.Health || r.Manifest.MinCell != report.DefaultMinCell {
		t.Errorf("%v, %+v", err, r)
	}
}

// An old run keeps its edits and takes new ones.
func TestUncheckedEdits(t *testing.T) {
	path := first(t)
	r, err := Open(path)
	if err != nil || r.Edits.Names()["1"] != "Hearts" {
		t.Fatalf("%v", err)
	}
	if err := r.AddEdit(Edit{Kind: Note, Group: "2", Text: "births"}); err != nil {
		t.Fatal(err)
	}
	r, err = Open(path)
	if err != nil || r.Edits.Names()["1"] != "Hearts" || r.Edits.Notes()["2"] != "births" {
		t.Errorf("%v, %+v", err, r)
	}
	replaceIn(t, filepath.Join(path, editsFile), "births", "deaths")
	if _, err := Open(path); !errors.Is(err, container.ErrDamaged) {
		t.Errorf("changed edits: %v", err)
	}
}

// What lost its list is not taken for what never had one, and the keys of an old
// manifest must be there.
func TestLostList(t *testing.T) {
	now := made(t).Path
	for name, change := range map[string]func(old string) string{
		"list removed": func(string) string { must(t, os.Remove(filepath.Join(now, sealsFile))); return now },
		"list removed, version of before": func(string) string {
			replaceIn(t, filepath.Join(now, manifestFile), `"version": 2`, `"version": 1`)
			return now
		},
		"version of later": func(old string) string {
			replaceIn(t, filepath.Join(old, manifestFile), `"version": 1`, `"version": 2`)
			return old
		},
		"a list in an old run": func(old string) string {
			must(t, os.WriteFile(filepath.Join(old, sealsFile), newSeals(map[string]string{}).text(), 0o600))
			return old
		},
		"no limit": func(old string) string {
			replaceIn(t, filepath.Join(old, manifestFile), `"min_cell": 11,`, ``)
			return old
		},
		"a key misspelled": func(old string) string {
			replaceIn(t, filepath.Join(old, manifestFile), `"min_cell"`, `"min_cfll"`)
			return old
		},
	} {
		if _, err := Open(change(first(t))); !errors.Is(err, container.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}
