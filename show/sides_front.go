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

// sidesByWeight parts the side columns of a report: those for its first pages,
// the clearest differences first, and the others. Numbers that name records or
// days have no telling mean, and one group has nothing to differ from.
func sidesByWeight(r *report.Report) (front, more []htmlSide) {
	if len(r.Leaves) < 2 {
		return nil, newSides(r)
	}
	first, rest := partSides(r)
	place := make(map[string]int)
	for _, s := range newSides(first) { // of every column the answer that differs most
		name, _, _ := strings.Cut(s.Title, " = ")
		at, known := place[name]
		switch {
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
	sorted := slices.Clone(r.Sides)
	slices.SortStableFunc(sorted, func(a, b report.SideColumn) int {
		return cmp.Compare(a.Adjusted.Or(1), b.Adjusted.Or(1))
	})
	for _, c := range sorted {
		if len(first.Sides) < frontSides && !namesThings(&c) && !c.Used {
			first.Sides = append(first.Sides, c)
		} else {
			rest.Sides = append(rest.Sides, c)
		}
	}
	return &first, &rest
}

// sideMatrix is a table of the clearest side columns: a row a group, a column
// each, of answers the one that differs most.
func sideMatrix(r *report.Report) Sheet {
	const most = 4
	front, _ := sidesByWeight(r)
	sh := Sheet{Head: []string{""}}
	for _, s := range front[:min(len(front), most)] {
		sh.Head = append(sh.Head, s.Title)
		for i, row := range s.Rows {
			if i == len(sh.Rows) {
				sh.Rows = append(sh.Rows, []string{row.Name})
			}
			sh.Rows[i] = append(sh.Rows[i], row.Number)
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
