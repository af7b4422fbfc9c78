package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Sizes of an icicle.
const (
	icicleBand   = 44 // height of a level
	icicleLeaf   = 150
	icicleLevels = 6  // drawn below the whole
	icicleGap    = 2  // between cells
	stripWidth   = 20 // of a level in the upright form
	leastRow     = 30 // height of a leaf there
	uprightTall  = 440
	cellText     = 12.5
	cellSmall    = 12
)

// icicleForm says how an icicle is drawn.
type icicleForm struct {
	width    float64
	upright  bool // levels from left to right: for narrow pages
	numbered bool // ids before the names
	bare     bool // without title and notes, which stand on the page
	id       string
}

// Icicle draws the groups as shares of the whole: one band a level, each cell as
// wide as its share, the recommended groups in full colour, finer ones in tints
// of theirs, doubtful splits dashed and hatched. A flat fit is one band.
func Icicle(r *report.Report) *Scene {
	return icicle(r, icicleForm{width: chartWidth, id: "tree"})
}

// icicleCell is a group with its place along the whole, from 0 to 1.
type icicleCell struct {
	i        int // in r.Groups; -1 for the whole of a flat fit
	level    int
	from, to float64
	leaf     bool // nothing is drawn below it
	below    int  // groups below it that are not drawn
}

type icicleChart struct {
	r      *report.Report
	l      *levels
	p      *palette
	form   icicleForm
	cells  []icicleCell
	deep   int // levels drawn, the whole included
	leaves int
}

func icicle(r *report.Report, form icicleForm) *Scene {
	l := newLevels(r)
	c := &icicleChart{r: r, l: l, p: l.palette(), form: form}
	c.layout()
	var f *frame
	if form.bare {
		f = &frame{s: &Scene{ID: form.id, Width: form.width, Title: icicleTitle(r), Desc: icicleSubtitle(r)}, y: 1}
	} else {
		f = newFrame(form.id, form.width, icicleTitle(r), icicleSubtitle(r))
	}
	f.s.Table = treeTable(r)
	f.s.Desc = cleanLine(f.s.Desc + " " + joinSentences(r.Summary))
	if form.upright {
		c.upright(f)
	} else {
		c.flat(f)
	}
	if form.bare {
		f.s.Height = math.Ceil(f.y + 1)
		return f.s
	}
	return f.notes(icicleNotes(r)...)
}

func icicleSubtitle(r *report.Report) string {
	s := fmt.Sprintf("Each cell is as large as its share of all %s.", rowUnit(r))
	if r.Soft {
		s = fmt.Sprintf("Each cell is as large as its share of all %s.", r.Unit.Features)
	}
	for i := range r.Groups {
		if r.Groups[i].Sureness == report.Doubtful {
			return s + " Hatched with a dashed edge: groups of a doubtful split."
		}
	}
	return s
}

// icicleNotes says what cannot be seen.
func icicleNotes(r *report.Report) []string {
	notes := []string{wholeNote(r)}
	if r.Limit > 0 {
		for i := range r.Groups {
			if r.Groups[i].N.Masked() {
				return append(notes, fmt.Sprintf("Sizes that would tell of fewer than %d %s are withheld; their cells have an empty face and no telling width.", r.Limit, r.Unit.Many))
			}
		}
	}
	return notes
}

// layout places all cells.
func (c *icicleChart) layout() {
	if c.r.Shape == report.Tree && len(c.r.Groups) > 0 {
		c.place(0, 0, 0, 1)
	} else {
		c.cells = append(c.cells, icicleCell{i: -1, to: 1})
		c.divide(c.r.Leaves, 1, 0, 1)
	}
	for _, x := range c.cells {
		c.deep = max(c.deep, x.level+1)
		if x.leaf {
			c.leaves++
		}
	}
}

// place puts a group and what is below it between two places.
func (c *icicleChart) place(i, level int, from, to float64) {
	x := icicleCell{i: i, level: level, from: from, to: to}
	children := c.l.children(i)
	if x.leaf = len(children) == 0 || level == icicleLevels; x.leaf && len(children) > 0 {
		x.below = c.count(i)
	}
	c.cells = append(c.cells, x)
	if !x.leaf {
		c.divide(children, level+1, from, to)
	}
}

// count returns the number of leaves below a group.
func (c *icicleChart) count(i int) int {
	n := 0
	for _, k := range c.l.children(i) {
		n += max(c.count(k), 1)
	}
	return n
}

// divide shares a stretch out among groups by their sizes; what is left goes to
// those whose size is withheld.
func (c *icicleChart) divide(groups []int, level int, from, to float64) {
	known, masked := 0.0, 0
	for _, i := range groups {
		if v, ok := c.r.Groups[i].Share.Value(); ok {
			known += v
		} else {
			masked++
		}
	}
	whole := known
	rest := 0.0
	if masked > 0 {
		rest = max(to-from-known, 0.04*float64(masked)*(to-from)) / float64(masked)
		whole = known + rest*float64(masked)
	}
	at := from
	for _, i := range groups {
		share, ok := c.r.Groups[i].Share.Value()
		if !ok {
			share = rest
		}
		next := at
		if whole > 0 {
			next = at + share/whole*(to-from)
		}
		c.place(i, level, at, min(next, to))
		at = next
	}
}

// flat draws levels from the top down.
func (c *icicleChart) flat(f *frame) {
	wide := f.s.Width - 2
	if !c.form.bare {
		wide = f.inner()
	}
	left := (f.s.Width - wide) / 2
	tall := float64(max(c.deep-1, 1))*icicleBand + icicleLeaf
	if c.deep <= 2 {
		tall = icicleBand + 110
	}
	for _, x := range c.cells {
		b := Box{X: left + x.from*wide, Y: f.y + float64(x.level)*icicleBand, W: (x.to - x.from) * wide, H: icicleBand}
		if x.level == 0 {
			b.H -= 12
		} else {
			b.Y -= 12
		}
		if x.leaf {
			b.H = f.y + tall - b.Y
		}
		c.cell(f, x, b)
	}
	f.y += tall
}

// upright draws levels from left to right, leaves as rows.
func (c *icicleChart) upright(f *frame) {
	at := f.y
	rows := make(map[int][2]float64) // of cells: top and height
	for k, x := range c.cells {
		if x.leaf {
			h := max(leastRow, (x.to-x.from)*uprightTall)
			rows[k] = [2]float64{at, h}
			at += h
		}
	}
	for k := len(c.cells) - 1; k >= 0; k-- { // parents around their children
		x := c.cells[k]
		if x.leaf {
			continue
		}
		top, end := math.Inf(1), 0.0
		for j := k + 1; j < len(c.cells) && c.cells[j].level > x.level; j++ {
			if c.cells[j].leaf {
				top, end = min(top, rows[j][0]), max(end, rows[j][0]+rows[j][1])
			}
		}
		rows[k] = [2]float64{top, end - top}
	}
	for k, x := range c.cells {
		if x.level == 0 && !x.leaf {
			continue
		}
		left := 1 + float64(max(x.level-1, 0))*stripWidth
		b := Box{X: left, Y: rows[k][0], W: stripWidth, H: rows[k][1]}
		if x.leaf {
			b.W = f.s.Width - 1 - left
		}
		c.cell(f, x, b)
	}
	f.y = at
}

// cell draws one cell with its words.
func (c *icicleChart) cell(f *frame, x icicleCell, b Box) {
	b.W, b.H = max(b.W-icicleGap, 0.5), max(b.H-icicleGap, 0.5)
	b.Round = min(3, b.W/4)
	layer := Layer{ID: "whole", Title: "All " + rowUnit(c.r), Class: "cell whole"}
	b.Style = Style{Fill: panelPaint()}
	if x.i >= 0 {
		g := &c.r.Groups[x.i]
		layer.ID, layer.Title = "node-"+groupSlug(g), g.Name+": "+size(c.r, g)+hoverWords(g)
		layer.Href, layer.Class = "#group-"+groupSlug(g), "cell"
		layer.Data = [][2]string{{"born", fmt.Sprint(c.l.born[x.i])}, {"gone", fmt.Sprint(c.l.gone[x.i])}}
		b.Style = c.face(x.i)
	}
	layer.Marks = append(layer.Marks, b)
	if x.i >= 0 && c.r.Groups[x.i].Sureness == report.Doubtful {
		layer.Marks = append(layer.Marks, hatch(b, c.p.edge(x.i)))
	}
	if x.i >= 0 && x.leaf && refused(&c.r.Groups[x.i]) && b.H > 60 && !c.form.upright && b.W > 30 {
		mid := b.X + b.W/2
		layer.Marks = append(layer.Marks, Rule{X1: mid, Y1: b.Y + b.H - 22, X2: mid, Y2: b.Y + b.H - 3, Style: Style{Stroke: onPaint(b.Fill), Dash: []float64{1.5, 3}, Alpha: 0.55}})
	}
	layer.Marks = append(layer.Marks, c.words(x, b)...)
	f.s.Add(layer)
}

// hoverWords adds to a cell what its width does not show.
func hoverWords(g *report.Group) string {
	s := ""
	if g.Sureness != "" {
		s = "; " + string(g.Sureness)
	}
	for _, f := range telling(g, 2) {
		if v, ok := f.Share.Value(); ok {
			s += "; " + f.Said() + " " + writeOf(f.Of)(v)
		}
	}
	if refused(g) && g.Split.Why != "" {
		s += ". " + g.Split.Why
	}
	return s
}

// refused reports that a split was looked for in a group and not found real.
func refused(g *report.Group) bool { return g.Split != nil && !g.Split.Done }

// face is how the cell of a group looks.
func (c *icicleChart) face(i int) Style {
	g := &c.r.Groups[i]
	s := Style{Fill: panelPaint()}
	switch {
	case g.N.Masked():
		return Style{Fill: paperPaint(), Stroke: mutedPaint(), Dash: []float64{4, 3}}
	case c.p.hue[i] < 0 || c.l.gone[i] <= c.l.best: // above the recommended groups
		return s
	case c.l.born[i] > c.l.best:
		s.Fill = tokenPaint(hueName(c.p.hue[i]) + "-faint")
	default:
		s.Fill = c.p.fill(i)
	}
	s.Stroke = c.p.edge(i)
	if g.Sureness == report.Doubtful {
		s.Fill = tokenPaint(hueName(c.p.hue[i]) + "-faint")
		s.Dash, s.Width = []float64{5, 4}, 1.5
	}
	return s
}

// hatch draws slanting lines inside a box.
func hatch(b Box, paint Paint) Mark {
	const step = 9
	var ops []Op
	for d := step / 2.0; d < b.W+b.H; d += step {
		// From the upper or right edge down to the left or lower one.
		x1, y1 := min(d, b.W), max(d-b.W, 0)
		x2, y2 := max(d-b.H, 0), min(d, b.H)
		ops = append(ops, Move(b.X+x1, b.Y+y1), Draw(b.X+x2, b.Y+y2))
	}
	return Path{Ops: ops, Style: Style{Stroke: paint, Width: 1, Alpha: 0.3}}
}

// words writes name and share into a cell, as far as there is room.
func (c *icicleChart) words(x icicleCell, b Box) []Mark {
	name, share := "All "+rowUnit(c.r), c.r.Data.Rows.String()
	if share != "" {
		name, share = "All "+share+" "+rowUnit(c.r), ""
	}
	if x.i >= 0 {
		g := &c.r.Groups[x.i]
		if name = g.Name; g.Whole && c.r.Data.Rows.String() != "" {
			name = "All " + c.r.Data.Rows.String() + " " + rowUnit(c.r)
		}
		share = shareWords(g)
		if g.Whole {
			share = ""
		}
	}
	if x.i >= 0 && c.form.numbered {
		name = c.r.Groups[x.i].ID + "  " + name
	}
	if x.below > 0 {
		name += fmt.Sprintf(" (%d groups)", x.below)
	}
	paint := onPaint(b.Fill)
	switch {
	case c.form.upright && x.leaf:
		return rowWords(name, share, b, paint)
	case b.W >= 74 && b.H >= 20 && (widest(name, cellText) <= b.W-12 || b.H < 74):
		return blockWords(name, share, b, paint)
	case b.H >= 74 && b.W >= 15:
		return turnedWords(name, share, b, paint)
	}
	return nil
}

// widest returns the width of the longest word of a text, in bold letters.
func widest(s string, size float64) float64 {
	w := 0.0
	for _, word := range strings.Fields(s) {
		w = max(w, textWidth(word, size, true))
	}
	return w
}

// shareWords tells the share of a group, or that it is withheld.
func shareWords(g *report.Group) string {
	if v, ok := g.Share.Value(); ok {
		return report.Percent(v)
	}
	return "withheld"
}

// blockWords wraps a name over the width, with the share below or behind it.
func blockWords(name, share string, b Box, paint Paint) []Mark {
	const pad = 6
	room := int((b.H - 6) / (cellText * leading))
	lines := wrapLabel(name, b.W-2*pad, cellText, true, max(min(room-1, 4), 1))
	if w := textWidth(share, cellSmall, false); room == 2 && textWidth(name, cellText, true) > b.W-2*pad && b.W > 100 { // the share behind the second line
		lines = wrapLabel(name+" "+strings.Repeat("m", int(math.Ceil(w/cellText))+1), b.W-2*pad, cellText, true, 2)
		if len(lines) == 2 {
			lines = wrapLabel(name, b.W-2*pad, cellText, true, 0)[:2]
			lines[1] = fitLabel(strings.TrimPrefix(cleanLine(name), lines[0]), b.W-2*pad-w-8, cellText, true)
			y := b.Y + 5 + cellText*ascent
			return []Mark{
				Label{X: b.X + pad, Y: y, Text: lines[0], Size: cellText, Bold: true, Fill: paint},
				Label{X: b.X + pad, Y: y + cellText*leading, Text: lines[1], Size: cellText, Bold: true, Fill: paint},
				Label{X: b.X + b.W - pad, Y: y + cellText*leading, Text: share, Size: cellSmall, Anchor: End, Fill: paint},
			}
		}
	}
	y := b.Y + 5 + cellText*ascent
	var out []Mark
	if room < 2 && share != "" { // one line for both
		w := textWidth(share, cellSmall, false)
		lines = []string{fitLabel(name, b.W-2*pad-w-8, cellText, true)}
		if lines[0] != "" {
			out = append(out, Label{X: b.X + b.W - pad, Y: y, Text: share, Size: cellSmall, Anchor: End, Fill: paint})
		}
		share = ""
	}
	for _, l := range lines {
		if l != "" {
			out = append(out, Label{X: b.X + pad, Y: y, Text: l, Size: cellText, Bold: true, Fill: paint})
		}
		y += cellText * leading
	}
	if share != "" {
		out = append(out, Label{X: b.X + pad, Y: y, Text: fitLabel(share, b.W-2*pad, cellSmall, false), Size: cellSmall, Fill: paint})
	}
	return out
}

// rowWords writes name and share side by side, the name in as many lines as fit.
func rowWords(name, share string, b Box, paint Paint) []Mark {
	const pad = 7
	w := textWidth(share, cellSmall, false)
	most := max(int((b.H-6)/(cellText*leading)), 1)
	lines := wrapLabel(name, b.W-3*pad-w, cellText, true, min(most, 3))
	y := b.Y + b.H/2 - float64(len(lines)-1)*cellText*leading/2 + cellText*0.36
	out := []Mark{Label{X: b.X + b.W - pad, Y: b.Y + b.H/2 + cellSmall*0.36, Text: share, Size: cellSmall, Anchor: End, Fill: paint}}
	for _, l := range lines {
		out = append(out, Label{X: b.X + pad, Y: y, Text: l, Size: cellText, Bold: true, Fill: paint})
		y += cellText * leading
	}
	return out
}

// turnedWords writes down a narrow cell: in two lines where it is wide enough.
func turnedWords(name, share string, b Box, paint Paint) []Mark {
	text := name
	if share != "" {
		text = share + "  " + name
	}
	lines := wrapLabel(text, b.H-12, cellSmall, false, min(max(int((b.W-2)/(cellSmall*leading)), 1), 3))
	var out []Mark
	x := b.X + b.W/2 + float64(len(lines)-1)*cellSmall*leading/2 - cellSmall*0.36
	for _, l := range lines {
		out = append(out, Label{X: x, Y: b.Y + 6, Text: l, Size: cellSmall, Turn: 90, Fill: paint})
		x -= cellSmall * leading
	}
	return out
}
