package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// BarChart is horizontal bars: one band a category, one bar a series in it.
type BarChart struct {
	ID         string
	Title      string
	Subtitle   string
	XLabel     string
	Categories []string
	Series     []Bars
	Notes      []string
	Width      float64 // 0 means 720
}

// Bars are the values of one series, one a category; NaN draws nothing. Low and
// High, where given, are the ends of an interval.
type Bars struct {
	Name      string
	Value     []float64
	Low, High []float64
}

const (
	barHeight = 15
	bandGap   = 7
	mostWords = 0.38 // share of the width that names may take
)

// Scene draws the chart.
func (c BarChart) Scene() *Scene {
	if c.Width == 0 {
		c.Width = chartWidth
	}
	f := newFrame(c.ID, c.Width, c.Title, c.Subtitle)
	if len(c.Series) > 1 {
		var keys []key
		for j, s := range c.Series {
			keys = append(keys, boxKey(s.Name, Style{Fill: groupPaint(j)}))
		}
		f.legend(keys)
	}
	band := float64(len(c.Series))*barHeight + bandGap
	left := chartEdge + nameColumn(c.Categories, f.inner()*mostWords) + 8
	height := band * float64(len(c.Categories))
	x := c.scale(f.s, left, f.y, height)
	for i, name := range c.Categories {
		y := f.y + float64(i)*band
		f.s.Add(Label{X: left - 8, Y: y + band/2 + wordSize*0.35, Text: fitLabel(name, left-8-chartEdge, wordSize, false), Size: wordSize, Anchor: End, Fill: inkPaint()})
		for j, s := range c.Series {
			f.s.Add(c.bar(s, i, j, x, y+bandGap/2+float64(j)*barHeight))
		}
	}
	f.y += height + tickGap + smallSize*leading
	if c.XLabel != "" {
		f.s.Add(Label{X: (left + x.to) / 2, Y: f.y + smallSize, Text: fitLabel(c.XLabel, x.to-left, smallSize, false), Size: smallSize, Anchor: Middle, Fill: inkPaint()})
		f.y += axisName
	}
	f.s.Table = c.table()
	return f.notes(c.Notes...)
}

// nameColumn returns the width that names need, up to most.
func nameColumn(names []string, most float64) float64 {
	w := 0.0
	for _, n := range names {
		w = max(w, textWidth(cleanLine(n), wordSize, false))
	}
	return min(w, most)
}

// scale draws the ticks of the values; the numbers right of the bars have room.
func (c BarChart) scale(s *Scene, left, top, height float64) scale {
	var all []float64
	for _, b := range c.Series {
		all = append(append(append(all, b.Value...), b.Low...), b.High...)
	}
	x, ticks := newScale(all, left, c.Width-chartEdge-50, false, true)
	end := math.Inf(-1)
	for _, t := range ticks {
		at := x.at(t)
		s.Add(Rule{X1: at, Y1: top, X2: at, Y2: top + height, Style: Style{Stroke: faintPaint()}})
		half := textWidth(tickWords(t), smallSize, false) / 2
		if at-half > end+6 {
			s.Add(Label{X: at, Y: top + height + tickGap + smallSize*ascent, Text: tickWords(t), Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
			end = at + half
		}
	}
	return x
}

// bar draws one value with its interval and its number.
func (c BarChart) bar(b Bars, i, j int, x scale, y float64) Layer {
	l := Layer{}
	if i >= len(b.Value) || math.IsNaN(b.Value[i]) || math.IsInf(b.Value[i], 0) {
		return l
	}
	v := b.Value[i]
	l.Title = fmt.Sprintf("%s: %s %s", c.Categories[i], b.Name, report.Amount(v))
	zero, at := x.at(0), x.at(v)
	l.Marks = append(l.Marks, Box{X: min(zero, at), Y: y + 1, W: math.Abs(at - zero), H: barHeight - 3, Style: Style{Fill: groupPaint(j)}})
	end := max(at, zero)
	if i < len(b.Low) && i < len(b.High) && !math.IsNaN(b.Low[i]+b.High[i]) {
		l.Marks = append(l.Marks, whisker(x.at(b.Low[i]), x.at(b.High[i]), y+barHeight/2-0.5)...)
		end = max(end, x.at(b.High[i]))
	}
	l.Marks = append(l.Marks, Label{X: end + 5, Y: y + barHeight/2 + smallSize*0.33, Text: fitLabel(report.Amount(v), 45, smallSize, false), Size: smallSize, Fill: mutedPaint()})
	return l
}

// whisker draws an interval: a line with two ends, on a rim of paper so that it
// shows on bars of any colour.
func whisker(from, to, y float64) []Mark {
	ops := []Op{Move(from, y-3), Draw(from, y+3), Move(from, y), Draw(to, y), Move(to, y-3), Draw(to, y+3)}
	return []Mark{
		Path{Ops: ops, Style: Style{Stroke: paperPaint(), Width: 3}},
		Path{Ops: ops, Style: Style{Stroke: inkPaint(), Width: 1.2}},
	}
}

func (c BarChart) table() Table {
	sh := Table{Head: []string{""}}
	for _, s := range c.Series {
		sh.Head = append(sh.Head, orWord(s.Name, orWord(c.XLabel, "value")))
		if s.Low != nil {
			sh.Head = append(sh.Head, "low", "high")
		}
	}
	for i, name := range c.Categories {
		row := []string{name}
		for _, s := range c.Series {
			row = append(row, sheetNumber(s.Value, i))
			if s.Low != nil {
				row = append(row, sheetNumber(s.Low, i), sheetNumber(s.High, i))
			}
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}
