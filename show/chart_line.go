package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// Series is one line or one cloud of points: Y over X. Low and High, where
// given, are the ends of an interval around every Y.
type Series struct {
	Name      string
	X, Y      []float64
	Low, High []float64
}

// Reference is a remarkable place on the x axis.
type Reference struct {
	X    float64
	Name string
}

// LineChart is lines over a common axis, for experiments and curves over the
// number of groups. The zero value of everything but the series works.
type LineChart struct {
	ID             string
	Title          string // what was found
	Subtitle       string
	XLabel, YLabel string
	Series         []Series
	LogX, LogY     bool
	Zero           bool // the y axis holds zero
	At             []Reference
	Notes          []string
	Width, Height  float64 // of the whole, and of the drawing inside the axes; 0 means 720 and 300
	points         bool    // points without lines
}

// Scene draws the chart.
func (c LineChart) Scene() *Scene {
	f, a := c.start()
	a.draw(f.s)
	c.references(f.s, a)
	for j, s := range c.Series {
		f.s.Add(c.series(s, j, a))
	}
	f.y = a.bottom()
	f.s.Desc = cleanLine(f.s.Desc + " " + c.words())
	f.s.Table = c.table()
	return f.notes(c.Notes...)
}

// start writes title and legend and lays out the axes.
func (c LineChart) start() (*frame, *axes) {
	if c.Width == 0 {
		c.Width = chartWidth
	}
	if c.Height == 0 {
		c.Height = 300
	}
	f := newFrame(c.ID, c.Width, c.Title, c.Subtitle)
	if len(c.Series) > 1 {
		var keys []key
		for j, s := range c.Series {
			keys = append(keys, c.key(s.Name, j))
		}
		f.legend(keys)
	}
	return f, c.axes(f)
}

func (c LineChart) key(name string, j int) key {
	return key{name, func(x, y float64) []Mark {
		m := []Mark{marker(j, x+keyWidth/2, y)}
		if !c.points {
			m = append([]Mark{Rule{X1: x, Y1: y, X2: x + keyWidth, Y2: y, Style: lineStyle(j)}}, m...)
		}
		return m
	}}
}

// lineStyle is the look of line j: colour, and dashes after four lines.
func lineStyle(j int) Style {
	s := Style{Stroke: groupPaint(j), Width: 2}
	if j/4%2 == 1 {
		s.Dash = []float64{6, 3}
	}
	return s
}

// marker is the sign of series j: shape and colour.
func marker(j int, x, y float64) Mark {
	s := Style{Fill: groupPaint(j), Stroke: paperPaint()}
	switch j % 4 {
	case 1:
		return Box{X: x - 3.5, Y: y - 3.5, W: 7, H: 7, Style: s}
	case 2:
		return Path{Ops: []Op{Move(x, y-5), Draw(x+4.5, y+3.5), Draw(x-4.5, y+3.5), Close()}, Style: s}
	case 3:
		return Path{Ops: []Op{Move(x, y-5), Draw(x+5, y), Draw(x, y+5), Draw(x-5, y), Close()}, Style: s}
	}
	return Disc{X: x, Y: y, R: 4, Style: s}
}

func (c LineChart) axes(f *frame) *axes {
	var xs, ys []float64
	for _, s := range c.Series {
		xs = append(xs, s.X...)
		ys = append(append(append(ys, s.Y...), s.Low...), s.High...)
	}
	for _, r := range c.At {
		xs = append(xs, r.X)
	}
	top := f.y + 4
	if len(c.At) > 0 {
		top += 16
	}
	a := &axes{xLabel: c.XLabel, yLabel: c.YLabel, top: top, height: c.Height, right: c.Width - chartEdge - 10}
	a.fill(f, xs, ys, c.LogX, c.LogY, c.Zero)
	return a
}

// references draws remarkable places with their names, unless names collide.
func (c LineChart) references(s *Scene, a *axes) {
	end := math.Inf(-1)
	for _, r := range c.At {
		x := a.x.at(r.X)
		s.Add(Rule{X1: x, Y1: a.top - 4, X2: x, Y2: a.top + a.height, Style: Style{Stroke: mutedPaint(), Dash: []float64{3, 3}}})
		name := fitLabel(r.Name, 160, smallSize, false)
		w := textWidth(name, smallSize, false)
		left := min(max(x-w/2, chartEdge), s.Width-chartEdge-w)
		if left < end+6 {
			continue
		}
		end = left + w
		s.Add(Label{X: left, Y: a.top - 8, Text: name, Size: smallSize, Fill: mutedPaint()})
	}
}

// series draws one line with its intervals.
func (c LineChart) series(s Series, j int, a *axes) Layer {
	l := Layer{ID: fmt.Sprintf("series-%d", j+1), Title: cleanLine(s.Name)}
	var ops []Op
	var dots []Mark
	pen := false
	for i := range s.X {
		x, y, ok := a.place(s.X[i], s.Y[i])
		if !ok {
			pen = false
			continue
		}
		if !pen {
			ops = append(ops, Move(x, y))
		} else {
			ops = append(ops, Draw(x, y))
		}
		pen = true
		if i < len(s.Low) && i < len(s.High) {
			_, low, okLow := a.place(s.X[i], s.Low[i])
			_, high, okHigh := a.place(s.X[i], s.High[i])
			if okLow && okHigh {
				l.Marks = append(l.Marks, Rule{X1: x, Y1: low, X2: x, Y2: high, Style: Style{Stroke: groupPaint(j), Width: 1.5}})
			}
		}
		dots = append(dots, marker(j, x, y))
	}
	if !c.points && len(ops) > 1 {
		l.Marks = append(l.Marks, Path{Ops: ops, Style: lineStyle(j)})
	}
	l.Marks = append(l.Marks, dots...)
	return l
}

// words tells every line by its ends and its best.
func (c LineChart) words() string {
	out := ""
	for _, s := range c.Series {
		best := -1
		for i, y := range s.Y {
			if i < len(s.X) && !math.IsNaN(y) && (best < 0 || y > s.Y[best]) {
				best = i
			}
		}
		if best >= 0 {
			out += fmt.Sprintf(" %s: highest %s at %s.", s.Name, report.Amount(s.Y[best]), tickWords(s.X[best]))
		}
	}
	return out
}

func (c LineChart) table() Table {
	sh := Table{Head: []string{"line", orWord(c.XLabel, "x"), orWord(c.YLabel, "y"), "low", "high"}}
	ranged := false
	for _, s := range c.Series {
		for i := range min(len(s.X), len(s.Y)) {
			row := []string{s.Name, tickWords(s.X[i]), sheetNumber(s.Y, i), sheetNumber(s.Low, i), sheetNumber(s.High, i)}
			ranged = ranged || row[3] != "" || row[4] != ""
			sh.Rows = append(sh.Rows, row)
		}
	}
	if !ranged {
		sh.Head = sh.Head[:3]
		for i := range sh.Rows {
			sh.Rows[i] = sh.Rows[i][:3]
		}
	}
	return sh
}

func orWord(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

func sheetNumber(x []float64, i int) string {
	if i >= len(x) || math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
		return ""
	}
	return report.Amount(x[i])
}
