package source

import (
	"archive/zip"
	"compress/bzip2"
	stdflate "compress/flate"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// damage is an error of unpacking in words for people.
type damage struct {
	words string
	err   error
}

func (d damage) Error() string { return d.words }
func (d damage) Unwrap() error { return d.err }

// Damaged reports whether unpacking failed because of what is packed.
func Damaged(err error) bool {
	var d damage
	return err != nil && errors.As(Damage(err), &d)
}

// Damage words what unpacking says of a damaged archive.
func Damage(err error) error {
	var broken bzip2.StructuralError
	var packed flate.CorruptInputError // of gzip
	var member stdflate.CorruptInputError
	for _, x := range []struct {
		is    bool
		words string
	}{
		{errors.Is(err, io.ErrUnexpectedEOF), "it ends too early"},
		{errors.Is(err, gzip.ErrHeader), "behind its first part comes something else"},
		{errors.Is(err, gzip.ErrChecksum), "its checksum does not fit what it holds"},
		{errors.Is(err, zip.ErrFormat), "its end, where an archive lists what it holds, is missing or does not fit"},
		{errors.Is(err, zip.ErrChecksum), "a checksum does not fit what it holds"},
		{errors.Is(err, zip.ErrAlgorithm), "it is packed in a way that is not read"},
		{errors.Is(err, io.EOF), "what it lists is not there"},
		{errors.As(err, &broken), "its blocks do not fit together"},
		{errors.As(err, &packed) || errors.As(err, &member), "what is packed in it contradicts itself"},
		{errors.Is(err, zstd.ErrCRCMismatch), "its checksum does not fit what it holds"},
		{errors.Is(err, zstd.ErrMagicMismatch) || errors.Is(err, zstd.ErrReservedBlockType) || errors.Is(err, zstd.ErrUnexpectedBlockSize), "its blocks do not fit together"},
	} {
		if x.is {
			return damage{x.words, err}
		}
	}
	return err
}
