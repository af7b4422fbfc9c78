package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// file is one open Parquet file.
type file struct {
	name   string
	limits Limits
	raw    *source.Seekable
	pq     *pq.File
}

var (
	magic     = []byte("PAR1")
	encrypted = []byte("PARE")
)

// open opens a file; what the decoder cannot be trusted with is unpacked first.
func open(ctx context.Context, in source.Input, l Limits) (*file, error) {
	f := &file{name: in.Name, limits: l}
	var err error
	if f.raw, err = in.Seek(ctx); err != nil {
		return nil, err
	}
	if err = f.checkFooter(); err == nil {
		err = f.decode()
	}
	if err == nil {
		err = f.checkClaims(l)
	}
	if err == nil && f.has(format.Lz4Raw, format.Lz4) {
		if err = f.unpack(ctx); err == nil {
			err = f.decode()
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// decode reads the footer.
func (f *file) decode() error {
	return f.safely(func() (err error) {
		f.pq, err = pq.OpenFile(f.raw, f.raw.Size, pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
		return err
	})
}

// checkFooter compares the length that the footer claims with the file: the
// decoder would allocate it first.
func (f *file) checkFooter() error {
	const frame = 12 // the magic at the start, the length and the magic at the end
	if f.raw.Size < frame {
		return f.damaged("%d bytes are too few for a Parquet file", f.raw.Size)
	}
	var tail [8]byte
	if _, err := f.raw.ReadAt(tail[:], f.raw.Size-int64(len(tail))); err != nil {
		return fmt.Errorf("cannot read %s: %w", f.name, err)
	}
	if bytes.Equal(tail[4:], encrypted) {
		return fmt.Errorf("%s: %w: it is an encrypted Parquet file; save it without a key", f.name, source.ErrBinary)
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:4])); n > f.raw.Size-frame {
		return f.damaged("the footer claims %d bytes in a file of %d", n, f.raw.Size)
	}
	return nil
}

// safely runs a call of the decoder. Its errors and panics are about the file.
func (f *file) safely(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.damaged("%s", worded(fmt.Sprint(p)))
		}
	}()
	if err := call(); err != nil && err != io.EOF {
		return f.damaged("%s", worded(err.Error()))
	} else if err == io.EOF {
		return io.EOF
	}
	return nil
}

var ofColumn = pattern.New(`column "([^"]+)"`)

// worded says in words for people where the decoder failed; its own are those of
// the format's inside.
func worded(said string) string {
	if m := ofColumn.FindStringSubmatch(said); m != nil {
		return "column " + m[1] + " cannot be unpacked"
	}
	if strings.Contains(said, "metadata") {
		return "its list of columns cannot be read"
	}
	return "a part of it cannot be unpacked"
}

func (f *file) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w (%s)", f.name, source.ErrDamaged, fmt.Sprintf(format, args...))
}

// checkClaims compares the numbers of the footer with the limits, and refuses
// what nobody here can read by its name.
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
	if f.has(format.LZO) {
		return fmt.Errorf("%s: %w: its pages are packed by LZO, which is not read; write it again with zstd", f.name, source.ErrBinary)
	}
	if meta.EncryptionAlgorithm.Value != nil {
		return fmt.Errorf("%s: %w: some of its columns are encrypted; save it without a key", f.name, source.ErrBinary)
	}
	return nil
}

// has reports whether some column is packed in one of the given ways.
func (f *file) has(codecs ...format.CompressionCodec) bool {
	for i := range f.pq.Metadata().RowGroups {
		for _, c := range f.pq.Metadata().RowGroups[i].Columns {
			for _, codec := range codecs {
				if c.MetaData.Codec == codec {
					return true
				}
			}
		}
	}
	return false
}

// columns lists the leaves that are single values or simple lists, and names
// the others: maps, lists of lists, lists of structures. A field of a structure
// is called "structure.field".
func (f *file) columns() (out []*column, lost []string, err error) {
	var leaves []*pq.Column
	var walk func(c *pq.Column)
	walk = func(c *pq.Column) {
		if c.Leaf() {
			leaves = append(leaves, c)
		}
		for _, child := range c.Columns() {
			walk(child)
		}
	}
	err = f.safely(func() error { walk(f.pq.Root()); return nil })
	if err == nil && len(leaves) > f.limits.Columns {
		err = fmt.Errorf("%s: %w: %d columns, at most %d", f.name, source.ErrTooLarge, len(leaves), f.limits.Columns)
	}
	under := make(map[string]int)
	for _, c := range leaves {
		under[c.Path()[0]]++
	}
	for _, c := range leaves {
		switch path := c.Path(); {
		case c.MaxRepetitionLevel() == 0:
			out = append(out, &column{name: strings.Join(path, "."), index: c.Index(), text: f.writer(c)})
		case c.MaxRepetitionLevel() == 1 && under[path[0]] == 1:
			out = append(out, &column{name: path[0], index: c.Index(), repeated: true, text: f.writer(c)})
		default:
			lost = append(lost, strings.Join(path, "."))
		}
	}
	rename(out)
	return out, lost, err
}

// writer chooses how the values of a leaf are written. Numbers of two bytes are
// annotated in a way that the decoder does not know; the footer has it.
func (f *file) writer(leaf *pq.Column) func([]byte, pq.Value) []byte {
	n := 0
	for i := range f.pq.Metadata().Schema {
		e := &f.pq.Metadata().Schema[i]
		if !e.Type.Valid {
			continue
		}
		if n == leaf.Index() {
			if _, ok := e.LogicalType.Value.(*format.Float16Type); ok {
				return half
			}
			break
		}
		n++
	}
	return writerOf(leaf.Type())
}
