package mtx

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// header is what a file says of itself.
type header struct {
	rows, cols int
	entries    int // of a coordinate file, or the values of an array file
	array      bool
	pattern    bool
	integer    bool
	symmetry   symmetry
	transpose  bool
	lines      int // lines up to and with the sizes
}

type symmetry int

const (
	general symmetry = iota
	symmetric
	skew
)

// width and height are those of the records' table.
func (h header) width() int {
	if h.transpose {
		return h.rows
	}
	return h.cols
}

func (h header) height() int {
	if h.transpose {
		return h.cols
	}
	return h.rows
}

const (
	maxHeaderLine  = 1 << 12
	maxHeaderLines = 1 << 12 // comments included
)

// readHeader reads the banner, the comments and the sizes. Nothing is
// allocated by what they say.
func readHeader(name string, r *bufio.Reader) (header, error) {
	var h header
	fail := func(text, msg string) (header, error) {
		return h, &record.ParseError{File: name, Line: max(h.lines, 1), Text: text, Msg: msg}
	}
	line, err := h.next(r)
	if err != nil && err != io.EOF {
		return h, err
	}
	if msg := h.banner(line); msg != "" {
		return fail(line, msg)
	}
	for {
		line, err = h.next(r)
		if err != nil && err != io.EOF {
			return h, err
		}
		text := strings.TrimSpace(line)
		switch {
		case text != "" && text[0] != '%':
			if msg := h.sizes(strings.Fields(text)); msg != "" {
				return fail(text, msg)
			}
			return h, nil
		case err == io.EOF:
			return fail("", "the file ends before the line with its sizes")
		case h.lines > maxHeaderLines:
			return fail("", "no line with sizes after thousands of comments")
		}
	}
}

// next reads a line; longer ones are cut and their rest dropped, as only
// comments are long.
func (h *header) next(r *bufio.Reader) (string, error) {
	h.lines++
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if left := maxHeaderLine - len(line); left > 0 {
			line = append(line, part[:min(len(part), left)]...)
		}
		if err != bufio.ErrBufferFull {
			return string(line), err
		}
	}
}

// banner reads the first line; it returns what is wrong.
func (h *header) banner(line string) string {
	f := strings.Fields(strings.ToLower(line))
	if len(f) != 5 || f[0] != "%%matrixmarket" {
		return `a Matrix Market file starts with "%%MatrixMarket matrix coordinate|array integer|real|pattern general|symmetric"`
	}
	if f[1] != "matrix" {
		return fmt.Sprintf("only the object matrix is read, not %q", f[1])
	}
	switch f[2] {
	case "coordinate":
	case "array":
		h.array = true
	default:
		return fmt.Sprintf("the layout must be coordinate or array, not %q", f[2])
	}
	switch f[3] {
	case "integer", "unsigned-integer":
		h.integer = true
	case "real", "double":
	case "pattern":
		h.pattern = true
	default:
		return fmt.Sprintf("values must be integer, real or pattern, not %q", f[3])
	}
	switch f[4] {
	case "general":
	case "symmetric":
		h.symmetry = symmetric
	case "skew-symmetric":
		h.symmetry = skew
	default:
		return fmt.Sprintf("the symmetry must be general, symmetric or skew-symmetric, not %q", f[4])
	}
	if h.array && h.pattern {
		return "an array cannot be a pattern"
	}
	return ""
}

// sizes reads "rows columns [entries]"; it returns what is wrong.
func (h *header) sizes(f []string) string {
	want := []*int{&h.rows, &h.cols, &h.entries}
	if h.array {
		want = want[:2]
	}
	if len(f) != len(want) {
		return fmt.Sprintf("expected %d sizes, found %d fields", len(want), len(f))
	}
	for i, s := range f {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || i < 2 && n > math.MaxInt32 {
			return fmt.Sprintf("sizes must be whole numbers, rows and columns at most %d", math.MaxInt32)
		}
		*want[i] = n
	}
	if h.symmetry != general && h.rows != h.cols {
		return "a symmetric matrix must have as many rows as columns"
	}
	if h.array {
		h.entries = h.values()
	}
	return ""
}

// values is the number of values of an array file.
func (h *header) values() int {
	n := h.rows
	switch h.symmetry {
	case symmetric:
		return n * (n + 1) / 2
	case skew:
		return n * (n - 1) / 2
	default:
		return h.rows * h.cols
	}
}
