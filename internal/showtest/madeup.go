package showtest

import (
	"strconv"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/report"
)

// Everything is a made-up report with all that a page may have besides: side
// columns, outcomes by three steps, trends, quotations.
func Everything() *report.Report {
	r, t := Sided(), Trended(explain.TrendTime)
	r.Trends = append(t.Trends, Trended(explain.TrendAnswer).Trends...)
	r.Trends[1].Column, r.Trends[1].Finding = "ward", "Topic 1 is most common where ward is 2005: 35 %; least where it is 2001: 10 %."
	for j := range r.Leaves {
		r.Leaf(j).Records = []report.Example{{
			ID: "d" + r.Leaf(j).ID, Probability: report.NumberOf(.9), Words: []string{"heart"},
			Text: []report.Piece{{Text: "… and the "}, {Text: "heart", Shade: 3}, {Text: " of a "}, {Text: "patient", Shade: 1}, {Text: " with "}, {Text: "oedema", Shade: 2}, {Text: " …"}},
		}}
		r.Trends[0].Groups[j].Words = []report.TrendWord{{Name: "heart", Title: "heart", Shares: r.Trends[0].Groups[j].Shares, Rises: true, First: report.NumberOf(.1), Last: report.NumberOf(.2)}}
	}
	return r
}

// Sided is a made-up report with side columns: a number and an answer, and
// outcomes by three steps.
func Sided() *report.Report {
	r := Synthetic(4, 2)
	number := report.SideColumn{Name: "age", Kind: report.SideNumber, Test: "Welch's analysis of variance", P: report.NumberOf(.0001), Adjusted: report.NumberOf(.0002)}
	answer := report.SideColumn{Name: "died", Kind: report.SideAnswer, Test: "Pearson's chi-squared", P: report.NumberOf(.01), Adjusted: report.NumberOf(.01)}
	out := report.Distal{Column: "age"}
	level := func(name string, v float64) report.SideLevel {
		return report.SideLevel{Name: name, Share: report.NumberOf(v), Low: report.NumberOf(v * .9), High: report.NumberOf(v * 1.1)}
	}
	for j := range r.Leaves {
		v := 40 + 7*float64(j)
		number.Parts = append(number.Parts, report.SidePart{Mean: report.NumberOf(v), Low: report.NumberOf(v - 1), High: report.NumberOf(v + 1)})
		answer.Parts = append(answer.Parts, report.SidePart{Levels: []report.SideLevel{level("no", 1-v/200), level("yes", v/200)}})
		out.Groups = append(out.Groups, report.DistalGroup{Group: r.Leaf(j).ID, Counted: report.NumberOf(v), Mean: report.NumberOf(v - .5), Low: report.NumberOf(v - 2), High: report.NumberOf(v + 1)})
	}
	answer.All = report.SidePart{Levels: []report.SideLevel{level("no", .75), level("yes", .25)}}
	r.Sides, r.Distal = []report.SideColumn{number, answer}, []report.Distal{out}
	return r
}

// Trended is a made-up report of topics over time, or by a column.
func Trended(kind string) *report.Report {
	r := Synthetic(4, 2)
	t := report.Trend{Column: "year", Kind: kind, Every: "year", Finding: "Topic 1 grows from 10 % (2001) to 35 % (2005).", Test: "Pearson's chi-squared"}
	for l := range 5 {
		t.Places = append(t.Places, report.TrendPlace{Name: strconv.Itoa(2001 + l), N: report.CountOf(100 * (l + 1))})
	}
	for j := range r.Leaves {
		g := report.TrendGroup{ID: r.Leaf(j).ID, P: report.NumberOf(.001), Adjusted: report.NumberOf(.004)}
		for l := range 5 {
			v := []float64{.10 + .05*float64(l), .25, .30 - .04*float64(l), .2}[j]
			s := report.TrendShare{Share: report.NumberOf(v), Low: report.NumberOf(v * .8), High: report.NumberOf(v * 1.25)}
			if j == 3 && l == 2 {
				s = report.TrendShare{}
			}
			g.Shares = append(g.Shares, s)
		}
		t.Groups = append(t.Groups, g)
	}
	r.Trends = []report.Trend{t}
	return r
}
