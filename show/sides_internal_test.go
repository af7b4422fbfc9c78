package show

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
)

// What sets a group apart is an answer, not the rest of the rare ones.
func TestOutcomesNameAnswers(t *testing.T) {
	level := func(name string, share float64) report.SideLevel {
		return report.SideLevel{Name: name, Share: report.NumberOf(share), Low: report.NumberOf(share), High: report.NumberOf(share)}
	}
	r := &report.Report{Sides: []report.SideColumn{{
		Name: "ward", Kind: report.SideAnswer, Adjusted: report.NumberOf(0.001),
		All:   report.SidePart{Levels: []report.SideLevel{level("north", .3), level("south", .4), level("(other)", .3)}},
		Parts: []report.SidePart{{Levels: []report.SideLevel{level("north", .25), level("south", .15), level("(other)", .6)}}},
	}}}
	if got := strings.Join(outcomesOf(r, &report.Group{Number: 1}), "; "); !strings.HasPrefix(got, "ward = south: 15 %") {
		t.Error(got)
	}
}
