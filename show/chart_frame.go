package show

import (
	"math"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/report"
)

// Sizes that all charts share, in units of a scene. A chart of 720 units on A4
// paper has letters of at least 7 points.
const (
	chartWidth = 720
	chartEdge  = 16 // free on every side
	titleSize  = 16
	subSize    = 12.5
	wordSize   = 11.5
	smallSize  = 11
)

// frame lays a chart out from the top: title, subtitle, legend, drawing, notes.
type frame struct {
	s *Scene
	y float64 // where the next part starts
}

func newFrame(id string, width float64, title, subtitle string) *frame {
	f := &frame{s: &Scene{ID: id, Width: width, Title: cleanLine(title), Desc: cleanLine(subtitle)}, y: chartEdge}
	f.lines(title, titleSize, true, inkPaint(), 3)
	f.y += 2
	f.lines(subtitle, subSize, false, mutedPaint(), 4)
	f.s.head = f.y
	f.y += 8
	return f
}

// inner returns the width between the edges.
func (f *frame) inner() float64 { return f.s.Width - 2*chartEdge }

// lines writes wrapped text over the whole width.
func (f *frame) lines(text string, size float64, isBold bool, paint Paint, most int) {
	for _, line := range wrapLabel(text, f.inner(), size, isBold, most) {
		f.y += size * ascent
		f.s.Add(Label{X: chartEdge, Y: f.y, Text: line, Size: size, Bold: isBold, Fill: paint})
		f.y += size * (leading - ascent)
	}
}

// notes writes the last lines and closes the scene.
func (f *frame) notes(notes ...string) *Scene {
	f.y += 6
	for _, n := range notes {
		f.lines(n, smallSize, false, mutedPaint(), 4)
	}
	f.s.Height = math.Ceil(f.y + chartEdge - 4)
	return f.s
}

// key is one entry of a legend; draw draws its sign in a box 18 wide around the
// middle line y.
type key struct {
	name string
	draw func(x, y float64) []Mark
}

const keyWidth = 18

// legend writes keys in rows.
func (f *frame) legend(keys []key) {
	if len(keys) == 0 {
		return
	}
	x, mid := float64(chartEdge), f.y+8
	for _, k := range keys {
		room := f.inner() - keyWidth - 6
		name := fitLabel(k.name, room, wordSize, false)
		w := keyWidth + 6 + textWidth(name, wordSize, false)
		if x > chartEdge && x+w > f.s.Width-chartEdge {
			x, mid = chartEdge, mid+18
		}
		f.s.Add(k.draw(x, mid)...)
		f.s.Add(Label{X: x + keyWidth + 6, Y: mid + wordSize*0.35, Text: name, Size: wordSize, Fill: inkPaint()})
		x += w + 18
	}
	f.y = mid + 16
}

// boxKey is the key of a filled colour.
func boxKey(name string, s Style) key {
	return key{name, func(x, y float64) []Mark { return []Mark{Box{X: x + 2, Y: y - 6, W: 14, H: 12, Style: s}} }}
}

// scale maps numbers to places.
type scale struct {
	low, high float64 // numbers
	from, to  float64 // places
	log       bool
}

func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		v, low, high = math.Log10(v), math.Log10(low), math.Log10(high)
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

// newScale returns a scale over the finite numbers of values with round ends.
func newScale(values []float64, from, to float64, log, zero bool) (scale, []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || log && v <= 0 {
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	switch {
	case low > high:
		low, high = 0, 1
		if log {
			low, high = 1, 10
		}
	case zero && !log:
		low, high = min(low, 0), max(high, 0)
	}
	if log {
		return logScale(low, high, from, to)
	}
	if low == high {
		pad := max(math.Abs(low)/2, 0.5)
		low, high = low-pad, high+pad
	}
	step := niceStep((high - low) / 5)
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	var ticks []float64
	for i := first; i <= last; i++ {
		ticks = append(ticks, math.Round(i*step*1e12)/1e12)
	}
	return scale{low: first * step, high: last * step, from: from, to: to}, ticks
}

// niceStep returns 1, 2 or 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= v*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// logScale covers low to high with ticks at 1, 2 and 5 times powers of ten, or
// at the powers alone where they are many.
func logScale(low, high, from, to float64) (scale, []float64) {
	var ticks []float64
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	steps := []float64{1, 2, 5}
	if last-first > 3 {
		steps = steps[:1]
	}
	for e := first; e <= last; e++ {
		for _, m := range steps {
			ticks = append(ticks, m*math.Pow(10, e))
		}
	}
	// The last tick not above low and the first not below high.
	i := max(0, lastWhere(ticks, func(t float64) bool { return t <= low*(1+1e-9) }))
	j := slices.IndexFunc(ticks, func(t float64) bool { return t >= high*(1-1e-9) })
	if j < 0 {
		j = len(ticks) - 1
	}
	if i == j {
		i, j = max(i-1, 0), min(j+1, len(ticks)-1)
	}
	ticks = ticks[i : j+1]
	return scale{low: ticks[0], high: ticks[len(ticks)-1], from: from, to: to, log: true}, ticks
}

func lastWhere(x []float64, ok func(float64) bool) int {
	for i := len(x) - 1; i >= 0; i-- {
		if ok(x[i]) {
			return i
		}
	}
	return -1
}

// tickWords writes a number of an axis; millions in words, since their zeros
// would touch.
func tickWords(v float64) string {
	a := math.Abs(v)
	switch {
	case a >= 1e9 || a > 0 && a < 1e-4:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case a >= 1e6:
		return strconv.FormatFloat(v/1e6, 'f', -1, 64) + " million"
	}
	if v == math.Trunc(v) {
		return report.Thousands(int(v))
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
