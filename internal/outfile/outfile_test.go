package outfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/durable/durabletest"
)

// note is a form whose files begin with its mark.
var note = Form{Name: "a note of the test", Ours: func(head, _ []byte) bool { return bytes.HasPrefix(head, []byte("note:")) }}

func write(path string, text string, o Options) error {
	f, err := Create(context.Background(), path, note, o)
	if err != nil {
		return err
	}
	defer f.Abandon()
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Commit()
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func onlyFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s has %q, want %q", dir, got, want)
	}
}

func TestTheRule(t *testing.T) {
	for _, c := range []struct {
		name, before   string
		force, refused bool
	}{
		{"nothing there", "-", false, false},
		{"an empty file", "", false, false},
		{"an earlier output", "note: old", false, false},
		{"a file of the user", "precious", false, true},
		{"a file of the user, and --force", "precious", true, false},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x")
		if c.before != "-" {
			put(t, path, c.before)
		}
		if err := Check(path, note, c.force); errors.Is(err, ErrExists) != c.refused {
			t.Errorf("%s: checked: %v", c.name, err)
		}
		err := write(path, "note: new", Options{Force: c.force})
		want := "note: new"
		if c.refused {
			want = c.before
			if !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "‹force›") || !strings.Contains(err.Error(), "a note of the test") {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := content(t, path); got != want {
			t.Errorf("%s: the file holds %q, want %q", c.name, got, want)
		}
		onlyFiles(t, dir, "x")
	}
	if err := write(t.TempDir(), "note:", Options{Force: true}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

// A file that appears while the output is made is not replaced.
func TestSomethingAppearsMeanwhile(t *testing.T) {
	for text, ok := range map[string]bool{"precious": false, "note: another": true} {
		path := filepath.Join(t.TempDir(), "x")
		f, err := Create(context.Background(), path, note, Options{})
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, text)
		f.WriteString("note: new")
		if err := f.Commit(); (err == nil) != ok {
			t.Errorf("%q appeared: %v", text, err)
		}
		f.Abandon()
		if got := content(t, path); !ok && got != text {
			t.Errorf("%q was replaced by %q", text, got)
		}
		onlyFiles(t, filepath.Dir(path), "x")
	}
}

// What killed work left on the way to any name of the folder is taken away, it may hold
// records; what is being written, here or elsewhere, stays.
func TestLeftoversBeside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what is finished cannot be told from what was left here")
	}
	dir := t.TempDir()
	other, err := Create(context.Background(), filepath.Join(dir, "other"), note, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Abandon()
	put(t, filepath.Join(dir, ".placed.csv.moiety-77-0"), "records")
	put(t, filepath.Join(dir, ".placed.csv.moiety-notes"), "somebody's")
	if err := write(filepath.Join(dir, "x"), "note:", Options{}); err != nil {
		t.Fatal(err)
	}
	other.WriteString("note: other")
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, ".placed.csv.moiety-notes", "other", "x")
}

func TestMissingFolders(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "x")
	f, err := Create(context.Background(), path, note, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.Abandon()
	onlyFiles(t, dir)
	if err := write(path, "note:", Options{}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "note:" {
		t.Errorf("the file holds %q", got)
	}
	if err := write(filepath.Join(path, "y"), "note:", Options{}); err == nil || !strings.Contains(err.Error(), "a part of its name is a file") {
		t.Errorf("a file as a folder: %v", err)
	}
	// A name as long as the system allows.
	if err := write(filepath.Join(dir, strings.Repeat("n", 250)), "note:", Options{}); err != nil {
		t.Error(err)
	}
}

// Whatever happens at whatever operation, the place holds the old file or the
// new one, whole; and after an error that was reported, nothing else is there.
func TestFaults(t *testing.T) {
	work := func(dir string, f *durabletest.FS) error {
		return write(filepath.Join(dir, "x"), "note: "+strings.Repeat("new", 1e5), Options{FS: f})
	}
	count := durabletest.New(t, durabletest.Never, 0)
	if err := work(t.TempDir(), count); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, fault := range durabletest.Faults {
		for at := range count.Count() {
			for _, old := range []string{"", "note: old"} {
				tried++
				dir := t.TempDir()
				path := filepath.Join(dir, "x")
				if old != "" {
					put(t, path, old)
				}
				err := work(dir, durabletest.New(t, fault, at))
				b, _ := os.ReadFile(path)
				got := string(b)
				fresh := strings.HasPrefix(got, "note: new") && len(got) == 6+3e5
				if !fresh && (got != old || err == nil) {
					t.Errorf("%s at operation %d: %d bytes are there, error %v", name, at, len(got), err)
				}
				if err != nil && strings.Contains(err.Error(), ".moiety-") {
					t.Errorf("%s at operation %d: %v names a temporary file", name, at, err)
				}
				if fault == durabletest.Full && err != nil {
					if !strings.Contains(err.Error(), "is full") || !strings.Contains(err.Error(), dir) {
						t.Errorf("full disk at operation %d: %v", at, err)
					}
					if old != "" {
						onlyFiles(t, dir, "x")
					} else {
						onlyFiles(t, dir)
					}
				}
				// The next output cleans up after killed work.
				if err := write(path, "note: next", Options{}); err != nil {
					t.Errorf("%s at operation %d: the next one: %v", name, at, err)
				}
				onlyFiles(t, dir, "x")
			}
		}
	}
	t.Logf("%d faults at %d operations", tried, count.Count())
}

// Of several files in a new folder a full disk leaves nothing, the folder neither; and
// none has its name before all are there.
func TestSetFaults(t *testing.T) {
	work := func(dir string, f *durabletest.FS) error {
		var all Set
		defer all.Abandon()
		for _, name := range []string{"x", "y", "z"} {
			w, err := Create(context.Background(), filepath.Join(dir, "new", name), note, Options{FS: f})
			if err != nil {
				return err
			}
			all.Add(w)
			if _, err := w.WriteString("note: " + strings.Repeat("new", 1e5)); err != nil {
				return err
			}
		}
		return all.Commit()
	}
	count := durabletest.New(t, durabletest.Never, 0)
	if err := work(t.TempDir(), count); err != nil {
		t.Fatal(err)
	}
	for at := range count.Count() {
		dir := t.TempDir()
		if err := work(dir, durabletest.New(t, durabletest.Full, at)); err != nil {
			onlyFiles(t, dir)
		} else {
			onlyFiles(t, filepath.Join(dir, "new"), "x", "y", "z")
		}
	}
}
