package run

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file of the folder that is being written is told by the name of the run; other files by
// their own.
func TestErrorsOfFiles(t *testing.T) {
	dir := t.TempDir()
	s := &stage{target: filepath.Join(dir, "run"), dir: filepath.Join(dir, ".run.moiety-1-0")}
	for _, c := range []struct {
		op, path string
		run      bool
	}{
		{"write", filepath.Join(s.dir, ".rows.moiety.moiety-1-0"), true},
		{"read", filepath.Join(s.dir, rowsFile), false},
		{"write", filepath.Join(dir, "elsewhere"), false},
	} {
		err := s.ofFile(errors.Join(errors.New("rows"), &fs.PathError{Op: c.op, Path: c.path, Err: syscall.ENOSPC}))
		if errors.Is(err, ErrUnwritable) != c.run || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s %s: %v", c.op, c.path, err)
		}
		if c.run && (strings.Contains(err.Error(), s.dir) || !strings.Contains(err.Error(), "run cannot be written")) {
			t.Errorf("not in words for people: %v", err)
		}
	}
}
