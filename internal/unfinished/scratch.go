package unfinished

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Scratch is a file without a future: it is for its own process alone and has no
// name, or one that the system takes away with the process, so that nothing of it
// stays behind, however the process ends.
type Scratch struct {
	*os.File
	dir   string
	named bool
}

// NewScratch makes a scratch file in dir, or in the system's folder for
// temporary files where dir is empty.
func NewScratch(dir, pattern string) (*Scratch, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if f, err := nameless(dir); err == nil {
		return &Scratch{File: f, dir: dir}, nil
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	// Some systems do not remove files that are open; Close does then.
	return &Scratch{f, dir, os.Remove(f.Name()) != nil}, nil
}

// NoRoom is an error of a scratch file whose disk is full. It says which, for people know
// nothing of a file without a name.
type NoRoom struct {
	dir string
	err error
}

// Error implements error.
func (n NoRoom) Error() string {
	return fmt.Sprintf("the disk of the folder %s, where data are put aside, is full: make room there, or have the variable %s name another folder", n.dir, temporary)
}

// Unwrap gives the cause.
func (n NoRoom) Unwrap() error { return n.err }

func (s *Scratch) worded(err error) error {
	if IsFull(err) {
		return NoRoom{s.dir, err}
	}
	return err
}

// Write is that of a file.
func (s *Scratch) Write(b []byte) (int, error) {
	n, err := s.File.Write(b)
	return n, s.worded(err)
}

// WriteString is that of a file.
func (s *Scratch) WriteString(text string) (int, error) {
	n, err := s.File.WriteString(text)
	return n, s.worded(err)
}

// WriteAt is that of a file.
func (s *Scratch) WriteAt(b []byte, at int64) (int, error) {
	n, err := s.File.WriteAt(b, at)
	return n, s.worded(err)
}

// ReadFrom is that of a file.
func (s *Scratch) ReadFrom(r io.Reader) (int64, error) {
	n, err := s.File.ReadFrom(r)
	return n, s.worded(err)
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
