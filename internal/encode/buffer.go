package encode

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/par"
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

	first   int  // number of its first record, from 0; set when the chunk comes into the buffer
	again   bool // it was read from a file: its memory serves another
	kept    int  // records that stay, set when the chunk is counted
	entries int  // of these, every term counted once a record
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
	n := 8*(len(c.ptr)+len(c.steps)+len(c.value)) + 4*len(c.feature) + len(c.small) + textBytes(c.ids)
	for _, column := range c.side {
		n += textBytes(column)
	}
	return int64(n)
}

// textBytes is about the memory of names. Of many, some tell how long they are.
func textBytes(list []string) int {
	const looked = 1 << 9
	every, n := 1+len(list)/looked, 0
	for i := 0; i < len(list); i += every {
		n += 16 + len(list[i])
	}
	return n * every
}

// buffer keeps chunks, in memory up to a limit and in a temporary file above it.
type buffer struct {
	limit   int64 // 0: none
	dir     string
	workers int      // that write to the file
	chunks  []*chunk // those in memory, before those in the file
	size    int64
	records int
	file    *chunkFile
	other   bool // some chunk has sequences, or values that are no whole numbers
	// release lets go of the chunks in memory as they are handed out.
	release bool
}

func (s *buffer) add(c *chunk) error {
	if s.limit > 0 {
		s.size += c.bytes()
	}
	c.first = s.records
	s.records += c.n()
	s.other = s.other || c.steps != nil || !c.whole
	if s.file == nil && (s.limit == 0 || s.size <= s.limit) {
		s.chunks = append(s.chunks, c)
		return nil
	}
	if s.file == nil {
		f, err := newChunkFile(s.dir, s.workers)
		if err != nil {
			return err
		}
		s.file = f
	}
	return s.file.add(c)
}

// ready waits until all chunks can be asked for, and returns their number.
func (s *buffer) ready() (int, error) {
	if s.file == nil {
		return len(s.chunks), nil
	}
	return len(s.chunks) + len(s.file.places), s.file.done()
}

// chunk returns chunk i, once ready was asked.
func (s *buffer) chunk(i int) (*chunk, error) {
	if n := len(s.chunks); i >= n {
		return s.file.chunk(i - n)
	}
	c := s.chunks[i]
	if s.release {
		s.chunks[i] = nil
	}
	return c, nil
}

// each hands out all chunks in order.
func (s *buffer) each(f func(*chunk) error) error {
	n, err := s.ready()
	if err != nil {
		return err
	}
	for i := range n {
		c, err := s.chunk(i)
		if err == nil {
			err = f(c)
		}
		if err != nil {
			return err
		}
		c.recycle()
	}
	return nil
}

// readShare is the part of the limit that chunks read back may take at a time, so that
// they and what is made of them stay small beside the chunks in memory.
const readShare = 4

// atATime is how many workers may each have a chunk of the file.
func (s *buffer) atATime(workers int) int {
	workers = par.Workers(workers)
	if s.file == nil || s.limit == 0 {
		return workers
	}
	largest := int64(1)
	for _, c := range s.file.places {
		largest = max(largest, c.size)
	}
	return int(min(int64(workers), max(1, s.limit/readShare/largest)))
}

// close removes the temporary file.
func (s *buffer) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.close()
}
