package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/explain"
	"github.com/moiety-go/moiety/fit"
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
	case Assignments, Steps, OMOPCohort, Theta:
		return true
	}
	return false
}

// AssignmentsCSV writes assignments.csv: id,group,probability, one line a
// record, in input order. A sequence gets the state of most of its steps, and
// the mean probability of those. It holds records.
func AssignmentsCSV(w io.Writer, r *explain.Report, o *fit.Outcome, d *dataset.Dataset) error {
	if err := sameRows(o, d); err != nil {
		return err
	}
	t, ids := newTable(w), groupIDs(r)
	t.row([]string{"id", "group", "probability"})
	for i := range d.Len() {
		from, to := i, i+1
		if d.Steps != nil {
			from, to = d.Steps[i], d.Steps[i+1]
		}
		g, p := mostly(o, from, to, len(ids))
		t.row([]string{d.ID(i), ids[g], probability(p)})
	}
	return t.close()
}

// StepsCSV writes the state of every step of every sequence:
// id,step,group,probability, steps counted from 1. It holds records.
func StepsCSV(w io.Writer, r *explain.Report, o *fit.Outcome, d *dataset.Dataset) error {
	if err := sameRows(o, d); err != nil {
		return err
	}
	if d.Steps == nil {
		return fmt.Errorf("show: these records have no steps; write assignments instead")
	}
	t, ids := newTable(w), groupIDs(r)
	t.row([]string{"id", "step", "group", "probability"})
	for i := range d.Len() {
		for row := d.Steps[i]; row < d.Steps[i+1]; row++ {
			t.row([]string{d.ID(i), strconv.Itoa(row - d.Steps[i] + 1), ids[o.Group[row]], probability(float64(o.Probability[row]))})
		}
	}
	return t.close()
}

// mostly returns the state of most rows, the first of equals, and its mean
// probability over them; a sequence without steps lies in the first state.
func mostly(o *fit.Outcome, from, to, k int) (int, float64) {
	n, p := make([]int, k), make([]float64, k)
	best := 0
	for row := from; row < to; row++ {
		g := o.Group[row]
		n[g]++
		p[g] += float64(o.Probability[row])
	}
	for g := range n {
		if n[g] > n[best] {
			best = g
		}
	}
	return best, p[best] / float64(max(n[best], 1))
}

func sameRows(o *fit.Outcome, d *dataset.Dataset) error {
	if len(o.Group) != d.Rows.N() || len(o.Probability) != len(o.Group) {
		return fmt.Errorf("show: a fit of %d rows for data of %d: give the data that were fitted", len(o.Group), d.Rows.N())
	}
	return nil
}

func probability(p float64) string { return strconv.FormatFloat(p, 'g', tableDigits, 32) }

// Dates name the side columns of a cohort table. Where only one is given,
// the cohort starts and ends on that day.
type Dates struct{ Start, End string }

// OMOPCohortCSV writes the groups as an OMOP cohort table:
// cohort_definition_id,subject_id,cohort_start_date,cohort_end_date. The
// definition is the number of the group. It holds records.
func OMOPCohortCSV(w io.Writer, o *fit.Outcome, d *dataset.Dataset, dates Dates) error {
	if err := sameRows(o, d); err != nil {
		return err
	}
	if d.Steps != nil {
		return fmt.Errorf("show: sequences have states, not cohorts")
	}
	if dates.End == "" {
		dates.End = dates.Start
	}
	start, ok := d.SideColumn(dates.Start)
	end, also := d.SideColumn(dates.End)
	if !ok || !also {
		return fmt.Errorf("show: a cohort table needs dates, and the data have no column %q: name it with --time when fitting", strings.TrimSpace(dates.Start+" "+dates.End))
	}
	t := newTable(w)
	t.row([]string{"cohort_definition_id", "subject_id", "cohort_start_date", "cohort_end_date"})
	for i, g := range o.Group {
		t.row([]string{strconv.Itoa(int(g) + 1), d.ID(i), day(start.Values[i]), day(end.Values[i])})
	}
	return t.close()
}

// day returns the date of a time: 2016-01-31 of 2016-01-31T10:00.
func day(s string) string {
	const digits = len("2006-01-02")
	if len(s) > digits && (s[digits] == 'T' || s[digits] == ' ') {
		return s[:digits]
	}
	return s
}
