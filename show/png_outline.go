package show

import (
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// polyline is a part of a path in straight pieces.
type polyline struct {
	p      []Point
	closed bool
}

// curvePieces is the number of straight pieces of a curve. The largest curves
// here are circles of some 100 units in four pieces: 16 pieces each stay within
// 0.1 units of the circle.
const curvePieces = 16

// flatten turns a path into straight pieces.
func flatten(ops []Op) []polyline {
	var out []polyline
	var at *polyline
	for _, o := range ops {
		switch o.Kind {
		case 'M':
			out = append(out, polyline{p: []Point{o.P[0]}})
			at = &out[len(out)-1]
		case 'L':
			at.p = append(at.p, o.P[0])
		case 'C':
			a := at.p[len(at.p)-1]
			for i := 1; i <= curvePieces; i++ {
				at.p = append(at.p, cubic(a, o.P, float64(i)/curvePieces))
			}
		case 'Z':
			at.closed = true
		}
	}
	return out
}

// cubic returns the point of a curve at t.
func cubic(a Point, p [3]Point, t float64) Point {
	u := 1 - t
	b0, b1, b2, b3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
	return Point{
		b0*a.X + b1*p[0].X + b2*p[1].X + b3*p[2].X,
		b0*a.Y + b1*p[0].Y + b2*p[1].Y + b3*p[2].Y,
	}
}

// sharpTurn is the cosine of the angle above which two pieces meet in a round
// joint; flatter ones share their corners, so that nothing is covered twice.
const sharpTurn = 0.7

// outline returns strokes of a width as closed parts that all turn the same way:
// a quadrilateral for every piece and a disc for every sharp joint.
func outline(lines []polyline, width float64, dash []float64) []polyline {
	var out []polyline
	for _, l := range dashed(lines, dash) {
		p := distinct(l.p, l.closed)
		if len(p) < 2 {
			continue
		}
		pieces := len(p) - 1
		if l.closed {
			pieces = len(p)
		}
		for i := range pieces {
			a, b := p[i], p[(i+1)%len(p)]
			var before, after *Point
			if i > 0 || l.closed {
				before = &p[(i+len(p)-1)%len(p)]
			}
			if i < pieces-1 || l.closed {
				after = &p[(i+2)%len(p)]
			}
			out = append(out, thick(before, a, b, after, width))
			if after != nil && turn(a, b, *after) < sharpTurn {
				out = append(out, flatten(discOps(b.X, b.Y, width/2))...)
			}
		}
	}
	return out
}

// distinct drops points that repeat the one before them.
func distinct(p []Point, closed bool) []Point {
	var out []Point
	for _, q := range p {
		if len(out) == 0 || math.Hypot(q.X-out[len(out)-1].X, q.Y-out[len(out)-1].Y) > 1e-9 {
			out = append(out, q)
		}
	}
	if n := len(out); closed && n > 1 && math.Hypot(out[0].X-out[n-1].X, out[0].Y-out[n-1].Y) <= 1e-9 {
		out = out[:n-1]
	}
	return out
}

// side returns the unit normal of a piece.
func side(a, b Point) Point {
	length := math.Hypot(b.X-a.X, b.Y-a.Y)
	return Point{-(b.Y - a.Y) / length, (b.X - a.X) / length}
}

// turn returns the cosine of the angle between two pieces.
func turn(a, b, c Point) float64 {
	m, n := side(a, b), side(b, c)
	return m.X*n.X + m.Y*n.Y
}

// thick returns the quadrilateral around the piece from a to b, clockwise as
// discOps is; at a flat joint its corners are those of the neighbour.
func thick(before *Point, a, b Point, after *Point, width float64) polyline {
	n := side(a, b)
	at := func(other Point, joined bool) Point {
		if dot := n.X*other.X + n.Y*other.Y; joined && dot >= sharpTurn {
			return Point{(n.X + other.X) / (1 + dot) * width / 2, (n.Y + other.Y) / (1 + dot) * width / 2}
		}
		return Point{n.X * width / 2, n.Y * width / 2}
	}
	s, e := at(n, false), at(n, false)
	if before != nil {
		s = at(side(*before, a), true)
	}
	if after != nil {
		e = at(side(b, *after), true)
	}
	return polyline{p: []Point{
		{a.X - s.X, a.Y - s.Y}, {b.X - e.X, b.Y - e.Y}, {b.X + e.X, b.Y + e.Y}, {a.X + s.X, a.Y + s.Y},
	}, closed: true}
}

// dashed cuts lines into dashes; without a pattern they stay whole.
func dashed(lines []polyline, dash []float64) []polyline {
	total := 0.0
	for _, d := range dash {
		total += d
	}
	if total <= 0 {
		return lines
	}
	var out []polyline
	for _, l := range lines {
		p := l.p
		if l.closed {
			p = append(append([]Point{}, p...), p[0])
		}
		out = append(out, dashes(p, dash)...)
	}
	return out
}

func dashes(p []Point, dash []float64) []polyline {
	var out []polyline
	place, left, on := 0, dash[0], true
	now := polyline{p: p[:1:1]}
	for i := 1; i < len(p); i++ {
		a, b := p[i-1], p[i]
		for length := math.Hypot(b.X-a.X, b.Y-a.Y); length > 0; {
			step := min(left, length)
			a = Point{a.X + (b.X-a.X)*step/length, a.Y + (b.Y-a.Y)*step/length}
			length -= step
			if left -= step; on {
				now.p = append(now.p, a)
			}
			if left > 1e-9 {
				continue
			}
			if on {
				out = append(out, now)
			}
			place = (place + 1) % len(dash)
			left, on = dash[place], !on
			now = polyline{p: []Point{a}}
		}
	}
	if on && len(now.p) > 1 {
		out = append(out, now)
	}
	return out
}

// outline returns the glyph of a rune as a path; place turns units of the scene,
// from the start of the glyph on the base line, into places.
func (t *typeface) outline(r rune, ppem fixed.Int26_6, scale float64, place func(x, y float64) Point) []Op {
	var buf sfnt.Buffer
	i, err := t.font.GlyphIndex(&buf, r)
	if err != nil {
		return nil
	}
	segments, err := t.font.LoadGlyph(&buf, i, ppem, nil)
	if err != nil {
		return nil
	}
	at := func(p fixed.Point26_6) Point { return place(float64(p.X)/64/scale, float64(p.Y)/64/scale) }
	var ops []Op
	var last Point
	for _, s := range segments {
		a, b, c := at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(ops) > 0 {
				ops = append(ops, Close())
			}
			ops, last = append(ops, Move(a.X, a.Y)), a
		case sfnt.SegmentOpLineTo:
			ops, last = append(ops, Draw(a.X, a.Y)), a
		case sfnt.SegmentOpQuadTo: // as a cubic curve
			ops = append(ops, Curve(last.X+(a.X-last.X)*2/3, last.Y+(a.Y-last.Y)*2/3, b.X+(a.X-b.X)*2/3, b.Y+(a.Y-b.Y)*2/3, b.X, b.Y))
			last = b
		case sfnt.SegmentOpCubeTo:
			ops, last = append(ops, Curve(a.X, a.Y, b.X, b.Y, c.X, c.Y)), c
		}
	}
	if len(ops) > 0 {
		ops = append(ops, Close())
	}
	return ops
}
