package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// dotsForm says how a dot plot is drawn.
type dotsForm struct {
	width float64
	bare  bool // without title, which stands on the page
	id    string
}

// Sizes of a dot plot: a row has its words above its line, so that it can be
// read on a phone.
const (
	dotRowTall = 34
	dotBig     = 5.5
	dotSmall   = 4
	dotText    = 12.5
	dotNumbers = 12
)

func dotPlot(r *report.Report, a, b *report.Group, form dotsForm) *Scene {
	d := &dots{r: r, a: a, b: b}
	var f *frame
	if form.bare {
		f = &frame{s: &Scene{ID: form.id, Width: form.width, Title: cleanLine(d.title()), Desc: cleanLine(d.subtitle())}, y: 4}
	} else {
		f = newFrame(form.id, form.width, d.title(), d.subtitle())
	}
	f.s.Table = d.table()
	edge := float64(chartEdge)
	if form.bare {
		edge = 8
	}
	w := &dotWriter{d: d, f: f, left: edge, right: form.width - edge}
	w.fill, w.edge = groupColours(r, a)
	if b != nil {
		w.fill2, w.edge2 = groupColours(r, b)
	}
	blocks := d.blocks()
	if len(blocks) > 0 {
		w.legend(blocks)
	}
	for _, x := range blocks {
		w.block(x)
	}
	if len(blocks) == 0 {
		f.s.Add(Label{X: w.left, Y: f.y + dotText, Text: fitLabel("Nothing to draw: "+size(r, a), w.right-w.left, dotText, false), Size: dotText, Fill: mutedPaint()})
		f.y += 2 * dotText
	}
	if b == nil {
		f.s.Desc = cleanLine(f.s.Desc + " " + a.Text)
	}
	if form.bare {
		f.s.Height = math.Ceil(f.y + 2)
		return f.s
	}
	if b != nil { // the subtitle says how many either has
		return f.notes(wholeNote(r))
	}
	return f.notes(population(r, a))
}

// population tells how many the shares are of.
func population(r *report.Report, g *report.Group) string {
	s := "N of the group is withheld"
	if n := g.N.String(); n != "" {
		s = fmt.Sprintf("N = %s %s in the group", n, rowUnit(r))
	}
	if n := r.Data.Rows.String(); n != "" {
		s += ", " + n + " in all"
	}
	return s + "."
}

type dotWriter struct {
	d            *dots
	f            *frame
	left, right  float64
	fill, edge   Paint
	fill2, edge2 Paint
}

// legend writes who the dots are, in their colours.
func (w *dotWriter) legend(blocks []dotBlock) {
	keys := []key{{w.me(), func(x, y float64) []Mark { return []Mark{w.dot(x+9, y, dotBig, w.fill, w.edge)} }}}
	if w.d.b != nil {
		keys[0].name = w.d.a.Name
		keys = append(keys, key{w.d.b.Name, func(x, y float64) []Mark { return w.square(x+9, y, w.fill2) }})
	}
	if !w.d.a.Whole {
		keys = append(keys, key{"overall", func(x, y float64) []Mark { return []Mark{w.dot(x+9, y, dotSmall, overallPaint(), overallPaint())} }})
	}
	if len(blocks[0].rows) > 0 && !blocks[0].rows[0].low.Masked() {
		keys = append(keys, key{"95 % interval", func(x, y float64) []Mark { return dotWhisker(x+1, x+17, y) }})
	}
	x, mid := w.left, w.f.y+8
	for _, k := range keys {
		name := fitLabel(k.name, w.right-w.left-keyWidth-4, dotNumbers, false)
		wide := keyWidth + 4 + textWidth(name, dotNumbers, false)
		if x > w.left && x+wide > w.right {
			x, mid = w.left, mid+18
		}
		w.f.s.Add(k.draw(x, mid)...)
		w.f.s.Add(Label{X: x + keyWidth + 4, Y: mid + dotNumbers*0.35, Text: name, Size: dotNumbers, Fill: inkPaint()})
		x += wide + 12
	}
	w.f.y = mid + 16
}

func (w *dotWriter) me() string {
	if w.d.a.Whole {
		return "all " + rowUnit(w.d.r)
	}
	return "this " + groupNoun(w.d.r)
}

// block writes rows over one axis.
func (w *dotWriter) block(b dotBlock) {
	f := w.f
	if b.head != "" {
		f.s.Add(Label{X: w.left, Y: f.y + dotText, Text: fitLabel(b.head, w.right-w.left, dotText, true), Size: dotText, Bold: true, Fill: inkPaint()})
		f.y += dotText * 1.5
	}
	x, ticks := w.axis(b)
	top := f.y
	for _, t := range ticks {
		f.s.Add(Rule{X1: x.at(t), Y1: top, X2: x.at(t), Y2: top + dotRowTall*float64(len(b.rows)), Style: Style{Stroke: faintPaint()}})
	}
	for _, row := range b.rows {
		w.row(row, x)
	}
	end := math.Inf(-1)
	for _, t := range ticks {
		word := tickWords(t)
		if of := b.rows[0].of; of != report.Average && of != report.Value {
			word = tickWords(math.Round(t*1e6)/1e4) + " %"
		}
		half := textWidth(word, dotNumbers, false) / 2
		at := min(max(x.at(t), w.left+half), w.right-half)
		if at-half > end+8 {
			f.s.Add(Label{X: at, Y: f.y + dotNumbers, Text: word, Size: dotNumbers, Anchor: Middle, Fill: mutedPaint()})
			end = at + half
		}
	}
	f.y += dotNumbers * 2
}

// axis covers all numbers of a block: shares begin at 0.
func (w *dotWriter) axis(b dotBlock) (scale, []float64) {
	var all []float64
	shares := b.rows[0].of == report.OfRecords
	for _, x := range b.rows {
		for _, v := range []report.Number{x.here, x.all, x.other, x.high} {
			if v, ok := v.Value(); ok {
				all = append(all, v)
			}
		}
		if x.word != "" && shares {
			all = append(all, 1)
		}
	}
	const inside = dotBig + 1
	s, ticks := newScale(all, w.left+inside, w.right-inside, false, true)
	if shares && s.high > 1 {
		s.high, ticks = 1, []float64{0, .25, .5, .75, 1}
	}
	return s, ticks
}

// row writes one feature: words, line, dots.
func (w *dotWriter) row(r dotRow, x scale) {
	f := w.f
	l := Layer{} // its words are all there to be read
	numbers := textWidth(r.numbers, dotNumbers, false)
	text := f.y + dotText
	l.Marks = append(l.Marks,
		Label{X: w.left, Y: text, Text: fitLabel(r.name, w.right-w.left-numbers-10, dotText, false), Size: dotText, Fill: inkPaint()},
		Label{X: w.right, Y: text, Text: r.numbers, Size: dotNumbers, Anchor: End, Fill: mutedPaint()})
	y := f.y + dotText + 11
	here, known := r.here.Value()
	if r.word != "" {
		here = 1
	}
	all, overall := r.all.Value()
	if from, ok := all, overall; known || r.word == nearlyAll {
		if w.d.b != nil {
			from, ok = r.other.Value()
		}
		if ok {
			l.Marks = append(l.Marks, Rule{X1: x.at(from), Y1: y, X2: x.at(here), Y2: y, Style: Style{Stroke: w.edge, Width: 2}})
		}
	}
	if !r.low.Masked() && !r.high.Masked() {
		l.Marks = append(l.Marks, dotWhisker(x.at(r.low.Or(0)), x.at(r.high.Or(0)), y)...)
	}
	if overall {
		l.Marks = append(l.Marks, w.dot(x.at(all), y, dotSmall, overallPaint(), overallPaint()))
	}
	if v, ok := r.other.Value(); ok {
		l.Marks = append(l.Marks, w.square(x.at(v), y, w.fill2)...)
	} else if w.d.b != nil && r.of != report.Value {
		l.Marks = append(l.Marks, w.square(x.at(x.low), y, paperPaint())...)
	}
	switch {
	case known:
		l.Marks = append(l.Marks, w.dot(x.at(here), y, dotBig, w.fill, w.edge))
	case r.word == nearlyAll:
		l.Marks = append(l.Marks, w.dot(x.at(here), y, dotBig, paperPaint(), w.edge))
	case r.word != "": // an empty ring where nothing is reported
		l.Marks = append(l.Marks, w.dot(x.at(x.low), y, dotBig, paperPaint(), w.edge))
	}
	f.s.Add(l)
	f.y += dotRowTall
}

func (w *dotWriter) dot(x, y, r float64, fill, edge Paint) Mark {
	return Disc{X: x, Y: y, R: r, Style: Style{Fill: fill, Stroke: edge, Width: 1.5}}
}

// square is the sign of the second group: told apart without colour.
// Where nothing is reported of it, it is empty.
func (w *dotWriter) square(x, y float64, fill Paint) []Mark {
	return []Mark{Box{X: x - 5, Y: y - 5, W: 10, H: 10, Style: Style{Fill: fill, Stroke: w.edge2, Width: 1.5}}}
}

// dotWhisker is a thin interval.
func dotWhisker(from, to, y float64) []Mark {
	return []Mark{Path{Ops: []Op{Move(from, y-5), Draw(from, y+5), Move(from, y), Draw(to, y), Move(to, y-5), Draw(to, y+5)}, Style: Style{Stroke: inkPaint(), Width: 1}}}
}
