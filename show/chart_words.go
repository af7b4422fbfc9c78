package show

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// groupNoun is the word for the groups of a report: "group", "topic", "state".
func groupNoun(r *report.Report) string {
	switch {
	case r.Shape == report.States:
		return "state"
	case topical(r):
		return "topic"
	}
	return "group"
}

// topical reports whether the features are words of texts.
func topical(r *report.Report) bool {
	return r.Fit.Noun == "topic"
}

// groupWord names a group by its id: "Group 1.2".
func groupWord(r *report.Report, g *report.Group) string {
	noun := groupNoun(r)
	return strings.ToUpper(noun[:1]) + noun[1:] + " " + g.ID
}

// featureWord is the title of a feature inside a sentence: words of texts stand
// in quotes.
func featureWord(r *report.Report, title string) string {
	if topical(r) {
		return "“" + title + "”"
	}
	return title
}

// groupSlug is the id of a group as part of an id of a page: "1-2".
func groupSlug(g *report.Group) string { return strings.ReplaceAll(g.ID, ".", "-") }

// rowUnit is the word for what is placed in groups.
func rowUnit(r *report.Report) string {
	if r.Shape == report.States {
		return "steps"
	}
	return r.Unit.Many
}

// innerPaint is bluer than the grey of the eighth group, and light enough for
// black whiskers.
func innerPaint() Paint { return role("inner", 0x7486a0) }

// wholeNote tells how many records a chart is of.
func wholeNote(r *report.Report) string {
	if n := r.Data.Rows.String(); n != "" {
		return fmt.Sprintf("N = %s %s.", n, rowUnit(r))
	}
	return "N is withheld."
}

// joined joins words: "a", "a and b", "a, b and c".
func joined(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// measureTable is the table of the real features of a group.
func measureTable(g *report.Group) Table {
	table := Table{Head: []string{"", "mean", "standard deviation", "overall mean", "overall standard deviation", "difference"}}
	cell := func(x report.Number) string {
		if v, ok := x.Value(); ok {
			return report.Amount(v)
		}
		return ""
	}
	if g.Whole { // nothing to compare with
		table.Head = table.Head[:3]
	}
	for _, m := range g.Measures[:min(len(g.Measures), chartFeatures)] {
		row := []string{label(m.Name, m.Title), cell(m.Mean), cell(m.SD), cell(m.Overall), cell(m.OverallSD), cell(m.Difference)}
		table.Rows = append(table.Rows, row[:len(table.Head)])
	}
	return table
}

// chartFeatures is the most that a list of a group holds.
const chartFeatures = 20
