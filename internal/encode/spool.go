package encode

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/unfinished"
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
	value   []float64 // nil: ones, or small
	small   []uint8   // values where all are whole numbers from 1 to 255
	whole   bool      // values are whole numbers above 0 that float32 holds

	distinct bool // no feature comes twice in a record

	memory  int64 // bytes, about; set when the chunk comes into the spool
	kept    int   // records that stay, set when the chunk is counted
	entries int   // of these, every term counted once a record
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

// features returns all features of record i.
func (c *chunk) features(i int) []uint32 {
	from, to := c.rows(i)
	return c.feature[c.ptr[from]:c.ptr[to]]
}

// newChunk takes a batch over. It copies what belongs to the source.
func newChunk(b *record.Batch) (*chunk, error) {
	n := b.N()
	if b.IDs != nil && len(b.IDs) != n {
		return nil, fmt.Errorf("encode: a batch of %d records has %d ids", n, len(b.IDs))
	}
	c := &chunk{ids: taken(b.Kept, b.IDs), distinct: b.Distinct}
	for _, column := range b.Side {
		if len(column) != n {
			return nil, fmt.Errorf("encode: a batch of %d records has a side column of %d", n, len(column))
		}
		c.side = append(c.side, taken(b.Kept, column))
	}
	if b.Text != nil {
		c.whole = true
		return c, nil // the words are added by the caller
	}
	ptr := b.Ptr
	if b.Steps != nil {
		c.steps = rebase(b.Steps)
		ptr = b.Ptr[b.Steps[0] : b.Steps[n]+1]
	}
	if c.ptr = ptr; !b.Kept || len(ptr) == 0 || ptr[0] != 0 {
		c.ptr = rebase(ptr)
	}
	if len(ptr) > 0 {
		lo, hi := ptr[0], ptr[len(ptr)-1]
		c.feature = taken(b.Kept, b.Feature[lo:hi])
		c.takeValues(b, lo, hi)
	}
	return c, nil
}

// taken returns a list that is the chunk's own.
func taken[T any](kept bool, list []T) []T {
	if kept {
		return list
	}
	return append([]T(nil), list...)
}

// takeValues takes the values of entries lo to hi-1 over, as small numbers where
// they are.
func (c *chunk) takeValues(b *record.Batch, lo, hi int) {
	switch {
	case b.Small != nil:
		c.small, c.whole = taken(b.Kept, b.Small[lo:hi]), true
	case b.Value != nil:
		if c.small = shrunk(b.Value[lo:hi]); c.small != nil {
			c.whole = true
			return
		}
		c.value = append([]float64{}, b.Value[lo:hi]...)
		c.whole = areWhole(c.value)
	default:
		c.whole = true
	}
}

// shrunk returns values as bytes, nil where one is no whole number from 1 to 255.
func shrunk(value []float64) []uint8 {
	for _, v := range value {
		if u := uint8(v); float64(u) != v || u == 0 {
			return nil
		}
	}
	out := make([]uint8, len(value))
	for i, v := range value {
		out[i] = uint8(v)
	}
	return out
}

// areWhole reports whole numbers above 0 whose single precision is exact.
func areWhole(value []float64) bool {
	const most = 1 << 24
	for _, v := range value {
		if !(v >= 1 && v <= most) || v != math.Trunc(v) {
			return false
		}
	}
	return true
}

// widen turns small values into plain ones.
func (c *chunk) widen() {
	if c.small == nil {
		return
	}
	c.value = make([]float64, len(c.small))
	for i, v := range c.small {
		c.value[i] = float64(v)
	}
	c.small = nil
}

// complete adds side columns that came up after the chunk.
func (c *chunk) complete(schema *record.Schema) {
	for len(c.side) < len(schema.Side) {
		c.side = append(c.side, make([]string, c.n()))
	}
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
	n := 8*(len(c.ptr)+len(c.steps)+len(c.value)) + 4*len(c.feature) + len(c.small)
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
	file   *unfinished.Scratch
	out    *bufio.Writer
	inFile int
	other  bool // some chunk has sequences, or values that are no whole numbers
	// release lets go of the chunks in memory as they are handed out.
	release bool
}

func (s *spool) add(c *chunk) error {
	c.memory = c.bytes()
	s.size += c.memory
	s.other = s.other || c.steps != nil || !c.whole
	if s.file == nil && (s.limit == 0 || s.size <= s.limit) {
		s.chunks = append(s.chunks, c)
		return nil
	}
	if s.file == nil {
		f, err := unfinished.NewScratch(s.dir, "moiety-records-*")
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
	in, err := s.rewound()
	if err != nil {
		return err
	}
	for range s.inFile {
		text, err := readText(in)
		if err != nil {
			return err
		}
		c, err := readChunk(text)
		if err != nil {
			return err
		}
		if err := f(c); err != nil {
			return err
		}
	}
	return nil
}

// rewound is the file from its beginning.
func (s *spool) rewound() (*bufio.Reader, error) {
	if err := s.out.Flush(); err != nil {
		return nil, fmt.Errorf("encode: temporary file: %w", err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("encode: temporary file: %w", err)
	}
	return bufio.NewReaderSize(s.file, 1<<20), nil
}

// windowShare is the part of the limit that the chunks of a window may take, so
// that they and what is made of them stay small beside the chunks in memory.
const windowShare = 8

// windows hands out all chunks in order, some at a time; those in memory at once
// where whole says so. The text of the file is taken apart on all cores.
func (s *spool) windows(ctx context.Context, workers int, whole bool, f func([]*chunk) error) error {
	most := s.limit / windowShare
	for lo, hi := 0, 0; lo < len(s.chunks); lo = hi {
		for size := int64(0); hi < len(s.chunks) && (whole || most == 0 || hi == lo || size < most); hi++ {
			size += s.chunks[hi].memory
		}
		if err := f(s.chunks[lo:hi]); err != nil {
			return err
		}
		if s.release {
			clear(s.chunks[lo:hi])
		}
	}
	if s.file == nil {
		return nil
	}
	in, err := s.rewound()
	if err != nil {
		return err
	}
	for left := s.inFile; left > 0; {
		var texts [][]byte
		for size := int64(0); left > 0 && (len(texts) == 0 || size < most); left-- {
			text, err := readText(in)
			if err != nil {
				return err
			}
			texts, size = append(texts, text), size+int64(len(text))
		}
		chunks := make([]*chunk, len(texts))
		err := par.Do(ctx, workers, len(texts), func(i int) (err error) {
			chunks[i], err = readChunk(texts[i])
			texts[i] = nil
			return err
		})
		if err == nil {
			err = f(chunks)
		}
		if err != nil {
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
	return s.file.Close()
}

// writeChunk writes the number of bytes that follow, what is known of the chunk,
// and lengths and numbers, little-endian. A length of 0 stands for nil, so
// lengths are written plus one.
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
	count(flags(c), false)
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
	count(len(c.small), c.small == nil)
	b = append(b, c.small...)
	_, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
	if err == nil {
		_, err = w.Write(b)
	}
	if err != nil {
		return fmt.Errorf("encode: temporary file: %w", err)
	}
	return nil
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

// readText reads the bytes of a chunk.
func readText(in *bufio.Reader) ([]byte, error) {
	var size [8]byte
	_, err := io.ReadFull(in, size[:])
	if err == nil {
		text := make([]byte, binary.LittleEndian.Uint64(size[:]))
		if _, err = io.ReadFull(in, text); err == nil {
			return text, nil
		}
	}
	return nil, fmt.Errorf("encode: temporary file: %w", err)
}

// chunkReader reads what writeChunk wrote; err is the first failure.
type chunkReader struct {
	r   *bytes.Reader
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

func readChunk(text []byte) (*chunk, error) {
	r := &chunkReader{r: bytes.NewReader(text)}
	known := r.count()
	c := &chunk{ids: r.strings(), whole: known&1 != 0, distinct: known&2 != 0}
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
	if n := r.count(); n >= 0 {
		c.small = r.bytes(n)
	}
	if r.err != nil {
		return nil, fmt.Errorf("encode: temporary file: %w", r.err)
	}
	return c, nil
}
