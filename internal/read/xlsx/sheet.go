package xlsx

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/internal/read/source"
)

// Table is a sheet as text with commas.
type Table struct {
	Input source.Input
	Sheet string
	// Numbers names the columns that are called codes and hold numbers: leading
	// zeros are lost in them.
	Numbers []string
	Hidden  int // rows that the workbook does not show
	Filled  int // cells that go over several rows
}

// codeName matches the names of columns whose values are codes.
var codeName = pattern.New(`(?i)(icd|cie|code|codigo|código|dx|diag|zip|plz|postal)`)

// Table returns the sheet of that name, "" for the first one that holds a table. It
// is read once for its width.
func (b *Book) Table(ctx context.Context, name string) (*Table, error) {
	s, err := b.find(name)
	if err != nil {
		return nil, err
	}
	l, err := b.look(ctx, s)
	for i := 1; err == nil && name == "" && !l.isTable() && i < len(b.sheets); i++ {
		var other *look
		if other, err = b.look(ctx, b.sheets[i]); err == nil && other.isTable() {
			s, l = b.sheets[i], other
		}
	}
	if err != nil {
		return nil, err
	}
	if l.rows == 0 {
		return nil, fmt.Errorf("%s: the sheet %s is empty; choose another with ‹sheet› (%s): %w", b.in.Name, s.name, strings.Join(b.Sheets(), ", "), source.ErrEmpty)
	}
	t := &Table{Sheet: s.name, Hidden: l.hidden, Filled: len(l.merged)}
	for i, n := range l.numbers {
		if n > 0 && i < len(l.header) && codeName.MatchString(l.header[i]) {
			t.Numbers = append(t.Numbers, l.header[i])
		}
	}
	t.Input = source.Made(b.in, func(ctx context.Context, w io.Writer) error {
		line, row := make([]string, l.width), []byte(nil)
		above, was := make([]string, l.width), 0
		return b.rows(ctx, s.part, func(r *rowReader) error {
			clear(line)
			for ; was > 0 && was+1 < r.row; was++ { // rows without a cell have numbers too
				if _, err := io.WriteString(w, strings.Repeat(",", l.width-1)+"\n"); err != nil {
					return err
				}
			}
			was = r.row
			for i, c := range r.cells {
				line[i] = c.text
			}
			l.fill(line, above, r.row)
			row = source.Row(row[:0], line)
			_, err := w.Write(row)
			return err
		})
	})
	return t, nil
}

// look is what a first reading of a sheet tells.
type look struct {
	width, rows, hidden int
	header              []string
	numbers             []int   // cells of a column that are numbers
	merged              []merge // cells joined downwards
}

// merge is a cell that goes over several rows of one column.
type merge struct{ column, first, last int }

// isTable reports more than a title or a remark.
func (l *look) isTable() bool { return l.width > 1 && l.rows > 2 }

func (b *Book) look(ctx context.Context, s sheet) (*look, error) {
	l := new(look)
	r := &rowReader{book: b}
	r.each = func(r *rowReader) error {
		l.width = max(l.width, len(r.cells))
		if r.hidden {
			l.hidden++
		}
		if l.rows++; l.rows == 1 {
			for _, c := range r.cells {
				l.header = append(l.header, c.text)
			}
			return nil
		}
		for i := range r.cells {
			for len(l.numbers) <= i {
				l.numbers = append(l.numbers, 0)
			}
			if r.cells[i].number {
				l.numbers[i]++
			}
		}
		return nil
	}
	err := b.each(ctx, s.part, r.tag)
	l.merged = r.merged
	return l, err
}

// fill gives every row the value of a cell that goes over several of them; above
// keeps it.
func (l *look) fill(line, above []string, row int) {
	for _, m := range l.merged {
		switch {
		case m.column >= len(line):
		case row == m.first:
			above[m.column] = line[m.column]
		case row > m.first && row <= m.last && line[m.column] == "":
			line[m.column] = above[m.column]
		}
	}
}

// cell is the content of a cell.
type cell struct {
	text   string
	number bool // a number without a date or zeros in front
}

// rows calls each for every row with a cell that is not empty.
func (b *Book) rows(ctx context.Context, part string, each func(*rowReader) error) error {
	r := &rowReader{book: b, each: each}
	return b.each(ctx, part, r.tag)
}

// rowReader collects the cells of a row.
type rowReader struct {
	book        *Book
	each        func(*rowReader) error
	rows        int
	row         int // as the sheet counts
	hidden      bool
	merged      []merge
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
		r.row++
		if n, err := strconv.Atoi(t.attr("r")); err == nil {
			r.row = n
		}
		r.hidden = t.attr("hidden") == "1" || t.attr("hidden") == "true"
	case t.is("mergeCell"):
		r.merge(t.attr("ref"))
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
			return r.each(r)
		}
	}
	return nil
}

// mostMerged bounds what is kept of cells that were joined.
const mostMerged = 1 << 12

// merge notes cells of one column that were joined, such as A2:A21.
func (r *rowReader) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	a, ok1 := columnOf(from)
	b, ok2 := columnOf(to)
	first, err1 := strconv.Atoi(strings.TrimLeft(from, letters))
	last, err2 := strconv.Atoi(strings.TrimLeft(to, letters))
	if ok1 && ok2 && err1 == nil && err2 == nil && a == b && last > first && len(r.merged) < mostMerged {
		r.merged = append(r.merged, merge{a, first, last})
	}
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

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
