package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
)

// RecordsNotice is what to say to the user before records are written.
const RecordsNotice = "this output holds one line for every record: keep it as safe as the data"

// Outputs that hold records.
const (
	Assignments = "assignments"
	Steps       = "steps"
	OMOPCohort  = "omop-cohort"
	Theta       = "theta"
)

// HoldsRecords reports whether an output of that name holds lines of single
// records, which small-cell masking does not reach.
func HoldsRecords(output string) bool {
	switch output {
	case Assignments, Steps, Courses, OMOPCohort, Theta:
		return true
	}
	return false
}

// Posterior writes the probability of every group for every row of a block, row by
// row.
type Posterior func(b pass.Block, out []float64) error

// AssignmentsCSV writes assignments.csv: id,group,probability, one line a
// record, in input order. A sequence gets the state of most of its steps, the
// first of equals, and for a probability the share of its steps that lie there:
// .5 where two states share it evenly. With all, which may be nil, a column for
// every group follows, by its id: its probability, or its share of the steps. It
// holds records.
func AssignmentsCSV(ctx context.Context, w io.Writer, r *report.Report, o report.Placed, records dataset.Data, all Posterior) error {
	t, ids := newTable(w), groupIDs(r)
	head := []string{"id", "group", "probability"}
	if all != nil {
		head = append(head, ids...)
	}
	t.row(head)
	return t.each(ctx, o, records, func(row int, d *dataset.Dataset) error {
		post, err := all.of(d, len(ids))
		if err != nil {
			return err
		}
		for i := range d.Len() {
			from, to := row+i, row+i+1
			if d.Steps != nil {
				from, to = row+d.Steps[i]-d.Steps[0], row+d.Steps[i+1]-d.Steps[0]
			}
			g, shares := mostly(o.Group[from:to], len(ids))
			p := shares[g]
			if d.Steps == nil {
				p = float64(o.Probability[from])
			}
			line := []string{d.ID(i), ids[g], probability(p)}
			switch {
			case all != nil && d.Steps == nil:
				line = append(line, exactly(post[i*len(ids):][:len(ids)])...)
			case all != nil:
				line = append(line, exactly(shares)...)
			}
			t.row(line)
		}
		return nil
	})
}

// of returns the probabilities of the rows of a part; nil of nil.
func (p Posterior) of(d *dataset.Dataset, k int) ([]float64, error) {
	if p == nil {
		return nil, nil
	}
	out := make([]float64, d.Rows.N()*k)
	return out, p(pass.Block{Rows: d.Rows, Steps: d.Steps}, out)
}

// exactly writes probabilities with all their digits: programs take them on.
func exactly(list []float64) []string {
	out := make([]string, len(list))
	for j, p := range list {
		out[j] = strconv.FormatFloat(p, 'g', -1, 64)
	}
	return out
}

// each hands over parts of the records, each with the number of its first row
// among those of the outcome, and closes the table.
func (t *table) each(ctx context.Context, o report.Placed, records dataset.Data, write func(row int, d *dataset.Dataset) error) error {
	row := 0
	err := records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		if row+d.Rows.N() > len(o.Group) {
			return fmt.Errorf("show: a fit of %d rows for data of more: give the data that were fitted", len(o.Group))
		}
		defer func() { row += d.Rows.N() }()
		return write(row, d)
	})
	if err == nil && row < len(o.Group) {
		err = fmt.Errorf("show: a fit of %d rows for data of %d: give the data that were fitted", len(o.Group), row)
	}
	return errors.Join(err, t.close())
}

// StepsCSV writes the state of every step of every sequence:
// id,step,group,probability, steps counted from 1; with all, which may be nil, the
// probability of every state follows. It holds records.
func StepsCSV(ctx context.Context, w io.Writer, r *report.Report, o report.Placed, records dataset.Data, all Posterior) error {
	t, ids := newTable(w), groupIDs(r)
	head := []string{"id", "step", "group", "probability"}
	if all != nil {
		head = append(head, ids...)
	}
	t.row(head)
	return t.each(ctx, o, records, func(row int, d *dataset.Dataset) error {
		if d.Steps == nil {
			return fmt.Errorf("show: these records have no steps; write assignments instead")
		}
		post, err := all.of(d, len(ids))
		if err != nil {
			return err
		}
		for i := range d.Len() {
			for step := range d.Steps[i+1] - d.Steps[i] {
				at := d.Steps[i] - d.Steps[0] + step
				line := []string{d.ID(i), strconv.Itoa(step + 1), ids[o.Group[row+at]], probability(float64(o.Probability[row+at]))}
				if all != nil {
					line = append(line, exactly(post[at*len(ids):][:len(ids)])...)
				}
				t.row(line)
			}
		}
		return nil
	})
}

// mostly returns the state of most steps, the first of equals, and the share of
// every state among them; a sequence without steps lies in the first state, for
// all that is known.
func mostly(states []int32, k int) (int, []float64) {
	shares := make([]float64, k)
	for _, g := range states {
		shares[g]++
	}
	best := 0
	for g := range shares {
		if shares[g] > shares[best] {
			best = g
		}
	}
	for g := range shares {
		if shares[g] /= float64(len(states)); len(states) == 0 {
			shares[g] = 1 / float64(k)
		}
	}
	return best, shares
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', tableDigits, 32) }
