package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
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
func (d *Dataset) CopyTo(out io.Writer, workers int) error {
	if err := d.Check(); err != nil {
		return err
	}
	w := newWriter("the data set", out, d.Describe())
	w.Workers = workers
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
	// Workers make bytes and checksums of so many blocks at a time; 0 is one.
	Workers int

	path    string
	f       *durable.Pending
	scratch *unfinished.Scratch // instead of f: of a data set without a name
	out     *bufio.Writer
	at      int64
	sum     *summer
	entries []entry
	rest    *Dataset // records that do not fill a block yet
	coder   coder
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
		w.blocks(w.rest)
		w.rest = nil
	}
	whole := from + (d.Len()-from)/pass.BlockRecords*pass.BlockRecords
	w.blocks(d.slice(from, whole))
	if whole < d.Len() {
		w.rest = join([]*Dataset{d.slice(whole, d.Len())})
	}
	return w.err
}

// blocks writes the blocks of records one after another; their bytes are made side by
// side, and those of one are written while those behind it are made.
func (w *Writer) blocks(d *Dataset) {
	if w.err != nil {
		return
	}
	err := w.coder.each(d, max(w.Workers, 1), func(b *coded) error {
		w.sum.add(b)
		e := entry{records: b.records, rowCount: b.rowCount}
		e.rows = w.part(b.crc[0], b.rows...)
		e.names = w.part(b.crc[1], b.names)
		w.entries = append(w.entries, e)
		return w.err
	})
	if w.err == nil {
		w.err = err
	}
}

// part writes bytes whose CRC-32C is known.
func (w *Writer) part(crc uint32, pieces ...[]byte) part {
	p := part{at: w.at, crc: crc}
	for _, b := range pieces {
		p.size += int64(len(b))
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
		w.blocks(w.rest)
		w.rest = nil
	}
	head := w.sum.finish()
	meta := w.part(checksum(head), head)
	var list []byte
	for _, e := range w.entries {
		list = e.names.append(e.rows.append(list))
		list = binary.LittleEndian.AppendUint32(list, uint32(e.records))
		list = binary.LittleEndian.AppendUint32(list, uint32(e.rowCount))
	}
	index := w.part(checksum(list), list)
	foot := index.append(meta.append(nil))
	foot = append(foot, w.sum.total...)
	foot = binary.LittleEndian.AppendUint32(foot, checksum(foot))
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
