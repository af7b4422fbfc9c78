package api

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/vocab"
)

// FirstRows are the first records as they were understood. They are single
// records: for the eyes of whoever gave the file.
type FirstRows struct {
	Head []string   `json:"head"`
	Rows [][]string `json:"rows" gate:"records"`
	More int        `json:"more,omitempty" gate:"columns"` // columns that are not shown
}

// Bounds of the first rows.
const (
	shownRows    = 20
	shownColumns = 10
	shownSides   = 4
	shownWords   = 8
)

var errEnough = errors.New("enough")

// firstRows reads the first records of prepared data.
func firstRows(ctx context.Context, p *fit.Prepared) (FirstRows, error) {
	h := p.Set.Describe()
	t := FirstRows{Head: []string{"id"}, Rows: [][]string{}}
	sides := h.Side[:min(len(h.Side), shownSides)] // behind what makes the groups
	columns := h.Vocab.Columns
	if len(columns) > shownColumns {
		t.More = len(columns) - shownColumns
		columns = columns[:shownColumns]
	}
	for _, c := range columns {
		t.Head = append(t.Head, c.Name)
	}
	if len(columns) == 0 {
		t.Head = append(t.Head, "")
	}
	t.Head = append(t.Head, sides...)
	err := p.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			if len(t.Rows) == shownRows {
				return errEnough
			}
			row := append([]string{d.ID(i)}, cellsOf(d, i, columns)...)
			for _, name := range sides {
				row = append(row, sideOf(d, name, i))
			}
			t.Rows = append(t.Rows, row)
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return t, err
}

// sideOf is the value of a record in a side column, "" where there is none.
func sideOf(d *dataset.Dataset, name string, i int) string {
	if s, ok := d.SideColumn(name); ok && i < len(s.Values) {
		return s.Values[i]
	}
	return ""
}

// cellsOf tells what a record has, column by column, or as one list.
func cellsOf(d *dataset.Dataset, i int, columns []vocab.Column) []string {
	at := i
	if d.Steps != nil {
		at = d.Steps[i]
	}
	if len(columns) == 0 {
		words, _ := featuresOf(d, at, shownWords)
		return []string{strings.Join(words, " · ")}
	}
	out := make([]string, len(columns))
	for c, column := range columns {
		out[c] = cellOf(d, at, column)
	}
	return out
}

// cellOf is the value of a row in a column.
func cellOf(d *dataset.Dataset, row int, c vocab.Column) string {
	for h := c.From; h < c.To; h++ {
		v := d.Rows.At(row, h)
		switch {
		case v != v:
			return ""
		case c.Kind == vocab.Real || c.Kind == vocab.Counts:
			return strconv.FormatFloat(v, 'g', 6, 64)
		case v != 0:
			name := d.Vocab.Names[h]
			if level, ok := strings.CutPrefix(name, c.Name+"="); ok {
				return level
			}
			return name
		}
	}
	return ""
}

// featuresOf lists what a row has, in words for people and by the names of files.
func featuresOf(d *dataset.Dataset, row, most int) (out, names []string) {
	add := func(h int, v float64) {
		if v == 0 || v != v || len(out) > most {
			return
		}
		word := explain.Said(d.Vocab.System, d.Vocab.Names[h], d.Vocab.Title(h))
		if v != 1 {
			word += " ×" + strconv.FormatFloat(v, 'g', 4, 64)
		}
		out, names = append(out, word), append(names, d.Vocab.Names[h])
	}
	if d.Rows.IsDense() {
		for h, v := range d.Rows.DenseRow(row) {
			add(h, v)
		}
	} else {
		index, value := d.Rows.Row(row)
		for k, h := range index {
			v := 1.0
			if value != nil {
				v = float64(value[k])
			}
			add(int(h), v)
		}
	}
	if len(out) > most {
		out[most], names[most] = "…", "…"
	}
	return out, names
}
