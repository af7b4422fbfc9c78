package parquet

import (
	"encoding/binary"
	"math"
	"slices"
)

// Values are values of one column, without nulls: numbers as 64 bits (truth
// values as 0 and 1, floating-point numbers as their bits, of 32 for a Float),
// everything else as bytes. One of the two is empty.
type Values struct {
	Ints  []int64
	Bytes [][]byte
}

// values reads the values of one page in order.
type values interface {
	// next appends n values.
	next(to *Batch, n int) error
}

// encoding is how values are laid out in a page.
type encoding int32

// Encodings, as they are numbered in files.
const (
	plain            encoding = 0
	plainDictionary  encoding = 2
	runLengths       encoding = 3
	deltaBinary      encoding = 5
	deltaLength      encoding = 6
	deltaByteArray   encoding = 7
	indexed          encoding = 8
	byteStreamsSplit encoding = 9
)

// newValues returns a reader of the values of a page, of which there are at most
// n. The bytes stay in use as long as the values do.
func (c *Column) newValues(e encoding, raw []byte, n int, dict *Values) (values, error) {
	switch {
	case e == plain:
		return c.newPlain(raw), nil
	case (e == plainDictionary || e == indexed) && dict != nil:
		return newIndices(raw, dict)
	case e == runLengths && c.Type == Boolean:
		return newRunBooleans(raw)
	case e == deltaBinary && (c.Type == Int32 || c.Type == Int64):
		d, err := newDelta(raw, n)
		return &deltaInts{d, c.Type == Int32}, err
	case e == deltaLength && c.Type == ByteArray:
		return newDeltaLengths(raw, n)
	case e == deltaByteArray && (c.Type == ByteArray || c.Type == FixedByteArray):
		return newDeltaBytes(c, raw, n)
	case e == byteStreamsSplit && c.width() > 0:
		return newSplit(c, raw)
	case e == plainDictionary || e == indexed:
		return nil, damaged("a page needs a dictionary, and there is none")
	}
	return nil, damaged("a page is written in no known way (%d)", e)
}

func (c *Column) newPlain(raw []byte) values {
	switch {
	case c.Type == Boolean:
		return &plainBooleans{bitReader{raw: raw}}
	case c.Type == ByteArray:
		return &plainBytes{raw}
	case c.Type.isBytes():
		return &plainFixed{raw, c.Size}
	}
	return &plainInts{raw, c.width()}
}

type plainInts struct {
	raw   []byte
	width int
}

func (p *plainInts) next(to *Batch, n int) error {
	if n > len(p.raw)/p.width {
		return errEnds
	}
	raw := p.raw[:n*p.width]
	p.raw, to.Ints = p.raw[len(raw):], slices.Grow(to.Ints, n)
	if p.width == 4 {
		for ; len(raw) > 0; raw = raw[4:] {
			to.Ints = append(to.Ints, int64(int32(binary.LittleEndian.Uint32(raw))))
		}
		return nil
	}
	for ; len(raw) > 0; raw = raw[8:] {
		to.Ints = append(to.Ints, int64(binary.LittleEndian.Uint64(raw)))
	}
	return nil
}

type plainBooleans struct{ bits bitReader }

func (p *plainBooleans) next(to *Batch, n int) error {
	if n > 8*len(p.bits.raw)-p.bits.at {
		return errEnds
	}
	for range n {
		to.Ints = append(to.Ints, int64(p.bits.next(1)))
	}
	return nil
}

// plainBytes have their length in front.
type plainBytes struct{ raw []byte }

func (p *plainBytes) next(to *Batch, n int) error {
	const length = 4
	for range n {
		if len(p.raw) < length {
			return errEnds
		}
		size := uint64(binary.LittleEndian.Uint32(p.raw))
		if p.raw = p.raw[length:]; size > uint64(len(p.raw)) {
			return errEnds
		}
		to.Bytes = append(to.Bytes, p.raw[:size:size])
		p.raw = p.raw[size:]
	}
	return nil
}

type plainFixed struct {
	raw  []byte
	size int
}

func (p *plainFixed) next(to *Batch, n int) error {
	if n > len(p.raw)/p.size {
		return errEnds
	}
	for range n {
		to.Bytes = append(to.Bytes, p.raw[:p.size:p.size])
		p.raw = p.raw[p.size:]
	}
	return nil
}

// indices are places in a dictionary: their width, and they themselves.
type indices struct {
	*hybrid
	size uint32
}

func newIndices(raw []byte, dict *Values) (values, error) {
	if len(raw) == 0 { // of a page of nulls
		raw = []byte{0}
	}
	h, err := newHybrid(raw[1:], int(raw[0]))
	size := min(len(dict.Ints)+len(dict.Bytes), math.MaxUint32)
	return &indices{h, uint32(size)}, err
}

func (x *indices) next(to *Batch, n int) error {
	at := len(to.Index)
	to.Index = slices.Grow(to.Index, n)[:at+n]
	if err := fill(x.hybrid, to.Index[at:]); err != nil {
		return err
	}
	for _, i := range to.Index[at:] {
		if i >= x.size {
			return damaged("a page names word %d of a dictionary of %d", i, x.size)
		}
	}
	return nil
}

// runBooleans are truth values in runs, with their length in front.
type runBooleans struct {
	*hybrid
	buffer [batchSize]uint8
}

func newRunBooleans(raw []byte) (values, error) {
	raw, _, err := prefixed(raw)
	return &runBooleans{hybrid: &hybrid{raw: raw, width: 1}}, err
}

func (r *runBooleans) next(to *Batch, n int) error {
	if err := fill(r.hybrid, r.buffer[:n]); err != nil {
		return err
	}
	for _, b := range r.buffer[:n] {
		to.Ints = append(to.Ints, int64(b&1))
	}
	return nil
}

// prefixed returns the bytes whose length stands in front, and those behind.
func prefixed(raw []byte) (block, rest []byte, err error) {
	const length = 4
	if len(raw) < length {
		return nil, nil, errEnds
	}
	size := uint64(binary.LittleEndian.Uint32(raw))
	if raw = raw[length:]; size > uint64(len(raw)) {
		return nil, nil, errEnds
	}
	return raw[:size], raw[size:], nil
}
