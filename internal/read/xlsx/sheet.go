package xlsx

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
)

// Table is a sheet as text with commas.
type Table struct {
	Input source.Input
	Sheet string
	// Numbers names the columns that are called codes and hold numbers: leading
	// zeros are lost in them.
	Numbers []string
}

// codeName matches the names of columns whose values are codes.
var codeName = regexp.MustCompile(`(?i)(icd|cie|code|codigo|código|dx|diag|zip|plz|postal)`)

// Table returns the sheet of that name, "" for the first one. It is read once
// for its width.
func (b *Book) Table(ctx context.Context, name string) (*Table, error) {
	s, err := b.find(name)
	if err != nil {
		return nil, err
	}
	width, rows := 0, 0
	var header []string
	var numbers []int
	err = b.rows(ctx, s.part, func(cells []cell) error {
		width = max(width, len(cells))
		if rows++; rows == 1 {
			for _, c := range cells {
				header = append(header, c.text)
			}
			return nil
		}
		for i := range cells {
			for len(numbers) <= i {
				numbers = append(numbers, 0)
			}
			if cells[i].number {
				numbers[i]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		return nil, fmt.Errorf("%s: the sheet %s is empty; choose another with ‹sheet› (%s): %w", b.in.Name, s.name, strings.Join(b.Sheets(), ", "), source.ErrEmpty)
	}
	t := &Table{Sheet: s.name}
	for i, n := range numbers {
		if n > 0 && i < len(header) && codeName.MatchString(header[i]) {
			t.Numbers = append(t.Numbers, header[i])
		}
	}
	t.Input = source.Made(b.in, func(ctx context.Context, w io.Writer) error {
		line, row := make([]string, width), []byte(nil)
		return b.rows(ctx, s.part, func(cells []cell) error {
			clear(line)
			for i, c := range cells {
				line[i] = c.text
			}
			row = source.Row(row[:0], line)
			_, err := w.Write(row)
			return err
		})
	})
	return t, nil
}

// cell is the content of a cell.
type cell struct {
	text   string
	number bool // a number without a date or zeros in front
}

// rows calls each for every row with a cell that is not empty.
func (b *Book) rows(ctx context.Context, part string, each func([]cell) error) error {
	r := &rowReader{book: b, each: each}
	return b.each(ctx, part, r.tag)
}

// rowReader collects the cells of a row.
type rowReader struct {
	book        *Book
	each        func([]cell) error
	rows        int
	cells       []cell
	filled      bool
	at          int
	kind, style string
	value       string
	inline      strings.Builder
	inValue     bool
}

func (r *rowReader) tag(t *tag) error {
	switch {
	case t.is("row"):
		if r.rows++; r.rows > maxRows {
			return fmt.Errorf("%s: %w: a sheet has more than %d rows, which no workbook can show; save the data as CSV", r.book.in.Name, source.ErrTooLarge, maxRows)
		}
		r.cells, r.at, r.filled = r.cells[:0], -1, false
	case t.is("c"):
		r.at++
		if ref := t.attr("r"); ref != "" {
			if at, ok := columnOf(ref); ok {
				r.at = at
			}
		}
		r.kind, r.style, r.value = t.attr("t"), t.attr("s"), ""
		r.inline.Reset()
	case t.is("v"), t.is("t"):
		r.inValue = !t.empty
	case t.isEnd("v"):
		r.value, r.inValue = string(t.text), false
	case t.isEnd("t"):
		if r.inValue {
			r.inline.Write(t.text)
		}
		r.inValue = false
	case t.isEnd("c"):
		r.put()
	case t.isEnd("row"):
		if r.filled {
			return r.each(r.cells)
		}
	}
	return nil
}

// put enters the cell that has ended.
func (r *rowReader) put() {
	if r.at < 0 || r.at >= maxColumns {
		return
	}
	c := r.content()
	if c.text == "" {
		return
	}
	for len(r.cells) <= r.at {
		r.cells = append(r.cells, cell{})
	}
	r.cells[r.at], r.filled = c, true
}

// content words the cell by its type.
func (r *rowReader) content() cell {
	switch r.kind {
	case "s":
		if n, err := strconv.Atoi(r.value); err == nil && n >= 0 && n < len(r.book.texts) {
			return cell{text: r.book.texts[n]}
		}
		return cell{}
	case "inlineStr":
		return cell{text: r.inline.String()}
	case "str":
		return cell{text: r.value}
	case "b":
		return cell{text: map[string]string{"0": "FALSE", "1": "TRUE"}[r.value]}
	case "e":
		return cell{} // an error of a formula is no value
	case "d":
		return cell{text: strings.TrimSuffix(r.value, "T00:00:00")}
	}
	if r.value == "" {
		return cell{}
	}
	text := r.book.number(r.value, r.style)
	_, err := strconv.ParseFloat(text, 64)
	return cell{text: text, number: err == nil && !strings.HasPrefix(text, "0") || text == "0"}
}

// columnOf reads the letters of a place such as BC12; A is 0.
func columnOf(ref string) (int, bool) {
	n := 0
	for i := 0; i < len(ref); i++ {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			return n - 1, n > 0
		}
		if n = 26*n + int(c-'A') + 1; n > 1<<20 {
			return 0, false
		}
	}
	return n - 1, n > 0
}
