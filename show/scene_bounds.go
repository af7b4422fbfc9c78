package show

import "math"

// extent is the upright rectangle around something.
type extent struct{ x0, y0, x1, y1 float64 }

// bounds returns the rectangle around a label, as drawn with the built-in font.
func (m Label) bounds() extent {
	w := textWidth(m.Text, m.Size, m.Bold)
	from := [...]float64{Start: 0, Middle: -w / 2, End: -w}[m.Anchor]
	sin, cos := math.Sincos(m.Turn * math.Pi / 180)
	e := extent{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, x := range []float64{from, from + w} {
		for _, y := range []float64{-m.Size * ascent, m.Size * descent} {
			px, py := m.X+x*cos-y*sin, m.Y+x*sin+y*cos
			e.x0, e.y0 = min(e.x0, px), min(e.y0, py)
			e.x1, e.y1 = max(e.x1, px), max(e.y1, py)
		}
	}
	return e
}

func (e extent) overlaps(o extent) bool {
	return e.x0 < o.x1 && o.x0 < e.x1 && e.y0 < o.y1 && o.y0 < e.y1
}

func (e extent) overlapsAny(list []extent) bool {
	for _, o := range list {
		if e.overlaps(o) {
			return true
		}
	}
	return false
}

// eachLabel visits all labels, those in layers too.
func eachLabel(marks []Mark, visit func(Label)) {
	for _, m := range marks {
		switch m := m.(type) {
		case Label:
			if m.Text != "" {
				visit(m)
			}
		case Layer:
			eachLabel(m.Marks, visit)
		}
	}
}

func labelBoxes(marks []Mark) []extent {
	var out []extent
	eachLabel(marks, func(l Label) { out = append(out, l.bounds()) })
	return out
}
