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

// outline returns strokes of a width as closed parts that all turn the same
// way: a rectangle for every piece and a disc for every joint.
func outline(lines []polyline, width float64, dash []float64) []polyline {
	var out []polyline
	for _, l := range dashed(lines, dash) {
		p := l.p
		if l.closed && len(p) > 0 {
			p = append(append([]Point{}, p...), p[0])
		}
		for i := 1; i < len(p); i++ {
			if piece, ok := thick(p[i-1], p[i], width); ok {
				out = append(out, piece)
			}
			if joint := i < len(p)-1 || l.closed; joint && width > 0.5 {
				out = append(out, flatten(discOps(p[i].X, p[i].Y, width/2))...)
			}
		}
	}
	return out
}

// thick returns the rectangle around a piece, clockwise as discOps is.
func thick(a, b Point, width float64) (polyline, bool) {
	dx, dy := b.X-a.X, b.Y-a.Y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return polyline{}, false
	}
	nx, ny := -dy/length*width/2, dx/length*width/2
	return polyline{p: []Point{
		{a.X - nx, a.Y - ny}, {b.X - nx, b.Y - ny}, {b.X + nx, b.Y + ny}, {a.X + nx, a.Y + ny},
	}, closed: true}, true
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
