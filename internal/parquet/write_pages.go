package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
)

// chunk writes the pages of a column: a dictionary where it saves bytes, and one
// page of values.
func (w *Writer) chunk(c *columnWriter) (out writtenChunk, err error) {
	start, as := w.at, plain
	out.values = int64(max(len(c.rep), len(c.def), len(c.numbers), len(c.index)))
	body := c.levels()
	if words, index := c.dictionary(); index != nil {
		out.dict, as, body = w.at, indexed, append(body, index...)
		if err := w.page(dictionaryPage, int64(len(c.words)), plain, words); err != nil {
			return out, err
		}
	} else {
		body = c.plain(body)
	}
	out.data = w.at
	err = w.page(dataPage, out.values, as, body)
	out.bytes = w.at - start
	return out, err
}

// levels returns the levels as they stand in a page.
func (c *columnWriter) levels() (b []byte) {
	for _, l := range [][]uint8{c.rep, c.def} {
		if len(l) > 0 {
			runs := appendRuns(nil, l)
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(runs))), runs...)
		}
	}
	return b
}

// appendRuns appends levels of 0 and 1 as runs of equal ones, or bit by bit where
// that is shorter.
func appendRuns(b []byte, levels []uint8) []byte {
	var runs []byte
	for i := 0; i < len(levels); {
		n := 1
		for i+n < len(levels) && levels[i+n] == levels[i] {
			n++
		}
		runs = append(binary.AppendUvarint(runs, uint64(n)<<1), levels[i])
		i += n
	}
	if packed := appendPacked(nil, levels, 1); len(packed) < len(runs) {
		return append(b, packed...)
	}
	return append(b, runs...)
}

// appendPacked appends numbers bit by bit, with the number of groups of eight in
// front.
func appendPacked[T uint8 | uint32](b []byte, v []T, width int) []byte {
	groups := (len(v) + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	end := len(b) + groups*width
	var kept uint64
	have := 0
	for _, x := range v {
		kept |= uint64(x) << have
		for have += width; have >= 8; have -= 8 {
			b = append(b, byte(kept))
			kept >>= 8
		}
	}
	for len(b) < end {
		b = append(b, byte(kept))
		kept >>= 8
	}
	return b
}

// dictionary returns the words and the places of the values among them, nil where
// the values themselves take less.
func (c *columnWriter) dictionary() (words, index []byte) {
	width := bits.Len(uint(max(len(c.words)-1, 0)))
	size := 0
	for _, s := range c.words {
		size += len(s) + 4
	}
	if len(c.index) == 0 || size+len(c.index)*width/8 >= c.long {
		return nil, nil
	}
	for _, s := range c.words {
		words = appendText(words, s)
	}
	return words, appendPacked([]byte{byte(width)}, c.index, width)
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// plain appends the values one after the other.
func (c *columnWriter) plain(b []byte) []byte {
	for _, v := range c.numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, i := range c.index {
		b = appendText(b, c.words[i])
	}
	return b
}

// page writes a page with its header.
func (w *Writer) page(kind, values int64, as encoding, body []byte) error {
	if len(body) > math.MaxInt32 {
		return fmt.Errorf("a page of %d bytes is more than the format can say", len(body))
	}
	e := &encoder{}
	e.begin()
	e.i32(1, kind)
	e.i32(2, int64(len(body)))
	e.i32(3, int64(len(body)))
	e.i32(4, int64(int32(crc32.ChecksumIEEE(body))))
	if kind == dictionaryPage {
		e.sub(7)
	} else {
		e.sub(5)
	}
	e.i32(1, values)
	e.i32(2, int64(as))
	if kind == dataPage {
		e.i32(3, int64(runLengths))
		e.i32(4, int64(runLengths))
	}
	e.end()
	e.end()
	if err := w.write(e.b); err != nil {
		return err
	}
	return w.write(body)
}
