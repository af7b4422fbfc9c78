package show

import (
	"math"

	"github.com/moiety-go/moiety/report"
)

// bubbles draws the circles, largest first, with their ids inside or beside
// them.
func bubbles(r *report.Report, x, y []float64, left, top float64, focus int) []Mark {
	px, py, radius := bubblePlaces(r, x, y)
	n := bubbleNames{inside: extent{left, top, left + mapSide, top + mapSide}}
	var out []Mark
	for j := range px {
		g := r.Leaf(j)
		px[j] += left
		py[j] += top
		style := Style{Fill: groupPaint(j), Stroke: inkPaint(), Alpha: 0.85}
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
func bubblePlaces(r *report.Report, x, y []float64) (px, py, radius []float64) {
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
	m := Label{X: d.X, Y: d.Y + bubbleText*0.36, Text: id, Size: bubbleText, Bold: true, Anchor: Middle, Fill: onPaint(d.Fill)}
	fits := textWidth(id, bubbleText, true) < 2*d.R-2
	if fits && !n.taken(m.bounds()) && !n.covered(j, d.X, d.Y) {
		n.marks = append(n.marks, m)
		return
	}
	if n.within(j, m) {
		return
	}
	m.Fill = inkPaint()
	for _, free := range []bool{true, false} {
		for ring := 1.0; ring < 16; ring++ {
			for step := range 16 {
				sin, cos := math.Sincos(float64(step) * math.Pi / 8)
				reach := d.R + ring*9
				m.X, m.Y = d.X+cos*reach, d.Y+sin*reach+bubbleText*0.36
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
			m.X, m.Y = d.X+cos*d.R*part, d.Y+sin*d.R*part+bubbleText*0.36
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
		Rule{X1: d.X, Y1: d.Y, X2: m.X, Y2: m.Y - bubbleText*0.36, Style: Style{Stroke: inkPaint()}},
		Disc{X: d.X, Y: d.Y, R: 2, Style: Style{Fill: inkPaint()}},
		Box{X: b.x0 - 2, Y: b.y0, W: b.x1 - b.x0 + 4, H: b.y1 - b.y0, Round: 2, Style: Style{Fill: panelPaint()}}, m)
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
