package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// sheet writes lines of CSV whose cells of text are guarded against spreadsheets.
type sheet struct {
	w       *csv.Writer
	guarded int
}

// head writes the header, with the mark of this program.
func (s *sheet) head(w io.Writer, names []string) error {
	names = slices.Clone(names)
	s.guarded += cells.Row(names)
	line, err := cells.Header(names)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

func (s *sheet) row(line []string) error {
	s.guarded += cells.Row(line)
	return s.w.Write(line)
}

// writeCSV writes a long table of codes or words, or a wide one of columns.
func writeCSV(ctx context.Context, t *table) error {
	s := &sheet{w: csv.NewWriter(t.main)}
	var err error
	if t.sequences {
		err = t.stepsCSV(ctx, s)
	} else if t.hasColumns() {
		err = t.wideCSV(ctx, s)
	} else {
		err = t.longCSV(ctx, s)
	}
	s.w.Flush()
	if s.guarded > 0 {
		t.notes = append(t.notes, guardedNote(s.guarded))
	}
	if err == nil {
		err = s.w.Error()
	}
	return err
}

// stepsCSV writes a line for every step of every sequence: id, step from 1, side
// columns, and the symbol or the measurements. A step without a symbol is empty.
func (t *table) stepsCSV(ctx context.Context, s *sheet) error {
	columns := t.columns()
	head := []string{"step"}
	for _, name := range t.p.Side() {
		if name == record.StepTimes {
			head[0] = "time"
		} else if name != t.time {
			head = append(head, name)
		}
	}
	symbols := t.kind != record.Real
	if symbols {
		head = append(head, "state")
	}
	for _, c := range columns {
		if !symbols {
			head = append(head, c.Name)
		}
	}
	if err := s.head(t.main, head); err != nil {
		return err
	}
	t.notes = append(t.notes, "Read it back with --format sequences --id id --time "+head[0]+".")
	names := t.p.Vocab().Names
	return t.p.Each(ctx, func(_ int, d *dataset.Dataset) error {
		for i := range d.Len() {
			for row := d.Steps[i]; row < d.Steps[i+1]; row++ {
				line := []string{d.ID(i), strconv.Itoa(row - d.Steps[i] + 1)}
				for _, side := range d.Side {
					if side.Name == record.StepTimes {
						line[1] = stepTime(side.Values[i], row-d.Steps[i])
					} else if side.Name != t.time {
						line = append(line, side.Values[i])
					}
				}
				r := entriesOf(d, row-d.Steps[0])
				switch {
				case !symbols:
					values := r.values()
					for _, c := range columns {
						line = append(line, t.cell(c, values))
					}
				case len(r.index) > 0:
					for _, h := range r.index[1:] { // a set: a line for each
						if err := s.row(append(slices.Clone(line), names[h])); err != nil {
							return err
						}
					}
					line = append(line, names[r.index[0]])
				default:
					line = append(line, "")
				}
				if err := s.row(line); err != nil {
					return err
				}
			}
		}
		return ctx.Err()
	})
}

// stepTime returns the time of a step, counted from 0, or its number from 1 where
// nobody knows the time.
func stepTime(list string, step int) string {
	if times := dataset.StepTimes(list); step < len(times) {
		return times[step]
	}
	return strconv.Itoa(step + 1)
}

// longCSV writes id,code[,count] and the side columns; a record without
// features is a line without a code.
func (t *table) longCSV(ctx context.Context, s *sheet) error {
	head := []string{"code"}
	counts := t.kind == record.Counts
	if counts {
		head = append(head, "count")
	}
	if err := s.head(t.main, append(head, t.p.Side()...)); err != nil {
		return err
	}
	names := t.p.Vocab().Names
	return t.rows(ctx, func(_ int, r row) error {
		line := func(code, n string) error {
			out := []string{r.id, code}
			if counts {
				out = append(out, n)
			}
			return s.row(append(out, r.side...))
		}
		if len(r.index) == 0 {
			return line("", "")
		}
		for e, h := range r.index {
			if err := line(names[h], number(r.value[e])); err != nil {
				return err
			}
		}
		return nil
	})
}

// columns returns the columns of the table: one a question or measurement.
func (t *table) columns() []vocab.Column {
	v := t.p.Vocab()
	var out []vocab.Column
	at := 0
	alone := func(to int) {
		for ; at < to; at++ {
			out = append(out, vocab.Column{Name: v.Names[at], Kind: vocab.Real, From: at, To: at + 1})
		}
	}
	for _, c := range v.Columns {
		alone(c.From)
		out, at = append(out, c), c.To
	}
	alone(v.Len())
	return out
}

// cell returns the text of a column in a record, given the record's values by
// feature.
func (t *table) cell(c vocab.Column, values map[uint32]float64) string {
	for h := c.From; h < c.To; h++ {
		v, ok := values[uint32(h)]
		switch {
		case !ok || math.IsNaN(v):
		case c.Kind == vocab.Categorical && v != 0:
			return strings.TrimPrefix(t.p.Vocab().Names[h], c.Name+"=")
		case c.Kind != vocab.Categorical:
			return number(v)
		}
	}
	if c.Kind == vocab.Presence || c.Kind == vocab.Counts {
		if v, ok := values[uint32(c.From)]; !ok || !math.IsNaN(v) {
			return "0"
		}
	}
	return ""
}

func (r row) values() map[uint32]float64 {
	out := make(map[uint32]float64, len(r.index))
	for e, h := range r.index {
		out[h] = r.value[e]
	}
	return out
}

func (t *table) wideCSV(ctx context.Context, s *sheet) error {
	columns := t.columns()
	head := slices.Clone(t.p.Side())
	for _, c := range columns {
		head = append(head, c.Name)
	}
	if err := s.head(t.main, head); err != nil {
		return err
	}
	return t.rows(ctx, func(_ int, r row) error {
		line, values := append([]string{r.id}, r.side...), r.values()
		for _, c := range columns {
			line = append(line, t.cell(c, values))
		}
		return s.row(line)
	})
}

// writeJSONL writes one object a line: id, side columns, and codes as a list or
// words with their counts.
func writeJSONL(ctx context.Context, t *table) error {
	if t.kind == record.Real || t.kind == record.Mixed {
		return errors.New("measurements are no words or codes: choose csv or parquet")
	}
	names, side := t.p.Vocab().Names, t.p.Side()
	return t.rows(ctx, func(i int, r row) error {
		object := map[string]any{"id": r.id}
		for i, name := range side {
			object[name] = r.side[i]
		}
		if t.kind == record.Counts {
			counts := make(map[string]float64, len(r.index))
			for e, h := range r.index {
				counts[names[h]] = r.value[e]
			}
			object["counts"] = counts
		} else {
			list := make([]string, len(r.index))
			for e, h := range r.index {
				list[e] = names[h]
			}
			object["codes"] = list
		}
		text, err := json.Marshal(object)
		if i == 0 && err == nil {
			text = append([]byte(markJSONL), text[1:]...)
		}
		if err == nil {
			_, err = t.main.Write(append(text, '\n'))
		}
		return err
	})
}
