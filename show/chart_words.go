package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/explain"
)

// groupNoun is the word for the groups of a report: "group", "topic", "state".
func groupNoun(r *explain.Report) string {
	switch {
	case r.Shape == explain.States:
		return "state"
	case topical(r):
		return "topic"
	}
	return "group"
}

// topical reports whether the features are words of texts.
func topical(r *explain.Report) bool {
	return r.Fit.Noun == "topic"
}

// groupWord names a group by its id: "Group 1.2".
func groupWord(r *explain.Report, g *explain.Group) string {
	noun := groupNoun(r)
	return strings.ToUpper(noun[:1]) + noun[1:] + " " + g.ID
}

// featureWord is the title of a feature inside a sentence: words of texts stand
// in quotes.
func featureWord(r *explain.Report, title string) string {
	if topical(r) {
		return "“" + title + "”"
	}
	return title
}

// groupSlug is the id of a group as part of an id of a page: "1-2".
func groupSlug(g *explain.Group) string { return strings.ReplaceAll(g.ID, ".", "-") }

// rowUnit is the word for what is placed in groups.
func rowUnit(r *explain.Report) string {
	if r.Shape == explain.States {
		return "steps"
	}
	return r.Unit.Many
}

// leafPaint is the colour of a group proper, or grey for inner nodes of a tree.
func leafPaint(g *explain.Group) Paint {
	if g.Number == 0 {
		return innerPaint()
	}
	return groupPaint(g.Number - 1)
}

// innerPaint is bluer than the grey of the eighth group, and light enough for
// black whiskers.
func innerPaint() Paint { return role("inner", 0x7486a0) }

// wholeNote tells how many records a chart is of.
func wholeNote(r *explain.Report) string {
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

// measureChart draws real features: how far the mean of the group lies from the
// overall mean, in overall standard deviations.
func measureChart(r *explain.Report, g *explain.Group) *Scene {
	list := g.Measures[:min(len(g.Measures), chartFeatures)]
	c := BarChart{
		ID: "measures-" + groupSlug(g), XLabel: "difference from the overall mean, in overall standard deviations",
		Series: []Bars{{Name: "difference"}}, Notes: []string{(&frequencyChart{r: r, g: g}).population()},
		Subtitle: "Means of the group compared with those of all " + r.Unit.Many + ".",
	}
	sheet := Sheet{Head: []string{"", "mean", "standard deviation", "overall mean", "overall standard deviation", "difference"}}
	cell := func(x explain.Number) string {
		if v, ok := x.Value(); ok {
			return explain.Amount(v)
		}
		return ""
	}
	for _, m := range list {
		c.Categories = append(c.Categories, label(m.Name, m.Title))
		c.Series[0].Value = append(c.Series[0].Value, m.Difference.Or(math.NaN()))
		sheet.Rows = append(sheet.Rows, []string{label(m.Name, m.Title), cell(m.Mean), cell(m.SD), cell(m.Overall), cell(m.OverallSD), cell(m.Difference)})
	}
	c.Title = groupWord(r, g) + ": " + g.Name
	if d, ok := list[0].Difference.Value(); ok && d != 0 && !g.Whole {
		side := "above"
		if d < 0 {
			side = "below"
		}
		c.Title = fmt.Sprintf("%s: %s is %.1f standard deviations %s overall", groupWord(r, g), list[0].Title, math.Abs(d), side)
	}
	s := c.Scene()
	s.Sheet = sheet
	return s
}
