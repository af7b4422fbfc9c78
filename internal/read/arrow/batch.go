package arrow

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// batch is a piece of the table, with the place up to which its parts were taken.
type batch struct {
	file   *File
	f      *flat
	at     int // of the table RecordBatch
	body   []byte
	rows   int
	codec  int // -1: plain
	node   int
	buffer int
	view   int
	err    error
}

// Bounds of what a piece may claim.
const (
	maxRows   = 1 << 31
	maxBuffer = 1 << 31
)

func (b *batch) fail(format string, args ...any) {
	if b.err == nil {
		b.err = b.file.damaged(format, args...)
	}
}

// nextNode returns the length of the next column.
func (b *batch) nextNode() int {
	at, n := b.f.list(b.at, 1, 16)
	if b.node >= n {
		b.fail("a column is missing in a batch")
		return 0
	}
	length := b.f.i64(at + 16*b.node)
	b.node++
	if length < 0 || length > maxRows {
		b.fail("a column claims %d values", length)
		return 0
	}
	return int(length)
}

// nextBuffer returns the next buffer, unpacked.
func (b *batch) nextBuffer() []byte {
	at, n := b.f.list(b.at, 2, 16)
	if b.buffer >= n {
		b.fail("a buffer is missing in a batch")
		return nil
	}
	from, length := b.f.i64(at+16*b.buffer), b.f.i64(at+16*b.buffer+8)
	b.buffer++
	if b.f.bad || from < 0 || length < 0 || from > int64(len(b.body))-length {
		b.fail("a buffer lies outside its batch")
		return nil
	}
	data := b.body[from : from+length]
	if b.codec < 0 || len(data) == 0 {
		return data
	}
	return b.unpack(data)
}

// unpack undoes the compression of a buffer, which has its size in front.
func (b *batch) unpack(data []byte) []byte {
	if len(data) < 8 {
		b.fail("a buffer is cut off")
		return nil
	}
	size := int64(binary.LittleEndian.Uint64(data))
	data = data[8:]
	if size == -1 {
		return data
	}
	if size < 0 || size > maxBuffer || size > max(1<<30, 400*int64(len(data))) {
		b.fail("a buffer of %d bytes claims to unpack to %d", len(data), size)
		return nil
	}
	var r io.Reader
	if b.codec == 0 {
		r = lz4.NewReader(bytes.NewReader(data))
	} else {
		z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBuffer))
		if err != nil {
			b.fail("a buffer cannot be unpacked: %v", err)
			return nil
		}
		defer z.Close()
		r = z
	}
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, size+1))
	if err != nil || n != size {
		b.fail("a buffer cannot be unpacked")
		return nil
	}
	return out.Bytes()
}

// take reads the next column of the batch, with all that is in it.
func (b *batch) take(c *column) *values {
	kind, bits := c.kind, c.bits
	if c.dict {
		if kind, bits = kindInt, c.index.bits; !c.index.readable() {
			b.fail("the numbers of the column %s have %d bits", c.name, bits)
			return &values{c: &column{kind: kindNull}}
		}
	}
	v := &values{c: c, n: b.nextNode()}
	if kind == kindNull {
		v.c = &column{kind: kindNull}
		v.n = 0
		return v
	}
	v.valid = b.nextBuffer()
	switch kind {
	case kindInt, kindFloat, kindDecimal, kindDate, kindTime, kindStamp, kindSpan, kindInterval:
		v.data = b.nextBuffer()
		b.holds(v.data, v.n*bits/8)
	case kindBool:
		v.data = b.nextBuffer()
		b.holds(v.data, (v.n+7)/8)
	case kindFixed:
		v.data = b.nextBuffer()
	case kindText, kindBinary, kindLargeText, kindLargeBin:
		v.ends, v.data = b.nextBuffer(), b.nextBuffer()
		b.holds(v.ends, offsets(kind, v.n))
	case kindTextView, kindBinView:
		v.data = b.nextBuffer()
		b.holds(v.data, 16*v.n)
		at, n := b.f.list(b.at, 4, 8)
		for i := int64(0); b.view < n && i < b.f.i64(at+8*b.view) && b.err == nil; i++ {
			v.more = append(v.more, b.nextBuffer())
		}
		b.view++
	case kindList, kindLargeList, kindMap:
		v.ends = b.nextBuffer()
		b.holds(v.ends, offsets(kind, v.n))
		v.child = b.children(c)
	case kindStruct, kindFixedList:
		b.children(c)
	default:
		b.fail("the column %s is of a kind that is not read (%d)", c.name, kind)
	}
	if len(v.valid) > 0 {
		b.holds(v.valid, (v.n+7)/8)
	}
	if c.dict {
		if v.dict = b.file.dicts[c.dictID]; v.dict == nil {
			v.dict = &values{c: &column{kind: kindNull}}
		}
	}
	return v
}

// offsets is the number of bytes that the ends of n texts or lists take.
func offsets(kind, n int) int {
	if n == 0 {
		return 0
	}
	if kind == kindLargeText || kind == kindLargeBin || kind == kindLargeList {
		return 8 * (n + 1)
	}
	return 4 * (n + 1)
}

func (b *batch) holds(data []byte, n int) {
	if len(data) < n {
		b.fail("a buffer holds %d bytes where %d are needed", len(data), n)
	}
}

// children takes what a column holds, and returns the last.
func (b *batch) children(c *column) (last *values) {
	last = &values{c: &column{kind: kindNull}}
	for _, child := range c.children {
		if b.err == nil {
			last = b.take(child)
		}
	}
	return last
}

// damaged is an error of a file that contradicts itself.
func (x *File) damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", source.ErrDamaged, &record.ParseError{File: x.in.Name, Msg: fmt.Sprintf(format, args...)})
}
