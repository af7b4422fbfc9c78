package encode

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/moiety-go/moiety/record"
)

// chunk is a run of records as the source gave them, running text as numbered
// words. Offsets start at 0.
type chunk struct {
	ids     []string // nil: numbered
	side    [][]string
	steps   []int // nil: every row is a record
	ptr     []int
	feature []uint32
	value   []float64 // nil: ones
}

func (c *chunk) n() int {
	if c.steps != nil {
		return len(c.steps) - 1
	}
	return len(c.ptr) - 1
}

// rows returns the rows of record i, from and to.
func (c *chunk) rows(i int) (from, to int) {
	if c.steps != nil {
		return c.steps[i], c.steps[i+1]
	}
	return i, i + 1
}

// row returns the entries of row j.
func (c *chunk) row(j int) ([]uint32, []float64) {
	lo, hi := c.ptr[j], c.ptr[j+1]
	if c.value == nil {
		return c.feature[lo:hi], nil
	}
	return c.feature[lo:hi], c.value[lo:hi]
}

// entries returns all features of record i.
func (c *chunk) entries(i int) []uint32 {
	from, to := c.rows(i)
	return c.feature[c.ptr[from]:c.ptr[to]]
}

// newChunk copies a batch, whose memory belongs to the source.
func newChunk(b *record.Batch) (*chunk, error) {
	n := b.N()
	c := &chunk{ids: append([]string(nil), b.IDs...)}
	if b.IDs != nil && len(b.IDs) != n {
		return nil, fmt.Errorf("encode: a batch of %d records has %d ids", n, len(b.IDs))
	}
	for _, column := range b.Side {
		if len(column) != n {
			return nil, fmt.Errorf("encode: a batch of %d records has a side column of %d", n, len(column))
		}
		c.side = append(c.side, append([]string(nil), column...))
	}
	if b.Text != nil {
		return c, nil // the words are added by the caller
	}
	ptr := b.Ptr
	if b.Steps != nil {
		c.steps = rebase(b.Steps)
		ptr = b.Ptr[b.Steps[0] : b.Steps[n]+1]
	}
	c.ptr = rebase(ptr)
	if len(ptr) > 0 {
		lo, hi := ptr[0], ptr[len(ptr)-1]
		c.feature = append([]uint32(nil), b.Feature[lo:hi]...)
		if b.Value != nil {
			c.value = append([]float64{}, b.Value[lo:hi]...)
		}
	}
	return c, nil
}

// rebase copies offsets so that they start at 0.
func rebase(at []int) []int {
	if len(at) == 0 {
		return []int{0}
	}
	out := make([]int, len(at))
	for i, v := range at {
		out[i] = v - at[0]
	}
	return out
}

// bytes estimates the memory of a chunk.
func (c *chunk) bytes() int64 {
	n := 8*(len(c.ptr)+len(c.steps)+len(c.value)) + 4*len(c.feature)
	for _, id := range c.ids {
		n += 16 + len(id)
	}
	for _, column := range c.side {
		for _, v := range column {
			n += 16 + len(v)
		}
	}
	return int64(n)
}

// spool keeps chunks, in memory up to a limit and in a temporary file above it.
type spool struct {
	limit  int64 // 0: none
	dir    string
	chunks []*chunk // those in memory, before those in the file
	size   int64
	file   *os.File
	out    *bufio.Writer
	inFile int
	// release lets go of the chunks in memory as they are handed out.
	release bool
}

func (s *spool) add(c *chunk) error {
	s.size += c.bytes()
	if s.file == nil && (s.limit == 0 || s.size <= s.limit) {
		s.chunks = append(s.chunks, c)
		return nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "moiety-records-*")
		if err != nil {
			return fmt.Errorf("encode: the records need a temporary file: %w", err)
		}
		s.file, s.out = f, bufio.NewWriterSize(f, 1<<20)
	}
	s.inFile++
	return writeChunk(s.out, c)
}

// each hands out all chunks in order.
func (s *spool) each(f func(*chunk) error) error {
	for i, c := range s.chunks {
		if err := f(c); err != nil {
			return err
		}
		if s.release {
			s.chunks[i] = nil
		}
	}
	if s.file == nil {
		return nil
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("encode: temporary file: %w", err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("encode: temporary file: %w", err)
	}
	in := bufio.NewReaderSize(s.file, 1<<20)
	for range s.inFile {
		c, err := readChunk(in)
		if err != nil {
			return fmt.Errorf("encode: temporary file: %w", err)
		}
		if err := f(c); err != nil {
			return err
		}
	}
	return nil
}

// close removes the temporary file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	return errors.Join(err, os.Remove(s.file.Name()))
}

// writeChunk writes lengths and numbers, little-endian. A length of 0 stands
// for nil, so lengths are written plus one.
func writeChunk(w *bufio.Writer, c *chunk) error {
	var b []byte
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
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	strings(c.ids)
	count(len(c.side), false)
	for _, column := range c.side {
		strings(column)
	}
	ints(c.steps)
	ints(c.ptr)
	count(len(c.feature), c.feature == nil)
	for _, h := range c.feature {
		b = binary.LittleEndian.AppendUint32(b, h)
	}
	count(len(c.value), c.value == nil)
	for _, v := range c.value {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("encode: temporary file: %w", err)
	}
	return nil
}

// chunkReader reads what writeChunk wrote; err is the first failure.
type chunkReader struct {
	r   *bufio.Reader
	err error
}

func (r *chunkReader) count() int {
	if r.err != nil {
		return -1
	}
	n, err := binary.ReadUvarint(r.r)
	r.err = err
	return int(n) - 1
}

func (r *chunkReader) bytes(n int) []byte {
	b := make([]byte, n)
	if r.err == nil {
		_, r.err = io.ReadFull(r.r, b)
	}
	return b
}

func (r *chunkReader) ints() []int {
	n := r.count()
	if n < 0 {
		return nil
	}
	list := make([]int, n)
	for i := 1; i < n; i++ {
		list[i] = list[i-1] + r.count() + 1
	}
	return list
}

func (r *chunkReader) strings() []string {
	n := r.count()
	if n < 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = string(r.bytes(r.count() + 1))
	}
	return list
}

func readChunk(in *bufio.Reader) (*chunk, error) {
	r := &chunkReader{r: in}
	c := &chunk{ids: r.strings()}
	for range max(r.count(), 0) {
		c.side = append(c.side, r.strings())
	}
	c.steps, c.ptr = r.ints(), r.ints()
	if n := r.count(); n >= 0 {
		c.feature = make([]uint32, n)
		b := r.bytes(4 * n)
		for i := range c.feature {
			c.feature[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
	if n := r.count(); n >= 0 {
		c.value = make([]float64, n)
		b := r.bytes(8 * n)
		for i := range c.value {
			c.value[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	}
	return c, r.err
}
