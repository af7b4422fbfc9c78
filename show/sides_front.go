package show

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// frontSides is the most side columns of the first pages.
const frontSides = 6

// byWeight returns the side columns in the order of telling: those that were asked
// for by name, then those that groups differ in beyond chance, the largest
// differences first. A p-value is no size: of many records all are next to zero.
func byWeight(r *report.Report) []*report.SideColumn {
	out := make([]*report.SideColumn, len(r.Sides))
	for i := range out {
		out[i] = &r.Sides[i]
	}
	rank := func(c *report.SideColumn) int {
		switch {
		case c.Named:
			return 0
		case c.Adjusted.Or(1) < .05:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b *report.SideColumn) int {
		if c := cmp.Compare(rank(a), rank(b)); c != 0 || a.Named {
			return c
		}
		return cmp.Compare(farthest(b), farthest(a))
	})
	return out
}

// farthest is the largest difference of a group from all other records, in standard
// deviations.
func farthest(c *report.SideColumn) float64 {
	most := 0.0
	for _, p := range c.Parts {
		most = max(most, math.Abs(p.Difference.Or(0)))
		for _, l := range p.Levels {
			if !restLevel(l.Name) {
				most = max(most, math.Abs(l.Difference.Or(0)))
			}
		}
	}
	return most
}

// sidesByWeight parts the side columns of a report: those for its first pages,
// by weight, and the others. Numbers that name records or
// days have no telling mean, and one group has nothing to differ from.
func sidesByWeight(r *report.Report) (front, more []htmlSide) {
	if len(r.Leaves) < 2 {
		return nil, newSides(r)
	}
	first, rest := partSides(r)
	place := make(map[string]int)
	for _, s := range newSides(first) { // of every column the answer that differs most
		name, level, _ := strings.Cut(s.Title, " = ")
		at, known := place[name]
		switch {
		case restLevel(level):
			more = append(more, s)
		case !known:
			place[name] = len(front)
			front = append(front, s)
		case spread(s) > spread(front[at]):
			more, front[at] = append(more, front[at]), s
		default:
			more = append(more, s)
		}
	}
	return front, append(more, newSides(rest)...)
}

// spread is how far the bars of a side column lie apart.
func spread(s htmlSide) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range s.Rows {
		if v, err := strconv.ParseFloat(strings.TrimSuffix(row.Width, "%"), 64); err == nil && row.Number != "" {
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

// partSides returns the report with the side columns of its first pages, and
// with the others.
func partSides(r *report.Report) (front, more *report.Report) {
	first, rest := *r, *r
	first.Sides, rest.Sides = nil, nil
	for _, c := range byWeight(r) {
		if len(first.Sides) < frontSides && !namesThings(c) && !c.Used {
			first.Sides = append(first.Sides, *c)
		} else {
			rest.Sides = append(rest.Sides, *c)
		}
	}
	return &first, &rest
}

// sideMatrix is a table of at most so many side columns by weight: a row a group, a
// column each with its interval, of answers the one that differs most.
func sideMatrix(r *report.Report, most int) Table {
	front, _ := sidesByWeight(r)
	sh := Table{Head: []string{""}}
	for _, s := range front[:min(len(front), most)] {
		sh.Head = append(sh.Head, s.Title)
		for i, row := range s.Rows {
			if i == len(sh.Rows) {
				sh.Rows = append(sh.Rows, []string{row.Name})
			}
			cell := row.Number
			if row.Interval != "" {
				cell += " (" + row.Interval + ")"
			}
			sh.Rows[i] = append(sh.Rows[i], cell)
		}
	}
	return sh
}

// namesThings reports a column of numbers that are names or days.
func namesThings(c *report.SideColumn) bool {
	name := strings.ToLower(c.Name)
	if c.Kind != report.SideNumber {
		return false
	}
	for _, end := range []string{"id", "_dt", "date", "_nbr", "number", "npi"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
