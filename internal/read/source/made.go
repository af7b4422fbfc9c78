package source

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/par"
)

// Made returns an input whose text is written anew each time it is opened: the
// rows of a workbook or of a column file as a table, the elements of a list as
// lines. It takes over the name and the path of the input that it is made of. What write returns ends the reading; it must stop when its writer
// fails, which is how a reader that has seen enough says so.
func Made(of Input, write func(ctx context.Context, w io.Writer) error) Input {
	of.made, of.memory, of.stream, of.seek = write, nil, nil, nil
	of.size, of.before, of.total, of.Encoding = -1, 0, 0, "" // the text is not what is stored
	if of.seen != nil {
		of = of.Remembered()
	}
	return of
}

// made is the reading end of a text that is being written.
type made struct {
	*io.PipeReader
	stop context.CancelFunc
	done par.Group
}

// begin starts the writing.
func begin(write func(context.Context, io.Writer) error) io.ReadCloser {
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	m := &made{PipeReader: r, stop: stop}
	m.done.Go(func() {
		err := errBroken
		defer func() { w.CloseWithError(err) }()
		b := bufio.NewWriterSize(w, rawBuffer)
		if err = write(ctx, b); err == nil {
			err = b.Flush()
		}
	})
	return m
}

// errBroken is what is read of a text whose writing panicked, until Close does.
var errBroken = errors.New("the text broke off")

// Close ends the writing and waits for it, so that nothing it holds open
// outlives the input. It panics if the writing did.
func (m *made) Close() error {
	m.stop()
	err := m.PipeReader.Close()
	m.done.Wait()
	return err
}

// Row appends the cells of one row of a table with commas, a line end behind.
func Row(b []byte, cells []string) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = Cell(b, c, len(cells) == 1)
	}
	return append(b, '\n')
}

// Cell appends one cell of such a row. The only cell of its row is quoted when
// it is empty: an empty line is no row. Control characters, which texts do not
// hold, become blanks.
func Cell[T string | []byte](b []byte, s T, alone bool) []byte {
	quoted := alone && len(s) == 0 || len(s) > 0 && (s[0] == ' ' || s[0] == '#' || s[len(s)-1] == ' ')
	clean := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		quoted = quoted || c == ',' || c == '"' || c == '\n' || c == '\r'
		clean = clean && c < utf8.RuneSelf && !isControl(c)
	}
	if !quoted && clean {
		return append(b, s...)
	}
	text := string(s)
	if !clean {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	if quoted {
		b = append(b, '"')
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isControl(c):
			b = append(b, ' ')
		case c == '"':
			b = append(b, '"', '"')
		default:
			b = append(b, c)
		}
	}
	if quoted {
		b = append(b, '"')
	}
	return b
}

// Number appends a number as a cell: whole numbers without a point, the
// shortest form that gives the same number again, nothing for what is no number
// or not finite.
func Number(b []byte, x float64, bits int) []byte {
	switch a := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return b
	case a < 1e15 && a >= 1e-4 || a == 0:
		return strconv.AppendFloat(b, x, 'f', -1, bits)
	default:
		return strconv.AppendFloat(b, x, 'g', -1, bits)
	}
}
