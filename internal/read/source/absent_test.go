package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is no data says so in a sentence, and counts as data that cannot be read.
func TestAbsent(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "patients.csv"), []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "RUN")
	if err := os.Mkdir(run, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(run, "manifest.json"), []byte(`{"kind": "moiety run"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		filepath.Join(dir, "patient.csv"):  "did you mean " + filepath.Join(dir, "patients.csv"),
		filepath.Join(dir, "no", "x.csv"):  "and no folder",
		"https://example.org/patients.csv": "is a web address: download",
		run:                                "is a run folder, not data",
	}
	loop := filepath.Join(dir, "loop")
	if os.Symlink(loop, loop) == nil {
		cases[loop] = "leads back to itself"
	}
	for arg, says := range cases {
		_, err := Expand([]string{arg})
		if err == nil || !strings.Contains(err.Error(), says) || !Unreadable(err) || strings.Contains(err.Error(), "stat ") {
			t.Errorf("%s: %v", arg, err)
		}
	}
	if _, err := Expand([]string{filepath.Join(dir, "other")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}
