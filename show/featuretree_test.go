package show_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

func together() *report.FeatureTree {
	n := func(id, parent, feature string, count int) report.FeatureNode {
		return report.FeatureNode{ID: id, Parent: parent, Feature: feature, Count: report.CountOf(count), Length: report.NumberOf(.2), Repeats: true}
	}
	group := func(id, parent string, members int, a, b string, repeats bool) report.FeatureNode {
		return report.FeatureNode{ID: id, Parent: parent, Members: members, Pair: []string{a, b}, Count: report.CountOf(30), Times: report.NumberOf(2.5), Repeats: repeats}
	}
	return &report.FeatureTree{
		Records: report.CountOf(200), Features: 5, Of: 9, Alone: []string{"<other>"},
		Nodes: []report.FeatureNode{
			group("1", "", 3, "sea", "ship", true), n("1.1", "1", "sea", 100),
			group("1.2", "1", 2, "ship", "sail", true), n("1.2.1", "1.2", "ship", 60), n("1.2.2", "1.2", "sail", 50),
			group("2", "", 2, "oven", "bread", false), n("2.1", "2", "oven", 40), n("2.2", "2", "bread", 30),
		},
	}
}

// TestFeatureTree: every feature and group is drawn once, below and right of its group,
// with its share; the table holds all of them, and the page is one.
func TestFeatureTree(t *testing.T) {
	x := together()
	s := show.FeatureTree(x)
	if len(s.Table.Rows) != len(x.Nodes) || s.Title != "2 groups of features that come together" {
		t.Errorf("%q, %d rows", s.Title, len(s.Table.Rows))
	}
	var svg bytes.Buffer
	if err := show.WriteSVG(&svg, s); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">sail<", ">25.0 %<", "1.2: 2 features. Most clearly: ship and sail, 2.5 times as often together as by chance", "half of the records shows other features", "&lt;other&gt;"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	if err := xml.Unmarshal(svg.Bytes(), new(struct{})); err != nil {
		t.Errorf("the drawing is no XML: %v", err)
	}
	var page bytes.Buffer
	if err := show.FeatureTreeHTML(&page, x); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<li>2: 2 features. Most clearly: oven and bread", "With no other: &lt;other&gt;.", "recursive grouping", "Show as table"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	withheld := together()
	withheld.Nodes[1].Count = report.Count{}
	if words := withheld.Words(&withheld.Nodes[1]); words != "sea" {
		t.Errorf("a count that is withheld is told: %q", words)
	}
	if none := show.FeatureTree(&report.FeatureTree{Records: report.CountOf(5)}); !strings.HasPrefix(none.Title, "No features") || none.Height < 40 {
		t.Errorf("nothing together: %q, height %v", none.Title, none.Height)
	}
}
