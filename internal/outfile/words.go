package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/moiety-go/moiety/internal/unfinished"
)

// cannot is an error of writing in words for people: the file by the name they
// gave, the folder, the reason, and never a temporary name.
type cannot struct {
	text string
	err  error
}

func (c cannot) Error() string { return c.text }
func (c cannot) Unwrap() error { return c.err }

// Explain words an error that arose while path was written.
func Explain(path string, err error) error {
	if err == nil {
		return nil
	}
	if c := (cannot{}); errors.As(err, &c) {
		return err
	}
	dir := filepath.Dir(path)
	if abs, e := filepath.Abs(dir); e == nil {
		dir = abs
	}
	why, full := "", unfinished.IsFull(err)
	elsewhere := unfinished.NoRoom{}
	switch {
	case errors.As(err, &elsewhere):
		why = elsewhere.Error()
	case full && isDevice(path):
		why = "it is full"
	case full:
		why = fmt.Sprintf("the disk of the folder %s is full: make room, or choose another folder with ‹out›", dir)
	case isReadOnly(err):
		why = fmt.Sprintf("the folder %s is on a disk that can only be read: choose another with ‹out›", dir)
	case errors.Is(err, fs.ErrPermission):
		why = fmt.Sprintf("you may not write into the folder %s: choose another with ‹out›", dir)
	case isNoFolder(err):
		why = fmt.Sprintf("the folder %s cannot be made, for a part of its name is a file: choose another with ‹out›", dir)
	default:
		why = bare(err).Error()
	}
	return cannot{path + " cannot be written: " + why, err}
}

func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&(fs.ModeDevice|fs.ModeNamedPipe) != 0
}

// bare takes the names of files, which may be temporary, off an error.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	var s *os.SyscallError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	case errors.As(err, &s):
		return s.Err
	}
	return err
}
