// Package xz reads files of the compressor xz: blocks of LZMA2, with checksums.
//
// It takes a reader of compressed bytes and gives a reader of plain ones. The
// dictionary grows with the data and is bounded, so that a header can claim
// nothing. Filters for programs (x86 and the like), which nobody has on data, are
// refused. docs/decisions/0037 says why it is written here.
//
// Step in the flow: below source. It must not know what the bytes mean.
package xz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

// Magic are the first bytes of a file.
const Magic = "\xfd7zXZ\x00"

// Errors of Read.
var (
	ErrDamaged = errors.New("xz: the archive is damaged")
	ErrLarge   = errors.New("xz: the archive needs a dictionary of more than 256 MB")
	ErrFilter  = errors.New("xz: the archive was made with a filter that is not read; pack it again with xz alone")
)

// maxDictionary bounds the memory of one stream; the highest preset of xz takes
// 64 MB.
const maxDictionary = 256 << 20

// Reader gives the plain bytes.
type Reader struct {
	r      *bufio.Reader
	n      int64 // compressed bytes of the block so far
	check  byte  // kind of checksum
	sum    hash.Hash
	made   int64 // plain bytes of the block so far
	block  header
	inside bool // a block is being read
	blocks int64
	w      window
	m      model
	c      coder
	ready  bool // the model has properties
	fresh  bool // and was begun
	chunk  []byte
	at     int // of w.out
	err    error
}

// NewReader reads the header of the first stream.
func NewReader(r io.Reader) (*Reader, error) {
	x := &Reader{r: bufio.NewReaderSize(r, 64<<10)}
	return x, x.stream()
}

// Read is io.Reader.
func (x *Reader) Read(p []byte) (int, error) {
	for x.at == len(x.w.out) {
		if x.err != nil {
			return 0, x.err
		}
		x.w.out, x.at = x.w.out[:0], 0
		if x.err = x.step(); x.err != nil && x.err != io.EOF {
			x.err = word(x.err)
			x.w.out = x.w.out[:0]
		}
	}
	n := copy(p, x.w.out[x.at:])
	x.at += n
	return n, nil
}

// word tells damage from errors of the machine.
func word(err error) error {
	switch {
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrDamaged, io.ErrUnexpectedEOF)
	case errors.Is(err, errData):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// stream reads the header of a stream.
func (x *Reader) stream() error {
	var h [12]byte
	if _, err := io.ReadFull(x.r, h[:]); err != nil {
		return word(err)
	}
	if string(h[:6]) != Magic || crc32.ChecksumIEEE(h[6:8]) != binary.LittleEndian.Uint32(h[8:]) || h[6] != 0 || h[7]&0xf0 != 0 {
		return ErrDamaged
	}
	x.check, x.blocks, x.inside = h[7], 0, false
	return nil
}

// step goes on: a block, a chunk of one, or the end of a stream.
func (x *Reader) step() error {
	if x.inside {
		return x.next()
	}
	size, err := x.r.ReadByte()
	if err != nil {
		return unexpected(err)
	}
	if size == 0 {
		return x.index()
	}
	if x.block, err = x.header(size); err != nil {
		return err
	}
	x.w.limit = int(x.block.dictionary)
	x.w.ring = nil
	x.w.reset()
	x.n, x.made, x.inside, x.ready, x.fresh = 0, 0, true, false, false
	x.blocks++
	x.sum = newSum(x.check)
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func newSum(kind byte) hash.Hash {
	switch kind {
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	}
	return nil // none, or one that is stepped over
}

// sumSizes are the bytes of the kinds of checksums.
var sumSizes = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// header is what a block says of itself.
type header struct {
	packed, plain int64 // -1: not said
	dictionary    uint32
}

func (x *Reader) header(size byte) (h header, err error) {
	buf := make([]byte, (int(size)+1)*4)
	buf[0] = size
	if _, err := io.ReadFull(x.r, buf[1:]); err != nil {
		return h, unexpected(err)
	}
	body := buf[:len(buf)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(buf[len(body):]) || body[1]&0x3c != 0 {
		return h, errData
	}
	h.packed, h.plain = -1, -1
	r := bytes.NewReader(body[2:])
	if body[1]&0x40 != 0 {
		h.packed = number(r)
	}
	if body[1]&0x80 != 0 {
		h.plain = number(r)
	}
	const lzma2 = 0x21
	if id := number(r); body[1]&3 != 0 || id != lzma2 {
		return h, ErrFilter
	}
	length := number(r)
	bits, err := r.ReadByte()
	if length != 1 || err != nil || bits > 40 {
		return h, errData
	}
	if bits == 40 || (2|uint64(bits&1))<<(bits/2+11) > maxDictionary {
		return h, ErrLarge
	}
	h.dictionary = (2 | uint32(bits&1)) << (bits/2 + 11)
	return h, nil
}

// number reads a number of seven bits a byte; -1 where there is none.
func number(r io.ByteReader) (n int64) {
	for shift := 0; shift < 63; shift += 7 {
		b, err := r.ReadByte()
		if err != nil {
			return -1
		}
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	return -1
}

// index steps over the list of blocks at the end of a stream, and its foot; more
// streams may follow, after zeros.
func (x *Reader) index() error {
	c := &counted{r: x.r, n: 1}
	if n := number(c); n != x.blocks {
		return errData
	}
	for range 2 * x.blocks {
		if number(c) < 0 {
			return errData
		}
	}
	rest := (4-c.n%4)%4 + 4 + 12
	if _, err := x.r.Discard(int(rest)); err != nil {
		return unexpected(err)
	}
	for {
		next, err := x.r.Peek(4)
		if len(next) == 0 && err == io.EOF {
			return io.EOF
		}
		if err != nil {
			return unexpected(err)
		}
		if !bytes.Equal(next, []byte{0, 0, 0, 0}) {
			return x.stream()
		}
		if _, err := x.r.Discard(4); err != nil {
			return err
		}
	}
}

// counted counts the bytes that are read.
type counted struct {
	r io.ByteReader
	n int64
}

func (c *counted) ReadByte() (byte, error) {
	c.n++
	return c.r.ReadByte()
}

// end checks a block that is over.
func (x *Reader) end() error {
	x.inside = false
	if x.block.packed >= 0 && x.block.packed != x.n || x.block.plain >= 0 && x.block.plain != x.made {
		return errData
	}
	foot := make([]byte, int((4-x.n%4)%4)+sumSizes[x.check])
	if _, err := io.ReadFull(x.r, foot); err != nil {
		return unexpected(err)
	}
	if x.sum == nil {
		return nil
	}
	want := foot[len(foot)-sumSizes[x.check]:]
	got := x.sum.Sum(nil) // the highest byte first, and stored the lowest first
	for i := range got {
		if got[len(got)-1-i] != want[i] {
			return errData
		}
	}
	return nil
}

// next reads a chunk of LZMA2: bytes as they are, or compressed ones.
func (x *Reader) next() error {
	control, err := x.r.ReadByte()
	if err != nil {
		return unexpected(err)
	}
	x.n++
	switch {
	case control == 0:
		return x.end()
	case control == 1 || control == 2:
		err = x.plainChunk(control == 1)
	case control >= 0x80:
		err = x.packedChunk(control)
	default:
		return errData
	}
	if err != nil {
		return err
	}
	x.made += int64(len(x.w.out))
	if x.sum != nil {
		x.sum.Write(x.w.out)
	}
	return nil
}

// take reads n bytes of the block.
func (x *Reader) take(n int) ([]byte, error) {
	if cap(x.chunk) < n {
		x.chunk = make([]byte, n)
	}
	x.chunk = x.chunk[:n]
	_, err := io.ReadFull(x.r, x.chunk)
	x.n += int64(n)
	return x.chunk, unexpected(err)
}

func (x *Reader) plainChunk(forget bool) error {
	size, err := x.take(2)
	if err != nil {
		return err
	}
	if forget {
		x.w.reset()
	} else if x.w.total == 0 && x.made == 0 {
		return errData
	}
	data, err := x.take(int(binary.BigEndian.Uint16(size)) + 1)
	if err != nil {
		return err
	}
	for _, b := range data {
		x.w.put(b)
	}
	return nil
}

func (x *Reader) packedChunk(control byte) error {
	h, err := x.take(4)
	if err != nil {
		return err
	}
	plain := int(control&0x1f)<<16 + int(binary.BigEndian.Uint16(h)) + 1
	packed := int(binary.BigEndian.Uint16(h[2:])) + 1
	mode := control >> 5 & 3
	if mode >= 2 {
		p, err := x.take(1)
		if err != nil {
			return err
		}
		if !x.m.properties(p[0]) {
			return errData
		}
		x.ready = true
	}
	if mode == 3 {
		x.w.reset()
	}
	if mode >= 1 && x.ready {
		x.m.reset()
		x.fresh = true
	}
	if !x.ready || !x.fresh || mode < 3 && x.made == 0 {
		return errData
	}
	data, err := x.take(packed)
	if err != nil {
		return err
	}
	if !x.c.begin(data) {
		return errData
	}
	return x.m.decode(&x.c, &x.w, plain)
}
