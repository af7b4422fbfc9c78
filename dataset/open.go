package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
)

// File is a data set on disk. It keeps the vocabulary and the places of the
// blocks in memory, never the records. It is safe for many goroutines.
type File struct {
	Header
	f            *os.File
	end          int64 // where the data set ends; more may follow in the file
	tail         int64 // where the blocks end
	records      int
	rows         int
	entries      []entry
	version      uint32
	fingerprint  string
	seal         string
	buffers      sync.Pool // of *[]byte
	blockBuffers sync.Pool // of *room
}

// Open opens a data set file. It checks everything but the blocks, which are
// checked when they are read.
func Open(path string) (*File, error) {
	osFile, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	info, err := osFile.Stat()
	if err != nil {
		osFile.Close()
		return nil, fmt.Errorf("dataset: %w", err)
	}
	return OpenFile(osFile, info.Size())
}

// OpenFile is Open for the first bytes of a file that is open. It closes the
// file when it fails.
func OpenFile(file *os.File, size int64) (*File, error) {
	f := &File{f: file, end: size}
	if err := f.read(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
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
	f.tail = min(meta.at, index.at)
	f.fingerprint = hex.EncodeToString(rest[:sha256.Size])
	sum := sha256.Sum256(foot)
	f.seal = hex.EncodeToString(sum[:])
	if err := f.readHeader(meta, size); err != nil {
		return err
	}
	return f.readIndex(index, size)
}

// checkHead checks magic and version and returns the size of the file.
func (f *File) checkHead() (int64, error) {
	head := make([]byte, headSize)
	n, _ := f.f.ReadAt(head, 0)
	if n < len(magic) || !bytes.Equal(head[:len(magic)], []byte(magic)) {
		return 0, fmt.Errorf("dataset: this is not a data set file of moiety")
	}
	if f.end < headSize+footSize {
		return 0, damaged("only %d bytes", f.end)
	}
	if f.version = binary.LittleEndian.Uint32(head[8:]); f.version > version {
		return 0, fmt.Errorf("dataset: the file has version %d, this program reads up to version %d: use a newer moiety", f.version, version)
	}
	return f.end, nil
}

func (f *File) readHeader(meta part, size int64) (err error) {
	b, err := f.bytes(meta, size)
	if err != nil {
		return err
	}
	f.Header, f.records, f.rows, err = readMeta(b)
	return err
}

func (f *File) readIndex(index part, size int64) error {
	b, err := f.bytes(index, size)
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
		e.before = rows
		records, rows = records+e.records, rows+e.rowCount
		f.entries = append(f.entries, e)
	}
	if records != f.records || rows != f.rows {
		return damaged("%d records in the index, %d in the description", records, f.records)
	}
	return nil
}

// inside reports a part that lies outside of a file of the given size.
func (p part) inside(size int64) error {
	if p.at < headSize || p.size < 0 || p.at > size-p.size {
		return damaged("a part lies outside of it")
	}
	return nil
}

// bytes reads a part and checks it.
func (f *File) bytes(p part, size int64) ([]byte, error) {
	if err := p.inside(size); err != nil {
		return nil, err
	}
	b := pages.Make[byte](int(p.size))
	return b, f.into(b, p)
}

// into reads a part that lies inside of the file into bytes of its size, and
// checks it.
func (f *File) into(b []byte, p part) error {
	c := &checked{r: f.f, at: p.at}
	if err := c.read(b); err != nil {
		return err
	}
	return c.check(p)
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Name returns the path the file was opened with.
func (f *File) Name() string { return f.f.Name() }

// Len returns the number of records.
func (f *File) Len() int { return f.records }

// Describe implements Data.
func (f *File) Describe() Header { return f.Header }

// RowCount implements Data.
func (f *File) RowCount() int { return f.rows }

// Dim returns the number of features.
func (f *File) Dim() int { return f.Vocab.Len() }

// Blocks returns the number of blocks.
func (f *File) Blocks() int { return len(f.entries) }

// Fingerprint returns the fingerprint of the content, as Dataset.Fingerprint.
func (f *File) Fingerprint() string { return f.fingerprint }

// Seal returns a checksum of the foot, which holds the checksums of all parts: it
// tells this file from every other without reading it whole.
func (f *File) Seal() string { return f.seal }

// Block returns block i as a data set of its own.
func (f *File) Block(i int) (*Dataset, error) {
	b, err := f.block(i, 0, blockBuffer{})
	if err != nil {
		return nil, err
	}
	d := &Dataset{Kind: f.Kind, Rows: b.Rows, Steps: b.Steps, Vocab: f.Vocab}
	names, err := f.names(1, i, i+1)
	if err != nil {
		return nil, err
	}
	f.nameless(d, f.entries[i].records)
	return d, readNames(names[0], f.lists(d, 0, d.Len()))
}

// Span returns where in the file the rows of block i lie: from the first byte to before
// the second. With the head and the tail, a file that has these bytes alone is enough to
// read these rows.
func (f *File) Span(i int) (from, to int64) {
	p := f.entries[i].rows
	return p.at, p.at + p.size
}

// Tail returns where the blocks end, and what describes them begins.
func (f *File) Tail() int64 { return f.tail }

// Rows returns the rows of block i, in memory of its own.
func (f *File) Rows(i int) (pass.Block, error) { return f.block(i, f.entries[i].before, blockBuffer{}) }

// nameless gives a data set room for ids and side columns.
func (f *File) nameless(d *Dataset, records int) {
	if f.IDs {
		d.IDs = pages.Make[string](records)
	}
	for _, name := range f.Side {
		d.Side = append(d.Side, Side{Name: name, Values: pages.Make[string](records)})
	}
}

// lists returns the ids and side columns of records lo to hi-1.
func (f *File) lists(d *Dataset, lo, hi int) (lists [][]string) {
	if f.IDs {
		lists = append(lists, d.IDs[lo:hi])
	}
	for _, s := range d.Side {
		lists = append(lists, s.Values[lo:hi])
	}
	return lists
}

// names reads the bytes of ids and side columns of blocks lo to hi-1.
func (f *File) names(workers, lo, hi int) ([][]byte, error) {
	list := make([][]byte, hi-lo)
	if !f.IDs && len(f.Side) == 0 {
		return list, nil
	}
	size, err := f.size()
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, e := range f.entries[lo:hi] {
		if err := e.names.inside(size); err != nil {
			return nil, err
		}
		total += e.names.size
	}
	if total > size {
		return nil, damaged("its ids take %d bytes of %d", total, size)
	}
	memory := pages.Make[byte](int(total))
	for i, e := range f.entries[lo:hi] {
		n := e.names.size
		list[i], memory = memory[:n:n], memory[n:]
	}
	return list, par.Do(context.Background(), workers, len(list), func(i int) error {
		return f.into(list[i], f.entries[lo+i].names)
	})
}

// size returns the size of the file as it is now. The index was checked when the
// file was opened; a file that shrank since then ends too early.
func (f *File) size() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, fmt.Errorf("dataset: %w", err)
	}
	return min(info.Size(), f.end), nil
}

// CopyTo writes the file as it is. It is the one that was opened, even where
// another has taken its name since.
func (f *File) CopyTo(w io.Writer, _ int) error {
	n, err := io.Copy(w, io.NewSectionReader(f.f, 0, f.end))
	if err == nil && n < f.end {
		err = damaged("it ends too early")
	}
	return err
}

// Size returns the bytes that the data set takes.
func (f *File) Size() int64 { return f.end }

// block returns the rows of block i, in the memory of an old one where that is
// large enough; its steps are counted from before on.
func (f *File) block(i, before int, old blockBuffer) (pass.Block, error) {
	e := f.entries[i]
	n, err := f.rowsOf(e)
	if err != nil {
		return pass.Block{}, err
	}
	r := f.fitted(old, e.records, e.rowCount, n)
	p := r.part(spot{}, spot{e.records, e.rowCount, n})
	if r.steps != nil { // rows are counted through, as they are in memory
		r.steps[0], p.from.row = before, before
	}
	err = f.fill(p, e)
	return pass.Block{First: i * pass.BlockRecords, Rows: r.rows, Steps: r.steps}, err
}

// rowsOf checks the place of the rows of a block and returns the number of their
// entries.
func (f *File) rowsOf(e entry) (int, error) {
	size, err := f.size()
	if err != nil {
		return 0, err
	}
	if err := e.rows.inside(size); err != nil {
		return 0, err
	}
	return f.Header.entries(e)
}

// fill reads the rows of a block.
func (f *File) fill(p place, e entry) error {
	buf, _ := f.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	c := &checked{r: f.f, at: e.rows.at, scratch: *buf}
	err := p.fill(c, f.Header, e)
	*buf = c.scratch
	f.buffers.Put(buf)
	return err
}

// Load reads the whole file into memory; workers <= 0 means all cores.
func (f *File) Load(workers int) (*Dataset, error) {
	first := make([]spot, len(f.entries)+1)
	for i, e := range f.entries {
		n, err := f.rowsOf(e)
		if err != nil {
			return nil, err
		}
		at := first[i]
		first[i+1] = spot{at.record + e.records, at.row + e.rowCount, at.entry + n}
	}
	names, err := f.names(workers, 0, len(f.entries))
	if err != nil {
		return nil, err
	}
	all := f.newBlockBuffer(f.records, f.rows, first[len(f.entries)].entry)
	err = par.Do(context.Background(), workers, len(f.entries), func(i int) error {
		return f.fill(all.part(first[i], first[i+1]), f.entries[i])
	})
	if err != nil {
		return nil, err
	}
	// The names of records come last: what was made before lets the garbage collector
	// run, and wait then until there is twice as much. It has not to look at every
	// name, nor at each that is written while it runs.
	d := &Dataset{Kind: f.Kind, Vocab: f.Vocab, Rows: all.rows, Steps: all.steps}
	f.nameless(d, f.records)
	err = par.Do(context.Background(), workers, len(f.entries), func(i int) error {
		return readNames(names[i], f.lists(d, first[i].record, first[i+1].record))
	})
	return d, err
}
