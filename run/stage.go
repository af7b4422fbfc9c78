package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stage is a folder under a temporary name beside the place it will have.
type stage struct {
	dir    string // temporary; "" once it is in place
	target string
}

// newStage refuses a target that may not be written, before any work is done.
func newStage(target string, force bool) (*stage, error) {
	target = filepath.Clean(target)
	if err := mayReplace(target, force); err != nil {
		return nil, err
	}
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	dir, err := os.MkdirTemp(parent, "."+filepath.Base(target)+"-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w: choose another folder with -o", ErrUnwritable, err)
	}
	return &stage{dir, target}, nil
}

// mayReplace allows a target that is not there, an empty folder, and with
// force an earlier run; anything else is never touched.
func mayReplace(target string, force bool) error {
	entries, err := os.ReadDir(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		if info, statErr := os.Stat(target); statErr == nil && !info.IsDir() {
			return fmt.Errorf("%s: %w, and it is a file: choose another name with -o", target, ErrExists)
		}
		return fmt.Errorf("%s: %w", target, err)
	case len(entries) == 0:
		return nil
	case !IsRun(target):
		return fmt.Errorf("%s: %w, and it is not a run: choose another name with -o", target, ErrExists)
	case !force:
		return fmt.Errorf("%s: %w: choose another name with -o, or replace it with --force", target, ErrExists)
	}
	return nil
}

// IsRun reports whether a folder is a run, whole or damaged.
func IsRun(path string) bool {
	r := Run{Path: path}
	err := r.readManifest()
	return err == nil || !errors.Is(err, ErrNotRun) && !errors.Is(err, fs.ErrNotExist) && hasRunFile(path)
}

// hasRunFile recognises a run whose manifest is damaged.
func hasRunFile(path string) bool {
	_, err := os.Stat(filepath.Join(path, assignmentsFile))
	return err == nil
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, name) }

// finish puts the folder in its place. An earlier run steps aside first and
// comes back if that fails.
func (s *stage) finish() error {
	if err := os.Chmod(s.dir, 0o755); err != nil { // MkdirTemp's is 0700
		return err
	}
	old := s.dir + ".old"
	err := os.Rename(s.target, old)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = ""
	case err != nil:
		return err
	}
	if err := os.Rename(s.dir, s.target); err != nil {
		if old != "" {
			err = errors.Join(err, os.Rename(old, s.target))
		}
		return err
	}
	s.dir = ""
	if old != "" {
		return os.RemoveAll(old)
	}
	return nil
}

// abandon removes the folder unless it is in its place.
func (s *stage) abandon() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
