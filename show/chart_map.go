package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/explain"
)

// Sizes of the map of groups.
const (
	mapSide   = 330.0
	mapTerms  = 20
	mapRow    = 17
	mapBubble = 0.28 // of the side: the radius of a group that holds everything
)

// TopicMap draws the groups as circles in the plane, alike ones close together
// (classical scaling of Jensen-Shannon distances) with areas as their shares,
// and beside it the most typical features of one group: its own share as a
// coloured bar over the share overall in grey. focus counts from 0 by falling
// weight.
func TopicMap(r *explain.Report, focus int) (*Scene, error) {
	if focus < 0 || focus >= len(r.Leaves) {
		return nil, fmt.Errorf("show: group %d of %d for the map: choose one of 1 to %d", focus+1, len(r.Leaves), len(r.Leaves))
	}
	d := groupDistances(r)
	x, y := classicalScaling(d)
	f := newFrame("map", chartWidth+60, mapTitle(r, d.At), mapSubtitle(r))
	top := f.y
	f.s.Add(Box{X: chartEdge, Y: top, W: mapSide, H: mapSide, Style: Style{Fill: RGB(0xf4f5f7), Stroke: faintPaint()}})
	f.s.Add(bubbles(r, x, y, chartEdge, top, focus)...)
	end := mapBars(f, r, focus, chartEdge+mapSide+24, top)
	f.y = max(top+mapSide, end) + 4
	f.s.Sheet = mapSheet(r, x, y)
	return f.notes(wholeNote(r), fmt.Sprintf("Typical by relevance with λ = %g.", r.Lambda)), nil
}

func mapTitle(r *explain.Report, d func(i, j int) float64) string {
	k, noun := len(r.Leaves), groupNoun(r)
	if k < 3 {
		return fmt.Sprintf("%d %ss and what is typical of them", k, noun)
	}
	a, b, far, farthest := 0, 1, 0, -1.0
	for i := range k {
		sum := 0.0
		for j := range k {
			sum += d(i, j)
			if i != j && d(i, j) < d(a, b) {
				a, b = min(i, j), max(i, j)
			}
		}
		if sum > farthest {
			far, farthest = i, sum
		}
	}
	return fmt.Sprintf("%ss %s and %s are most alike; %s differs most from the others", capital(noun), r.Leaf(a).ID, r.Leaf(b).ID, r.Leaf(far).ID)
}

func capital(s string) string {
	for i, c := range s {
		return string(c-'a'+'A') + s[i+1:]
	}
	return s
}

func mapSubtitle(r *explain.Report) string {
	return fmt.Sprintf("Left: the %ss, alike ones close together, areas as their shares. Right: the most typical %s of one of them.", groupNoun(r), r.Unit.Features)
}

// bubbles draws the circles, largest first, with their ids inside or beside
// them.
func bubbles(r *explain.Report, x, y []float64, left, top float64, focus int) []Mark {
	px, py, radius := bubblePlaces(r, x, y)
	n := bubbleNames{inside: extent{left, top, left + mapSide, top + mapSide}}
	var out []Mark
	for j := range px {
		g := r.Leaf(j)
		px[j] += left
		py[j] += top
		style := Style{Fill: groupPaint(j), Stroke: RGB(0x1a1a1a), Alpha: 0.85}
		if j == focus {
			style.Width = 3
		}
		if g.Share.Masked() {
			style.Dash = []float64{3, 2}
		}
		n.discs = append(n.discs, Disc{X: px[j], Y: py[j], R: radius[j], Style: style})
		out = append(out, Layer{ID: "bubble-" + groupSlug(g), Title: g.ID + ": " + g.Name, Marks: []Mark{n.discs[j]}})
	}
	for j := range px {
		n.write(j, r.Leaf(j).ID)
	}
	return append(out, n.marks...)
}

// bubblePlaces returns centers and radii inside the square of the map, both
// axes to one scale.
func bubblePlaces(r *explain.Report, x, y []float64) (px, py, radius []float64) {
	k := len(r.Leaves)
	px, py, radius = make([]float64, k), make([]float64, k), make([]float64, k)
	reach := 0.0
	largest := 0.0
	for j := range k {
		reach = max(reach, math.Abs(x[j]), math.Abs(y[j]))
		radius[j] = max(mapBubble*mapSide*math.Sqrt(r.Leaf(j).Share.Or(0)), 6)
		largest = max(largest, radius[j])
	}
	if reach == 0 {
		reach = 1
	}
	half := mapSide/2 - largest - 6
	for j := range k {
		px[j] = mapSide/2 + x[j]/reach*half
		py[j] = mapSide/2 - y[j]/reach*half
	}
	return px, py, radius
}

// bubbleNames writes the ids of circles where they do not collide.
type bubbleNames struct {
	inside extent
	discs  []Disc
	marks  []Mark
}

// write puts an id in the middle of its circle, or beside it where that place is
// taken, with a line to the middle: best where there is no circle at all.
func (n *bubbleNames) write(j int, id string) {
	d := n.discs[j]
	m := Label{X: d.X, Y: d.Y + wordSize*0.36, Text: id, Size: wordSize, Bold: true, Anchor: Middle, Fill: textOn(d.Fill)}
	fits := textWidth(id, wordSize, true) < 2*d.R-2
	if fits && !n.taken(m.bounds()) && !n.covered(j, d.X, d.Y) {
		n.marks = append(n.marks, m)
		return
	}
	if n.within(j, m) {
		return
	}
	m.Fill = RGB(0x1a1a1a)
	for _, free := range []bool{true, false} {
		for ring := 1.0; ring < 16; ring++ {
			for step := range 16 {
				sin, cos := math.Sincos(float64(step) * math.Pi / 8)
				reach := d.R + ring*9
				m.X, m.Y = d.X+cos*reach, d.Y+sin*reach+wordSize*0.36
				if b := m.bounds(); n.taken(b) || free && n.onOther(-1, b) {
					continue
				}
				n.beside(d, m)
				return
			}
		}
	}
}

// within writes an id elsewhere in its circle, where no other circle is.
func (n *bubbleNames) within(j int, m Label) bool {
	d := n.discs[j]
	for _, part := range []float64{0.3, 0.45, 0.6, 0.75} {
		for step := range 16 {
			sin, cos := math.Sincos(float64(step) * math.Pi / 8)
			m.X, m.Y = d.X+cos*d.R*part, d.Y+sin*d.R*part+wordSize*0.36
			b := m.bounds()
			if n.taken(b) || !d.holds(b) || n.onOther(j, b) {
				continue
			}
			n.marks = append(n.marks, m)
			return true
		}
	}
	return false
}

// holds reports whether a circle holds all corners of a rectangle.
func (d Disc) holds(b extent) bool {
	for _, x := range []float64{b.x0, b.x1} {
		for _, y := range []float64{b.y0, b.y1} {
			if math.Hypot(x-d.X, y-d.Y) > d.R-1 {
				return false
			}
		}
	}
	return true
}

// onOther reports whether a place touches another circle.
func (n *bubbleNames) onOther(j int, b extent) bool {
	for i, d := range n.discs {
		x, y := min(max(d.X, b.x0), b.x1), min(max(d.Y, b.y0), b.y1) // nearest to the middle
		if i != j && math.Hypot(x-d.X, y-d.Y) < d.R {
			return true
		}
	}
	return false
}

// beside writes an id on a pale ground with a line to its circle.
func (n *bubbleNames) beside(d Disc, m Label) {
	b := m.bounds()
	n.marks = append(n.marks,
		Rule{X1: d.X, Y1: d.Y, X2: m.X, Y2: m.Y - wordSize*0.36, Style: Style{Stroke: RGB(0x1a1a1a)}},
		Disc{X: d.X, Y: d.Y, R: 2, Style: Style{Fill: RGB(0x1a1a1a)}},
		Box{X: b.x0 - 2, Y: b.y0, W: b.x1 - b.x0 + 4, H: b.y1 - b.y0, Round: 2, Style: Style{Fill: RGB(0xf4f5f7)}}, m)
}

// taken reports whether a place is outside the map or holds a name.
func (n *bubbleNames) taken(b extent) bool {
	in := n.inside
	return b.x0 < in.x0+3 || b.x1 > in.x1-3 || b.y0 < in.y0+3 || b.y1 > in.y1-3 || b.overlapsAny(labelBoxes(n.marks))
}

// covered reports whether a later circle lies over a place.
func (n *bubbleNames) covered(j int, x, y float64) bool {
	for _, d := range n.discs[j+1:] {
		if math.Hypot(d.X-x, d.Y-y) < d.R {
			return true
		}
	}
	return false
}

// mapBars draws the typical features of one group, and returns where it ends.
func mapBars(f *frame, r *explain.Report, focus int, left, top float64) float64 {
	g := r.Leaf(focus)
	list, _ := ofOneKind(g.Typical)
	list = list[:min(len(list), mapTerms)]
	right := f.s.Width - chartEdge
	head := fitLabel(groupWord(r, g)+": "+size(r, g), right-left, wordSize, true)
	f.s.Add(Label{X: left, Y: top + wordSize, Text: head, Size: wordSize, Bold: true, Fill: inkPaint()})
	y := top + wordSize*leading + 8
	names, most := make([]string, len(list)), 0.0
	for i, x := range list {
		names[i] = label(x.Name, x.Title)
		most = max(most, x.Share.Or(0), x.Overall.Or(0))
	}
	if most == 0 {
		most = 1
	}
	from := left + nameColumn(names, (right-left)*0.5) + 8
	c := &frequencyChart{r: r, g: g, list: list}
	wide := right - from - 46
	for i, x := range list {
		number := ""
		share, known := x.Share.Value()
		if known {
			number = c.number(share)
		}
		f.s.Add(Label{X: from - 8, Y: y + mapRow/2 + smallSize*0.35, Text: fitLabel(names[i], from-8-left, smallSize, false), Size: smallSize, Anchor: End, Fill: inkPaint()},
			Box{X: from, Y: y + 2, W: wide * x.Overall.Or(0) / most, H: mapRow - 4, Style: Style{Fill: RGB(0x9a9a9a)}},
			Box{X: from, Y: y + 5, W: wide * share / most, H: mapRow - 10, Style: Style{Fill: leafPaint(g)}},
			Label{X: from + wide*max(share, x.Overall.Or(0))/most + 4, Y: y + mapRow/2 + smallSize*0.35, Text: fitLabel(number, 44, smallSize, false), Size: smallSize, Fill: mutedPaint()})
		y += mapRow
	}
	keys := []struct {
		name  string
		paint Paint
	}{{"in this " + groupNoun(r), leafPaint(g)}, {"overall", RGB(0x9a9a9a)}}
	at := left
	y += 10
	for _, k := range keys {
		f.s.Add(Box{X: at, Y: y - 4, W: 14, H: 10, Style: Style{Fill: k.paint}},
			Label{X: at + 20, Y: y + 5, Text: k.name, Size: smallSize, Fill: inkPaint()})
		at += 20 + textWidth(k.name, smallSize, false) + 18
	}
	return y + 12
}

func mapSheet(r *explain.Report, x, y []float64) Sheet {
	sh := Sheet{Head: []string{groupNoun(r), "name", "share", "x", "y"}}
	for j := range r.Leaves {
		g := r.Leaf(j)
		share := ""
		if p, ok := g.Share.Value(); ok {
			share = explain.Percent(p)
		}
		sh.Rows = append(sh.Rows, []string{g.ID, g.Name, share, fmt.Sprintf("%.3f", x[j]), fmt.Sprintf("%.3f", y[j])})
	}
	return sh
}
