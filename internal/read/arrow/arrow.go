// Package arrow reads files of Apache Arrow (Feather, the IPC file format): batches
// of columns with their schema at the end.
//
// It takes an opened input and gives the table as text, which then has the same
// kinds and words as any table. Numbers, texts, yes and no, dates, decimals,
// dictionaries (categories) and lists of these are read, plain or with buffers of
// LZ4 or Zstandard; what a header claims is never allocated before the bytes are
// there. docs/decisions/0037 says why the reader is written here.
//
// Step in the flow: source -> read/arrow -> read/delimited. It must not know models.
package arrow

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Magic are the first and the last bytes of a file.
const Magic = "ARROW1"

// File is an open file.
type File struct {
	in      source.Input
	raw     *source.Seekable
	columns []*column
	read    []int // columns that become cells
	left    []string
	dicts   map[int64]*values
	batches []block
}

// block says where a batch lies.
type block struct {
	at       int64
	head     int
	bodySize int64
}

// maxFooter bounds what is read of a schema.
const maxFooter = 64 << 20

// Open reads the schema of a file, and its dictionaries.
func Open(ctx context.Context, in source.Input) (*File, error) {
	raw, err := in.Seek(ctx)
	if err != nil {
		return nil, err
	}
	x := &File{in: in, raw: raw, dicts: map[int64]*values{}}
	end := make([]byte, 4+len(Magic))
	if raw.Size < int64(len(end)+8) {
		return nil, x.damaged("it is cut off")
	}
	if _, err := raw.ReadAt(end, raw.Size-int64(len(end))); err != nil {
		return nil, x.damaged("its end cannot be read")
	}
	size := int64(int32(binary.LittleEndian.Uint32(end)))
	if string(end[4:]) != Magic || size <= 0 || size > maxFooter || size > raw.Size-int64(len(end)) {
		return nil, x.damaged("it is cut off: its end is not that of such a file")
	}
	footer := &flat{b: make([]byte, size)}
	if _, err := raw.ReadAt(footer.b, raw.Size-int64(len(end))-size); err != nil {
		return nil, x.damaged("its schema cannot be read")
	}
	return x, x.footer(footer)
}

// footer reads the schema, the dictionaries and the places of the batches.
func (x *File) footer(f *flat) error {
	root := f.root()
	schema := f.table(root, 1)
	if schema == 0 {
		return x.damaged("it has no schema")
	}
	if f.number(schema, 0, 2, 0) != 0 {
		return &record.ParseError{File: x.in.Name, Msg: "its numbers are big-endian; save it as Parquet"}
	}
	at, n := f.list(schema, 1, 4)
	for i := range n {
		c := readColumn(f, f.follow(at+4*i), 0)
		if x.columns = append(x.columns, c); c.readable() {
			x.read = append(x.read, i)
		} else {
			x.left = append(x.left, c.name)
		}
	}
	dicts, batches := f.blocks(root, 2), f.blocks(root, 3)
	if f.bad {
		return x.damaged("its schema contradicts itself")
	}
	if len(x.read) == 0 {
		return &record.ParseError{File: x.in.Name, Msg: fmt.Sprintf("none of its %d columns holds numbers or texts; save it as Parquet", len(x.columns))}
	}
	x.batches = batches
	for _, b := range dicts {
		if err := x.dictionary(b); err != nil {
			return err
		}
	}
	return nil
}

// blocks reads a list of places.
func (f *flat) blocks(of, n int) (out []block) {
	at, count := f.list(of, n, 24)
	for i := range count {
		out = append(out, block{f.i64(at + 24*i), f.i32(at + 24*i + 8), f.i64(at + 24*i + 16)})
	}
	return out
}

// message reads a batch: the flatbuffer that describes it and its body.
func (x *File) message(b block, kind byte) (*batch, int, error) {
	if b.at < 0 || b.head < 8 || b.head > maxFooter || b.bodySize < 0 || b.at > x.raw.Size-int64(b.head)-b.bodySize {
		return nil, 0, x.damaged("a batch lies outside of the file")
	}
	data := make([]byte, int64(b.head)+b.bodySize)
	if _, err := x.raw.ReadAt(data, b.at); err != nil && err != io.EOF {
		return nil, 0, fmt.Errorf("cannot read %s: %w", x.in.Name, err)
	}
	from := 4
	if binary.LittleEndian.Uint32(data) == 0xffffffff {
		from = 8
	}
	f := &flat{b: data[from:b.head]}
	root := f.root()
	if byte(f.number(root, 1, 1, 0)) != kind {
		return nil, 0, x.damaged("a batch is not what the list says")
	}
	return &batch{file: x, f: f, body: data[b.head:], codec: -1}, f.table(root, 2), nil
}

// begin goes to the columns of a batch.
func (b *batch) begin(at int) {
	b.at = at
	rows := b.f.number(at, 0, 8, 0)
	if rows < 0 || rows > maxRows || at == 0 {
		b.fail("a batch claims %d rows", rows)
		rows = 0
	}
	b.rows = int(rows)
	if c := b.f.table(at, 3); c != 0 {
		b.codec = int(b.f.number(c, 0, 1, 0))
		if b.codec > 1 {
			b.fail("buffers are compressed in a way that is not read; save it as Parquet")
		}
	}
}

// Kinds of messages.
const (
	dictionaryMessage = 2
	batchMessage      = 3
)

// dictionary reads what the numbers of a column stand for.
func (x *File) dictionary(at block) error {
	b, table, err := x.message(at, dictionaryMessage)
	if err != nil {
		return err
	}
	id := b.f.number(table, 0, 8, 0)
	var of *column
	for _, c := range x.columns {
		if c.dict && c.dictID == id {
			of = c
		}
	}
	if of == nil {
		return nil // of a column within another
	}
	if b.f.number(table, 2, 1, 0) != 0 && x.dicts[id] != nil {
		return &record.ParseError{File: x.in.Name, Msg: "its dictionary grows from batch to batch, which is not read; save it as Parquet"}
	}
	b.begin(b.f.table(table, 1))
	plain := *of
	plain.dict = false
	x.dicts[id] = b.take(&plain)
	if b.f.bad {
		b.fail("a dictionary contradicts itself")
	}
	return b.err
}

// Left names the columns that are not read.
func (x *File) Left() []string { return x.left }

// Categories names the columns whose values are those of a dictionary: categories of pandas
// and polars, factors of R.
func (x *File) Categories() (names []string) {
	for _, i := range x.read {
		if c := x.columns[i]; c.dict {
			names = append(names, c.name)
		}
	}
	return names
}

// Table gives the file as a table with commas and a header.
func (x *File) Table() source.Input {
	return source.Made(x.in, func(ctx context.Context, w io.Writer) error {
		names := make([]string, len(x.read))
		for i, c := range x.read {
			names[i] = x.columns[c].name
		}
		if _, err := w.Write(source.Row(nil, names)); err != nil {
			return err
		}
		for _, at := range x.batches {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := x.rows(at, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// rows writes the rows of one batch.
func (x *File) rows(at block, w io.Writer) error {
	b, table, err := x.message(at, batchMessage)
	if err != nil {
		return err
	}
	b.begin(table)
	all := make([]*values, len(x.columns))
	long := 0
	for i, c := range x.columns {
		if b.err == nil {
			all[i] = b.take(c)
			long = max(long, all[i].n)
		}
	}
	if b.f.bad || b.err == nil && long < b.rows {
		b.fail("a batch of %d rows has columns of %d", b.rows, long)
	}
	if b.err != nil {
		return b.err
	}
	var line []byte
	for i := range b.rows {
		line = line[:0]
		for j, c := range x.read {
			if j > 0 {
				line = append(line, ',')
			}
			line = all[c].cell(line, i, len(x.read) == 1)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
