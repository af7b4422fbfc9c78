package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/moiety-go/moiety/internal/unfinished"
)

// Seekable is an input whose bytes can be read from anywhere, as formats need
// that begin at their end. It stays open as long as it is in use.
type Seekable struct {
	io.ReaderAt
	Size int64
}

// maxCopy bounds the temporary copy of an input that cannot be read from
// anywhere.
const maxCopy = 64 << 30

// Reusable returns an input with the same bytes that can be opened again and
// again: itself, or a temporary copy of what can be read only once.
func (in Input) Reusable(ctx context.Context) (Input, error) {
	if in.Again() {
		return in, nil
	}
	s, err := in.copied(ctx)
	if err != nil {
		return Input{}, err
	}
	in.stream, in.seek, in.plain = nil, s, false
	return in, nil
}

// Seek opens the decompressed bytes for reading from anywhere: a plain file
// where it is, anything else as a temporary copy, which goes away with the last
// user, and with the process in any case.
func (in Input) Seek(ctx context.Context) (*Seekable, error) {
	if in.seek != nil {
		return in.seek, nil
	}
	if in.memory != nil && !isPacked(in.memory) {
		return &Seekable{readerAt(in.memory), int64(len(in.memory))}, nil
	}
	if in.path != "" && in.made == nil {
		if start, err := in.peekRaw(bzip2Start); err != nil {
			return nil, err
		} else if !isPacked(start) && in.size >= 0 {
			f, err := os.Open(in.path)
			if err != nil {
				return nil, fmt.Errorf("cannot open %s: %w", in.Name, err)
			}
			return &Seekable{f, in.size}, nil
		}
	}
	return in.copied(ctx)
}

// copied makes a temporary copy of the decompressed bytes.
func (in Input) copied(ctx context.Context) (*Seekable, error) {
	r, err := in.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := unfinished.NewScratch("", "moiety-*")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary copy of %s: %w", in.Name, err)
	}
	n, err := io.Copy(f, io.LimitReader(r, maxCopy+1))
	if err == nil && n > maxCopy {
		err = fmt.Errorf("%s: %w: more than %d bytes; save it to a file first", in.Name, ErrTooLarge, int64(maxCopy))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return temporary(f, n), nil
}

// Temporary makes a file with the bytes that write gives it readable from
// anywhere; it goes away with its last user.
func Temporary(write func(*os.File) (size int64, err error)) (*Seekable, error) {
	f, err := unfinished.NewScratch("", "moiety-*")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary file: %w", err)
	}
	n, err := write(f.File)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return temporary(f, n), nil
}

// temporary closes a scratch file when nobody uses it any more.
func temporary(f *unfinished.Scratch, size int64) *Seekable {
	s := &Seekable{f.File, size}
	runtime.AddCleanup(s, func(f *unfinished.Scratch) { f.Close() }, f)
	return s
}

// readerAt reads bytes in memory from anywhere.
type readerAt []byte

func (b readerAt) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(b)) {
		return 0, io.EOF
	}
	n := copy(p, b[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Start returns up to n decompressed bytes without using the input up: what
// tells binary formats apart.
func (in Input) Start(ctx context.Context, n int) ([]byte, error) {
	stored, err := in.peekRaw(max(n, bzip2Start))
	if err != nil || in.made != nil || len(stored) > 0 && !isPacked(stored) {
		return stored[:min(n, len(stored))], err
	}
	if stored, err = in.peekRaw(max(n, rawBuffer)); err != nil {
		return nil, err
	}
	peek := Bytes(in.Name, stored)
	peek.quiet = true
	r, err := peek.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	start, err := readUpTo(r, n)
	if len(start) > 0 {
		return start, nil
	}
	return start, err
}
