package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/sparse"
)

// The rows of a block are, in this order: the number of rows of every record
// (sequences only), the number of entries of every row, the indices, the values
// (uint32, uint32, uint32, float32); or the numbers of dense rows (float64). They
// are read straight into the memory of the rows.

// pieces returns the rows of a block as the file has them, in parts that may be
// views of the rows; lengths are written to scratch. Steps is nil where each row
// is a record, and need not start at 0.
func pieces(scratch []byte, r sparse.Rows, steps []int) (list [][]byte, used []byte) {
	le := binary.LittleEndian
	b := scratch[:0]
	for i := 1; i < len(steps); i++ {
		b = le.AppendUint32(b, uint32(steps[i]-steps[i-1]))
	}
	if r.IsDense() {
		return [][]byte{b, stored(r.Dense)}, b
	}
	for i := range r.N() {
		b = le.AppendUint32(b, uint32(r.Ptr[i+1]-r.Ptr[i]))
	}
	lo, hi := 0, 0
	if len(r.Ptr) > 0 {
		lo, hi = r.Ptr[0], r.Ptr[len(r.Ptr)-1]
	}
	list = [][]byte{b, stored(r.Index[lo:hi])}
	if r.Value != nil {
		list = append(list, stored(r.Value[lo:hi]))
	}
	return list, b
}

// entries returns the number of entries that the rows of a block have, by the
// bytes they take; dense rows have an entry for every feature.
func (h Header) entries(e entry) (int, error) {
	size := e.rows.size
	if h.Sequences {
		size -= 4 * int64(e.records)
	}
	if h.Layout == Dense {
		width := 8 * int64(h.Vocab.Len())
		if width == 0 || size < 0 || size%width != 0 || size/width != int64(e.rowCount) {
			return 0, damaged("a block of %d dense rows holds %d bytes", e.rowCount, e.rows.size)
		}
		return int(size / 8), nil
	}
	size -= 4 * int64(e.rowCount)
	width := int64(4)
	if h.Layout == Valued {
		width = 8
	}
	if size < 0 || size%width != 0 {
		return 0, damaged("a block of %d rows holds %d bytes", e.rowCount, e.rows.size)
	}
	return int(size / width), nil
}

// blockBuffer is the memory that rows are read into.
type blockBuffer struct {
	rows  sparse.Rows // its offsets, as steps, have a place in front that is set
	steps []int
}

// part returns the room of one block of several.
func (r blockBuffer) part(from, to spot) place {
	p := place{from: from, dim: r.rows.Dim}
	if r.steps != nil {
		p.steps = r.steps[from.record+1 : to.record+1]
	}
	if r.rows.Dense != nil {
		p.dense = r.rows.Dense[from.entry:to.entry]
		return p
	}
	p.ptr, p.index = r.rows.Ptr[from.row+1:to.row+1], r.rows.Index[from.entry:to.entry]
	if r.rows.Value != nil {
		p.value = r.rows.Value[from.entry:to.entry]
	}
	return p
}

// spot is where a block begins.
type spot struct{ record, row, entry int }

// place is the room of one block: offsets behind the first.
type place struct {
	from       spot
	dim        int
	steps, ptr []int
	index      []uint32
	value      []float32
	dense      []float64
}

// newBlockBuffer makes memory for rows.
func (h Header) newBlockBuffer(records, rows, entries int) blockBuffer {
	return h.fitted(blockBuffer{}, records, rows, entries)
}

// fitted returns a room for rows, in the memory of an old one where that is
// large enough.
func (h Header) fitted(old blockBuffer, records, rows, entries int) blockBuffer {
	r := blockBuffer{rows: sparse.Rows{Dim: h.Vocab.Len()}}
	if h.Sequences {
		r.steps = again(old.steps, records+1)
		r.steps[0] = 0
	}
	if h.Layout == Dense {
		r.rows.Dense = again(old.rows.Dense, entries)
		return r
	}
	r.rows.Ptr, r.rows.Index = again(old.rows.Ptr, rows+1), again(old.rows.Index, entries)
	r.rows.Ptr[0] = 0
	if h.Layout == Valued {
		r.rows.Value = again(old.rows.Value, entries)
	}
	return r
}

// again returns a list of n things of any value, never nil: that there is a list tells
// what rows are stored as, though it is empty.
func again[T any](old []T, n int) []T {
	if old == nil || cap(old) < n {
		return pages.Make[T](n)
	}
	return old[:n]
}

// fill reads the rows of a block into a place of the right size and checks them.
func (p place) fill(c *checked, h Header, e entry) error {
	if h.Sequences {
		n, err := c.offsets(p.steps, p.from.row)
		if err != nil {
			return err
		}
		if n != e.rowCount {
			return damaged("the steps of a block do not add up")
		}
	}
	if h.Layout == Dense {
		if err := c.read(view(p.dense)); err != nil {
			return err
		}
		arrived(p.dense)
		return c.check(e.rows)
	}
	return p.fillSparse(c, e)
}

func (p place) fillSparse(c *checked, e entry) error {
	n, err := c.offsets(p.ptr, p.from.entry)
	if err != nil {
		return err
	}
	if n != len(p.index) {
		return damaged("a block of %d entries has room for %d", n, len(p.index))
	}
	if err := c.read(view(p.index)); err != nil {
		return err
	}
	arrived(p.index)
	if most := kernel.Largest(p.index); len(p.index) > 0 && int(most) >= p.dim {
		return damaged("feature %d of %d", most, p.dim)
	}
	if err := c.read(view(p.value)); err != nil {
		return err
	}
	arrived(p.value)
	return c.check(e.rows)
}

// checked reads a part of the file from front to back and adds up its checksum.
type checked struct {
	r       io.ReaderAt
	at      int64
	crc     uint32
	scratch []byte
}

// readPiece is read at a time, so that the checksum finds it in the cache.
const readPiece = 256 << 10

func (c *checked) read(b []byte) error {
	for len(b) > 0 {
		piece := b[:min(len(b), readPiece)]
		if _, err := c.r.ReadAt(piece, c.at); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				return damaged("it ends too early")
			}
			return fmt.Errorf("dataset: %w", err)
		}
		c.crc = crc32.Update(c.crc, castagnoli, piece)
		c.at += int64(len(piece))
		b = b[len(piece):]
	}
	return nil
}

// offsets reads a length for each of ends, sets it to where that many things end
// behind first, and returns how many there are in all.
func (c *checked) offsets(ends []int, first int) (int, error) {
	n := 4 * len(ends)
	if cap(c.scratch) < n {
		c.scratch = make([]byte, n)
	}
	b := c.scratch[:n]
	if err := c.read(b); err != nil {
		return 0, err
	}
	sum := first
	for i := range ends {
		sum += int(binary.LittleEndian.Uint32(b[4*i:]))
		ends[i] = sum
	}
	return sum - first, nil
}

func (c *checked) check(p part) error {
	if c.crc != p.crc {
		return damaged("the checksum of %d bytes at %d is wrong", p.size, p.at)
	}
	return nil
}

// appendNames writes the ids and side columns of records lo to hi-1.
func appendNames(b []byte, d *Dataset, lo, hi int) []byte {
	if d.IDs != nil {
		for _, id := range d.IDs[lo:hi] {
			b = appendString(b, id)
		}
	}
	for _, s := range d.Side {
		for _, v := range s.Values[lo:hi] {
			b = appendString(b, v)
		}
	}
	return b
}

// readNames fills lists, the ids and side columns of a block, from its bytes,
// which they keep.
func readNames(b []byte, lists [][]string) error {
	s := text(b)
	for _, list := range lists {
		for i := range list {
			if len(s) > 0 && s[0] < 0x80 && int(s[0]) < len(s) { // nearly all names
				n := int(s[0]) + 1
				list[i], s = s[1:n], s[n:]
				continue
			}
			c := cursor{s: s}
			if list[i] = c.string(); c.bad {
				return damaged("the ids of a block do not make sense")
			}
			s = c.s
		}
	}
	if len(s) != 0 {
		return damaged("the ids of a block do not make sense")
	}
	return nil
}
