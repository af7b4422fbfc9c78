package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Several sources of one record ([T] conclusions): codes in one file or column, notes in
// another. Each is read and encoded by itself, codes as codes and texts as counted words,
// and the records are joined by id into one table, a column for every code and word. The
// name of a column begins with that of its view, so that --views can name the two.

// viewMarks begin the names of codes and of words.
const (
	codeMark = "code_"
	wordMark = "word_"
)

// paired are the records of two sources by id, as one table.
type paired struct {
	first  *fit.Prepared
	second map[string][]entry
	vocab  *vocab.Vocab
	at     int      // features of the first
	only   []string // ids of the second alone
	text   string   // column of the first that is the text of the second
}

// entry is a feature of a record and its value.
type entry struct {
	h uint32
	v float32
}

// pair joins two sources; text is the column that the second has its texts from.
func pair(ctx context.Context, first, second *fit.Prepared, text string) (*paired, error) {
	for _, p := range []*fit.Prepared{first, second} {
		if kind, sequences := p.Kind(); sequences || kind != record.Presence && kind != record.Counts {
			return nil, errors.New("codes and words are joined, and one of the two is neither: name the column of texts with --text, and join columns of numbers with a spreadsheet")
		}
	}
	p := &paired{first: first, second: map[string][]entry{}, at: first.Vocab().Len(), vocab: &vocab.Vocab{}, text: text}
	p.name(first)
	p.name(second)
	if a, b := markOf(first), markOf(second); a == b {
		return nil, fmt.Errorf("both sources are of %ss: one of codes and one of texts are joined; name the column of texts with --text", a[:len(a)-1])
	}
	here := map[string]bool{}
	err := eachRow(ctx, first, func(id string, _ []entry) error { here[id] = true; return nil })
	if err != nil {
		return nil, err
	}
	shared := 0
	err = eachRow(ctx, second, func(id string, row []entry) error {
		if _, twice := p.second[id]; twice {
			return fmt.Errorf("the id %s comes twice in it: one record each is joined", id)
		}
		for i := range row {
			row[i].h += uint32(p.at)
		}
		p.second[id] = row
		if here[id] {
			shared++
		} else {
			p.only = append(p.only, id)
		}
		return nil
	})
	if err == nil && shared == 0 {
		err = errors.New("no id is in both sources: name the column of ids with --id")
	}
	return p, err
}

// markOf is how the names of a source begin.
func markOf(p *fit.Prepared) string {
	if p.Vocab().System == vocab.Text {
		return wordMark
	}
	return codeMark
}

// name adds the features of a source: a column each.
func (p *paired) name(of *fit.Prepared) {
	kind, _ := of.Kind()
	v, mark := of.Vocab(), markOf(of)
	for h, name := range v.Names {
		name = mark + name
		if title := v.Title(h); title != "" && title != v.Names[h] {
			name += " (" + title + ")"
		}
		k := vocab.Presence
		if kind == record.Counts {
			k = vocab.Counts
		}
		at := len(p.vocab.Names)
		p.vocab.Names = append(p.vocab.Names, name)
		p.vocab.Columns = append(p.vocab.Columns, vocab.Column{Name: name, Kind: k, From: at, To: at + 1})
	}
}

// eachRow hands over every record of a source.
func eachRow(ctx context.Context, p *fit.Prepared, visit func(id string, row []entry) error) error {
	return p.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			r := entriesOf(d, i)
			row := make([]entry, len(r.index))
			for e, h := range r.index {
				row[e] = entry{h, float32(r.value[e])}
			}
			if err := visit(d.ID(i), row); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// Len, Vocab and Kind describe the table.
func (p *paired) Len() int                  { return p.first.Len() + len(p.only) }
func (p *paired) Vocab() *vocab.Vocab       { return p.vocab }
func (p *paired) Kind() (record.Kind, bool) { return record.Mixed, false }

// Side returns the side columns of the first source, without the texts of the second.
func (p *paired) Side() []string {
	return slices.DeleteFunc(slices.Clone(p.first.Side()), func(name string) bool { return name == p.text })
}

// Each hands over the records of the first source in their order, then those of the
// second alone. What a record lacks in one source is missing, not zero.
func (p *paired) Each(ctx context.Context, yield func(first int, d *dataset.Dataset) error) error {
	d := p.vocab.Len()
	n := 0
	err := p.first.Each(ctx, func(first int, part *dataset.Dataset) error {
		b := sparse.NewBuilder(d, false)
		out := &dataset.Dataset{Kind: record.Mixed, Vocab: p.vocab}
		out.Side = slices.DeleteFunc(slices.Clone(part.Side), func(s dataset.Side) bool { return s.Name == p.text })
		for i := range part.Len() {
			r := entriesOf(part, i)
			row := make([]entry, 0, len(r.index))
			for e, h := range r.index {
				row = append(row, entry{h, float32(r.value[e])})
			}
			id := part.ID(i)
			more, ok := p.second[id]
			if !ok {
				more = lacked(p.at, d)
			}
			if err := addRow(b, append(row, more...)); err != nil {
				return err
			}
			out.IDs = append(out.IDs, id)
		}
		out.Rows = b.Rows()
		n = first + part.Len()
		return yield(first, out)
	})
	if err != nil || len(p.only) == 0 {
		return err
	}
	b := sparse.NewBuilder(d, false)
	for _, id := range p.only {
		if err := addRow(b, append(lacked(0, p.at), p.second[id]...)); err != nil {
			return err
		}
	}
	out := &dataset.Dataset{Kind: record.Mixed, Vocab: p.vocab, IDs: p.only, Rows: b.Rows()}
	for _, name := range p.Side() {
		out.Side = append(out.Side, dataset.Side{Name: name, Values: make([]string, len(p.only))})
	}
	return yield(n, out)
}

// lacked are the features of a source that a record is not in.
func lacked(from, to int) []entry {
	out := make([]entry, 0, to-from)
	for h := from; h < to; h++ {
		out = append(out, entry{uint32(h), float32(math.NaN())})
	}
	return out
}

func addRow(b *sparse.Builder, row []entry) error {
	var index []uint32
	var value []float32
	for _, e := range row {
		index, value = append(index, e.h), append(value, e.v)
	}
	return b.Add(index, value)
}
