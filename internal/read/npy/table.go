package npy

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Table returns a dense array as a table of text with a header. Columns are
// called x0, x1, … as in scikit-learn, unless an array of the file names them;
// arrays of ids and labels become columns in front.
func (f *File) Table() (source.Input, error) {
	name, h, err := f.matrix()
	if err != nil {
		return source.Input{}, err
	}
	rows, cols := 0, 1
	switch len(h.shape) {
	case 1:
		rows = h.shape[0]
	case 2:
		rows, cols = h.shape[0], h.shape[1]
	default:
		return source.Input{}, &record.ParseError{File: f.in.Name, Msg: fmt.Sprintf(
			"the array has %d dimensions; a table has two, records and columns", len(h.shape))}
	}
	if rows == 0 || cols == 0 {
		return source.Input{}, fmt.Errorf("%s: the array is empty (%d × %d): %w", f.in.Name, rows, cols, source.ErrEmpty)
	}
	if cols > maxColumns {
		return source.Input{}, fmt.Errorf("%s: %w: %d columns, at most %d", f.in.Name, source.ErrTooLarge, cols, maxColumns)
	}
	t := &table{file: f, name: name, header: h, rows: rows}
	if err := t.names(cols); err != nil {
		return source.Input{}, err
	}
	return source.Made(f.in, t.write), nil
}

// maxColumns bounds the columns of a dense array.
const maxColumns = 1 << 22

// table is a dense array on its way to text.
type table struct {
	file    *File
	name    string
	header  header
	rows    int
	front   [][]string // columns in front of the array
	columns []string
}

// names finds the names of the columns, and the columns in front.
func (t *table) names(cols int) error {
	ids, _, err := t.file.list(t.rows, idArrays...)
	if err != nil {
		return err
	}
	labels, name, err := t.file.list(t.rows, labelArrays...)
	if err != nil {
		return err
	}
	given, _, err := t.file.list(cols, columnArrays...)
	if err != nil {
		return err
	}
	if given == nil {
		for i := range cols {
			given = append(given, "x"+strconv.Itoa(i))
		}
	}
	if ids != nil && !slices.Contains(given, "id") {
		t.columns, t.front = append(t.columns, "id"), append(t.front, ids)
	}
	if labels != nil && !slices.Contains(given, name) {
		t.columns, t.front = append(t.columns, name), append(t.front, labels)
	}
	t.columns = append(t.columns, given...)
	return nil
}

func (t *table) write(ctx context.Context, w io.Writer) error {
	a, c, err := t.file.array(t.name)
	if err != nil {
		return err
	}
	defer c.Close()
	row := source.Row(nil, t.columns)
	if _, err := w.Write(row); err != nil {
		return err
	}
	next := a.next
	if a.fortran && len(a.shape) == 2 {
		if next, err = a.turned(); err != nil {
			return err
		}
	}
	alone := len(t.columns) == 1
	for i := range t.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		row = row[:0]
		for _, column := range t.front {
			row = append(source.Cell(row, column[i], alone), ',')
		}
		for range len(t.columns) - len(t.front) {
			b, err := next()
			if err != nil {
				return err
			}
			row = append(a.cell(row, b, alone), ',')
		}
		row[len(row)-1] = '\n'
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// turned reads an array whose columns lie one behind the other, and returns its
// elements row by row.
func (a *array) turned() (func() ([]byte, error), error) {
	var all []byte
	for a.left > 0 {
		b, err := a.next()
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	rows, cols := a.shape[0], a.shape[1]
	at := 0
	return func() ([]byte, error) {
		i, j := at/cols, at%cols
		at++
		from := (j*rows + i) * a.size
		return all[from : from+a.size], nil
	}, nil
}
