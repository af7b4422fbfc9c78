package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/read/source"
)

// file is one open Parquet file.
type file struct {
	name  string
	raw   *os.File
	spool bool // raw is a temporary copy
	size  int64
	pq    *pq.File
}

var magic = []byte("PAR1")

// open opens a file in place; standard input and compressed inputs are copied
// to a temporary file first, as the format must be read from its end.
func open(ctx context.Context, in source.Input, l Limits) (*file, error) {
	f := &file{name: in.Name}
	if err := f.place(ctx, in, l); err != nil {
		f.close()
		return nil, err
	}
	info, err := f.raw.Stat()
	if err != nil {
		f.close()
		return nil, err
	}
	f.size = info.Size()
	if err = f.checkFooter(); err == nil {
		err = f.safely(func() error {
			var err error
			f.pq, err = pq.OpenFile(f.raw, f.size, pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
			return err
		})
	}
	if err == nil {
		err = f.checkClaims(l)
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

// checkFooter compares the length that the footer claims with the file: the
// decoder would allocate it first.
func (f *file) checkFooter() error {
	const frame = 12 // the magic at the start, the length and the magic at the end
	if f.size < frame {
		return f.damaged("%d bytes are too few for a Parquet file", f.size)
	}
	var tail [8]byte
	if _, err := f.raw.ReadAt(tail[:], f.size-int64(len(tail))); err != nil {
		return fmt.Errorf("cannot read %s: %w", f.name, err)
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:4])); n > f.size-frame {
		return f.damaged("the footer claims %d bytes in a file of %d", n, f.size)
	}
	return nil
}

func (f *file) place(ctx context.Context, in source.Input, l Limits) error {
	if in.Path() != "" {
		raw, err := os.Open(in.Path())
		if err != nil {
			return err
		}
		f.raw = raw
		start := make([]byte, len(magic))
		if _, err := raw.ReadAt(start, 0); err == nil && bytes.Equal(start, magic) {
			return nil
		}
		raw.Close()
		f.raw = nil
	}
	return f.copy(ctx, in, l)
}

func (f *file) copy(ctx context.Context, in source.Input, l Limits) error {
	r, err := in.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	if f.raw, err = os.CreateTemp("", "moiety-*.parquet"); err != nil {
		return fmt.Errorf("cannot make a temporary copy of %s: %w", in.Name, err)
	}
	f.spool = true
	n, err := io.Copy(f.raw, io.LimitReader(r, l.Spool+1))
	if err != nil {
		return err
	}
	if n > l.Spool {
		return fmt.Errorf("%s: %w: more than %d bytes; save it to a file first", in.Name, source.ErrTooLarge, l.Spool)
	}
	return nil
}

func (f *file) close() {
	if f.raw == nil {
		return
	}
	f.raw.Close()
	if f.spool {
		os.Remove(f.raw.Name())
	}
}

// safely runs a call of the decoder. Its errors and panics are about the file.
func (f *file) safely(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.damaged("the decoder failed: %v", p)
		}
	}()
	if err := call(); err != nil && err != io.EOF {
		return f.damaged("%v", err)
	} else if err == io.EOF {
		return io.EOF
	}
	return nil
}

func (f *file) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w (%s)", f.name, source.ErrDamaged, fmt.Sprintf(format, args...))
}

// checkClaims compares the numbers of the footer with the limits.
func (f *file) checkClaims(l Limits) error {
	meta := f.pq.Metadata()
	if n := len(meta.RowGroups); n > l.RowGroups {
		return fmt.Errorf("%s: %w: %d row groups, at most %d", f.name, source.ErrTooLarge, n, l.RowGroups)
	}
	for i := range meta.RowGroups {
		if n := meta.RowGroups[i].NumRows; n < 0 || n > l.RowGroup {
			return fmt.Errorf("%s: %w: row group %d claims %d rows, at most %d", f.name, source.ErrTooLarge, i, n, l.RowGroup)
		}
	}
	return nil
}

// columns lists the leaves that are flat or simple lists.
func (f *file) columns(l Limits) ([]*column, error) {
	var out []*column
	var walk func(c *pq.Column)
	walk = func(c *pq.Column) {
		if c.Leaf() {
			if c.MaxRepetitionLevel() <= 1 && (c.MaxRepetitionLevel() == 1 || len(c.Path()) == 1) {
				out = append(out, &column{
					name: c.Path()[0], index: c.Index(), repeated: c.MaxRepetitionLevel() == 1, kind: c.Type().Kind(),
				})
			}
			return
		}
		for _, child := range c.Columns() {
			walk(child)
		}
	}
	err := f.safely(func() error { walk(f.pq.Root()); return nil })
	if err == nil && len(out) > l.Columns {
		err = fmt.Errorf("%s: %w: %d columns, at most %d", f.name, source.ErrTooLarge, len(out), l.Columns)
	}
	return out, err
}
