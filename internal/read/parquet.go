//go:build !js

package read

import (
	"context"
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
		if files[i], err = parquet.Open(ctx, in[i], parquet.Limits{}); err != nil {
			return nil, err
		}
	}
	if list := listOf(files[0], o); list != "" && !isTable(o.Format) {
		return parquet.New(files, listOptions(files[0], list, o), p)
	}
	if left := files[0].Left(); len(left) > 0 {
		p.Aside("columns that hold lists or maps were left out: %s", strings.Join(left, ", "))
	}
	tables := make([]source.Input, len(in))
	for i, f := range files {
		if tables[i], err = f.Table(); err != nil {
			return nil, err
		}
	}
	return openMade(ctx, tables, o, p)
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
