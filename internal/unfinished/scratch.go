package unfinished

import (
	"errors"
	"io/fs"
	"os"
)

// Scratch is a file without a future: it is for its own process alone and has no
// name, or one that the system takes away with the process, so that nothing of it
// stays behind, however the process ends.
type Scratch struct {
	*os.File
	named bool
}

// NewScratch makes a scratch file in dir, or in the system's folder for
// temporary files where dir is empty.
func NewScratch(dir, pattern string) (*Scratch, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if f, err := nameless(dir); err == nil {
		return &Scratch{File: f}, nil
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	// Some systems do not remove files that are open; Close does then.
	return &Scratch{f, os.Remove(f.Name()) != nil}, nil
}

// Close ends the file.
func (s *Scratch) Close() error {
	err := s.File.Close()
	if !s.named {
		return err
	}
	s.named = false
	if gone := os.Remove(s.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
