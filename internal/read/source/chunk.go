package source

import (
	"bytes"
	"fmt"
	"io"

	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/record"
)

// Sizes of chunks and lines.
const (
	ChunkSize = 1 << 20  // bytes of one chunk, a core's share of work
	MaxLine   = 64 << 20 // the longest line or quoted record
)

// Chunk is a run of whole lines. The last line of an input may lack its line
// end.
type Chunk struct {
	Data []byte
	Line int // number of its first line, from 1
	Ends int // number of line ends
	pool *buffers
	buf  *[]byte // the memory of Data
}

// Release gives the memory of the chunk back; Data must not be used any more.
func (c Chunk) Release() {
	if c.pool != nil {
		c.pool.Give(c.buf)
	}
}

// buffers is memory for chunks that goes round: what was released serves the next one.
type buffers = par.Helpers[[]byte]

// Cutter cuts a text into chunks at line ends.
type Cutter struct {
	// Split returns the length of the longest prefix of buf that holds whole
	// records, 0 when there is none yet. Nil: cut after the last line end.
	// Long lines are looked at again each time the buffer doubles.
	Split func(buf []byte, atEOF bool) int

	name    string
	r       io.Reader
	size    int
	maxLine int
	line    int
	rest    []byte
	err     error
	pool    *buffers
}

// NewCutter cuts the text of r, named in errors, into chunks of about size
// bytes; zero sizes mean ChunkSize and MaxLine.
func NewCutter(name string, r io.Reader, size, maxLine int) *Cutter {
	if size <= 0 {
		size = ChunkSize
	}
	if maxLine <= 0 {
		maxLine = MaxLine
	}
	c := &Cutter{name: name, r: r, size: size, maxLine: maxLine, line: 1, pool: &buffers{Make: func() *[]byte { return new([]byte) }}}
	c.Split = lastLineEnd
	return c
}

func lastLineEnd(buf []byte, atEOF bool) int {
	if atEOF {
		return len(buf)
	}
	return bytes.LastIndexByte(buf, '\n') + 1
}

// Next returns the next chunk, and io.EOF at the end. A line beyond the limit is a
// *record.ParseError and ends the text.
func (c *Cutter) Next() (Chunk, error) {
	if c.err != nil && len(c.rest) == 0 {
		return Chunk{}, c.err
	}
	own := c.pool.Take()
	buf := append(c.buffer(*own), c.rest...)
	c.rest = nil
	for {
		buf = c.fill(buf)
		atEOF := c.err == io.EOF
		if c.err != nil && !atEOF {
			return Chunk{}, c.err
		}
		if len(buf) == 0 {
			return Chunk{}, io.EOF
		}
		n := c.Split(buf, atEOF)
		if n == 0 && atEOF {
			n = len(buf)
		}
		if n > 0 {
			*own = buf
			return c.cut(own, n), nil
		}
		if len(buf) >= c.maxLine {
			c.err = &record.ParseError{
				File: c.name, Line: c.line, Text: string(buf[:60]),
				Msg: fmt.Sprintf("a line is longer than %d MB; is this a table with line ends?", c.maxLine>>20),
			}
			c.rest = nil
			return Chunk{}, c.err
		}
		buf = grow(buf, min(2*cap(buf), c.maxLine))
	}
}

func (c *Cutter) cut(own *[]byte, n int) Chunk {
	buf := *own
	ch := Chunk{Data: buf[:n:n], Line: c.line, Ends: bytes.Count(buf[:n], []byte{'\n'}), pool: c.pool, buf: own}
	c.rest = append(c.rest, buf[n:]...)
	c.line += ch.Ends
	return ch
}

// fill reads until buf is full or the text ends.
func (c *Cutter) fill(buf []byte) []byte {
	for c.err == nil && len(buf) < cap(buf) {
		n, err := c.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		c.err = err
	}
	return buf
}

// buffer returns memory for a chunk, the one at hand where it is large enough.
func (c *Cutter) buffer(own []byte) []byte {
	if cap(own) >= max(1, len(c.rest)+c.size/2) {
		return own[:0]
	}
	return pages.Make[byte](max(c.size, 2*len(c.rest)))[:0]
}

func grow(buf []byte, n int) []byte {
	bigger := make([]byte, len(buf), max(n, len(buf)+1))
	copy(bigger, buf)
	return bigger
}
