package main

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/internal/parquet"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// writeParquet writes a list of codes a record, long counts, or wide columns.
func writeParquet(ctx context.Context, t *table) error {
	if t.hasColumns() {
		return t.wideParquet(ctx)
	}
	if len(t.p.Side()) > 0 {
		t.notes = append(t.notes, "Side columns were left out: this format keeps ids and features only.")
	}
	if t.kind == record.Counts {
		return t.longParquet(ctx)
	}
	w := parquet.NewWriter(t.main, "listRow", markParquet, []parquet.Column{parquet.TextColumn("id"), parquet.TextColumn("codes").Lists()})
	names := t.p.Vocab().Names
	err := t.rows(ctx, func(_ int, r row) error {
		list := make([]string, len(r.index))
		for e, h := range r.index {
			list[e] = names[h]
		}
		w.Text(0, r.id)
		w.List(1, list)
		return w.EndRow()
	})
	return errors.Join(err, w.Close())
}

// longParquet writes a row for every word of a record, with its count.
func (t *table) longParquet(ctx context.Context) error {
	w := parquet.NewWriter(t.main, "longRow", markParquet,
		[]parquet.Column{parquet.TextColumn("id"), parquet.TextColumn("code"), parquet.WholeColumn("count")})
	line := func(id, code string, count int64) error {
		w.Text(0, id)
		w.Text(1, code)
		w.Whole(2, count)
		return w.EndRow()
	}
	names := t.p.Vocab().Names
	err := t.rows(ctx, func(_ int, r row) error {
		for e, h := range r.index {
			if err := line(r.id, names[h], int64(r.value[e])); err != nil {
				return err
			}
		}
		if len(r.index) == 0 { // the record exists all the same
			return line(r.id, "", 0)
		}
		return nil
	})
	return errors.Join(err, w.Close())
}

// wideParquet writes numbers as doubles and answers as text, missing ones null:
// the id first, then side columns, then columns in the order of the data.
func (t *table) wideParquet(ctx context.Context) error {
	columns := t.columns()
	out := []parquet.Column{parquet.TextColumn("id")}
	for _, name := range t.p.Side() {
		out = append(out, parquet.TextColumn(name).Optional())
	}
	for _, c := range columns {
		if c.Kind == vocab.Categorical {
			out = append(out, parquet.TextColumn(c.Name).Optional())
		} else {
			out = append(out, parquet.NumberColumn(c.Name).Optional())
		}
	}
	seen := make(map[string]bool)
	for i := range out {
		if name := out[i].Name(); seen[name] {
			return errors.New("two columns are called " + name + ": choose csv")
		}
		seen[out[i].Name()] = true
	}
	w := parquet.NewWriter(t.main, "records", markParquet, out)
	err := t.rows(ctx, func(_ int, r row) error { return t.parquetRow(w, r, columns) })
	return errors.Join(err, w.Close())
}

// parquetRow writes the cells of a record.
func (t *table) parquetRow(w *parquet.Writer, r row, columns []vocab.Column) error {
	text := func(at int, s string) {
		if s == "" {
			w.Null(at)
			return
		}
		w.Text(at, s)
	}
	w.Text(0, r.id)
	for i, s := range r.side {
		text(1+i, s)
	}
	values := r.values()
	for i, c := range columns {
		at := 1 + len(r.side) + i
		v, ok := values[uint32(c.From)]
		switch {
		case c.Kind == vocab.Categorical:
			text(at, t.cell(c, values))
		case ok && !math.IsNaN(v) || !ok && c.Kind != vocab.Real:
			w.Number(at, v)
		default:
			w.Null(at)
		}
	}
	return w.EndRow()
}
