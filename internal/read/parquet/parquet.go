// Package parquet reads Parquet files: the flat columns as a table of text,
// which then has the same kinds, roles and words as any table, and lists of
// codes, one a row, as records.
//
// It takes opened inputs. Decimals, dates, times, unsigned and half numbers are
// what their annotation says, not what they are stored as. Pages are read one
// after the other, so memory does not grow with the file; sizes that a file
// claims are checked before they are believed, and a panic of the decoder is an
// error of the file.
//
// Step in the flow: source -> read/parquet -> record, or -> read/delimited. It
// must not know code tables or models.
package parquet

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

// Limits bounds what a file may claim. The zero value means the defaults.
type Limits struct {
	Page      int64 // bytes of one page, stored or unpacked; 0: 256 MB
	RowGroup  int64 // rows of one row group; 0: 2^28
	RowGroups int   // row groups; 0: 2^15
	Columns   int   // columns; 0: 2^15
}

func (l Limits) withDefaults() Limits {
	l.Page = orDefault(l.Page, 256<<20)
	l.RowGroup = orDefault(l.RowGroup, 1<<28)
	l.RowGroups = orDefault(l.RowGroups, 1<<15)
	l.Columns = orDefault(l.Columns, 1<<15)
	return l
}

func orDefault[T int | int64](v, d T) T {
	if v > 0 {
		return v
	}
	return d
}

// File is an open Parquet file, whose footer is checked.
type File struct {
	in   source.Input
	file *file
	flat []*column // single values
	list []*column // lists of values
	lost []string  // columns that are neither
}

// Open reads the footer of an input.
func Open(ctx context.Context, in source.Input, l Limits) (*File, error) {
	inner, err := open(ctx, in, l.withDefaults())
	if err != nil {
		return nil, err
	}
	f := &File{in: in, file: inner}
	columns, lost, err := inner.columns()
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		if c.repeated {
			f.list = append(f.list, c)
		} else {
			f.flat = append(f.flat, c)
		}
	}
	f.lost = lost
	return f, nil
}

// Lists returns the names of the columns of lists.
func (f *File) Lists() []string { return names(f.list) }

// Flat returns the names of the columns with single values.
func (f *File) Flat() []string { return names(f.flat) }

// Left names the columns that a table cannot hold: lists, maps, lists of lists.
func (f *File) Left() []string { return slices.Concat(names(f.list), f.lost) }

func names(columns []*column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}

// Table returns the flat columns as text with commas and a header.
func (f *File) Table() (source.Input, error) {
	if len(f.flat) == 0 {
		return source.Input{}, &record.ParseError{File: f.in.Name, Msg: "no column holds single values; the columns are: " + strings.Join(f.Left(), ", ")}
	}
	return source.Made(f.in, f.write), nil
}

// write writes the table, row by row.
func (f *File) write(ctx context.Context, w io.Writer) error {
	row := source.Row(nil, f.Flat())
	if _, err := w.Write(row); err != nil {
		return err
	}
	alone := len(f.flat) == 1
	return f.file.rows(ctx, f.flat, func(c []*cursor) error {
		row = row[:0]
		for i, cursor := range c {
			v, err := cursor.next()
			if err != nil {
				return err
			}
			if i > 0 {
				row = append(row, ',')
			}
			row = f.flat[i].cell(row, v, alone)
		}
		_, err := w.Write(append(row, '\n'))
		return err
	})
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
		if !slices.Equal(f.Lists(), files[0].Lists()) || !slices.Equal(f.Flat(), files[0].Flat()) {
			return fmt.Errorf("%s has other columns than %s; read them one by one", f.in.Name, files[0].in.Name)
		}
	}
	return nil
}
