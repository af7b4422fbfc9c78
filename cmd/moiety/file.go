package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// file is an output file under a temporary name until it is whole.
type file struct {
	*bufio.Writer
	f    *os.File
	path string
}

// newFile starts a file beside its final place.
func newFile(path string) (*file, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return &file{bufio.NewWriterSize(f, 1<<18), f, path}, nil
}

// finish puts the file in its place.
func (f *file) finish() error {
	err := errors.Join(f.Flush(), f.f.Chmod(0o644), f.f.Close())
	if err == nil {
		err = os.Rename(f.f.Name(), f.path)
	}
	if err != nil {
		return err
	}
	f.f = nil
	return nil
}

// abandon removes the file unless it is in its place.
func (f *file) abandon() {
	if f.f != nil {
		f.f.Close()
		os.Remove(f.f.Name())
	}
}

// toStdout is a file that is standard output.
func toStdout(out *output) *file { return &file{Writer: bufio.NewWriterSize(out, 1<<18)} }
