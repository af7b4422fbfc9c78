package main

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/moiety-go/moiety/vocab"
)

// inOrder is a group whose fields keep the order they are given in: the library's
// own sorts them by name.
type inOrder struct {
	parquet.Group
	names []string
}

// Fields implements parquet.Node.
func (g inOrder) Fields() []parquet.Field {
	fields := g.Group.Fields()
	place := make(map[string]int, len(g.names))
	for i, name := range g.names {
		place[name] = i
	}
	slices.SortFunc(fields, func(a, b parquet.Field) int { return place[a.Name()] - place[b.Name()] })
	return fields
}

// wideParquet writes numbers as doubles and answers as text, missing ones null:
// the id first, then side columns, then columns in the order of the data.
func (t *table) wideParquet(ctx context.Context) error {
	columns, side := t.columns(), t.p.Side()
	group := inOrder{Group: parquet.Group{}}
	add := func(name string, node parquet.Node) error {
		if _, twice := group.Group[name]; twice {
			return errors.New("two columns are called " + name + ": choose csv")
		}
		group.Group[name], group.names = node, append(group.names, name)
		return nil
	}
	err := add("id", parquet.String())
	for _, name := range side {
		err = errors.Join(err, add(name, parquet.Optional(parquet.String())))
	}
	for _, c := range columns {
		node := parquet.Optional(parquet.Leaf(parquet.DoubleType))
		if c.Kind == vocab.Categorical {
			node = parquet.Optional(parquet.String())
		}
		err = errors.Join(err, add(c.Name, node))
	}
	if err != nil {
		return err
	}
	w := parquet.NewWriter(t.main, parquet.NewSchema("records", group), parquet.KeyValueMetadata("generator", markParquet))
	err = t.rows(ctx, func(_ int, r row) error {
		_, err := w.WriteRows([]parquet.Row{t.parquetRow(r, columns)})
		return err
	})
	return errors.Join(err, w.Close())
}

// parquetRow returns the cells of a record.
func (t *table) parquetRow(r row, columns []vocab.Column) parquet.Row {
	line := parquet.Row{parquet.ByteArrayValue([]byte(r.id)).Level(0, 0, 0)}
	add := func(v parquet.Value, known bool) {
		if known {
			v = v.Level(0, 1, len(line))
		} else {
			v = parquet.NullValue().Level(0, 0, len(line))
		}
		line = append(line, v)
	}
	for _, s := range r.side {
		add(parquet.ByteArrayValue([]byte(s)), s != "")
	}
	values := r.values()
	for _, c := range columns {
		if c.Kind == vocab.Categorical {
			s := t.cell(c, values)
			add(parquet.ByteArrayValue([]byte(s)), s != "")
			continue
		}
		v, ok := values[uint32(c.From)]
		add(parquet.DoubleValue(v), ok && !math.IsNaN(v) || !ok && c.Kind != vocab.Real)
	}
	return line
}
