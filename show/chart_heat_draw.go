package show

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/report"
)

// heatLevels is the number of shades: few enough that a shade does not tell a
// count.
const heatLevels = 11

func (h *heat) scene() *Scene {
	left := chartEdge + h.strip()
	names := make([]string, len(h.columns))
	tall := 0.0
	for c, f := range h.columns {
		names[c] = fitLabel(signed(h.r.Table.Names[f], h.r.Table.Titles[f], h.r.Table.Said(f)), heatNames, smallSize, false)
		tall = max(tall, textWidth(names[c], smallSize, false))
	}
	width := max(left+float64(len(h.columns))*heatColumn+chartEdge, heatLeast)
	f := newFrame("heat-map", width, h.title(), h.subtitle())
	h.legend(f)
	f.y += tall + 6
	for c, name := range names {
		x := left + (float64(c)+0.5)*heatColumn + smallSize*0.35
		f.s.Add(Label{X: x, Y: f.y - 6, Text: name, Size: smallSize, Turn: -90, Fill: inkPaint()})
	}
	h.body(f, left)
	f.s.Table = h.table()
	notes := []string{wholeNote(h.r)}
	if len(h.missing) > 0 {
		notes = append(notes, fmt.Sprintf("Not drawn, because they are small: %s.", joined(h.missing)))
	}
	return f.notes(notes...)
}

// strip returns the room for the ids of the groups and their colours.
func (h *heat) strip() float64 {
	widest := 0.0
	for _, b := range h.bins {
		widest = max(widest, textWidth(h.r.Leaf(b.group).ID, wordSize, true))
	}
	return min(widest, mostStrip) + 18
}

// mostStrip is the most room that the id of a group gets.
const mostStrip = 120

func (h *heat) title() string {
	noun := groupNoun(h.r)
	if len(h.r.Leaves) == 1 {
		return fmt.Sprintf("The %d most common %s of all %s", len(h.columns), h.r.Unit.Features, rowUnit(h.r))
	}
	f, spread := h.telling()
	if spread == 0 {
		return fmt.Sprintf("%d %ss of %s", len(h.r.Leaves), noun, rowUnit(h.r))
	}
	return fmt.Sprintf("%s tells the %d %ss apart most, of the %d most common %s", featureWord(h.r, h.r.Table.Said(f)), len(h.r.Leaves), noun, len(h.columns), h.r.Unit.Features)
}

// telling returns the column whose shares differ most between groups.
func (h *heat) telling() (feature int, spread float64) {
	for _, f := range h.columns {
		low, high := math.Inf(1), math.Inf(-1)
		for _, g := range h.r.Leaves {
			if p, ok := h.r.Table.Shares[g][f].Value(); ok {
				low, high = min(low, p), max(high, p)
			}
		}
		if high-low > spread {
			feature, spread = f, high-low
		}
	}
	return feature, spread
}

func (h *heat) subtitle() string {
	unit := rowUnit(h.r)
	by := ", the surest of each first"
	if h.rec.Probability == nil {
		by = ""
	}
	s := fmt.Sprintf("Rows: %s ordered by %s%s. Columns: the %d most common %s, most common first.", unit, groupNoun(h.r), by, len(h.columns), h.r.Unit.Features)
	if !h.binned {
		return s + " A dark mark: the feature is there."
	}
	low, high := math.MaxInt, 0
	for _, b := range h.bins {
		low, high = min(low, b.n), max(high, b.n)
	}
	if h.r.Limit > 0 {
		s += fmt.Sprintf(" Each row is the average of at least %d %s", h.r.Limit, unit)
	} else {
		s += fmt.Sprintf(" Each row is the average of %s to %s %s", report.Thousands(low), report.Thousands(high), unit)
	}
	s += "; the shade is the share that has the feature."
	if h.r.Limit > 0 {
		s += fmt.Sprintf(" Fewer than %d look like none, all but fewer than %d like all.", h.r.Limit, h.r.Limit)
	}
	return s
}

// legend shows the shades, or the mark, and the group strip.
func (h *heat) legend(f *frame) {
	if !h.binned {
		f.legend([]key{
			boxKey("there", Style{Fill: RGB(0x1a1a1a)}),
			boxKey("not there (colour of the band: the "+groupNoun(h.r)+")", Style{Fill: bandPaint(0), Stroke: mutedPaint()}),
		})
		return
	}
	y := f.y + 2
	for l := range heatLevels {
		f.s.Add(Box{X: chartEdge + 30 + float64(l)*16, Y: y, W: 16, H: 12, Style: Style{Fill: shade(l)}})
	}
	f.s.Add(Label{X: chartEdge, Y: y + 10, Text: "0 %", Size: wordSize, Fill: inkPaint()},
		Label{X: chartEdge + 30 + heatLevels*16 + 6, Y: y + 10, Text: "100 %", Size: wordSize, Fill: inkPaint()})
	if h.r.Limit > 0 {
		x := chartEdge + 30.0 + heatLevels*16 + 60
		f.s.Add(withheldCell(boxOps(x, y, 14, 14)),
			Label{X: x + 20, Y: y + 10, Text: "withheld", Size: wordSize, Fill: inkPaint()})
	}
	f.y = y + 24
}

// shade is the colour of a level: dark is none.
func shade(level int) Paint { return cividis(float64(level) / (heatLevels - 1)) }

// bandPaint is the background of a group: its colour, very light.
func bandPaint(group int) Paint { return tokenPaint(hueName(group%len(hues)) + "-faint") }

// body draws bands, cells and group numbers.
func (h *heat) body(f *frame, left float64) {
	gap := 3.0
	if len(h.r.Leaves) > 40 {
		gap = 1
	}
	row := max(math.Floor(2*heatHeight/float64(len(h.bins)))/2, 0.5)
	if !h.binned {
		row = min(float64(heatHeight)/float64(len(h.bins)), 12)
	}
	row = min(row, 12)
	y, end := f.y, math.Inf(-1)
	wide := float64(len(h.columns)) * heatColumn
	for from := 0; from < len(h.bins); {
		to := from
		for to < len(h.bins) && h.bins[to].group == h.bins[from].group {
			to++
		}
		g, tall := h.bins[from].group, row*float64(to-from)
		f.s.Add(Box{X: left - 12, Y: y, W: 9, H: tall, Style: Style{Fill: groupPaint(g)}})
		if !h.binned {
			f.s.Add(Box{X: left, Y: y, W: wide, H: tall, Style: Style{Fill: bandPaint(g)}})
		}
		h.cells(f.s, h.bins[from:to], left, y, row)
		at := max(y+tall/2+wordSize*0.35, end+wordSize*1.05)
		f.s.Add(Label{X: left - 16, Y: at, Text: fitLabel(h.r.Leaf(g).ID, mostStrip, wordSize, true), Size: wordSize, Bold: true, Anchor: End, Fill: inkPaint()})
		end = at
		y += tall + gap
		from = to
	}
	f.y = max(y, end+wordSize)
}

// cells draws the rows of one group: one path a shade, so that files stay small.
func (h *heat) cells(s *Scene, bins []heatBin, left, top, row float64) {
	shades := make([][]Op, heatLevels+1) // the last: withheld
	for c := range h.columns {
		x := left + float64(c)*heatColumn
		start, level := 0, -1
		flush := func(to int) {
			if level >= 0 {
				shades[level] = append(shades[level], boxOps(x, top+float64(start)*row, heatColumn-1, float64(to-start)*row)...)
			}
		}
		for i, b := range bins {
			if l := h.level(b, c); l != level {
				flush(i)
				start, level = i, l
			}
		}
		flush(len(bins))
	}
	for l, ops := range shades {
		if len(ops) == 0 {
			continue
		}
		style := Style{Fill: RGB(0x1a1a1a)}
		if h.binned {
			style.Fill = shade(min(l, heatLevels-1))
		}
		if l == heatLevels {
			s.Add(withheldCell(ops))
			continue
		}
		s.Add(Path{Ops: ops, Style: style})
	}
}

// withheldCell draws boxes as paper with slanted lines: no shade at all.
func withheldCell(boxes []Op) Layer {
	const step = 7
	var lines []Op
	for i := 0; i+4 < len(boxes); i += 5 { // as boxOps makes them
		a, b := boxes[i].P[0], boxes[i+2].P[0]
		w, h := b.X-a.X, b.Y-a.Y
		for t := w; t <= h; t += step {
			lines = append(lines, Move(a.X, a.Y+t), Draw(b.X, a.Y+t-w))
		}
	}
	rim := Style{Fill: paperPaint(), Stroke: faintPaint(), Width: 0.5}
	return Layer{Marks: []Mark{Path{Ops: boxes, Style: rim}, Path{Ops: lines, Style: Style{Stroke: mutedPaint(), Width: 0.5}}}}
}

// level returns the shade of a cell, heatLevels for withheld, or -1 for nothing.
func (h *heat) level(b heatBin, c int) int {
	p, ok := h.share(b, c)
	switch {
	case !ok:
		return heatLevels
	case !h.binned && p == 0:
		return -1
	case p <= 0 || p >= 1:
		return int(p) * (heatLevels - 1)
	}
	// Only none is level 0 and only all the last.
	return min(max(int(math.Round(p*(heatLevels-1))), 1), heatLevels-2)
}

// table holds the shares of the groups, as the report tells them.
func (h *heat) table() Table {
	sh := Table{Head: []string{""}}
	for _, g := range h.r.Leaves {
		sh.Head = append(sh.Head, groupWord(h.r, &h.r.Groups[g]))
	}
	sh.Head = append(sh.Head, "overall")
	for _, f := range h.columns {
		row := []string{labelled(h.r.Table.Names[f], h.r.Table.Titles[f], h.r.Table.Said(f))}
		for _, g := range h.r.Leaves {
			row = append(row, tableNumber(h.r, f, h.r.Table.Shares[g][f]))
		}
		sh.Rows = append(sh.Rows, append(row, tableNumber(h.r, f, h.r.Table.Overall[f])))
	}
	return sh
}

// tableNumber writes a number of the report's tables.
func tableNumber(r *report.Report, f int, x report.Number) string {
	v, ok := x.Value()
	switch of := r.Table.Of[f]; {
	case !ok:
		return ""
	case of == report.Average || of == report.Value:
		return report.Amount(v)
	}
	return report.Percent(v)
}
