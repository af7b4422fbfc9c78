package encode

import (
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/record"
)

// Chain joins records of several sources whose schemas are known, such as those of
// Records: one after the other, with the features and side columns of all.
func Chain(parts ...record.Source) (record.Source, error) {
	first := *parts[0].Schema()
	first.Dict, first.Columns, first.Side, first.Titles = record.NewDict(), nil, nil, map[string]string{}
	c := &chain{parts: parts, schema: &first}
	for _, p := range parts {
		s := p.Schema()
		if s.Kind != first.Kind || s.Sparse != first.Sparse {
			return nil, fmt.Errorf("encode: the new records are %s and the old ones %s: they must be of one kind", s.Kind, first.Kind)
		}
		to := make([]uint32, s.Dict.Len())
		for i, name := range s.Dict.Names() {
			to[i] = first.Dict.Add(name)
			if title := s.Titles[name]; title != "" {
				first.Titles[name] = title
			}
		}
		var side []int
		for _, name := range s.Side {
			at := slices.Index(first.Side, name)
			if at < 0 {
				at = len(first.Side)
				first.Side = append(first.Side, name)
			}
			side = append(side, at)
		}
		c.to, c.side = append(c.to, to), append(c.side, side)
		if err := c.columns(s.Columns, to); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// chain is the records of several sources.
type chain struct {
	parts  []record.Source
	schema *record.Schema
	to     [][]uint32 // of every source: the features of all
	side   [][]int    // and the side columns
}

// columns adds those of a source.
func (c *chain) columns(list []record.Column, to []uint32) error {
	for _, col := range list {
		at := slices.IndexFunc(c.schema.Columns, func(o record.Column) bool { return o.Name == col.Name })
		if at < 0 {
			at = len(c.schema.Columns)
			c.schema.Columns = append(c.schema.Columns, record.Column{Name: col.Name, Kind: col.Kind})
		}
		o := &c.schema.Columns[at]
		if o.Kind != col.Kind {
			return fmt.Errorf("encode: column %q is %s in the new records and %s in the old ones", col.Name, col.Kind, o.Kind)
		}
		if col.Kind != record.Categorical {
			o.Feature = to[col.Feature]
		}
		for _, l := range col.Levels {
			if !slices.Contains(o.Levels, to[l]) {
				o.Levels = append(o.Levels, to[l])
			}
		}
	}
	return nil
}

// Schema implements record.Source.
func (c *chain) Schema() *record.Schema { return c.schema }

// Read implements record.Source.
func (c *chain) Read(ctx context.Context, yield func(*record.Batch) error) error {
	for i, p := range c.parts {
		err := p.Read(ctx, func(b *record.Batch) error {
			for e, f := range b.Feature {
				b.Feature[e] = c.to[i][f]
			}
			side := make([][]string, len(c.schema.Side))
			for at, values := range b.Side {
				side[c.side[i][at]] = values
			}
			for at := range side {
				if side[at] == nil {
					side[at] = make([]string, b.N())
				}
			}
			b.Side = side
			return yield(b)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
