package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// kept writes the answers of one set as keep does.
func kept(t *testing.T, assignments string) string {
	t.Helper()
	root := t.TempDir()
	folder := filepath.Join(root, "iris", "csv")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "assignments.csv"), []byte(assignments), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestCompare(t *testing.T) {
	const before = "id,group,probability\na,1,0.5\nb,2,0.75\n"
	for name, c := range map[string]struct {
		after   string
		changed bool
	}{
		"the same":         {before, false},
		"within rounding":  {"id,group,probability\na,1,0.5000009\nb,2,0.75\n", false},
		"beyond it":        {"id,group,probability\na,1,0.5000011\nb,2,0.75\n", true},
		"not a number":     {"id,group,probability\na,1,NaN\nb,2,0.75\n", true},
		"other numbers":    {"id,group,probability\na,2,0.5\nb,1,0.75\n", true},
		"another column":   {"id,group,share\na,1,0.5\nb,2,0.75\n", true},
		"a record is gone": {"id,group,probability\na,1,0.5\n", true},
	} {
		err := compare(io.Discard, kept(t, before), kept(t, c.after))
		if errors.Is(err, errChanged) != c.changed || err != nil && !c.changed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := compare(io.Discard, kept(t, before), t.TempDir()); !errors.Is(err, errChanged) {
		t.Errorf("nothing kept: %v", err)
	}
}
