package show

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
)

// Courses is the output that holds the course of every sequence.
const Courses = "courses"

// courses writes the kinds of sequences by how they pass through the states.
func (p *page) courses(r *report.Report) {
	if len(r.Courses) == 0 {
		return
	}
	p.heading("Courses")
	for _, c := range r.Courses {
		p.item("  ", "     ", fmt.Sprintf("course %s: %s of the %s: %s", c.ID, report.Percent(c.Share.Or(0)), r.Unit.Many, c.Words))
		for _, from := range c.From {
			for _, m := range from.Moves {
				if m.To == from.State {
					p.line("     state %s: %s of the steps, stays %.2f", from.State, report.Percent(from.Time.Or(0)), m.Probability.Or(0))
				}
			}
		}
	}
}

// CoursesCSV writes courses.csv: id,course,probability, one line a sequence, in
// input order; of gives the probability of every course, sequence by sequence of
// a block. It holds records.
func CoursesCSV(ctx context.Context, w io.Writer, r *report.Report, records dataset.Data, of Posterior) error {
	t, k := newTable(w), len(r.Courses)
	t.row([]string{"id", "course", "probability"})
	err := records.Each(ctx, func(first int, d *dataset.Dataset) error {
		post := make([]float64, d.Len()*k)
		if err := of(pass.Block{First: first, Rows: d.Rows, Steps: d.Steps}, post); err != nil {
			return err
		}
		for i := range d.Len() {
			each := post[i*k:][:k]
			best := slices.Index(each, slices.Max(each))
			t.row([]string{d.ID(i), r.Courses[best].ID, probability(each[best])})
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return t.close()
}

// courseArrays are the shares of the courses and their chances of the first state
// and of the next one.
func courseArrays(r *report.Report) []array {
	n, k, ids := len(r.Courses), len(r.Leaves), groupIDs(r)
	if n == 0 {
		return nil
	}
	shares, starts, moves := missing(n), missing(n*k), missing(n*k*k)
	for c, course := range r.Courses {
		shares[c] = course.Share.Or(math.NaN())
		for _, from := range course.From {
			at := c*k + slices.Index(ids, from.State)
			starts[at] = from.Start.Or(math.NaN())
			for _, m := range from.Moves {
				moves[at*k+slices.Index(ids, m.To)] = m.Probability.Or(math.NaN())
			}
		}
	}
	return []array{floats("course_weights", shares, n), floats("course_starts", starts, n, k), floats("course_transitions", moves, n, k, k)}
}

// CourseTransitionsCSV writes course_transitions.csv: course,n,share,from,start,
// time, and one column a state, the chance that it comes next. What is masked is
// an empty field.
func CourseTransitionsCSV(w io.Writer, r *report.Report) error {
	t, ids := newTable(w), groupIDs(r)
	t.row(append([]string{"course", "n", "share", "from", "start", "time"}, ids...))
	for _, c := range r.Courses {
		n := ""
		if v, ok := c.N.Value(); ok {
			n = strconv.Itoa(v)
		}
		for _, from := range c.From {
			row := []string{c.ID, n, field(c.Share), from.State, field(from.Start), field(from.Time)}
			moves := make([]string, len(ids))
			for _, m := range from.Moves {
				moves[slices.Index(ids, m.To)] = field(m.Probability)
			}
			t.row(append(row, moves...))
		}
	}
	return t.close()
}
