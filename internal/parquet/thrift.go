package parquet

import (
	"encoding/binary"
	"errors"
)

// wire is how a field is stored in Thrift's compact protocol.
type wire byte

const (
	wireStop wire = iota
	wireTrue
	wireFalse
	wireByte
	wireInt16
	wireInt32
	wireInt64
	wireDouble
	wireBinary
	wireList
	wireSet
	wireMap
	wireStruct
	wireUUID
)

// maxNesting bounds structures in structures; the format itself needs six.
const maxNesting = 32

var (
	errShort     = errors.New("metadata end too early")
	errMalformed = errors.New("metadata are not readable")
)

// decoder reads Thrift's compact protocol. Its first error stays, and from then
// on it gives zeros; every loop over its contents ends, as it has no bytes left.
type decoder struct {
	b     []byte
	depth int
	err   error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

// take returns the next n bytes.
func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) byte() byte {
	if b := d.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (d *decoder) varint() uint64 {
	v, n := binary.Uvarint(d.b)
	switch {
	case n == 0:
		d.fail(errShort)
		return 0
	case n < 0:
		d.fail(errMalformed)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) zigzag() int64 {
	v := d.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// int reads a number of any width.
func (d *decoder) int(w wire) int64 {
	switch w {
	case wireByte:
		return int64(int8(d.byte()))
	case wireInt16, wireInt32, wireInt64:
		return d.zigzag()
	}
	d.fail(errMalformed)
	return 0
}

// int32 reads a number that has 32 bits.
func (d *decoder) int32(w wire) int32 {
	v := d.int(w)
	if v != int64(int32(v)) {
		d.fail(errMalformed)
		return 0
	}
	return int32(v)
}

// bool reads a truth value of a field, which is in its type.
func (d *decoder) bool(w wire) bool {
	if w != wireTrue && w != wireFalse {
		d.fail(errMalformed)
	}
	return w == wireTrue
}

func (d *decoder) string(w wire) string {
	if w != wireBinary {
		d.fail(errMalformed)
		return ""
	}
	return string(d.take(d.varint()))
}

// structure calls each for the fields of a structure; it must read the field or
// skip it.
func (d *decoder) structure(w wire, each func(id int64, w wire)) {
	if d.depth++; w != wireStruct || d.depth > maxNesting {
		d.fail(errMalformed)
	}
	id := int64(0)
	for d.err == nil {
		head := d.byte()
		w := wire(head & 15)
		if w == wireStop || d.err != nil {
			break
		}
		if step := head >> 4; step > 0 {
			id += int64(step)
		} else {
			id = d.zigzag()
		}
		each(id, w)
	}
	d.depth--
}

// list calls each for the elements of a list. Each element has a byte at least.
func (d *decoder) list(w wire, each func(w wire)) {
	if d.depth++; w != wireList && w != wireSet || d.depth > maxNesting {
		d.fail(errMalformed)
	}
	head := d.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = d.varint()
	}
	if n > uint64(len(d.b)) {
		d.fail(errShort)
	}
	for ; n > 0 && d.err == nil; n-- {
		each(wire(head & 15))
	}
	d.depth--
}

// skip passes over a field of a structure.
func (d *decoder) skip(w wire) {
	if w != wireTrue && w != wireFalse {
		d.skipElement(w)
	}
}

// skipElement passes over an element of a list, where truth values have a byte.
func (d *decoder) skipElement(w wire) {
	switch w {
	case wireTrue, wireFalse, wireByte:
		d.take(1)
	case wireInt16, wireInt32, wireInt64:
		d.varint()
	case wireDouble:
		d.take(8)
	case wireBinary:
		d.take(d.varint())
	case wireUUID:
		d.take(16)
	case wireList, wireSet:
		d.list(w, d.skipElement)
	case wireStruct:
		d.structure(w, func(_ int64, w wire) { d.skip(w) })
	case wireMap:
		d.skipMap()
	default:
		d.fail(errMalformed)
	}
}

func (d *decoder) skipMap() {
	n := d.varint()
	if n == 0 {
		return
	}
	if d.depth++; d.depth > maxNesting {
		d.fail(errMalformed)
	}
	kinds := d.byte()
	for ; n > 0 && d.err == nil; n-- {
		d.skipElement(wire(kinds >> 4))
		d.skipElement(wire(kinds & 15))
	}
	d.depth--
}

// encoder writes Thrift's compact protocol: the fields of a structure in rising
// order, its end behind them.
type encoder struct {
	b    []byte
	last []int64 // the field written last, of every open structure
}

func (e *encoder) field(id int64, w wire) {
	top := &e.last[len(e.last)-1]
	e.b = append(e.b, byte(id-*top)<<4|byte(w))
	*top = id
}

func (e *encoder) varint(v uint64)        { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) zigzag(v int64)         { e.varint(uint64(v)<<1 ^ uint64(v>>63)) }
func (e *encoder) begin()                 { e.last = append(e.last, 0) }
func (e *encoder) end()                   { e.b, e.last = append(e.b, 0), e.last[:len(e.last)-1] }
func (e *encoder) text(s string)          { e.varint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) sub(id int64)           { e.field(id, wireStruct); e.begin() }
func (e *encoder) empty(id int64)         { e.sub(id); e.end() }
func (e *encoder) str(id int64, s string) { e.field(id, wireBinary); e.text(s) }
func (e *encoder) i32(id, v int64)        { e.field(id, wireInt32); e.zigzag(v) }
func (e *encoder) i64(id, v int64)        { e.field(id, wireInt64); e.zigzag(v) }

func (e *encoder) list(id int64, of wire, n int) {
	e.field(id, wireList)
	if n < 15 {
		e.b = append(e.b, byte(n)<<4|byte(of))
		return
	}
	e.b = append(e.b, 15<<4|byte(of))
	e.varint(uint64(n))
}
