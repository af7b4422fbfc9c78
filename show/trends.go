package show

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/report"
)

// Sizes of the panels of a trend.
const (
	trendPanels  = 12  // groups drawn, those that differ most
	trendTall    = 84  // of the drawing of a panel over time
	trendRow     = 17  // of a value, where a panel has one a row
	trendGap     = 22  // between panels
	trendNarrow  = 210 // least width of a panel
	trendTitle   = 24  // of the name above a panel
	trendAxis    = 18  // of the words below a panel over time
	frontTrends  = 3   // drawn on the first pages
	trendPercent = 34  // room for the numbers of an axis
)

// TrendCharts draws how common the groups are over time and by the values of
// other side columns, a drawing each: a panel a group, all on one scale, with 95 %
// intervals.
func TrendCharts(r *report.Report) []*Scene {
	var out []*Scene
	for i := range r.Trends {
		if !r.Trends[i].Withheld {
			out = append(out, drawTrend(r, i, chartWidth))
		}
	}
	return out
}

// drawTrend draws trend i.
func drawTrend(r *report.Report, i int, width float64) *Scene {
	t := &r.Trends[i]
	f := newFrame(widthID(fmt.Sprintf("trend-%d", i+1), width), width, t.Finding, trendSubtitle(r, t))
	shown := trendShown(t)
	across := max(int((f.inner()+trendGap)/(trendNarrow+trendGap)), 1)
	wide := (f.inner() - float64(across-1)*trendGap) / float64(across)
	top := trendTop(t, shown)
	tall := float64(trendTitle + trendTall + trendAxis)
	if t.Kind != explain.TrendTime {
		tall = trendTitle + trendRow*float64(len(t.Places)) + trendAxis
	}
	f.y += 4
	for n, j := range shown {
		x, y := chartEdge+float64(n%across)*(wide+trendGap), f.y+float64(n/across)*(tall+10)
		p := trendPanel{r: r, t: t, j: j, x: x, y: y, wide: wide, top: top}
		axis, marks := p.draw()
		f.s.Add(axis...)
		f.s.Add(Layer{ID: fmt.Sprintf("panel-%d", j+1), Title: p.words(), Marks: marks})
	}
	f.y += math.Ceil(float64(len(shown))/float64(across)) * (tall + 10)
	f.s.Table = trendTable(r, t)
	var notes []string
	if len(shown) < len(t.Groups) {
		notes = append(notes, fmt.Sprintf("The %d of %d %ss that differ most; the table has all.", len(shown), len(t.Groups), groupNoun(r)))
	}
	return f.notes(append(notes, wholeNote(r))...)
}

// trendSubtitle says what is drawn.
func trendSubtitle(r *report.Report, t *report.Trend) string {
	s := fmt.Sprintf("Share of the %s in each %s, by %s", r.Unit.Many, groupNoun(r), t.Column)
	if r.Soft && r.Shape == report.Flat {
		s = fmt.Sprintf("Share of each %s in the average %s, by %s", groupNoun(r), r.Unit.One, t.Column)
	}
	if t.Every != "" && t.Every != "year" {
		s += ", " + t.Every + " a period"
	}
	return s + "; bars or bands are 95 % intervals."
}

// trendShown returns the groups that are drawn, in their order: those whose
// shares differ most.
func trendShown(t *report.Trend) []int {
	out := make([]int, len(t.Groups))
	for j := range out {
		out[j] = j
	}
	if len(out) <= trendPanels {
		return out
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(trendRange(t, b), trendRange(t, a)) })
	out = out[:trendPanels]
	slices.Sort(out)
	return out
}

func trendRange(t *report.Trend, j int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range t.Groups[j].Shares {
		if v, ok := x.Share.Value(); ok {
			low, high = min(low, v), max(high, v)
		}
	}
	return max(high-low, 0)
}

// trendTop is the upper end of the common scale.
func trendTop(t *report.Trend, shown []int) float64 {
	most := 0.0
	for _, j := range shown {
		for _, x := range t.Groups[j].Shares {
			most = max(most, x.Share.Or(0), x.High.Or(0))
		}
	}
	for scale := 1e-4; scale < 1; scale *= 10 {
		for _, m := range []float64{1, 2, 3, 4, 6, 8} { // halves are round, too
			if v := m * scale; v >= most {
				return v
			}
		}
	}
	return 1
}

// trendPanel is one group of a trend.
type trendPanel struct {
	r          *report.Report
	t          *report.Trend
	j          int
	x, y, wide float64
	top        float64
}

// words tells a panel to a pointer that rests on it.
func (p trendPanel) words() string {
	g := p.r.Leaf(p.j)
	out := g.ID + " " + g.Name + ":"
	for l, x := range p.t.Groups[p.j].Shares {
		if v, ok := x.Share.Value(); ok {
			out += fmt.Sprintf(" %s %s;", p.t.Places[l].Name, report.Percent(v))
		}
	}
	return cleanLine(out[:len(out)-1])
}

// draw returns the name and the axes of a panel, and its marks.
func (p trendPanel) draw() (axis, marks []Mark) {
	g := p.r.Leaf(p.j)
	if axis, marks = p.byValue(); p.t.Kind == explain.TrendTime {
		axis, marks = p.overTime()
	}
	return append(axis, Label{X: p.x, Y: p.y + wordSize, Text: fitLabel(g.ID+" "+g.Name, p.wide, wordSize, true), Size: wordSize, Bold: true, Fill: inkPaint()}), marks
}

// overTime draws a line with a band around it.
func (p trendPanel) overTime() (axis, marks []Mark) {
	left, top := p.x+trendPercent, p.y+trendTitle
	base, wide := top+trendTall, p.wide-trendPercent-6
	at := func(l int) float64 { return left + (float64(l)+.5)/float64(len(p.t.Places))*wide }
	up := func(v float64) float64 { return base - min(v/p.top, 1)*trendTall }
	for _, part := range []float64{0, .5, 1} {
		y := base - part*trendTall
		axis = append(axis, Rule{X1: left, Y1: y, X2: left + wide, Y2: y, Style: Style{Stroke: faintPaint()}},
			Label{X: left - 4, Y: y + smallSize*.35, Text: report.Percent(part * p.top), Size: smallSize, Anchor: End, Fill: mutedPaint()})
	}
	var line, dots []Mark
	before := -1
	for l, x := range p.t.Groups[p.j].Shares {
		v, ok := x.Share.Value()
		if !ok {
			before = -1
			continue
		}
		if before >= 0 {
			old := p.t.Groups[p.j].Shares[before]
			marks = append(marks, p.band(at(before), at(l), old, x, up)...)
			line = append(line, Rule{X1: at(before), Y1: up(old.Share.Or(0)), X2: at(l), Y2: up(v), Style: Style{Stroke: p.edge(), Width: 2}})
		}
		if low, okLow := x.Low.Value(); okLow && before < 0 {
			dots = append(dots, Rule{X1: at(l), Y1: up(low), X2: at(l), Y2: up(x.High.Or(v)), Style: Style{Stroke: p.edge()}})
		}
		dots = append(dots, Disc{X: at(l), Y: up(v), R: 2.5, Style: Style{Fill: p.edge()}})
		before = l
	}
	return append(axis, p.periods(base, at)...), append(append(marks, line...), dots...)
}

// band is the interval between two periods.
func (p trendPanel) band(x1, x2 float64, a, b report.TrendShare, up func(float64) float64) []Mark {
	lowA, okA := a.Low.Value()
	lowB, okB := b.Low.Value()
	if !okA || !okB {
		return nil
	}
	ops := []Op{Move(x1, up(a.High.Or(lowA))), Draw(x2, up(b.High.Or(lowB))), Draw(x2, up(lowB)), Draw(x1, up(lowA)), Close()}
	return []Mark{Path{Ops: ops, Style: Style{Fill: tokenPaint(hueName(p.j%len(hues)) + "-faint")}}}
}

func (p trendPanel) edge() Paint { return tokenPaint(hueName(p.j%len(hues)) + "-edge") }

// periods writes the first and the last period below the line, and the middle
// one where there is room.
func (p trendPanel) periods(base float64, at func(int) float64) []Mark {
	n := len(p.t.Places)
	var out []Mark
	end := math.Inf(-1)
	for _, l := range []int{0, n - 1, n / 2} {
		name := fitLabel(p.t.Places[l].Name, p.wide/2, smallSize, false)
		half := textWidth(name, smallSize, false) / 2
		x := min(max(at(l), p.x+half), p.x+p.wide-half)
		if l == n/2 && (n < 3 || x+half > end-8 || x-half < p.x+trendPercent+2*half) {
			continue
		}
		if l == n-1 {
			end = x - half
		}
		out = append(out, Label{X: x, Y: base + smallSize + 4, Text: name, Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
	}
	return out
}

// byValue draws a row a value: a dot with its interval.
func (p trendPanel) byValue() (axis, marks []Mark) {
	name := 0.0
	for _, x := range p.t.Places {
		name = max(name, textWidth(x.Name, smallSize, false))
	}
	name = min(name, p.wide*.42)
	left, top := p.x+name+8, p.y+trendTitle
	wide := p.wide - name - 8 - trendPercent
	at := func(v float64) float64 { return left + min(v/p.top, 1)*wide }
	bottom := top + trendRow*float64(len(p.t.Places))
	for _, part := range []float64{0, .5, 1} {
		x := left + part*wide
		axis = append(axis, Rule{X1: x, Y1: top, X2: x, Y2: bottom, Style: Style{Stroke: faintPaint()}},
			Label{X: x, Y: bottom + smallSize + 2, Text: report.Percent(part * p.top), Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
	}
	for l, x := range p.t.Groups[p.j].Shares {
		y := top + trendRow*(float64(l)+.5)
		axis = append(axis, Label{X: left - 8, Y: y + smallSize*.35, Text: fitLabel(p.t.Places[l].Name, name, smallSize, false), Size: smallSize, Anchor: End, Fill: inkPaint()})
		v, ok := x.Share.Value()
		if !ok {
			continue
		}
		if low, okLow := x.Low.Value(); okLow {
			marks = append(marks, Rule{X1: at(low), Y1: y, X2: at(x.High.Or(v)), Y2: y, Style: Style{Stroke: p.edge(), Width: 2}})
		}
		marks = append(marks, Disc{X: at(v), Y: y, R: 3.5, Style: Style{Fill: p.edge(), Stroke: paperPaint()}},
			Label{X: p.x + p.wide, Y: y + smallSize*.35, Text: report.Percent(v), Size: smallSize, Anchor: End, Fill: mutedPaint()})
	}
	return axis, marks
}

// trendTable is the table behind a trend: a row a place, a column a group.
func trendTable(r *report.Report, t *report.Trend) Table {
	sh := Table{Head: []string{t.Column, r.Unit.Many}}
	for j := range t.Groups {
		sh.Head = append(sh.Head, groupWord(r, r.Leaf(j)))
	}
	for l, place := range t.Places {
		row := []string{place.Name, place.N.String()}
		for _, g := range t.Groups {
			row = append(row, trendCell(g.Shares[l]))
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}

// trendCell writes a share with its interval.
func trendCell(x report.TrendShare) string {
	v, ok := x.Share.Value()
	if !ok {
		return ""
	}
	s := report.Percent(v)
	if between := intervalOf(x.Low, x.High, report.Percent); between != "" {
		s += " (" + between + ")"
	}
	return s
}

// trendFigures returns the trends as figures, those of the first pages and the
// others.
func trendFigures(r *report.Report) (front, more []htmlFigure) {
	for i := range r.Trends {
		if r.Trends[i].Withheld {
			continue
		}
		wide, narrow := drawTrend(r, i, chartWidth), drawTrend(r, i, phoneWide)
		f := newFigure(wide)
		f.Sentence = trendSubtitle(r, &r.Trends[i])
		f.Drawings = []htmlDrawing{{"large", template.HTML(inlineSVG(wide))}, {"narrow", template.HTML(inlineSVG(narrow))}}
		if len(front) < frontTrends {
			front = append(front, f)
		} else {
			more = append(more, f)
		}
	}
	return front, more
}

// trendTables returns the tables of one group: its share over the places, and the
// words that change most.
func trendTables(r *report.Report, g *report.Group) []namedTable {
	var out []namedTable
	for i := range r.Trends {
		t := &r.Trends[i]
		if g.Number < 1 || t.Withheld || len(t.Groups[g.Number-1].Words) == 0 {
			continue
		}
		sh := Table{Head: []string{r.Unit.Feature, ""}}
		for _, p := range t.Places {
			sh.Head = append(sh.Head, p.Name)
		}
		for _, w := range t.Groups[g.Number-1].Words {
			row := []string{w.Title, riseWord(w)}
			for _, x := range w.Shares {
				v, ok := x.Share.Value()
				if row = append(row, ""); ok {
					row[len(row)-1] = report.Percent(v)
				}
			}
			sh.Rows = append(sh.Rows, row)
		}
		out = append(out, namedTable{Name: capitalize(r.Unit.Features) + " that change most over " + t.Column + ", as shares of the " + r.Unit.Counted() + " of the " + groupNoun(r), Table: sh})
	}
	return out
}

func riseWord(w report.TrendWord) string {
	if w.Rises {
		return "rises"
	}
	return "falls"
}
