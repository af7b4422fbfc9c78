package show

import (
	"math"

	"github.com/moiety-go/moiety/report"
)

// axes are two scales with their ticks and names around a drawing.
type axes struct {
	xLabel, yLabel           string
	left, right, top, height float64
	x, y                     scale
	xTicks, yTicks           []float64
	shares                   bool // y is a share, and reported in per cent
}

// yWords writes a tick of the y axis.
func (a *axes) yWords(t float64) string {
	if a.shares {
		return report.Percent(t)
	}
	return tickWords(t)
}

const (
	tickGap  = 6
	axisName = smallSize * leading
)

// fill chooses the scales; the left edge makes room for the widest tick.
func (a *axes) fill(f *frame, xs, ys []float64, logX, logY, zero bool) {
	a.y, a.yTicks = newScale(ys, a.top+a.height, a.top, logY, zero)
	widest := 0.0
	for _, t := range a.yTicks {
		widest = max(widest, textWidth(a.yWords(t), smallSize, false))
	}
	a.left = chartEdge + widest + tickGap
	if a.yLabel != "" {
		a.left += axisName + 4
	}
	a.x, a.xTicks = newScale(xs, a.left, a.right, logX, false)
	if !logX && len(xs) > 0 {
		a.tighten(xs)
	}
}

// tighten ends the x axis at the data, not at the next round number.
func (a *axes) tighten(xs []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			low, high = min(low, x), max(high, x)
		}
	}
	if low >= high {
		return
	}
	pad := (high - low) * 0.02
	a.x.low, a.x.high = low-pad, high+pad
	var kept []float64
	for _, t := range a.xTicks {
		if t >= a.x.low && t <= a.x.high {
			kept = append(kept, t)
		}
	}
	a.xTicks = kept
}

// place returns the place of a point, or false where it has none.
func (a *axes) place(x, y float64) (px, py float64, ok bool) {
	px, py = a.x.at(x), a.y.at(y)
	ok = !math.IsNaN(px+py) && !math.IsInf(px, 0) && !math.IsInf(py, 0)
	return px, py, ok
}

// bottom returns the lower end of the axes with their words.
func (a *axes) bottom() float64 {
	b := a.top + a.height + tickGap + smallSize*leading
	if a.xLabel != "" {
		b += axisName + 2
	}
	return b
}

func (a *axes) draw(s *Scene) {
	base := a.top + a.height
	for _, t := range a.yTicks {
		y := a.y.at(t)
		s.Add(Rule{X1: a.left, Y1: y, X2: a.right, Y2: y, Style: Style{Stroke: faintPaint()}},
			Label{X: a.left - tickGap, Y: y + smallSize*0.35, Text: a.yWords(t), Size: smallSize, Anchor: End, Fill: mutedPaint()})
	}
	end := math.Inf(-1)
	for _, t := range a.xTicks {
		x := a.x.at(t)
		s.Add(Rule{X1: x, Y1: base, X2: x, Y2: base + 4, Style: Style{Stroke: mutedPaint()}})
		half := textWidth(tickWords(t), smallSize, false) / 2
		at := min(x, s.Width-2-half) // the last one may stand a little to the left
		if at-half < end+6 {
			continue // no room for this number
		}
		end = at + half
		s.Add(Label{X: at, Y: base + tickGap + smallSize, Text: tickWords(t), Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
	}
	s.Add(Rule{X1: a.left, Y1: base, X2: a.right, Y2: base, Style: Style{Stroke: mutedPaint()}})
	if a.xLabel != "" {
		name := fitLabel(a.xLabel, a.right-a.left, smallSize, false)
		s.Add(Label{X: (a.left + a.right) / 2, Y: a.bottom() - 4, Text: name, Size: smallSize, Anchor: Middle, Fill: inkPaint()})
	}
	if a.yLabel != "" {
		name := fitLabel(a.yLabel, a.height, smallSize, false)
		s.Add(Label{X: chartEdge + smallSize*ascent, Y: a.top + a.height/2, Text: name, Size: smallSize, Anchor: Middle, Turn: -90, Fill: inkPaint()})
	}
}
