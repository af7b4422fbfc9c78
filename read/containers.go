package read

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/read/delimited"
	"github.com/moiety-go/moiety/read/parquet"
	"github.com/moiety-go/moiety/read/source"
	"github.com/moiety-go/moiety/record"
)

// containers are formats that show what they are by their first bytes and hold
// tables, which are then read like every table.
var containers = []struct {
	magic  string
	format string
	reason string
}{
	{"PAR1", "parquet", "is a Parquet file"},
}

// contained recognises a container by the first bytes of an input, unpacked
// ones included.
func contained(ctx context.Context, in source.Input) (Guess, bool, error) {
	const enough = 8
	start, err := in.Start(ctx, enough)
	if err != nil {
		return Guess{}, false, err
	}
	for _, c := range containers {
		if bytes.HasPrefix(start, []byte(c.magic)) {
			return Guess{Format: c.format, Reason: c.reason}, true, nil
		}
	}
	return Guess{}, false, nil
}

// isTable reports whether a word of --format is a shape of a table: it then
// says how the table of a container is to be read.
func isTable(word string) bool {
	switch delimited.Shape(word) {
	case delimited.Long, delimited.List, delimited.Binary, delimited.Counts, delimited.Real,
		delimited.Categorical, delimited.Mixed, delimited.Sequences, delimited.Text:
		return true
	}
	return word == "omop" || word == "mimic" || word == "genotypes"
}

// openMade opens tables that a reader has made of something else. Their
// separators, header and decimal sign are known.
func openMade(ctx context.Context, in []source.Input, o Options, p *record.Problems) (record.Source, error) {
	o.Separator, o.Header, o.Decimal = ",", "yes", "."
	if !isTable(o.Format) {
		prof, err := delimited.Look(ctx, in[0], o.delimited(delimited.Long))
		if err != nil {
			return nil, err
		}
		if prof.Rows == 0 && prof.Ragged == 0 {
			return nil, fmt.Errorf("%s: it names %d columns and holds 0 records: %w", in[0].Name, len(prof.Columns), source.ErrEmpty)
		}
		g, prof, err := classify(ctx, in, prof, o)
		if err != nil {
			return nil, err
		}
		p.Note("%s %s", in[0].Name, g.Reason)
		g.seen, g.table = prof, true
		o.take(g)
	}
	return formats()[o.Format].open(ctx, in, o, p)
}

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
		p.Note("columns that hold lists or maps were left out: %s", strings.Join(left, ", "))
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
	if len(o.Label) == 0 {
		for _, name := range f.Flat() {
			if name != q.ID && !slices.Contains(q.Side, name) {
				q.Side = append(q.Side, name)
			}
		}
	}
	return q
}
