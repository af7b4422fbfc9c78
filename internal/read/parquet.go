//go:build !js

package read

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/read/delimited"
	"github.com/moiety-go/moiety/internal/read/parquet"
	"github.com/moiety-go/moiety/internal/read/source"
	"github.com/moiety-go/moiety/record"
)

func openParquet(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	files := make([]*parquet.File, len(in))
	var err error
	for i := range in {
		if files[i], err = parquet.Open(ctx, in[i]); err != nil {
			return nil, err
		}
	}
	if list := listOf(files[0], o); list != "" && !isTable(o.Format) {
		return parquet.New(files, listOptions(files[0], list, o), p)
	}
	element, numbered := elementOf(files[0], &o)
	left := leftBy(files[0], element)
	if len(left) > 0 {
		p.Aside("columns that hold lists or maps were left out: %s", strings.Join(left, ", "))
	}
	tables := make([]source.Input, len(in))
	for i, f := range files {
		if tables[i], err = f.Table(element, numbered); err != nil {
			return nil, err
		}
	}
	src, err := openMade(ctx, tables, o, p)
	if errors.Is(err, source.ErrUnfit) && element == "" && len(files[0].Records()) > 0 {
		return nil, &record.ParseError{File: in[0].Name, Msg: "its single values tell nothing apart; if a list or a map holds the codes, name it with ‹code›: " + strings.Join(left, ", ")}
	}
	return src, err
}

// elementOf returns a column of the list of structures, or of the map, whose elements
// are lines of the table: the one that is named as the codes, or the only one where
// the other columns are no more than ids and what describes records. Records that
// have no id are numbered.
func elementOf(f *parquet.File, o *Options) (element string, numbered bool) {
	for _, names := range f.Records() {
		if slices.Contains(names, o.Code) {
			element = o.Code
		}
	}
	described := func(name string) bool { return name == o.ID || slices.Contains(o.Label, name) || delimited.IsID(name) }
	flat, all := f.Flat(), f.Records()
	alone := len(f.Lists()) == 0 && len(all) == 1 && (len(flat) <= 1 || !slices.ContainsFunc(flat, func(n string) bool { return !described(n) }))
	if element == "" && alone && o.Code == "" && o.Text == "" && len(o.Columns) == 0 {
		element = all[0][0]
	}
	if element == "" {
		return "", false
	}
	if numbered = o.ID == "" && !slices.ContainsFunc(flat, delimited.IsID); numbered {
		o.ID = parquet.RowName
	}
	return element, numbered
}

// leftBy names the columns that are not in the table of an element.
func leftBy(f *parquet.File, element string) []string {
	left := f.Left()
	for _, names := range f.Records() {
		if slices.Contains(names, element) {
			left = slices.DeleteFunc(left, func(n string) bool { return slices.Contains(names, n) })
		}
	}
	return left
}

// listOf returns the column of lists that holds the codes: the one that is
// named, or the only one.
func listOf(f *parquet.File, o Options) string {
	lists := f.Lists()
	switch {
	case slices.Contains(lists, o.Code):
		return o.Code
	case o.Code == "" && o.Text == "" && len(o.Columns) == 0 && len(lists) == 1:
		return lists[0]
	}
	return ""
}

// listOptions finds the id by its name and takes the other columns along.
func listOptions(f *parquet.File, list string, o Options) parquet.Options {
	q := parquet.Options{ID: o.ID, List: list, Side: slices.Clone(o.Label)}
	for _, name := range f.Flat() {
		if q.ID == "" && delimited.IsID(name) {
			q.ID = name
		}
	}
	if o.Time != "" && !slices.Contains(q.Side, o.Time) {
		q.Side = append(q.Side, o.Time)
	}
	if len(o.Label) > 0 && o.Freq != "" {
		q.Side = append(q.Side, o.Freq)
	}
	if len(o.Label) == 0 {
		for _, name := range f.Flat() {
			if name != q.ID && !slices.Contains(q.Side, name) {
				q.Side = append(q.Side, name)
			}
		}
	}
	return q
}
