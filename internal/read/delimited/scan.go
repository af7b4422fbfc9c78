package delimited

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/moiety-go/moiety/internal/kernel"
)

const (
	ones  = 0x0101010101010101
	lows  = 0x7f7f7f7f7f7f7f7f
	quote = '"'
)

// zeroBytes has 0x80 in exactly the bytes of x that are zero.
func zeroBytes(x uint64) uint64 { return ^(((x & lows) + lows) | x | lows) }

// index appends the places of all separators and line ends of data to ends;
// data without a last line end gets one in thought.
func index(ends []uint32, data []byte, d dialect, quotes bool) []uint32 {
	switch {
	case d.sep == ' ':
		ends = indexBlanks(ends, data, d)
	case quotes:
		ends = indexQuoted(ends, data, d)
	default:
		ends = kernel.Places(ends, data, [2]byte{d.sep, '\n'})
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		ends = append(ends, uint32(len(data)))
	}
	return ends
}

// indexPlain looks at eight bytes at a time between from and to.
func indexPlain(ends []uint32, data []byte, from, to int, sep byte) []uint32 {
	seps, lines := ones*uint64(sep), uint64(ones*'\n')
	i := from
	for ; i+8 <= to; i += 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		for m := zeroBytes(w^seps) | zeroBytes(w^lines); m != 0; m &= m - 1 {
			ends = append(ends, uint32(i+bits.TrailingZeros64(m)>>3))
		}
	}
	for ; i < to; i++ {
		if c := data[i]; c == sep || c == '\n' {
			ends = append(ends, uint32(i))
		}
	}
	return ends
}

// indexQuoted leaves out what is inside quotes.
func indexQuoted(ends []uint32, data []byte, d dialect) []uint32 {
	pos := 0
	for pos < len(data) {
		q := bytes.IndexByte(data[pos:], quote)
		if q < 0 {
			break
		}
		q += pos
		ends = indexPlain(ends, data, pos, q, d.sep)
		pos = q + 1
		if opensField(data, q, d.sep) {
			if c := closing(data, q, d); c > 0 {
				pos = c + 1
			}
		}
	}
	return indexPlain(ends, data, pos, len(data), d.sep)
}

// opensField reports whether the quote at q is the first byte of a field.
func opensField(data []byte, q int, sep byte) bool {
	return q == 0 || data[q-1] == sep || data[q-1] == '\n'
}

// closing returns the place of the quote that closes the one at q; endless where the
// data end before it, stray where it cannot be closed. A quote in the middle of a field is forgiven on one line; a field that runs
// over a line end must be closed properly, or one stray quote would swallow
// the rest of the file. Where tabs separate, a quote that is not closed on its
// line is a letter.
func closing(data []byte, q int, d dialect) int {
	lines := false
	for i := q + 1; i < len(data); {
		c := bytes.IndexByte(data[i:], quote)
		if c < 0 {
			if d.oneLine && bytes.IndexByte(data[i:], '\n') >= 0 {
				return stray
			}
			return endless
		}
		lines = lines || bytes.IndexByte(data[i:i+c], '\n') >= 0
		if lines && d.oneLine {
			return stray
		}
		c += i
		switch {
		case d.backslash && escaped(data[q+1:c]):
			i = c + 1
		case c+1 == len(data) || data[c+1] == d.sep || data[c+1] == '\n' || data[c+1] == '\r':
			return c
		case data[c+1] == quote:
			i = c + 2
		case lines:
			return stray
		default:
			i = c + 1
		}
	}
	return endless
}

// What closing says of a quote that is not closed.
const (
	endless = -1
	stray   = -2
)

// escaped reports an odd number of backslashes at the end.
func escaped(b []byte) bool {
	n := len(b) - len(bytes.TrimRight(b, `\`))
	return n%2 == 1
}

// indexBlanks takes runs of blanks as one separator; blanks at the ends of a
// line separate nothing.
func indexBlanks(ends []uint32, data []byte, d dialect) []uint32 {
	inField := false
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '\n':
			ends = append(ends, uint32(i))
			inField = false
			i++
		case c == ' ':
			j := i
			for j < len(data) && data[j] == ' ' {
				j++
			}
			if inField && j < len(data) && data[j] != '\n' && data[j] != '\r' {
				ends = append(ends, uint32(i))
				inField = false
			}
			i = j
		case c == quote && !inField:
			if q := closing(data, i, d); q > 0 {
				i = q
			}
			inField = true
			i++
		default:
			inField = true
			i++
		}
	}
	return ends
}

// maxQuoted is the longest quoted field over several lines; a longer one is a
// quote that was never closed.
const maxQuoted = 8 << 20

// wholeRecords returns a split function for source.Cutter that does not cut
// inside quotes.
func wholeRecords(d dialect) func([]byte, bool) int {
	return func(buf []byte, atEOF bool) int {
		if atEOF {
			return len(buf)
		}
		pos, last := 0, 0
		for {
			q := bytes.IndexByte(buf[pos:], quote)
			if q < 0 {
				if n := bytes.LastIndexByte(buf[pos:], '\n'); n >= 0 {
					last = pos + n + 1
				}
				return last
			}
			if n := bytes.LastIndexByte(buf[pos:pos+q], '\n'); n >= 0 {
				last = pos + n + 1
			}
			q += pos
			pos = q + 1
			if !opensField(buf, q, d.sep) {
				continue
			}
			switch c := closing(buf, q, d); {
			case c > 0 && c+1 < len(buf):
				pos = c + 1
			case c > 0, c == endless && (len(buf)-q < maxQuoted || bytes.IndexByte(buf[q+1:], '\n') < 0):
				return last
			}
		}
	}
}
