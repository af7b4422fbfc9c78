package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/explain"
)

// Sizes of the tree chart.
const (
	nodeLines  = 3  // lines of words in a node
	nodeHeight = 70 // of the box
	nodeGap    = 12 // between leaves
	linkGap    = 44 // between levels
	leastNode  = 150
	mostNode   = 230
	thickLink  = 22 // width of the link of all records
)

// TreeChart draws the tree of groups with the most relevant words in each node
// ([H] Fig. 2), from the root at the left to the leaves at the right. The bar on
// top of a node and the link to it are as wide as its share of the records. A
// flat fit is a tree of one level.
func TreeChart(r *explain.Report) *Scene {
	t := newTreeLayout(r)
	f := newFrame("tree", t.width(), treeTitle(r), treeSubtitle(r))
	t.top = f.y + 4
	for _, n := range t.nodes {
		for _, c := range n.children {
			f.s.Add(t.link(n, t.nodes[c]))
		}
	}
	for _, n := range t.nodes {
		f.s.Add(t.box(n))
	}
	f.y = t.top + float64(t.leaves)*(nodeHeight+nodeGap)
	f.s.Desc = cleanLine(f.s.Desc + " " + joinSentences(r.Summary))
	f.s.Sheet = treeSheet(r)
	notes := []string{wholeNote(r)}
	if r.Limit > 0 {
		notes = append(notes, fmt.Sprintf("Sizes that would tell of fewer than %d %s are withheld; a dashed box has no size.", r.Limit, r.Unit.Many))
	}
	return f.notes(notes...)
}

func treeTitle(r *explain.Report) string {
	k := len(r.Leaves)
	noun := groupNoun(r)
	if k == 1 {
		return fmt.Sprintf("All %s form one %s", rowUnit(r), noun)
	}
	title := fmt.Sprintf("%d %ss", k, noun)
	if n := r.Data.Rows.String(); n != "" {
		title = fmt.Sprintf("%s %s form %d %ss", n, rowUnit(r), k, noun)
	}
	if p, ok := r.Leaf(0).Share.Value(); ok {
		title += fmt.Sprintf("; the largest, %s, holds %s", r.Leaf(0).ID, explain.Percent(p))
	}
	return title
}

func treeSubtitle(r *explain.Report) string {
	return fmt.Sprintf("Each box: its id, size and most typical %s. The bar on top and the link are as wide as the share of all %s.", r.Unit.Features, rowUnit(r))
}

// treeNode is a group with its place.
type treeNode struct {
	g        *explain.Group // nil for the root of a flat fit
	level    int
	children []int
	y        float64 // of the middle, from the top of the drawing
}

type treeLayout struct {
	r      *explain.Report
	nodes  []treeNode
	levels int
	leaves int
	column float64
	top    float64
}

func newTreeLayout(r *explain.Report) *treeLayout {
	t := &treeLayout{r: r}
	if r.Shape == explain.Tree {
		t.addTree(0, 0)
	} else {
		t.addFlat()
	}
	room := (chartWidth - 2*chartEdge + linkGap) / float64(t.levels)
	t.column = min(max(room-linkGap, leastNode), mostNode)
	return t
}

// addTree adds a group and all below it, and returns its place.
func (t *treeLayout) addTree(group, level int) int {
	at := len(t.nodes)
	g := &t.r.Groups[group]
	t.nodes = append(t.nodes, treeNode{g: g, level: level})
	t.levels = max(t.levels, level+1)
	var children []int
	for _, id := range g.Children {
		for i := range t.r.Groups {
			if t.r.Groups[i].ID == id {
				children = append(children, t.addTree(i, level+1))
			}
		}
	}
	t.nodes[at].children = children
	t.place(at)
	return at
}

// place puts a leaf in the next row and a parent in the middle of its children.
func (t *treeLayout) place(at int) {
	n := &t.nodes[at]
	if len(n.children) == 0 {
		n.y = float64(t.leaves)*(nodeHeight+nodeGap) + nodeHeight/2
		t.leaves++
		return
	}
	n.y = (t.nodes[n.children[0]].y + t.nodes[n.children[len(n.children)-1]].y) / 2
}

func (t *treeLayout) addFlat() {
	t.levels = 2
	t.nodes = append(t.nodes, treeNode{})
	for i := range t.r.Leaves {
		t.nodes = append(t.nodes, treeNode{g: t.r.Leaf(i), level: 1})
		t.place(len(t.nodes) - 1)
		t.nodes[0].children = append(t.nodes[0].children, len(t.nodes)-1)
	}
	if len(t.r.Leaves) > 0 {
		t.place(0)
	}
}

func (t *treeLayout) width() float64 {
	return max(2*chartEdge+float64(t.levels)*(t.column+linkGap)-linkGap, 520)
}

func (t *treeLayout) x(level int) float64 { return chartEdge + float64(level)*(t.column+linkGap) }

// share returns the share of a node, 1 for the root of a flat fit.
func (n treeNode) share() (float64, bool) {
	if n.g == nil {
		return 1, true
	}
	return n.g.Share.Value()
}

// link draws the way from a parent to a child.
func (t *treeLayout) link(from, to treeNode) Mark {
	x1, x2 := t.x(from.level)+t.column, t.x(to.level)
	y1, y2 := t.top+from.y, t.top+to.y
	style := Style{Stroke: faintPaint(), Width: 1.5, Dash: []float64{4, 3}}
	if p, ok := to.share(); ok {
		style = Style{Stroke: faintPaint(), Width: max(p*thickLink, 1.5)}
	}
	mid := (x1 + x2) / 2
	return Path{Ops: []Op{Move(x1, y1), Curve(mid, y1, mid, y2, x2, y2)}, Style: style}
}

// box draws a node: bar, id and size, words.
func (t *treeLayout) box(n treeNode) Mark {
	x, y, w := t.x(n.level), t.top+n.y-nodeHeight/2, t.column
	rim := Style{Fill: panelPaint(), Stroke: mutedPaint()}
	share, known := n.share()
	if !known {
		rim.Dash = []float64{4, 3}
	}
	l := Layer{ID: "root", Title: "All " + rowUnit(t.r), Marks: []Mark{Box{X: x, Y: y, W: w, H: nodeHeight, Round: 4, Style: rim}}}
	head, words, paint := "All "+rowUnit(t.r), "", innerPaint()
	if n.g != nil {
		l.ID, l.Title = "node-"+groupSlug(n.g), n.g.ID+": "+n.g.Text
		head, words, paint = nodeHead(t.r, n.g), nodeWords(n.g, w-14), leafPaint(n.g)
	} else if s := t.r.Data.Rows.String(); s != "" {
		head, words = s+" "+rowUnit(t.r), "All "+rowUnit(t.r)
	}
	if known {
		l.Marks = append(l.Marks, Box{X: x, Y: y, W: max(w*min(share, 1), 2), H: 5, Style: Style{Fill: paint}})
	}
	at := y + 5 + 3 + wordSize
	l.Marks = append(l.Marks, Label{X: x + 7, Y: at, Text: fitLabel(head, w-14, wordSize, true), Size: wordSize, Bold: true, Fill: inkPaint()})
	for _, line := range wrapLabel(words, w-14, smallSize, false, nodeLines) {
		at += smallSize * leading
		l.Marks = append(l.Marks, Label{X: x + 7, Y: at, Text: line, Size: smallSize, Fill: inkPaint()})
	}
	return l
}

// nodeWords returns the name of a group and as many of its further typical
// features as fit.
func nodeWords(g *explain.Group, width float64) string {
	words := g.Name
	for _, f := range g.Typical {
		if g.Whole || !f.Clear || strings.Contains(words, f.Title) {
			continue
		}
		more := words + ", " + f.Title
		if len(wrapLabel(more, width, smallSize, false, 0)) > nodeLines {
			break
		}
		words = more
	}
	return words
}

// nodeHead is the first line of a node: "1.2 · 1,204 · 12 %".
func nodeHead(r *explain.Report, g *explain.Group) string {
	n, known := g.N.Value()
	if !known {
		return g.ID + " · size withheld"
	}
	p := explain.Percent(g.Share.Or(0))
	if r.Soft && !g.Whole {
		return g.ID + " · " + p
	}
	return g.ID + " · " + explain.Thousands(n) + " · " + p
}

func joinSentences(s []string) string {
	out := ""
	for _, x := range s {
		out += x + " "
	}
	return out
}

func treeSheet(r *explain.Report) Sheet {
	sh := Sheet{Head: []string{groupNoun(r), "name", "inside", "n", "share", "how repeatable"}}
	for i := range r.Groups {
		g := &r.Groups[i]
		row := []string{g.ID, g.Name, g.Parent, g.N.String(), "", ""}
		if p, ok := g.Share.Value(); ok {
			row[4] = explain.Percent(p)
		}
		if g.Split != nil && g.Split.Done {
			if s, ok := g.Split.Stability.Value(); ok {
				row[5] = fmt.Sprintf("%.2f", math.Round(s*100)/100)
			}
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}
