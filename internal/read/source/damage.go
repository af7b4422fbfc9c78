package source

import (
	"archive/zip"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// damage is an error of unpacking in words for people.
type damage struct {
	words string
	err   error
}

func (d damage) Error() string { return d.words }
func (d damage) Unwrap() error { return d.err }

// Damage words what unpacking says of a damaged archive.
func Damage(err error) error {
	var broken bzip2.StructuralError
	for _, x := range []struct {
		is    bool
		words string
	}{
		{errors.Is(err, io.ErrUnexpectedEOF), "it ends too early"},
		{errors.Is(err, gzip.ErrHeader), "behind its first part comes something else"},
		{errors.Is(err, gzip.ErrChecksum), "its checksum does not fit what it holds"},
		{errors.Is(err, zip.ErrFormat), "its end, where an archive lists what it holds, is missing"},
		{errors.Is(err, zip.ErrChecksum), "a checksum does not fit what it holds"},
		{errors.As(err, &broken), "its blocks do not fit together"},
	} {
		if x.is {
			return damage{x.words, err}
		}
	}
	return err
}
