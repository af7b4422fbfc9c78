package dataset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A data set file, all numbers little-endian:
//
//	head     magic, version
//	blocks   for each run of pass.BlockRecords records: its rows, its names
//	meta     kind, layout, side columns, vocabulary, sizes
//	index    place, length and CRC-32C of the two parts of every block
//	foot     place, length and CRC-32C of meta and index; fingerprint; magic
//
// Rows and names stand apart so that a pass reads numbers only. The fingerprint
// is the SHA-256 of the SHA-256 of every block and of the meta part: it identifies the
// content, wherever it is kept, and blocks are hashed on all cores. In files of version 1
// it is that of the bytes of all blocks.
const (
	magic    = "moietyDS"
	version  = 2
	headSize = 16
	footSize = 2*20 + 32 + 4 + 8

	indexEntry = 2*20 + 8
)

// ErrDamaged is wrapped by the errors of files whose content does not fit its
// checksums.
var ErrDamaged = errors.New("the file is damaged or cut short")

func damaged(format string, args ...any) error {
	return fmt.Errorf("dataset: %w: %s; make it again from the data", ErrDamaged, fmt.Sprintf(format, args...))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Layout is the way rows are kept, see package sparse.
type Layout int

// Layouts of rows.
const (
	Binary Layout = iota
	Valued
	Dense
)

func (l Layout) String() string { return [...]string{"binary", "valued", "dense"}[l] }

// LayoutOf returns the layout of rows.
func LayoutOf(r sparse.Rows) Layout {
	switch {
	case r.IsDense():
		return Dense
	case r.IsBinary():
		return Binary
	}
	return Valued
}

// Header says what a data set file holds besides its records.
type Header struct {
	Kind      record.Kind
	Layout    Layout
	Vocab     *vocab.Vocab
	Side      []string // names of the side columns
	IDs       bool     // records have ids of their own
	Sequences bool     // records are sequences of rows
}

// Describe implements Data.
func (d *Dataset) Describe() Header {
	h := Header{Kind: d.Kind, Layout: LayoutOf(d.Rows), Vocab: d.Vocab, IDs: d.IDs != nil, Sequences: d.Steps != nil}
	for _, s := range d.Side {
		h.Side = append(h.Side, s.Name)
	}
	return h
}

// part is a checked run of bytes in the file.
type part struct {
	at, size int64
	crc      uint32
}

func (p part) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(p.at))
	b = binary.LittleEndian.AppendUint64(b, uint64(p.size))
	return binary.LittleEndian.AppendUint32(b, p.crc)
}

func readPart(b []byte) (part, []byte) {
	return part{
		int64(binary.LittleEndian.Uint64(b)),
		int64(binary.LittleEndian.Uint64(b[8:])),
		binary.LittleEndian.Uint32(b[16:]),
	}, b[20:]
}

// entry is one block in the index.
type entry struct {
	rows, names part
	records     int
	rowCount    int
	before      int // rows of the blocks before
}

// appendMeta writes the meta part; it is part of the fingerprint.
func (h Header) appendMeta(b []byte, records, rows int) []byte {
	for _, n := range []int{int(h.Kind), int(h.Layout), boolean(h.IDs), boolean(h.Sequences), records, rows} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = appendStrings(b, h.Side)
	b = appendString(b, h.Vocab.System)
	b = appendStrings(b, h.Vocab.Names)
	b = binary.AppendUvarint(b, uint64(boolean(h.Vocab.Titles != nil)))
	if h.Vocab.Titles != nil {
		b = appendStrings(b, h.Vocab.Titles)
	}
	b = binary.AppendUvarint(b, uint64(len(h.Vocab.Columns)))
	for _, c := range h.Vocab.Columns {
		b = appendString(b, c.Name)
		for _, n := range []int{int(c.Kind), c.From, c.To} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readMeta reads the meta part back.
func readMeta(b []byte) (h Header, records, rows int, err error) {
	c := cursor{s: string(b)}
	kind, layout := c.int(), c.int()
	if kind > int(record.Text) || layout > int(Dense) {
		return h, 0, 0, damaged("kind %d, layout %d", kind, layout)
	}
	h = Header{Kind: record.Kind(kind), Layout: Layout(layout), IDs: c.int() == 1, Sequences: c.int() == 1}
	records, rows = c.int(), c.int()
	h.Side = c.strings()
	v := &vocab.Vocab{System: c.string(), Names: c.strings()}
	if c.int() == 1 {
		v.Titles = c.strings()
	}
	for n := c.int(); n > 0 && !c.bad; n-- {
		v.Columns = append(v.Columns, vocab.Column{Name: c.string(), Kind: vocab.Kind(c.int()), From: c.int(), To: c.int()})
	}
	h.Vocab = v
	for _, c := range v.Columns {
		if c.Kind > vocab.Categorical || c.From > c.To || c.To > len(v.Names) {
			return h, 0, 0, damaged("column %q has features %d to %d of %d", c.Name, c.From, c.To, len(v.Names))
		}
	}
	if c.bad || len(c.s) != 0 || v.Titles != nil && len(v.Titles) != len(v.Names) {
		return h, 0, 0, damaged("its description does not make sense")
	}
	return h, records, rows, nil
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

// cursor reads what the append functions wrote; bad is set at the first thing
// that does not fit, and everything after it is empty. Strings are parts of s.
type cursor struct {
	s   string
	bad bool
}

func (c *cursor) int() int {
	if len(c.s) > 0 && c.s[0] < 0x80 {
		n := int(c.s[0])
		c.s = c.s[1:]
		return n
	}
	n, used := binary.Uvarint([]byte(c.s[:min(len(c.s), binary.MaxVarintLen64)]))
	if used <= 0 || n > math.MaxInt64/2 {
		c.s, c.bad = "", true
		return 0
	}
	c.s = c.s[used:]
	return int(n)
}

func (c *cursor) string() string {
	n := c.int()
	if n > len(c.s) {
		c.s, c.bad = "", true
		return ""
	}
	s := c.s[:n]
	c.s = c.s[n:]
	return s
}

func (c *cursor) strings() []string {
	n := c.int()
	if n > len(c.s) { // every string takes at least one byte
		c.s, c.bad = "", true
	}
	if n == 0 || c.bad {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = c.string()
	}
	return list
}
