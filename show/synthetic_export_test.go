package show

import (
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/report"
)

// Synthetic is the made-up report, for tests outside the package.
var Synthetic = synthetic

// Everything is a made-up report with all that a page may have besides: side
// columns, outcomes by three steps, trends, quotations.
func Everything() *report.Report {
	r, t := sidedReport(), trendReport(explain.TrendTime)
	r.Trends = append(t.Trends, trendReport(explain.TrendAnswer).Trends...)
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
