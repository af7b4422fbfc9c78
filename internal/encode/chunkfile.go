package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/unfinished"
)

// chunkFile keeps chunks in a temporary file. They are written by goroutines of their
// own, so that whoever reads records need not wait for it, each where it comes to lie, and
// read in any order by any number of them once all are written.
type chunkFile struct {
	file   *unfinished.Scratch
	places []*stored
	end    atomic.Int64
	free   chan struct{} // a place for every chunk that is being written
	group  par.Group
	failed atomic.Pointer[error]
}

// stored is where a chunk lies, and the number of its first record.
type stored struct {
	at, size int64
	first    int
}

// newChunkFile makes a file that half of the workers write to; the others read.
func newChunkFile(dir string, workers int) (*chunkFile, error) {
	f, err := unfinished.NewScratch(dir, "moiety-records-*")
	if err != nil {
		return nil, fmt.Errorf("encode: the records need a temporary file: %w", err)
	}
	return &chunkFile{file: f, free: make(chan struct{}, max(1, par.Workers(workers)/2))}, nil
}

// add takes a chunk over.
func (f *chunkFile) add(c *chunk) error {
	if err := f.failed.Load(); err != nil {
		return fmt.Errorf("encode: temporary file: %w", *err)
	}
	s := &stored{first: c.first}
	f.places = append(f.places, s)
	f.free <- struct{}{}
	f.group.Go(func() {
		defer func() { <-f.free }()
		if err := f.write(s, c); err != nil {
			f.failed.Store(&err)
		}
	})
	return nil
}

// write writes a chunk behind those before it that are ready.
func (f *chunkFile) write(s *stored, c *chunk) error {
	text := chunkBytes.Get().(*[]byte)
	defer chunkBytes.Put(text)
	*text = appendChunk((*text)[:0], c)
	s.size = int64(len(*text))
	s.at = f.end.Add(s.size) - s.size
	_, err := f.file.WriteAt(*text, s.at)
	return err
}

// chunkBytes and chunks are memory of chunks that were written, or read and done with, for
// the next ones.
var (
	chunkBytes = sync.Pool{New: func() any { return new([]byte) }}
	chunks     = sync.Pool{New: func() any { return new(chunk) }}
)

// done waits until all chunks are written.
func (f *chunkFile) done() error {
	f.group.Wait()
	if err := f.failed.Load(); err != nil {
		return fmt.Errorf("encode: temporary file: %w", *err)
	}
	return nil
}

// chunk reads chunk i, into memory that recycle gave.
func (f *chunkFile) chunk(i int) (*chunk, error) {
	s, text := f.places[i], chunkBytes.Get().(*[]byte)
	defer chunkBytes.Put(text)
	*text = slices.Grow((*text)[:0], int(s.size))[:s.size]
	if _, err := f.file.ReadAt(*text, s.at); err != nil {
		return nil, fmt.Errorf("encode: temporary file: %w", err)
	}
	c := chunks.Get().(*chunk)
	if err := c.read(*text); err != nil {
		return nil, err
	}
	c.first, c.again = s.first, true
	return c, nil
}

// recycle gives the memory of a chunk of a file back; its names stay.
func (c *chunk) recycle() {
	if c.again {
		chunks.Put(c)
	}
}

// close removes the file; that it could not be written was said before.
func (f *chunkFile) close() error {
	_ = f.done()
	return f.file.Close()
}

// appendChunk appends what is known of a chunk, and lengths and numbers, little-endian. A
// length of 0 stands for nil, so lengths are written plus one.
func appendChunk(b []byte, c *chunk) []byte {
	count := func(n int, isNil bool) {
		if isNil {
			n = -1
		}
		b = binary.AppendUvarint(b, uint64(n+1))
	}
	ints := func(list []int) {
		count(len(list), list == nil)
		for i := 1; i < len(list); i++ {
			b = binary.AppendUvarint(b, uint64(list[i]-list[i-1]))
		}
	}
	strings := func(list []string) {
		count(len(list), list == nil)
		for _, s := range list {
			b = binary.AppendUvarint(b, uint64(len(s)))
		}
		for _, s := range list {
			b = append(b, s...)
		}
	}
	count(flags(c), false)
	strings(c.ids)
	count(len(c.side), false)
	for _, column := range c.side {
		strings(column)
	}
	ints(c.steps)
	ints(c.ptr)
	count(len(c.feature), c.feature == nil)
	var four []byte
	b, four = more(b, 4*len(c.feature))
	for i, h := range c.feature {
		binary.LittleEndian.PutUint32(four[4*i:], h)
	}
	count(len(c.value), c.value == nil)
	var eight []byte
	b, eight = more(b, 8*len(c.value))
	for i, v := range c.value {
		binary.LittleEndian.PutUint64(eight[8*i:], math.Float64bits(v))
	}
	count(len(c.small), c.small == nil)
	return append(b, c.small...)
}

// more makes a list longer by n bytes, and returns these.
func more(b []byte, n int) (longer, end []byte) {
	b = append(b, make([]byte, n)...)
	return b, b[len(b)-n:]
}

// flags is what is known of the values of a chunk, as bits.
func flags(c *chunk) (bits int) {
	if c.whole {
		bits |= 1
	}
	if c.distinct {
		bits |= 2
	}
	return bits
}

// chunkReader reads what appendChunk wrote.
type chunkReader struct {
	text []byte
	bad  bool // it ended too early
}

func (r *chunkReader) count() int {
	if len(r.text) > 0 && r.text[0] < 0x80 { // as nearly all are
		n := int(r.text[0]) - 1
		r.text = r.text[1:]
		return n
	}
	v, n := binary.Uvarint(r.text)
	if r.bad = r.bad || n <= 0; r.bad {
		return -1
	}
	r.text = r.text[n:]
	return int(v) - 1
}

func (r *chunkReader) bytes(n int) []byte {
	if r.bad = r.bad || n < 0 || n > len(r.text); r.bad {
		return nil
	}
	out := r.text[:n:n]
	r.text = r.text[n:]
	return out
}

// most is the length of a list that every entry of has a byte at least.
func (r *chunkReader) most(n int) int {
	if n > len(r.text) {
		r.bad = true
		return -1
	}
	return n
}

func (r *chunkReader) ints(old []int) []int {
	n := r.most(r.count() - 1)
	if n < -1 || r.bad {
		return nil
	}
	list := sized(old, n+1)
	list[0] = 0
	for i := 1; i < len(list); i++ {
		list[i] = list[i-1] + r.count() + 1
	}
	return list
}

// sized returns a list of n things of any value, in the memory of an old one where that
// suffices.
func sized[T any](old []T, n int) []T {
	if old == nil || cap(old) < n {
		return make([]T, n, n+n/8)
	}
	return old[:n]
}

// strings are parts of one text: as many lists of bytes would each be garbage.
func (r *chunkReader) strings(old []string) []string {
	n := r.most(r.count())
	if n < 0 {
		return nil
	}
	lengths, all := chunkReader{text: r.text}, 0
	for range n {
		all += r.count() + 1
	}
	text := string(r.bytes(all))
	if r.bad {
		return nil
	}
	list := sized(old, n)
	for i := range list {
		size := lengths.count() + 1
		list[i], text = text[:size], text[size:]
	}
	return list
}

// read takes what appendChunk wrote, in the memory of the chunk as it was.
func (c *chunk) read(text []byte) error {
	r, old := &chunkReader{text: text}, *c
	known := r.count()
	*c = chunk{ids: r.strings(old.ids), whole: known&1 != 0, distinct: known&2 != 0}
	for s := range max(r.count(), 0) {
		var column []string
		if s < len(old.side) {
			column = old.side[s]
		}
		c.side = append(c.side, r.strings(column))
	}
	c.steps, c.ptr = r.ints(old.steps), r.ints(old.ptr)
	if n := r.count(); n >= 0 {
		if b := r.bytes(4 * n); b != nil {
			c.feature = sized(old.feature, n)
			for i := range c.feature {
				c.feature[i] = binary.LittleEndian.Uint32(b[4*i:])
			}
		}
	}
	if n := r.count(); n >= 0 {
		if b := r.bytes(8 * n); b != nil {
			c.value = sized(old.value, n)
			for i := range c.value {
				c.value[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		}
	}
	if n := r.count(); n >= 0 {
		c.small = append(sized(old.small, 0), r.bytes(n)...)
	}
	if r.bad {
		return errors.New("encode: temporary file: a chunk ends too early")
	}
	return nil
}
