package dataset

import (
	"encoding/binary"
	"math"

	"github.com/moiety-go/moiety/sparse"
)

// The rows of a block are, in this order: the number of rows of every record
// (sequences only), the number of entries of every row, the indices, the values
// (uint32, uint32, uint32, float32); or the numbers of dense rows (float64).

// appendRows writes the rows of a block; steps is nil where each row is a
// record, and need not start at 0.
func appendRows(b []byte, r sparse.Rows, steps []int) []byte {
	le := binary.LittleEndian
	for i := 1; i < len(steps); i++ {
		b = le.AppendUint32(b, uint32(steps[i]-steps[i-1]))
	}
	if r.IsDense() {
		for _, v := range r.Dense {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	for i := range r.N() {
		b = le.AppendUint32(b, uint32(r.Ptr[i+1]-r.Ptr[i]))
	}
	lo, hi := 0, 0
	if len(r.Ptr) > 0 {
		lo, hi = r.Ptr[0], r.Ptr[len(r.Ptr)-1]
	}
	for _, h := range r.Index[lo:hi] {
		b = le.AppendUint32(b, h)
	}
	if r.Value != nil {
		for _, v := range r.Value[lo:hi] {
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}

// decodeRows reads the rows of a block. Every length is checked against the
// bytes at hand before anything is made.
func decodeRows(b []byte, h Header, e entry) (r sparse.Rows, steps []int, err error) {
	r.Dim = h.Vocab.Len()
	if h.Sequences {
		if len(b)/4 < e.records {
			return r, nil, damaged("a block of %d sequences holds %d bytes", e.records, len(b))
		}
		steps, b = offsets(b, e.records)
		if steps[e.records] != e.rowCount {
			return r, nil, damaged("the steps of a block do not add up")
		}
	}
	if h.Layout == Dense {
		if width := 8 * r.Dim; width == 0 || len(b)%width != 0 || len(b)/width != e.rowCount {
			return r, nil, damaged("a block of %d dense rows holds %d bytes", e.rowCount, len(b))
		}
		r.Dense = make([]float64, e.rowCount*r.Dim)
		floats64(r.Dense, b)
		return r, steps, nil
	}
	return decodeSparse(r, steps, b, h, e)
}

func decodeSparse(r sparse.Rows, steps []int, b []byte, h Header, e entry) (sparse.Rows, []int, error) {
	if len(b)/4 < e.rowCount {
		return r, nil, damaged("a block of %d rows holds %d bytes", e.rowCount, len(b))
	}
	r.Ptr, b = offsets(b, e.rowCount)
	nnz, width := r.Ptr[e.rowCount], 4
	if h.Layout == Valued {
		width = 8
	}
	if len(b)%width != 0 || len(b)/width != nnz {
		return r, nil, damaged("a block of %d entries holds %d bytes", nnz, len(b))
	}
	r.Index = make([]uint32, nnz)
	if most := uints32(r.Index, b); nnz > 0 && int(most) >= r.Dim {
		return r, nil, damaged("feature %d of %d", most, r.Dim)
	}
	if h.Layout == Valued {
		r.Value = make([]float32, nnz)
		floats32(r.Value, b[4*nnz:])
	}
	return r, steps, nil
}

// offsets adds up n lengths.
func offsets(b []byte, n int) ([]int, []byte) {
	ptr := make([]int, n+1)
	at := 0
	for i := range n {
		at += int(binary.LittleEndian.Uint32(b[4*i:]))
		ptr[i+1] = at
	}
	return ptr, b[4*n:]
}

// The three loops below move the bulk of a block. Reading eight bytes at a time
// from a slice of known length leaves no bounds check in the loop.

// uints32 fills dst and returns the largest number.
func uints32(dst []uint32, b []byte) (most uint32) {
	var m0, m1 uint32
	i := 0
	for ; i+2 <= len(dst) && len(b) >= 8; i += 2 {
		u := binary.LittleEndian.Uint64(b)
		x, y := uint32(u), uint32(u>>32)
		dst[i], dst[i+1] = x, y
		m0, m1 = max(m0, x), max(m1, y)
		b = b[8:]
	}
	for ; i < len(dst); i++ {
		dst[i] = binary.LittleEndian.Uint32(b)
		m0 = max(m0, dst[i])
		b = b[4:]
	}
	return max(m0, m1)
}

func floats32(dst []float32, b []byte) {
	i := 0
	for ; i+2 <= len(dst) && len(b) >= 8; i += 2 {
		u := binary.LittleEndian.Uint64(b)
		dst[i], dst[i+1] = math.Float32frombits(uint32(u)), math.Float32frombits(uint32(u>>32))
		b = b[8:]
	}
	for ; i < len(dst); i++ {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
}

func floats64(dst []float64, b []byte) {
	for i := range dst {
		if len(b) < 8 {
			return
		}
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
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

// decodeNames reads the ids and side columns of a block.
func decodeNames(b []byte, h Header, records int) (ids []string, side []Side, err error) {
	c := cursor{b: b}
	column := func() []string {
		list := make([]string, records)
		for i := range list {
			list[i] = c.string()
		}
		return list
	}
	if h.IDs {
		ids = column()
	}
	for _, name := range h.Side {
		side = append(side, Side{Name: name, Values: column()})
	}
	if c.bad || len(c.b) != 0 {
		return nil, nil, damaged("the ids of a block do not make sense")
	}
	return ids, side, nil
}
