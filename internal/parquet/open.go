package parquet

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// magic stands at both ends of a file; a file with a key has its own.
const (
	magic     = "PAR1"
	encrypted = "PARE"
	// frame is the magic at the start, the length and the magic at the end.
	frame = 12
)

// File is an open file: its columns, and where the pages of each row group lie.
type File struct {
	Columns []Column

	from   io.ReaderAt
	limits Limits
	groups []group
	zstd   *zstd.Decoder
}

// Open reads the footer of a file and checks what it claims.
func Open(r io.ReaderAt, size int64, l Limits) (*File, error) {
	// The unpacker keeps no state of a page and never gives more than there is room for.
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	f := &File{from: r, limits: l.withDefaults(), zstd: z}
	b, err := footer(r, size)
	if err != nil {
		return nil, err
	}
	if err := f.decode(b); err != nil {
		return nil, err
	}
	for g := range f.groups {
		if err := f.checkGroup(g, size); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.groups) }

// Rows returns the number of rows of a row group.
func (f *File) Rows(group int) int64 { return f.groups[group].rows }

// footer returns the bytes that tell what is in the file.
func footer(r io.ReaderAt, size int64) ([]byte, error) {
	if size < frame {
		return nil, damaged("%d bytes are too few for a Parquet file", size)
	}
	var head [4]byte
	var tail [8]byte
	if err := readFull(r, head[:], 0); err != nil {
		return nil, err
	}
	if err := readFull(r, tail[:], size-int64(len(tail))); err != nil {
		return nil, err
	}
	switch {
	case string(tail[4:]) == encrypted:
		return nil, unread("it is an encrypted Parquet file; save it without a key")
	case string(head[:]) != magic || string(tail[4:]) != magic:
		return nil, damaged("it does not end as a Parquet file does")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-frame {
		return nil, damaged("the footer claims %d bytes in a file of %d", n, size)
	}
	b := make([]byte, n)
	return b, readFull(r, b, size-int64(len(tail))-n)
}

// readFull reads bytes that the size of the file promises.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return damaged("it ends %d bytes early", len(b)-n)
	}
	return err
}

// checkGroup compares what the footer says of a row group with the schema, the
// limits and the size of the file.
func (f *File) checkGroup(i int, size int64) error {
	g := &f.groups[i]
	switch {
	case g.rows < 0:
		return damaged("row group %d has no number of rows", i)
	case g.rows > f.limits.RowGroup:
		return tooLarge("row group %d claims %d rows, at most %d", i, g.rows, f.limits.RowGroup)
	case len(g.chunks) != len(f.Columns):
		return damaged("row group %d has %d columns, and the file %d", i, len(g.chunks), len(f.Columns))
	}
	for at := range g.chunks {
		if err := f.checkChunk(g, at, size); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) checkChunk(g *group, at int, size int64) error {
	c, col := &g.chunks[at], &f.Columns[at]
	start := c.start()
	switch {
	case c.locked:
		return unread("some of its columns are encrypted; save it without a key")
	case c.elsewhere:
		return unread("it is the list of a data set whose records are in other files; name these files")
	case c.kind != col.Type:
		return damaged("column %s is of two types", col.Name())
	case c.values < 0 || col.MaxRep == 0 && c.values != g.rows:
		return damaged("column %s claims %d values in %d rows", col.Name(), c.values, g.rows)
	case c.values > 0 && (start < int64(len(magic)) || c.bytes < 0 || start > size-c.bytes):
		return damaged("column %s: pages from byte %d, %d bytes long, lie outside the file of %d", col.Name(), start, c.bytes, size)
	}
	if name := c.codec.unread(); name != "" {
		return unread("its pages are packed by %s, which is not read; write it again with zstd", name)
	}
	return nil
}
