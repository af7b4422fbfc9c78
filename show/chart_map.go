package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Sizes of the map of groups.
const (
	mapSide    = 330.0
	mapTerms   = 20
	mapRow     = 17
	bubbleText = 12.5
	mapBubble  = 0.28 // of the side: the radius of a group that holds everything
)

// TopicMap draws the groups as circles in the plane, alike ones close together
// (classical scaling of Jensen-Shannon distances) with areas as their shares,
// and beside it the most typical features of one group: its own share as a
// coloured bar over the share overall in grey. focus counts from 0 by falling
// weight.
func TopicMap(r *report.Report, focus int) (*Scene, error) {
	if focus < 0 || focus >= len(r.Leaves) {
		return nil, fmt.Errorf("show: group %d of %d for the map: choose one of 1 to %d", focus+1, len(r.Leaves), len(r.Leaves))
	}
	d := groupDistances(r)
	x, y := classicalScaling(d)
	f := newFrame("map", chartWidth+60, mapTitle(r), mapSubtitle(r))
	top := f.y
	f.s.Add(Box{X: chartEdge, Y: top, W: mapSide, H: mapSide, Style: Style{Fill: panelPaint(), Stroke: faintPaint()}})
	f.s.Add(bubbles(r, x, y, chartEdge, top, focus)...)
	end := mapBars(f, r, focus, chartEdge+mapSide+24, top)
	f.y = max(top+mapSide, end) + 4
	f.s.Table = mapTable(r, x, y)
	return f.notes(wholeNote(r), fmt.Sprintf("Typical by relevance with λ = %g.", r.Lambda)), nil
}

// topicBubbles is the map alone, for a page that lists the topics beside it.
func topicBubbles(r *report.Report) *Scene {
	d := groupDistances(r)
	x, y := classicalScaling(d)
	s := &Scene{
		ID: "map", Width: mapSide + 2, Height: mapSide + 2, Title: mapTitle(r), Table: mapTable(r, x, y),
		Desc: fmt.Sprintf("Each circle is a %s: its area is its share, alike ones are close together.", groupNoun(r)),
	}
	s.Add(Box{X: 1, Y: 1, W: mapSide, H: mapSide, Round: 4, Style: Style{Fill: panelPaint()}})
	for _, m := range bubbles(r, x, y, 1, 1, -1) {
		if l, ok := m.(Layer); ok {
			l.Href, l.Class = "#group-"+strings.TrimPrefix(l.ID, "bubble-"), "cell"
			m = l
		}
		s.Add(m)
	}
	return s
}

// mapTitle names the two groups that are most alike and the one that stands
// furthest apart, by the distance that the pages of the groups go by: one
// distance for all, which stands in for what is withheld.
func mapTitle(r *report.Report) string {
	noun := groupNoun(r)
	a, b, far := alike(r)
	if len(r.Leaves) < 3 || a == nil || far == nil {
		return fmt.Sprintf("%d %ss and what is typical of them", len(r.Leaves), noun)
	}
	return fmt.Sprintf("%ss %s and %s are most alike; %s differs most from the others", capitalize(noun), a.ID, b.ID, far.ID)
}

// alike returns the two groups nearest to each other, in the order of the report,
// and the one whose nearest neighbour is farthest; nil where none is known.
func alike(r *report.Report) (a, b, far *report.Group) {
	nearest, farthest := math.Inf(1), -1.0
	for i := range r.Leaves {
		g := r.Leaf(i)
		if len(g.Nearest) == 0 {
			continue
		}
		d := g.Nearest[0].Distance.Or(math.Inf(1))
		if other, ok := r.Find(g.Nearest[0].ID); ok && d < nearest {
			a, b, nearest = g, other, d
		}
		if d > farthest {
			far, farthest = g, d
		}
	}
	return a, b, far
}

func mapSubtitle(r *report.Report) string {
	return fmt.Sprintf("Left: the %ss, alike ones close together, areas as their shares. Right: the most typical %s of one of them.", groupNoun(r), r.Unit.Features)
}

// mapBars draws the typical features of one group, and returns where it ends.
func mapBars(f *frame, r *report.Report, focus int, left, top float64) float64 {
	g := r.Leaf(focus)
	list := g.Typical
	if len(list) > 0 {
		list, _ = split(list)
	}
	fill, _ := groupColours(r, g)
	list = list[:min(len(list), mapTerms)]
	right := f.s.Width - chartEdge
	head := fitLabel(groupWord(r, g)+": "+size(r, g), right-left, wordSize, true)
	f.s.Add(Label{X: left, Y: top + wordSize, Text: head, Size: wordSize, Bold: true, Fill: inkPaint()})
	y := top + wordSize*leading + 8
	names, most := make([]string, len(list)), 0.0
	for i, x := range list {
		names[i] = signed(x.Name, x.Title, x.Said())
		most = max(most, x.Share.Or(0), x.Overall.Or(0))
	}
	if most == 0 {
		most = 1
	}
	from := left + nameColumn(names, (right-left)*0.5) + 8
	wide := right - from - 46
	for i, x := range list {
		number := ""
		share, known := x.Share.Value()
		if known {
			number = writeOf(x.Of)(share)
		}
		f.s.Add(Label{X: from - 8, Y: y + mapRow/2 + smallSize*0.35, Text: fitLabel(names[i], from-8-left, smallSize, false), Size: smallSize, Anchor: End, Fill: inkPaint()},
			Box{X: from, Y: y + 2, W: wide * x.Overall.Or(0) / most, H: mapRow - 4, Style: Style{Fill: overallPaint()}},
			Box{X: from, Y: y + 5, W: wide * share / most, H: mapRow - 10, Style: Style{Fill: fill}},
			Label{X: from + wide*max(share, x.Overall.Or(0))/most + 4, Y: y + mapRow/2 + smallSize*0.35, Text: fitLabel(number, 44, smallSize, false), Size: smallSize, Fill: mutedPaint()})
		y += mapRow
	}
	keys := []struct {
		name  string
		paint Paint
	}{{"in this " + groupNoun(r), fill}, {"overall", overallPaint()}}
	at := left
	y += 10
	for _, k := range keys {
		f.s.Add(Box{X: at, Y: y - 4, W: 14, H: 10, Style: Style{Fill: k.paint}},
			Label{X: at + 20, Y: y + 5, Text: k.name, Size: smallSize, Fill: inkPaint()})
		at += 20 + textWidth(k.name, smallSize, false) + 18
	}
	return y + 12
}

func mapTable(r *report.Report, x, y []float64) Table {
	sh := Table{Head: []string{groupNoun(r), "name", "share", "x", "y"}}
	for j := range r.Leaves {
		g := r.Leaf(j)
		share := ""
		if p, ok := g.Share.Value(); ok {
			share = report.Percent(p)
		}
		sh.Rows = append(sh.Rows, []string{g.ID, g.Name, share, fmt.Sprintf("%.3f", x[j]), fmt.Sprintf("%.3f", y[j])})
	}
	return sh
}
