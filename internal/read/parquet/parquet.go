// Package parquet reads Parquet files: the flat columns as a table of text,
// which then has the same kinds, roles and words as any table, and lists of
// codes, one a row, as records.
//
// It takes opened inputs. Decimals, dates, times, unsigned and half numbers are
// what their annotation says, not what they are stored as. Pages are read one
// after the other, so memory does not grow with the file. The format itself is in
// package internal/parquet.
//
// Step in the flow: source -> read/parquet -> record, or -> read/delimited. It
// must not know code tables or models.
package parquet

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	pq "github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// File is an open Parquet file, whose footer is checked.
type File struct {
	in      source.Input
	file    *file
	flat    []*column   // single values, those that its folders say among them
	list    []*column   // lists of values
	records [][]*column // lists of structures, and maps
	lost    []string    // what is deeper
}

// Open reads the footer of an input.
func Open(ctx context.Context, in source.Input) (*File, error) {
	inner, err := open(ctx, in)
	if err != nil {
		return nil, err
	}
	f := &File{in: in, file: inner}
	f.flat, f.list, f.records, f.lost = inner.columns()
	f.flat = append(f.flat, folders(in.Path(), f.flat)...)
	return f, nil
}

// Lists returns the names of the columns of lists.
func (f *File) Lists() []string { return names(f.list) }

// Flat returns the names of the columns with single values.
func (f *File) Flat() []string { return names(f.flat) }

// Records returns the names of the columns of each list of structures: those of a
// map are its key and its value.
func (f *File) Records() (out [][]string) {
	for _, r := range f.records {
		out = append(out, names(r))
	}
	return out
}

// Left names the columns that a table of single values cannot hold.
func (f *File) Left() []string {
	return slices.Concat(names(f.list), slices.Concat(f.Records()...), f.lost)
}

func names(columns []*column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}

// RowName is the column that numbers rows in tables with several lines a row.
const RowName = "row"

// Table returns the flat columns as text with commas and a header, a line a row.
// With the name of a column of a list of structures, it is a line an element, the
// flat columns again on each, and one line for a row without elements; numbered
// puts the number of the row in front.
func (f *File) Table(element string, numbered bool) (source.Input, error) {
	t := &rowWriter{file: f, columns: f.flat, numbered: numbered}
	for _, r := range f.records {
		if slices.Contains(names(r), element) {
			t.columns, t.elements = slices.Concat(f.flat, r), len(r)
		}
	}
	if len(t.columns) == 0 {
		return source.Input{}, &record.ParseError{File: f.in.Name, Msg: "no column holds single values; the columns are: " + strings.Join(f.Left(), ", ")}
	}
	return source.Made(f.in, t.write), nil
}

// rowWriter writes a file as a table.
type rowWriter struct {
	file     *File
	columns  []*column // the flat ones, then those of elements
	elements int
	numbered bool
}

// write writes the table, row by row.
func (t *rowWriter) write(ctx context.Context, w io.Writer) error {
	head := names(t.columns)
	if t.numbered {
		head = append([]string{RowName}, head...)
	}
	if _, err := w.Write(source.Row(nil, head)); err != nil {
		return err
	}
	alone := len(head) == 1
	var line []byte
	number := 0
	cells := func(c *column) *cursor { return c.cells(alone) }
	return t.file.file.rows(ctx, t.columns, cells, func(c []*cursor) (err error) {
		line = line[:0]
		if number++; t.numbered {
			line = append(strconv.AppendInt(line, int64(number), 10), ',')
		}
		flat := len(c) - t.elements
		if line, err = appendCells(line, c[:flat]); err != nil {
			return err
		}
		if t.elements > 0 {
			return writeElements(w, line, c[flat:], flat > 0)
		}
		_, err = w.Write(append(line, '\n'))
		return err
	})
}

// appendCells appends the next cell of every cursor, with commas between.
func appendCells(line []byte, c []*cursor) (_ []byte, err error) {
	for i, cursor := range c {
		if i > 0 {
			line = append(line, ',')
		}
		if line, err = cursor.append(line); err != nil {
			return nil, err
		}
	}
	return line, nil
}

// writeElements writes a line for every element of a row behind the cells that the
// row has in common.
func writeElements(w io.Writer, line []byte, c []*cursor, comma bool) (err error) {
	if comma {
		line = append(line, ',')
	}
	common := len(line)
	for end := false; !end; {
		if line, err = appendCells(line[:common], c); err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
		for i, cursor := range c {
			next, err := cursor.startsRow()
			if err != nil {
				return err
			}
			if i > 0 && next != end {
				return cursor.file.said(&pq.Error{Reason: pq.Damaged, Words: "the columns of a list have other lengths"})
			}
			end = next
		}
	}
	return nil
}

// indexName is what pandas calls the names of its rows.
const indexName = "__index_level_0__"

// rename gives the index of pandas a name that people know.
func rename(columns []*column) {
	if i := slices.IndexFunc(columns, func(c *column) bool { return c.name == indexName }); i >= 0 &&
		!slices.ContainsFunc(columns, func(c *column) bool { return strings.EqualFold(c.name, "index") }) {
		columns[i].name = "index"
	}
}

// check refuses files with other columns than the first.
func check(files []*File) error {
	for _, f := range files[1:] {
		if !slices.Equal(f.Left(), files[0].Left()) || !slices.Equal(f.Flat(), files[0].Flat()) {
			return fmt.Errorf("%s has other columns than %s; read them one by one", f.in.Name, files[0].in.Name)
		}
	}
	return nil
}
