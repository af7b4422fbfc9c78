package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/cells"
	"github.com/moiety-go/moiety/internal/outfile"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// tabled are records that can be written as a table, block by block.
type tabled interface {
	Len() int
	Vocab() *vocab.Vocab
	Side() []string
	Kind() (kind record.Kind, sequences bool)
	Each(ctx context.Context, yield func(first int, d *dataset.Dataset) error) error
}

// table is data on their way into a file of another format.
type table struct {
	app     *app
	p       tabled
	to      target
	form    outfile.Form
	private bool // it holds records
	main    io.Writer
	first   *outfile.File // main, where it is a file
	staged  outfile.Set   // it and those beside it
	files   []string      // the names of these
	notes   []string      // for people
	kind    record.Kind
	format  string // the word of the command line

	sequences bool
	time      string // column of times of sequences: their steps stand for it
}

// check says whether the file may be written, before any work is done.
func (t *table) check() error { return outfile.Check(t.to.path, t.form, t.to.force) }

func (t *table) begin(ctx context.Context) error {
	kind, sequences := t.p.Kind()
	t.kind = kind
	if t.sequences = sequences; sequences && t.format != "csv" {
		return errors.New("sequences have an order that this format would lose: choose csv")
	}
	f, err := t.app.create(ctx, t.to, t.form, t.private)
	if err != nil {
		return err
	}
	t.main, t.first = f, f
	t.staged.Add(f)
	t.files = append(t.files, f.Path)
	return nil
}

// side starts a further file beside the main one. It may replace one if the main
// file may: they were written together.
func (t *table) side(ctx context.Context, path string) (*outfile.File, error) {
	if t.first.Through() {
		return nil, fmt.Errorf("the format is several files, and %s is no file: name one with -o", t.to.path)
	}
	form := outfile.Form{Name: "one that belongs to " + t.to.path}
	f, err := t.app.create(ctx, target{path, t.to.force || t.first.Replaces()}, form, t.private)
	if err == nil {
		t.staged.Add(f)
		t.files = append(t.files, f.Path)
	}
	return f, err
}

// keep writes a secret with the other files; it is none of those that hold the records.
func (t *table) keep(ctx context.Context, path string, secret []byte) error {
	f, err := t.app.create(ctx, target{path: path}, outfile.Form{Name: "a key"}, true)
	if err != nil {
		return err
	}
	t.staged.Add(f)
	_, err = f.Write(secret)
	return err
}

func (t *table) finish() error { return t.staged.Commit() }

func (t *table) abandon() { t.staged.Abandon() }

// names writes the names of the features, one a line.
func (t *table) names(ctx context.Context, path string) error {
	f, err := t.side(ctx, path)
	if err != nil {
		return err
	}
	for _, name := range t.p.Vocab().Names {
		if _, err := f.WriteString(cells.Line(name) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// rows hands every record to f: its number from 0, its id, its entries.
func (t *table) rows(ctx context.Context, f func(i int, r row) error) error {
	return t.p.Each(ctx, func(first int, d *dataset.Dataset) error {
		for i := range d.Len() {
			if err := f(first+i, t.row(d, i)); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// row is one record to be written.
type row struct {
	id    string
	index []uint32
	value []float64
	side  []string
}

func (t *table) row(d *dataset.Dataset, i int) row {
	r := entriesOf(d, i)
	r.id = d.ID(i)
	for _, s := range d.Side {
		r.side = append(r.side, s.Values[i])
	}
	return r
}

// entriesOf returns a row without what tells whose it is.
func entriesOf(d *dataset.Dataset, i int) (r row) {
	if d.Rows.IsDense() {
		for h, v := range d.Rows.DenseRow(i) {
			r.index, r.value = append(r.index, uint32(h)), append(r.value, v)
		}
		return r
	}
	index, value := d.Rows.Row(i)
	r.index = index
	for e := range index {
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		r.value = append(r.value, v)
	}
	return r
}

// count returns the number of entries that are not zero; it refuses what a
// sparse format cannot hold.
func (t *table) count(ctx context.Context, whole bool) (int, error) {
	n := 0
	err := t.rows(ctx, func(_ int, r row) error {
		for _, v := range r.value {
			switch {
			case math.IsNaN(v):
				return fmt.Errorf("record %s has a missing value, which the format cannot hold: choose csv", r.id)
			case whole && (v < 0 || v != math.Trunc(v)):
				return fmt.Errorf("record %s has the value %v, and the format holds counts only: choose csv, mtx or svmlight", r.id, v)
			case v != 0:
				n++
			}
		}
		return nil
	})
	return n, err
}

// hasColumns reports that features are columns of a table.
func (t *table) hasColumns() bool {
	return t.kind == record.Real || t.kind == record.Categorical || t.kind == record.Mixed
}

// number writes a number as short as it reads back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// beside returns a path with another base name.
func beside(path, base string) string { return filepath.Join(filepath.Dir(path), base) }
