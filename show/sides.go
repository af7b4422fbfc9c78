package show

import "github.com/moiety-go/moiety/explain"

// htmlSide is a side column by group, as a table with bars.
type htmlSide struct {
	Title, Sentence string
	Rows            []sideRow
}

// sideRow is one group of a side column.
type sideRow struct {
	Name, Number, Interval, Width string
}

// newSides returns the side columns of a report.
func newSides(_ *explain.Report) []htmlSide { return nil }

// outcomesOf tells the side columns of one group.
func outcomesOf(_ *explain.Report, _ *explain.Group) []string { return nil }
