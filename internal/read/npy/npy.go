// Package npy reads arrays of numpy (npy), files of several of them (npz) and
// the sparse matrices that scipy writes into such files.
//
// It takes opened inputs. Dense arrays become tables of text, which then have
// the same kinds and words as any table; sparse matrices become records, a row
// each. Names of rows and columns are taken from arrays beside the matrix. What
// a header claims is never allocated before the bytes are there; arrays of
// Python objects, which can run programs when they are opened, are refused.
//
// Step in the flow: source -> read/npy -> record, or -> read/delimited. It must
// not know models.
package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Magic are the first bytes of an array.
const Magic = "\x93NUMPY"

// header is what an array says of itself.
type header struct {
	kind    byte // b, i, u, f, S or U
	size    int  // bytes of an element
	order   binary.ByteOrder
	fortran bool
	shape   []int
}

const (
	maxHeader   = 1 << 16
	maxElements = 1 << 44
	maxElement  = 1 << 20 // bytes of one string
)

var (
	descrField   = pattern.New(`'descr'\s*:\s*('([^']*)'|\[|")`)
	fortranField = pattern.New(`'fortran_order'\s*:\s*(True|False)`)
	shapeField   = pattern.New(`'shape'\s*:\s*\(([^)]*)\)`)
	descrForm    = pattern.New(`^([<>|=]?)([a-zA-Z?])(\d*)`)
)

// readHeader reads the magic, the version and the dictionary of an array.
func readHeader(name string, r io.Reader) (header, error) {
	fail := func(format string, args ...any) (header, error) {
		return header{}, &record.ParseError{File: name, Msg: fmt.Sprintf(format, args...)}
	}
	start := make([]byte, len(Magic)+2)
	if _, err := io.ReadFull(r, start); errors.Is(err, source.ErrDamaged) {
		return header{}, err
	} else if err != nil || !bytes.HasPrefix(start, []byte(Magic)) {
		return fail("this is no array of numpy")
	}
	width := 2
	if start[len(Magic)] > 1 {
		width = 4
	}
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length[:width]); err != nil {
		return fail("the array is cut off in its header")
	}
	n := binary.LittleEndian.Uint32(length)
	if n > maxHeader {
		return fail("the header of the array claims %d bytes; at most %d are believed", n, maxHeader)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return fail("the array is cut off in its header")
	}
	h, msg := parseHeader(string(text))
	if msg != "" {
		return fail("%s", msg)
	}
	return h, nil
}

// parseHeader reads the dictionary; it returns what is wrong with it.
func parseHeader(text string) (h header, msg string) {
	d, f, s := descrField.FindStringSubmatch(text), fortranField.FindStringSubmatch(text), shapeField.FindStringSubmatch(text)
	if d == nil || f == nil || s == nil {
		return h, "the header of the array cannot be read"
	}
	if d[1] == "[" {
		return h, "an array of structures is not read; save it as CSV or Parquet: pandas.DataFrame(a).to_csv(…)"
	}
	h.fortran = f[1] == "True"
	if msg = h.descr(d[2]); msg != "" {
		return h, msg
	}
	total := 1
	for _, part := range strings.Split(s[1], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(part, "L"))
		if err != nil || n < 0 || n > math.MaxInt32 || n > 0 && total > maxElements/n {
			return h, fmt.Sprintf("a shape of (%s) cannot be believed", s[1])
		}
		h.shape = append(h.shape, n)
		total *= max(n, 1)
	}
	return h, ""
}

// descr reads the type of the elements; it returns what is wrong with it.
func (h *header) descr(text string) string {
	m := descrForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Sprintf("elements of type %q are not read", text)
	}
	h.order = binary.LittleEndian
	if m[1] == ">" {
		h.order = binary.BigEndian
	}
	h.kind = m[2][0]
	h.size, _ = strconv.Atoi(m[3])
	switch {
	case h.kind == '?':
		h.kind, h.size = 'b', 1
	case h.kind == 'O':
		return "an array of Python objects can run programs when it is opened and is not read; save it as strings or numbers"
	case h.kind == 'b' && h.size == 1, (h.kind == 'i' || h.kind == 'u') && (h.size == 1 || h.size == 2 || h.size == 4 || h.size == 8),
		h.kind == 'f' && (h.size == 2 || h.size == 4 || h.size == 8):
	case h.kind == 'S' && h.size <= maxElement:
	case h.kind == 'U' && h.size <= maxElement/4:
		h.size *= 4
	default:
		return fmt.Sprintf("elements of type %q are not read; save them as numbers or strings", text)
	}
	return ""
}

// n is the number of elements.
func (h header) n() int {
	n := 1
	for _, s := range h.shape {
		n *= s
	}
	return n
}

func (h header) isText() bool { return h.kind == 'S' || h.kind == 'U' }
