package npy

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// array is an array that is being read, element by element.
type array struct {
	header
	name string
	r    *bufio.Reader
	buf  []byte // elements that were read, of which those before at were handed out
	at   int
	left int // elements that are still to come
}

// bufferBytes are read at a time, or one element where it is longer.
const bufferBytes = 32 << 10

// open begins to read an array.
func open(name string, r io.Reader) (*array, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	h, err := readHeader(name, b)
	if err != nil {
		return nil, err
	}
	return &array{header: h, name: name, r: b, buf: make([]byte, 0, max(1, bufferBytes/max(1, h.size))*h.size), left: h.n()}, nil
}

// next returns the bytes of the next element. Many are read at a time: a call for
// each of millions costs more than the elements.
func (a *array) next() ([]byte, error) {
	if a.left == 0 {
		return nil, io.EOF
	}
	if a.at == len(a.buf) && a.size > 0 {
		if err := a.fill(); err != nil {
			return nil, err
		}
	}
	b := a.buf[a.at : a.at+a.size]
	a.at += a.size
	a.left--
	return b, nil
}

// fill reads further elements, as many as the buffer takes.
func (a *array) fill() error {
	a.at, a.buf = 0, a.buf[:min(cap(a.buf)/a.size, a.left)*a.size]
	n, err := io.ReadFull(a.r, a.buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: %w: the array has %d elements less than its header says", a.name, source.ErrDamaged, a.left-n/a.size)
	}
	if err == nil && len(a.buf) == a.left*a.size { // an archive compares its checksum at the end
		const behind = 1 << 20
		if _, err = io.CopyN(io.Discard, a.r, behind); err == io.EOF {
			err = nil
		}
	}
	return err
}

// whole returns an element of an array of whole numbers.
func (a *array) whole(b []byte) int64 {
	switch {
	case a.size == 1 && a.kind == 'i':
		return int64(int8(b[0]))
	case a.size == 1:
		return int64(b[0])
	case a.size == 2 && a.kind == 'i':
		return int64(int16(a.order.Uint16(b)))
	case a.size == 2:
		return int64(a.order.Uint16(b))
	case a.size == 4 && a.kind == 'i':
		return int64(int32(a.order.Uint32(b)))
	case a.size == 4:
		return int64(a.order.Uint32(b))
	default:
		return int64(a.order.Uint64(b))
	}
}

// number returns an element of an array of numbers.
func (a *array) number(b []byte) float64 {
	switch {
	case a.kind != 'f' && a.kind == 'u' && a.size == 8:
		return float64(a.order.Uint64(b))
	case a.kind != 'f':
		return float64(a.whole(b))
	case a.size == 8:
		return math.Float64frombits(a.order.Uint64(b))
	case a.size == 4:
		return float64(math.Float32frombits(a.order.Uint32(b)))
	default:
		return half(a.order.Uint16(b))
	}
}

// half returns a number of two bytes.
func half(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch {
	case exponent == 31 && fraction == 0:
		return math.Inf(int(sign))
	case exponent == 31:
		return math.NaN()
	case exponent == 0:
		return sign * math.Ldexp(fraction, -24)
	default:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	}
}

// text returns an element of an array of strings.
func (a *array) text(b []byte) string {
	if a.kind == 'S' {
		return strings.TrimRight(string(b), "\x00")
	}
	var s strings.Builder
	for ; len(b) >= 4; b = b[4:] {
		if c := a.order.Uint32(b); c != 0 {
			s.WriteRune(rune(min(c, math.MaxInt32)))
		}
	}
	return s.String()
}

// cell appends an element as a cell of a table.
func (a *array) cell(out, b []byte, alone bool) []byte {
	before := len(out)
	switch {
	case a.isText():
		return source.Cell(out, a.text(b), alone)
	case a.kind == 'f' && a.size == 8:
		out = source.Number(out, a.number(b), 64)
	case a.kind == 'f':
		out = source.Number(out, a.number(b), 32)
	case a.kind == 'u' && a.size == 8:
		out = strconv.AppendUint(out, a.order.Uint64(b), 10)
	default:
		out = strconv.AppendInt(out, a.whole(b), 10)
	}
	if len(out) == before {
		return source.Cell(out, "", alone)
	}
	return out
}

// texts reads all elements as words.
func (a *array) texts() ([]string, error) {
	var out []string
	for {
		b, err := a.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if a.isText() {
			out = append(out, a.text(b))
		} else {
			out = append(out, string(a.cell(nil, b, false)))
		}
	}
}

// wholes reads all elements of an array of whole numbers.
func (a *array) wholes() ([]int64, error) {
	if a.kind != 'i' && a.kind != 'u' {
		return nil, a.wrong("it must hold whole numbers")
	}
	var out []int64
	for {
		b, err := a.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, a.whole(b))
	}
}

func (a *array) wrong(format string, args ...any) error {
	return &record.ParseError{File: a.name, Msg: fmt.Sprintf(format, args...)}
}
