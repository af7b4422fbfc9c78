package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
)

// Dates name the side columns of a cohort table. Where only one is given,
// the cohort starts and ends on that day.
type Dates struct {
	Start, End string
	// Undated, which may be nil, hears how many records were left out because
	// they have no date.
	Undated func(n int)
}

// OMOPCohortCSV writes the groups as an OMOP cohort table:
// cohort_definition_id,subject_id,cohort_start_date,cohort_end_date. The
// definition is the number of the group; OMOPDefinitionsCSV names it. Ids must be
// whole numbers, as the columns of the table are; dates are written
// year-month-day, whatever their form, and records without one are left out. It
// holds records.
func OMOPCohortCSV(ctx context.Context, w io.Writer, o report.Placed, records dataset.Data, dates Dates) error {
	if dates.End == "" {
		dates.End = dates.Start
	}
	start, end, err := datesOf(ctx, records, dates)
	if err != nil {
		return err
	}
	left := 0
	t := newTable(w)
	t.row([]string{"cohort_definition_id", "subject_id", "cohort_start_date", "cohort_end_date"})
	err = t.each(ctx, o, records, func(row int, d *dataset.Dataset) error {
		from, _ := d.SideColumn(dates.Start)
		to, _ := d.SideColumn(dates.End)
		for i := range d.Len() {
			if _, err := strconv.ParseInt(d.ID(i), 10, 64); err != nil {
				return fmt.Errorf("show: a cohort table of OMOP has whole numbers for ids, and record %q has none: give the person_id as the id when fitting", d.ID(i))
			}
			first, err := start.day(from.Values[i])
			if err != nil {
				return err
			}
			last, err := end.day(to.Values[i])
			if err != nil {
				return err
			}
			if last == "" {
				last = first
			}
			if first == "" {
				left++
				continue
			}
			t.row([]string{strconv.Itoa(int(o.Group[row+i]) + 1), d.ID(i), first, last})
		}
		return nil
	})
	if err == nil && left > 0 && dates.Undated != nil {
		dates.Undated(left)
	}
	return err
}

// OMOPDefinitionsCSV names the definitions of a cohort table: the number of each
// group, its id and its name.
func OMOPDefinitionsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"cohort_definition_id", "group", "cohort_definition_name"})
	for j := range r.Leaves {
		g := r.Leaf(j)
		t.row([]string{strconv.Itoa(j + 1), g.ID, g.Name})
	}
	return t.close()
}

// noDates says which column of dates is missing, and how a run gets one.
func noDates(dates Dates, begins bool) error {
	lacks := dates.Start
	if begins {
		lacks = dates.End
	}
	if lacks == "" {
		return errors.New("show: a cohort table needs dates, and none were named: name the column of the first day with ‹date›, which the fit must have kept beside the features with ‹label›")
	}
	return fmt.Errorf("show: a cohort table needs dates, and these data have no column %q beside the features: fit again with ‹label› %s", lacks, lacks)
}

// dayStyle is how the days of a column are written, learned from all of them.
type dayStyle struct {
	column               string
	dayFirst, monthFirst bool
}

// datesOf learns how the two columns are written.
func datesOf(ctx context.Context, records dataset.Data, dates Dates) (start, end *dayStyle, err error) {
	start, end = &dayStyle{column: dates.Start}, &dayStyle{column: dates.End}
	err = records.Each(ctx, func(_ int, d *dataset.Dataset) error {
		if d.Steps != nil {
			return fmt.Errorf("show: sequences have states, not cohorts")
		}
		from, ok := d.SideColumn(dates.Start)
		to, also := d.SideColumn(dates.End)
		if !ok || !also {
			return noDates(dates, ok)
		}
		for i := range d.Len() {
			start.learn(from.Values[i])
			end.learn(to.Values[i])
		}
		return nil
	})
	return start, end, err
}

// learn takes note of one value.
func (s *dayStyle) learn(value string) {
	if a, b, _, sign, ok := daySigns(value); ok {
		s.dayFirst = s.dayFirst || a > 12 || sign == '.' // with points the day comes first
		s.monthFirst = s.monthFirst || b > 12
	}
}

// day returns a value as year-month-day, "" where there is none.
func (s *dayStyle) day(value string) (string, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return "", nil
	}
	head, _, _ := strings.Cut(strings.Replace(value, "T", " ", 1), " ")
	for _, layout := range []string{time.DateOnly, "20060102", "2006/01/02"} {
		if t, err := time.Parse(layout, head); err == nil {
			return t.Format(time.DateOnly), nil
		}
	}
	if a, b, year, _, ok := daySigns(value); ok {
		if s.dayFirst == s.monthFirst {
			return "", fmt.Errorf("show: column %s has dates such as %q, whose day and month cannot be told apart: write them year-month-day", s.column, value)
		}
		if s.dayFirst {
			a, b = b, a
		}
		t := time.Date(year, time.Month(a), b, 0, 0, 0, 0, time.UTC)
		if a >= 1 && a <= 12 && t.Day() == b {
			return t.Format(time.DateOnly), nil
		}
	}
	return "", fmt.Errorf("show: column %s: %q is no date: write dates year-month-day", s.column, value)
}

// daySigns reads three numbers with signs between, a year of four digits last.
func daySigns(value string) (a, b, year int, sign byte, ok bool) {
	value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
	at := strings.IndexAny(value, "./-")
	if at < 1 {
		return 0, 0, 0, 0, false
	}
	parts := strings.Split(value, value[at:at+1])
	if len(parts) != 3 || len(parts[2]) != 4 || len(parts[0]) > 2 || len(parts[1]) > 2 {
		return 0, 0, 0, 0, false
	}
	var n [3]int
	for i, p := range parts {
		x, err := strconv.Atoi(p)
		if err != nil {
			return 0, 0, 0, 0, false
		}
		n[i] = x
	}
	return n[0], n[1], n[2], value[at], true
}
