// Package dataset joins the encoded rows with the names of their features, the
// ids of the records, and the side columns (outcome, date, label, age) that
// describe records but never enter a fit.
//
// Step in the flow: encode makes it, every pass reads it. It knows features by
// name, not probability.
package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Dataset is an encoded data set in memory. It is immutable.
type Dataset struct {
	Kind  record.Kind
	Rows  sparse.Rows
	Steps []int // sequence offsets into Rows; nil where each row is a record
	Vocab *vocab.Vocab
	IDs   []string // nil: records are numbered from 1
	Side  []Side

	numbered int // records of a file before this part of it, where they have no ids
}

// Side is one side column.
type Side struct {
	Name   string
	Values []string // one a record, "" if missing
}

// Len returns the number of records.
func (d *Dataset) Len() int {
	if d.Steps != nil {
		return len(d.Steps) - 1
	}
	return d.Rows.N()
}

// ID returns the id of record i.
func (d *Dataset) ID(i int) string {
	if d.IDs == nil {
		return strconv.Itoa(d.numbered + i + 1)
	}
	return d.IDs[i]
}

// SideColumn returns the side column of that name.
func (d *Dataset) SideColumn(name string) (*Side, bool) {
	for i := range d.Side {
		if d.Side[i].Name == name {
			return &d.Side[i], true
		}
	}
	return nil, false
}

// RowCount implements Data.
func (d *Dataset) RowCount() int { return d.Rows.N() }

// Name, Size and Close implement Data: there is no file.
func (d *Dataset) Name() string { return "" }
func (d *Dataset) Size() int64  { return 0 }
func (d *Dataset) Close() error { return nil }

// Runner implements Data.
func (d *Dataset) Runner(workers int) pass.Runner {
	if d.Steps != nil {
		return pass.NewSequences(d.Rows, d.Steps, workers)
	}
	return pass.NewLocal(d.Rows, workers)
}

// Check reports the first inconsistency between the parts.
func (d *Dataset) Check() error {
	if d.Vocab == nil {
		return errors.New("dataset: Vocab is nil, want the names of the features")
	}
	if err := d.Rows.Check(); err != nil {
		return fmt.Errorf("dataset: Rows: %w", err)
	}
	if n := len(d.Steps); d.Steps != nil && (n == 0 || d.Steps[0] != 0 || !slices.IsSorted(d.Steps) || d.Steps[n-1] != d.Rows.N()) {
		return fmt.Errorf("dataset: Steps must rise from 0 to the %d rows", d.Rows.N())
	}
	if d.Vocab.Len() != d.Rows.Dim {
		return fmt.Errorf("dataset: %d feature names for %d features", d.Vocab.Len(), d.Rows.Dim)
	}
	if d.IDs != nil && len(d.IDs) != d.Len() {
		return fmt.Errorf("dataset: %d ids for %d records", len(d.IDs), d.Len())
	}
	for _, s := range d.Side {
		if len(s.Values) != d.Len() {
			return fmt.Errorf("dataset: side column %q has %d values for %d records", s.Name, len(s.Values), d.Len())
		}
	}
	return nil
}
