//go:build !windows

package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The way of systems without a rename to free names keeps what is there too.
func TestRenameNewBySteps(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, d := range []string{"from", "empty"} {
		if err := os.Mkdir(in(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"from/x", "file", "there"} {
		if err := os.WriteFile(in(f), []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		from, to string
		want     error
	}{
		{"from", "empty", fs.ErrExist},
		{"from", "there", fs.ErrExist},
		{"file", "there", fs.ErrExist},
		{"file", "empty", fs.ErrExist},
		{"none", "new", fs.ErrNotExist},
		{"from", "to", nil},
		{"file", "moved", nil},
	} {
		if err := renameNewBySteps(in(c.from), in(c.to)); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v, want %v", c.from, c.to, err, c.want)
		}
	}
	for name, want := range map[string]string{"there": "there", "to/x": "from/x", "moved": "file"} {
		if got, err := os.ReadFile(in(name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
