package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/moiety-go/moiety/pass"
)

// File is a data set on disk. It keeps the vocabulary and the places of the
// blocks in memory, never the records. It is safe for many goroutines.
type File struct {
	Header
	f           *os.File
	records     int
	rows        int
	entries     []entry
	fingerprint string
	buffers     sync.Pool // of *[]byte
}

// Open opens a data set file. It checks everything but the blocks, which are
// checked when they are read.
func Open(path string) (*File, error) {
	osFile, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	f := &File{f: osFile}
	if err := f.read(); err != nil {
		osFile.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func (f *File) read() error {
	size, err := f.checkHead()
	if err != nil {
		return err
	}
	foot := make([]byte, footSize)
	if _, err := f.f.ReadAt(foot, size-footSize); err != nil {
		return damaged("%v", err)
	}
	n := len(foot) - 12
	crc := binary.LittleEndian.Uint32(foot[n:])
	if string(foot[n+4:]) != magic || crc32.Checksum(foot[:n], castagnoli) != crc {
		return damaged("its end is missing")
	}
	meta, rest := readPart(foot)
	index, rest := readPart(rest)
	f.fingerprint = hex.EncodeToString(rest[:sha256.Size])
	if err := f.readHeader(meta, size); err != nil {
		return err
	}
	return f.readIndex(index, size)
}

// checkHead checks magic and version and returns the size of the file.
func (f *File) checkHead() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	head := make([]byte, headSize)
	n, _ := f.f.ReadAt(head, 0)
	if n < len(magic) || !bytes.Equal(head[:len(magic)], []byte(magic)) {
		return 0, fmt.Errorf("dataset: this is not a data set file of moiety")
	}
	if info.Size() < headSize+footSize {
		return 0, damaged("only %d bytes", info.Size())
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v > version {
		return 0, fmt.Errorf("dataset: the file has version %d, this program reads up to version %d: use a newer moiety", v, version)
	}
	return info.Size(), nil
}

func (f *File) readHeader(meta part, size int64) (err error) {
	b, err := f.bytes(meta, size, nil)
	if err != nil {
		return err
	}
	f.Header, f.records, f.rows, err = readMeta(b)
	return err
}

func (f *File) readIndex(index part, size int64) error {
	b, err := f.bytes(index, size, nil)
	if err != nil {
		return err
	}
	if len(b)%indexEntry != 0 {
		return damaged("its index has %d bytes", len(b))
	}
	records, rows := 0, 0
	for len(b) > 0 {
		var e entry
		e.rows, b = readPart(b)
		e.names, b = readPart(b)
		e.records, e.rowCount = int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		if e.records > pass.BlockRecords || e.records < pass.BlockRecords && len(b) > 0 {
			return damaged("a block of %d records", e.records)
		}
		records, rows = records+e.records, rows+e.rowCount
		f.entries = append(f.entries, e)
	}
	if records != f.records || rows != f.rows {
		return damaged("%d records in the index, %d in the description", records, f.records)
	}
	return nil
}

// bytes reads a part into buf and checks it.
func (f *File) bytes(p part, size int64, buf []byte) ([]byte, error) {
	if p.at < headSize || p.size < 0 || p.at > size-p.size {
		return nil, damaged("a part lies outside of it")
	}
	if int64(cap(buf)) < p.size {
		buf = make([]byte, p.size)
	}
	buf = buf[:p.size]
	if _, err := f.f.ReadAt(buf, p.at); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, damaged("it ends too early")
		}
		return nil, fmt.Errorf("dataset: %w", err)
	}
	if crc32.Checksum(buf, castagnoli) != p.crc {
		return nil, damaged("the checksum of %d bytes at %d is wrong", p.size, p.at)
	}
	return buf, nil
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Name returns the path the file was opened with.
func (f *File) Name() string { return f.f.Name() }

// Len returns the number of records.
func (f *File) Len() int { return f.records }

// Dim returns the number of features.
func (f *File) Dim() int { return f.Vocab.Len() }

// Blocks returns the number of blocks.
func (f *File) Blocks() int { return len(f.entries) }

// Fingerprint returns the fingerprint of the content, as Dataset.Fingerprint.
func (f *File) Fingerprint() string { return f.fingerprint }

// Block returns block i as a data set of its own.
func (f *File) Block(i int) (*Dataset, error) {
	b, err := f.block(i)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Kind: f.Kind, Rows: b.Rows, Steps: b.Steps, Vocab: f.Vocab}
	err = f.part(f.entries[i].names, func(raw []byte) (err error) {
		d.IDs, d.Side, err = decodeNames(raw, f.Header, f.entries[i].records)
		return err
	})
	return d, err
}

// block returns the rows of block i.
func (f *File) block(i int) (pass.Block, error) {
	e := f.entries[i]
	b := pass.Block{First: i * pass.BlockRecords}
	err := f.part(e.rows, func(raw []byte) (err error) {
		b.Rows, b.Steps, err = decodeRows(raw, f.Header, e)
		return err
	})
	return b, err
}

// part lends the checked bytes of a part, from a pooled buffer.
func (f *File) part(p part, use func([]byte) error) error {
	buf, _ := f.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	defer f.buffers.Put(buf)
	// The index was checked against the size when the file was opened; a file
	// that shrank since then ends too early, which ReadAt reports.
	info, err := f.f.Stat()
	if err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	b, err := f.bytes(p, info.Size(), *buf)
	if err != nil {
		return err
	}
	*buf = b[:cap(b)]
	return use(b)
}

// Load reads the whole file into memory.
func (f *File) Load() (*Dataset, error) {
	parts := make([]*Dataset, len(f.entries))
	for i := range parts {
		var err error
		if parts[i], err = f.Block(i); err != nil {
			return nil, err
		}
	}
	return f.joined(parts), nil
}

// joined joins blocks, also none.
func (f *File) joined(parts []*Dataset) *Dataset {
	d := join(parts)
	d.Kind, d.Vocab = f.Kind, f.Vocab
	if len(parts) == 0 {
		d = empty(f.Header)
	}
	return d
}

// Verify reads everything and compares the fingerprint.
func (f *File) Verify() error {
	s := newSummer(f.Header)
	for i := range f.entries {
		d, err := f.Block(i)
		if err != nil {
			return err
		}
		s.add(d)
	}
	s.finish()
	if s.fingerprint() != f.fingerprint {
		return damaged("its fingerprint is %s, not %s", s.fingerprint(), f.fingerprint)
	}
	return nil
}
