package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/moiety-go/moiety/internal/durable"
	"github.com/moiety-go/moiety/internal/unfinished"
	"github.com/moiety-go/moiety/pass"
)

// Write writes a data set to a file: under a temporary name first, renamed when
// it is whole and on the disk.
func Write(path string, d *Dataset) error {
	if err := d.Check(); err != nil {
		return err
	}
	w, err := NewWriter(path, d.Describe())
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Append(d); err != nil {
		return err
	}
	return w.Close()
}

// CopyTo implements Data.
func (d *Dataset) CopyTo(out io.Writer) error {
	if err := d.Check(); err != nil {
		return err
	}
	w := newWriter("the data set", out, d.Describe())
	if err := w.Append(d); err != nil {
		return err
	}
	if w.end(); w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

// Writer writes a data set file block by block, in bounded memory.
type Writer struct {
	path    string
	f       *durable.Pending
	scratch *unfinished.Scratch // instead of f: of a data set without a name
	out     *bufio.Writer
	at      int64
	sum     *summer
	entries []entry
	rest    *Dataset // records that do not fill a block yet
	err     error
}

// NewWriter starts a file; Close finishes it. Nobody but its owner may read it.
func NewWriter(path string, h Header) (*Writer, error) {
	if h.Vocab == nil {
		return nil, errors.New("dataset: Header.Vocab is nil, want the names of the features")
	}
	f, err := durable.NewPending(durable.OS{}, path, 0o600)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	w := newWriter(path, f, h)
	w.f = f
	return w, w.err
}

// NewScratch starts a data set that is for this process alone, in a file without a
// name in dir, or in the system's folder for such where that is empty; Opened
// finishes it. Nothing of it stays behind, however the process ends.
func NewScratch(dir string, h Header) (*Writer, error) {
	if h.Vocab == nil {
		return nil, errors.New("dataset: Header.Vocab is nil, want the names of the features")
	}
	f, err := unfinished.NewScratch(dir, "moiety-data-*")
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	w := newWriter("a temporary file", f, h)
	w.scratch = f
	return w, w.err
}

// Opened finishes a data set of NewScratch and opens it. Its file goes away when
// it is closed.
func (w *Writer) Opened() (*File, error) {
	if w.scratch == nil {
		return nil, errors.New("dataset: the writer is closed, or of a file with a name")
	}
	defer w.Abort()
	w.end()
	if w.err == nil {
		w.err = w.out.Flush()
	}
	if w.err != nil {
		return nil, fmt.Errorf("dataset: write %s: %w", w.path, w.err)
	}
	file := w.scratch.File
	w.scratch = nil
	return OpenFile(file, w.at)
}

// newWriter writes the head of the file to out.
func newWriter(path string, out io.Writer, h Header) *Writer {
	w := &Writer{path: path, out: bufio.NewWriterSize(out, 1<<20), sum: newSummer(h)}
	head := make([]byte, headSize)
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], version)
	w.put(head)
	return w
}

// Append adds records. They must have the header's layout, side columns and
// vocabulary.
func (w *Writer) Append(d *Dataset) error {
	if w.err != nil {
		return w.err
	}
	if err := w.sum.fits(d); err != nil {
		return err
	}
	from := 0
	if w.rest != nil {
		from = min(pass.BlockRecords-w.rest.Len(), d.Len())
		w.rest = join([]*Dataset{w.rest, d.slice(0, from)})
		if w.rest.Len() < pass.BlockRecords {
			return w.err
		}
		w.block(w.rest)
		w.rest = nil
	}
	for ; from+pass.BlockRecords <= d.Len(); from += pass.BlockRecords {
		w.block(d.slice(from, from+pass.BlockRecords))
	}
	if from < d.Len() {
		w.rest = join([]*Dataset{d.slice(from, d.Len())})
	}
	return w.err
}

// block writes one block.
func (w *Writer) block(d *Dataset) {
	rows, names := w.sum.add(d)
	e := entry{rows: w.part(rows...), names: w.part(names), records: d.Len(), rowCount: d.Rows.N()}
	w.entries = append(w.entries, e)
}

func (w *Writer) part(pieces ...[]byte) part {
	p := part{at: w.at}
	for _, b := range pieces {
		p.size += int64(len(b))
		p.crc = crc32.Update(p.crc, castagnoli, b)
		w.put(b)
	}
	return p
}

func (w *Writer) put(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.at += int64(n)
	if err != nil {
		w.err = fmt.Errorf("dataset: write %s: %w", w.path, err)
	}
}

// Close writes what is left, and puts the file in its place.
func (w *Writer) Close() error {
	if w.f == nil {
		return errors.New("dataset: the writer is closed")
	}
	w.end()
	return w.finish()
}

// end writes what is left, and what tells where everything is.
func (w *Writer) end() {
	if w.rest != nil {
		w.block(w.rest)
		w.rest = nil
	}
	meta := w.part(w.sum.finish())
	var list []byte
	for _, e := range w.entries {
		list = e.names.append(e.rows.append(list))
		list = binary.LittleEndian.AppendUint32(list, uint32(e.records))
		list = binary.LittleEndian.AppendUint32(list, uint32(e.rowCount))
	}
	index := w.part(list)
	foot := index.append(meta.append(nil))
	foot = append(foot, w.sum.total...)
	foot = binary.LittleEndian.AppendUint32(foot, crc32.Checksum(foot, castagnoli))
	w.put(append(foot, magic...))
}

func (w *Writer) finish() error {
	defer w.Abort()
	err := w.err
	if err == nil {
		err = w.out.Flush()
	}
	if err == nil {
		err = w.f.Commit()
	}
	if err != nil {
		return fmt.Errorf("dataset: write %s: %w", w.path, err)
	}
	w.f = nil
	return nil
}

// Abort removes an unfinished file; after Close or Opened it does nothing.
func (w *Writer) Abort() {
	if w.scratch != nil {
		w.scratch.Close()
		w.scratch = nil
	}
	if w.f == nil {
		return
	}
	w.f.Abandon()
	w.f = nil
}

// summer turns blocks into bytes and adds them to the fingerprint.
type summer struct {
	h             Header
	hash          hash.Hash
	lengths       []byte
	names         []byte
	records, seen int // records and rows so far
	total         []byte
}

func newSummer(h Header) *summer { return &summer{h: h, hash: sha256.New()} }

// fits reports whether records belong to the header.
func (s *summer) fits(d *Dataset) error {
	g := d.Describe()
	switch {
	case g.Layout != s.h.Layout && d.Rows.NNZ() > 0:
		return fmt.Errorf("dataset: %s rows in a file of %s rows", g.Layout, s.h.Layout)
	case g.IDs != s.h.IDs || g.Sequences != s.h.Sequences || len(g.Side) != len(s.h.Side):
		return errors.New("dataset: records with other parts than the file's")
	case d.Rows.Dim != s.h.Vocab.Len():
		return fmt.Errorf("dataset: rows of %d features in a file of %d", d.Rows.Dim, s.h.Vocab.Len())
	}
	return nil
}

// add returns the parts of a block; they are valid until the next call.
func (s *summer) add(d *Dataset) (rows [][]byte, names []byte) {
	rows, s.lengths = pieces(s.lengths, d.Rows, d.Steps)
	s.names = appendNames(s.names[:0], d, 0, d.Len())
	for _, b := range rows {
		s.hash.Write(b)
	}
	s.hash.Write(s.names)
	s.records += d.Len()
	s.seen += d.Rows.N()
	return rows, s.names
}

// finish closes the fingerprint and returns the meta part.
func (s *summer) finish() []byte {
	meta := s.h.appendMeta(nil, s.records, s.seen)
	s.hash.Write(meta)
	s.total = s.hash.Sum(nil)
	return meta
}

func (s *summer) fingerprint() string { return hex.EncodeToString(s.total) }

// Fingerprint identifies the content: rows, vocabulary, ids and side columns.
// It equals that of the file the data set is written to.
func (d *Dataset) Fingerprint() string {
	s := newSummer(d.Describe())
	for lo := 0; lo < d.Len(); lo += pass.BlockRecords {
		s.add(d.slice(lo, min(lo+pass.BlockRecords, d.Len())))
	}
	s.finish()
	return s.fingerprint()
}
