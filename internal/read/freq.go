package read

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// frequencies is a source whose rows stand for several records each, as many as a
// column says: tables of patterns, as poLCA and R's table() write them. Every
// record of a row has the row's id, so that groups can be joined back to the
// table. Whatever counts records then counts them right, the limit on small
// cells included.
type frequencies struct {
	record.Source
	column   string
	inputs   string
	problems *record.Problems
	schema   record.Schema
	rows, n  int
}

// mostRepeated bounds the records of a table of frequencies.
const mostRepeated = 50_000_000

// blockOfRepeated is the most records of one batch, so that one row of a large
// frequency takes no memory of its own.
const blockOfRepeated = 4096

// Schema is that of the source, without the column of frequencies.
func (r *frequencies) Schema() *record.Schema {
	r.schema = *r.Source.Schema()
	if at := r.at(); at >= 0 {
		r.schema.Side = slices.Delete(slices.Clone(r.schema.Side), at, at+1)
	}
	return &r.schema
}

// at is the place of the frequencies among the side columns.
func (r *frequencies) at() int {
	side := r.Source.Schema().Side
	if at := slices.Index(side, r.column); at >= 0 {
		return at
	}
	return slices.IndexFunc(side, func(s string) bool { return strings.EqualFold(s, r.column) })
}

// Read hands every row as often as its frequency says.
func (r *frequencies) Read(ctx context.Context, yield func(*record.Batch) error) error {
	r.rows, r.n = 0, 0
	err := r.Source.Read(ctx, func(b *record.Batch) error {
		at := r.at()
		if at < 0 || at >= len(b.Side) {
			return record.NoColumn("--freq: there is no column %q beside the features of %s", r.column, r.inputs)
		}
		return r.expand(b, at, yield)
	})
	if err == nil && r.n > 0 {
		r.problems.Note("column %s says how many records a row stands for: %s rows are %s records", r.column, record.Thousands(r.rows), record.Thousands(r.n))
	}
	return err
}

// expand hands over the records of one batch of rows.
func (r *frequencies) expand(b *record.Batch, at int, yield func(*record.Batch) error) error {
	var rows []int
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		out := chosen(b, rows, at)
		rows = rows[:0]
		return yield(out)
	}
	if b.IDs == nil {
		b.IDs = make([]string, b.N())
		for i := range b.IDs {
			b.IDs[i] = strconv.Itoa(r.rows + i + 1)
		}
	}
	for i := range b.N() {
		n, err := r.frequency(b.Side[at][i], r.rows+i+1)
		if err != nil {
			return err
		}
		r.n += n
		for range n {
			if rows = append(rows, i); len(rows) == blockOfRepeated {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	r.rows += b.N()
	return flush()
}

// frequency reads one cell.
func (r *frequencies) frequency(text string, row int) (int, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || x < 0 || x != math.Trunc(x):
		return 0, &record.ParseError{
			File: r.inputs, Text: text,
			Msg: fmt.Sprintf("record %d, column %s: not a number of records: a whole number, 0 or more, is wanted", row, r.column),
		}
	case x > mostRepeated || r.n+int(x) > mostRepeated:
		return 0, &record.ParseError{File: r.inputs, Text: text, Msg: fmt.Sprintf(
			"record %d, column %s: the frequencies add up to more than %s records; divide them all by one number", row, r.column, record.Thousands(mostRepeated))}
	}
	return int(x), nil
}

// chosen copies rows of a batch, without one of its side columns.
func chosen(b *record.Batch, rows []int, without int) *record.Batch {
	out := &record.Batch{Distinct: b.Distinct, Kept: true}
	for _, i := range rows {
		out.IDs = append(out.IDs, b.IDs[i])
		if b.Text != nil {
			out.Text = append(out.Text, b.Text[i])
		}
	}
	for c, side := range b.Side {
		if c == without {
			continue
		}
		values := make([]string, 0, len(rows))
		for _, i := range rows {
			values = append(values, side[i])
		}
		out.Side = append(out.Side, values)
	}
	switch {
	case b.Steps != nil:
		out.Steps = []int{0}
		out.Ptr = []int{0}
		for _, i := range rows {
			for s := b.Steps[i]; s < b.Steps[i+1]; s++ {
				addRow(out, b, s)
			}
			out.Steps = append(out.Steps, len(out.Ptr)-1)
		}
	case b.Ptr != nil:
		out.Ptr = []int{0}
		for _, i := range rows {
			addRow(out, b, i)
		}
	}
	return out
}

// addRow copies the entries of row i, or of step i.
func addRow(out, b *record.Batch, i int) {
	from, to := b.Ptr[i], b.Ptr[i+1]
	out.Feature = append(out.Feature, b.Feature[from:to]...)
	if b.Value != nil {
		out.Value = append(out.Value, b.Value[from:to]...)
	}
	if b.Small != nil {
		out.Small = append(out.Small, b.Small[from:to]...)
	}
	out.Ptr = append(out.Ptr, len(out.Feature))
}
