package show

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Sizes of the drawing of a tree of features: a row for every feature and for every
// group, the tree at the left, names in the middle, shares as bars at the right.
const (
	branchRow  = 19
	branchStep = 16 // from a group to what it holds
	branchBar  = 110
	branchDot  = 3.2
)

// FeatureTree draws which features come together, as a tree from left to right. A line
// to a feature is the thicker the more closely it follows its group; groups that only
// half of the records shows are dashed.
func FeatureTree(t *report.FeatureTree) *Scene {
	f := newFrame("features", chartWidth, branchTitle(t), branchSubtitle(t))
	f.s.Table = branchTable(t)
	d := &branchDrawing{t: t, s: f.s, at: map[string]Point{}}
	for i := range t.Nodes {
		d.node(&t.Nodes[i], f.y+branchRow/2)
		f.y += branchRow
	}
	notes := []string{"Lines are thicker where a feature follows its group more closely; bars are shares of the records."}
	if len(t.Alone) > 0 {
		notes = append(notes, "With no other: "+strings.Join(t.Alone[:min(len(t.Alone), mostAlone)], ", ")+more(len(t.Alone)-mostAlone)+".")
	}
	if t.For != "" {
		notes = append(notes, t.For)
	}
	return f.notes(notes...)
}

// mostAlone is how many features that come with no other are named.
const mostAlone = 40

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %s more", report.Thousands(n))
}

func branchTitle(t *report.FeatureTree) string {
	switch n := t.Trees(); {
	case n == 0:
		return "No features come together more often than by chance"
	case n == 1:
		return "One group of features that come together"
	default:
		return fmt.Sprintf("%s groups of features that come together", report.Thousands(n))
	}
}

func branchSubtitle(t *report.FeatureTree) string {
	return fmt.Sprintf("The %s most frequent features of %s, in %s records. Features of one branch come together in the same records; "+
		"branches that meet further left belong together in turn, less closely.", report.Thousands(t.Features), report.Thousands(t.Of), t.Records.String())
}

// branchTable is the tree as a table.
func branchTable(t *report.FeatureTree) Table {
	s := Table{Head: []string{"node", "group above", "feature", "meaning", "features in it", "records", "most clearly", "times as often as by chance"}}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		row := []string{n.ID, n.Parent, n.Feature, n.Title, "", n.Count.String(), strings.Join(n.Pair, " and "), ""}
		if n.Members > 0 {
			row[4] = report.Thousands(n.Members)
		}
		if times, ok := n.Times.Value(); ok {
			row[7] = fmt.Sprintf("%.1f", times)
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// branchDrawing draws row by row; a group stands before what it holds.
type branchDrawing struct {
	t    *report.FeatureTree
	s    *Scene
	at   map[string]Point // of groups
	tree int              // number of the tree at hand, from 1
}

func (d *branchDrawing) node(n *report.FeatureNode, y float64) {
	if n.Parent == "" {
		d.tree++
	}
	hue := hueName((d.tree - 1) % len(hues))
	x := chartEdge + branchStep*float64(strings.Count(n.ID, ".")) + branchDot
	paint := tokenPaint(hue + "-edge")
	if above, ok := d.at[n.Parent]; ok {
		d.s.Add(Path{Ops: []Op{Move(above.X, above.Y+branchDot), Draw(above.X, y), Draw(x-branchDot, y)}, Style: Style{Stroke: paint, Width: closeness(n)}})
	}
	mark := Disc{X: x, Y: y, R: branchDot, Style: Style{Fill: tokenPaint(hue), Stroke: paint}}
	left := x + branchDot + 6
	if n.Feature == "" {
		d.at[n.ID] = Point{x, y}
		if !n.Repeats {
			mark.Style = Style{Fill: paperPaint(), Stroke: paint, Dash: []float64{2, 2}}
		}
		d.s.Add(Layer{ID: "feature-" + strings.ReplaceAll(n.ID, ".", "-"), Title: d.t.Words(n), Marks: []Mark{mark, d.label(left, y, d.t.Words(n), d.s.Width-chartEdge-left, mutedPaint(), n.Parent == "")}})
		return
	}
	mark.R = branchDot * .7
	bars := d.s.Width - chartEdge - branchBar
	marks := []Mark{mark, d.label(left, y, branchLabel(n), bars-8-left, inkPaint(), false)}
	if share, ok := d.t.Share(n); ok {
		marks = append(marks,
			Box{X: bars, Y: y - 5, W: math.Max(share*(branchBar-44), .8), H: 10, Style: Style{Fill: tokenPaint(hue)}},
			Label{X: d.s.Width - chartEdge, Y: y + smallSize*.36, Text: fmt.Sprintf("%.1f %%", 100*share), Size: smallSize, Anchor: End, Fill: mutedPaint()})
	}
	d.s.Add(Layer{ID: "feature-" + strings.ReplaceAll(n.ID, ".", "-"), Title: d.t.Words(n), Marks: marks})
}

func (d *branchDrawing) label(x, y float64, text string, room float64, paint Paint, bold bool) Label {
	return Label{X: x, Y: y + wordSize*.36, Text: fitLabel(text, room, wordSize, bold), Size: wordSize, Bold: bold, Fill: paint}
}

func branchLabel(n *report.FeatureNode) string {
	if n.Title == "" {
		return n.Feature
	}
	return n.Feature + "  " + n.Title
}

// closeness is the width of the line to a node: by its correlation with the cause above,
// where that may be reported.
func closeness(n *report.FeatureNode) float64 {
	length, ok := n.Length.Value()
	if !ok {
		return 1
	}
	return .6 + 2.4*math.Exp(-math.Max(length, 0))
}

// FeatureTreeHTML writes the tree of features as a page: what was found in words, the
// drawing, its table, and every group in a sentence.
func FeatureTreeHTML(w io.Writer, t *report.FeatureTree) error {
	s := FeatureTree(t)
	figure, err := Figure(s, "")
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="%s"><title>%s</title><style>%s</style></head>
<body><main><div class="claim"><p class="eyebrow">Features that come together</p><h1>%s</h1></div>
%s
<section aria-labelledby="groups"><h2 id="groups">Every group in a sentence</h2><ul>
`, markReport, template.HTMLEscapeString(s.Title), StyleSheet(), template.HTMLEscapeString(s.Title), figure)
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Feature == "" {
			fmt.Fprintf(&b, "<li>%s.</li>\n", template.HTMLEscapeString(t.Words(n)))
		}
	}
	b.WriteString("</ul>\n")
	if len(t.Alone) > 0 {
		fmt.Fprintf(&b, "<p>With no other: %s.</p>\n", template.HTMLEscapeString(strings.Join(t.Alone, ", ")))
	}
	b.WriteString(`<p class="quiet">How it is found: two features come together where more records have both than chance gives them, by four standard errors or more.
Groups are joined from the closest pair outwards (recursive grouping on the counts of pairs); a group inside another is kept where both halves of the records show it.</p>
`)
	if t.For != "" {
		fmt.Fprintf(&b, "<p>%s</p>\n", template.HTMLEscapeString(t.For))
	}
	b.WriteString("</section></main></body></html>\n")
	_, err = io.WriteString(w, b.String())
	return err
}
