package parquet

import (
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
)

// batchSize is the most entries of a batch.
const batchSize = 1024

// Batch is a piece of a column: as many levels as it has entries (N), and the
// values of those that are there.
type Batch struct {
	N int
	// Rep and Def are the levels; nil where all are 0, and all are MaxDef.
	Rep, Def []uint8
	Values
	// Index holds places in Dict instead of values, where a page has a dictionary.
	Index []uint32
	Dict  *Values
}

// Reader reads a column of a row group from its first value to its last. Memory
// is that of one page and the dictionary.
type Reader struct {
	file *File
	col  *Column
	rows int64 // of the row group

	chunk
	at, end int64   // in the file
	seen    int64   // rows so far
	words   *Values // the dictionary

	header, stored, unpacked []byte // buffers
	rep, def                 *hybrid
	page                     values
	left                     int // entries of the page
	batch                    Batch
}

// Read returns a reader of a column of a row group.
func (f *File) Read(groupNumber, column int) *Reader {
	g := &f.groups[groupNumber]
	c := g.chunks[column]
	r := &Reader{file: f, col: &f.Columns[column], rows: g.rows, chunk: c, at: c.start(), end: c.start() + c.bytes}
	if r.col.MaxRep > 0 {
		r.batch.Rep = make([]uint8, batchSize)
	}
	if r.col.MaxDef > 0 {
		r.batch.Def = make([]uint8, batchSize)
	}
	return r
}

// Next returns the next batch, which holds until the next call; io.EOF behind
// the last.
func (r *Reader) Next() (*Batch, error) {
	for r.left == 0 {
		if r.values == 0 {
			return nil, r.whole()
		}
		if err := r.nextPage(); err != nil {
			return nil, r.named(err)
		}
	}
	if err := r.fill(min(r.left, batchSize)); err != nil {
		return nil, r.named(err)
	}
	return &r.batch, nil
}

// whole reports the end of a column that has as many rows as its group.
func (r *Reader) whole() error {
	if r.seen != r.rows {
		return r.named(damaged("it ends at row %d of %d", r.seen, r.rows))
	}
	return io.EOF
}

// named puts the column into an error of the file.
func (r *Reader) named(err error) error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return &Error{e.Reason, "column " + r.col.Name() + ": " + e.Words}
	}
	return err
}

// fill reads n entries of the page.
func (r *Reader) fill(n int) error {
	b := &r.batch
	b.N, b.Ints, b.Bytes, b.Index = n, b.Ints[:0], b.Bytes[:0], b.Index[:0]
	starts, there := n, n
	if r.rep != nil {
		b.Rep = b.Rep[:n]
		if err := r.levels(r.rep, b.Rep, r.col.MaxRep); err != nil {
			return err
		}
		starts = count(b.Rep, 0)
		if r.seen == 0 && b.Rep[0] != 0 {
			return damaged("its first row has no start")
		}
	}
	if r.def != nil {
		b.Def = b.Def[:n]
		if err := r.levels(r.def, b.Def, r.col.MaxDef); err != nil {
			return err
		}
		there = count(b.Def, r.col.MaxDef)
	}
	r.left -= n
	if r.seen += int64(starts); r.seen > r.rows {
		return damaged("it has more than the %d rows of its row group", r.rows)
	}
	return r.page.next(b, there)
}

func (r *Reader) levels(h *hybrid, out []uint8, most uint8) error {
	if err := fill(h, out); err != nil {
		return err
	}
	for _, l := range out {
		if l > most {
			return damaged("a level of %d where %d is the most", l, most)
		}
	}
	return nil
}

func count(levels []uint8, is uint8) (n int) {
	for _, l := range levels {
		if l == is {
			n++
		}
	}
	return n
}

// nextPage goes to the next page.
func (r *Reader) nextPage() error {
	if r.at >= r.end {
		return damaged("it ends at row %d of %d", r.seen, r.rows)
	}
	h, n, err := r.readHeader()
	if err != nil {
		return err
	}
	r.at += n
	if err := r.checkHeader(&h); err != nil {
		return err
	}
	stored := resize(&r.stored, int(h.stored))
	if err := readFull(r.file.from, stored, r.at); err != nil {
		return err
	}
	r.at += int64(h.stored)
	if h.checked && crc32.ChecksumIEEE(stored) != uint32(h.crc) {
		return damaged("a page has another checksum than it says")
	}
	switch h.kind {
	case dataPage:
		return r.openPage(&h, stored)
	case dataPageV2:
		return r.openPageV2(&h, stored)
	case dictionaryPage:
		return r.openDictionary(&h, stored)
	}
	return nil // an index: not needed
}

// unpack returns bytes that are h.unpacked less so many as they were before they
// were packed.
func (r *Reader) unpack(h *pageHeader, stored []byte, less int) ([]byte, error) {
	size := int(h.unpacked) - less
	if size < 0 {
		return nil, damaged("a page of %d bytes has levels of %d", h.unpacked, less)
	}
	if r.codec == uncompressed || h.asIs {
		if size != len(stored) {
			return nil, damaged("a page of %d bytes claims %d", len(stored), size)
		}
		return stored, nil
	}
	if size == 0 {
		return nil, nil
	}
	page := resize(&r.unpacked, size)
	return page, r.file.unpack(r.codec, page, stored)
}

// openPage opens a page whose levels are packed with its values.
func (r *Reader) openPage(h *pageHeader, stored []byte) error {
	raw, err := r.unpack(h, stored, 0)
	if err != nil {
		return err
	}
	if r.rep, raw, err = cutLevels(raw, r.col.MaxRep, h.repAs); err != nil {
		return err
	}
	if r.def, raw, err = cutLevels(raw, r.col.MaxDef, h.defAs); err != nil {
		return err
	}
	return r.begin(h, raw)
}

// cutLevels takes levels off the front of a page; there are none where all are 0.
func cutLevels(raw []byte, most uint8, as encoding) (*hybrid, []byte, error) {
	if most == 0 {
		return nil, raw, nil
	}
	if as != runLengths {
		return nil, nil, unread("its levels are written as before 2014; write the file again")
	}
	levels, rest, err := prefixed(raw)
	return levelsOf(levels, most), rest, err
}

// levelsOf returns a reader of levels, nil where all are 0.
func levelsOf(raw []byte, most uint8) *hybrid {
	if most == 0 {
		return nil
	}
	return &hybrid{raw: raw, width: bits.Len8(most)}
}

// openPageV2 opens a page whose levels stand in front of its values.
func (r *Reader) openPageV2(h *pageHeader, stored []byte) error {
	if h.rep < 0 || h.def < 0 || int64(h.rep)+int64(h.def) > int64(len(stored)) {
		return damaged("a page of %d bytes has levels of %d and %d", len(stored), h.rep, h.def)
	}
	rep, rest := stored[:h.rep], stored[h.rep:]
	def, rest := rest[:h.def], rest[h.def:]
	raw, err := r.unpack(h, rest, int(h.rep+h.def))
	if err != nil {
		return err
	}
	r.rep, r.def = levelsOf(rep, r.col.MaxRep), levelsOf(def, r.col.MaxDef)
	return r.begin(h, raw)
}

// begin sets out to read the values of a page.
func (r *Reader) begin(h *pageHeader, raw []byte) (err error) {
	r.left = int(h.values)
	r.values -= int64(h.values)
	r.batch.Dict = nil
	if h.encoding == plainDictionary || h.encoding == indexed {
		r.batch.Dict = r.words
	}
	r.page, err = r.col.newValues(h.encoding, raw, r.left, r.words)
	return err
}

// openDictionary reads the words that pages of this column name by their places.
func (r *Reader) openDictionary(h *pageHeader, stored []byte) error {
	if r.words != nil {
		return damaged("it has two dictionaries")
	}
	raw, err := r.unpack(h, stored, 0)
	if err != nil {
		return err
	}
	if h.encoding != plain && h.encoding != plainDictionary || r.col.Type == Boolean {
		return damaged("its dictionary is written in no known way (%d)", h.encoding)
	}
	least := r.col.width()
	if r.col.Type == ByteArray {
		least = 4 // its length
	}
	if int(h.values) > len(raw)/least {
		return damaged("a dictionary of %d bytes claims %d words", len(raw), h.values)
	}
	words := &Batch{}
	if err := r.col.newPlain(raw).next(words, int(h.values)); err != nil {
		return err
	}
	r.stored, r.unpacked = nil, nil // the words keep them
	r.words = &words.Values
	return nil
}

// resize returns n bytes of a buffer that is used again.
func resize(buffer *[]byte, n int) []byte {
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	*buffer = (*buffer)[:n]
	return *buffer
}
