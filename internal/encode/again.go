package encode

import (
	"context"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Records turns an encoded data set back into records, as a reader would yield
// them: those whose number keep takes, all where it is nil. format is the word
// for where they come from.
func Records(d dataset.Data, format string, keep func(i int) bool) record.Source {
	a := &again{d: d, schema: schemaOf(d.Describe(), format), keep: keep}
	a.real = make([]bool, a.schema.Dict.Len())
	for _, c := range a.schema.Columns {
		if c.Kind == record.Real {
			a.real[c.Feature] = true
		}
	}
	return a
}

// again is the records of a data set.
type again struct {
	d      dataset.Data
	schema *record.Schema
	keep   func(i int) bool
	real   []bool // of every feature: zeros are measurements like others
}

// schemaOf describes stored rows as a reader would.
func schemaOf(h dataset.Header, format string) *record.Schema {
	s := &record.Schema{Format: format, Kind: h.Kind, Dict: record.NewDict(), Side: h.Side, Titles: map[string]string{}}
	for i, name := range h.Vocab.Names {
		s.Dict.Add(name)
		if h.Vocab.Titles != nil && h.Vocab.Titles[i] != "" {
			s.Titles[name] = h.Vocab.Titles[i]
		}
	}
	s.Sparse = h.Kind == record.Real && h.Layout == dataset.Valued
	if h.Kind == record.Categorical || h.Kind == record.Mixed {
		for _, c := range h.Vocab.Columns {
			s.Columns = append(s.Columns, recordColumn(c))
		}
	}
	if h.Kind == record.Real {
		for i, name := range h.Vocab.Names {
			s.Columns = append(s.Columns, record.Column{Name: name, Kind: record.Real, Feature: uint32(i)})
		}
	}
	return s
}

func recordColumn(c vocab.Column) record.Column {
	out := record.Column{Name: c.Name, Feature: uint32(c.From), Kind: map[vocab.Kind]record.Kind{
		vocab.Presence: record.Presence, vocab.Counts: record.Counts,
		vocab.Real: record.Real, vocab.Categorical: record.Categorical,
	}[c.Kind]}
	if c.Kind == vocab.Categorical {
		for h := c.From; h < c.To; h++ {
			out.Levels = append(out.Levels, uint32(h))
		}
	}
	return out
}

// Schema implements record.Source.
func (a *again) Schema() *record.Schema { return a.schema }

// Read implements record.Source.
func (a *again) Read(ctx context.Context, yield func(*record.Batch) error) error {
	return a.d.Each(ctx, func(first int, part *dataset.Dataset) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b := a.batch(part, first); b.N() > 0 {
			return yield(b)
		}
		return nil
	})
}

// batch turns the kept rows of a part back into records; first is the number of
// its first record.
func (a *again) batch(d *dataset.Dataset, first int) *record.Batch {
	b := &record.Batch{Ptr: []int{0}, Side: make([][]string, len(d.Side))}
	if d.Steps != nil {
		b.Steps = []int{0}
	}
	for i := range d.Len() {
		if a.keep != nil && !a.keep(first+i) {
			continue
		}
		if d.IDs != nil || a.keep != nil { // else they are numbered
			b.IDs = append(b.IDs, d.ID(i))
		}
		for s := range d.Side {
			b.Side[s] = append(b.Side[s], d.Side[s].Values[i])
		}
		lo, hi := i, i+1
		if d.Steps != nil {
			lo, hi = d.Steps[i], d.Steps[i+1]
		}
		for row := lo; row < hi; row++ {
			a.add(b, d, row)
			b.Ptr = append(b.Ptr, len(b.Feature))
		}
		if d.Steps != nil {
			b.Steps = append(b.Steps, len(b.Ptr)-1)
		}
	}
	return b
}

func (a *again) add(b *record.Batch, d *dataset.Dataset, row int) {
	add := func(h uint32, v float64) {
		b.Feature, b.Value = append(b.Feature, h), append(b.Value, v)
	}
	if d.Rows.IsDense() {
		for h, v := range d.Rows.DenseRow(row) {
			if v != 0 || a.real[h] {
				add(uint32(h), v)
			}
		}
		return
	}
	index, value := d.Rows.Row(row)
	for e, h := range index {
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		add(h, v)
	}
}
