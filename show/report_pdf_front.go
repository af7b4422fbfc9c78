package show

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Sizes of the first two pages, in points.
const (
	pdfFine   = 7.5 // letters of the methods at the foot of page 2
	frontRow  = 30  // of a group
	frontLine = 14  // of a group where there are many
	frontMany = 26  // groups from which they get one line each
	frontSign = 9
)

// front writes the two pages that a director reads: what was read, how many
// groups and how sure, the picture, one line and a bar a group, outcomes, doubts,
// what to do next, and how it was done.
func (f *pdfFlow) front(r *report.Report, p Pages, whole *Scene) {
	f.line(eyebrow(r), pdfSmall, false, mutedPaint())
	f.y += 2
	f.heading(0, p.title(r), 19)
	f.chip(claimChip(r))
	for _, s := range lead(r) {
		f.paragraph(s)
	}
	f.y += 4
	f.numbers(bigNumbers(r))
	if whole.ID == "tree" {
		whole = icicle(r, icicleForm{width: 650, bare: true, id: "tree"})
		f.line(icicleTitle(r)+". "+icicleSubtitle(r), pdfText, true, inkPaint())
		f.y += 4
	}
	f.figure(whole)
	f.list(r)
	switch one := len(r.Leaves) == 1; {
	case one: // nothing to list: what everybody has, and all else on the same page
		f.y += 10
		f.everybody(r, &r.Groups[r.Leaves[0]])
	case f.p.PageNo() == 1:
		f.turn()
	}
	f.outcomes(r)
	f.inTime(r)
	f.overTime(r)
	f.keepInMind(r)
	f.fine(r)
}

// chip writes how sure the claim is: a sign and a word in a frame.
func (f *pdfFlow) chip(c chip) {
	if c.Kind == "" {
		return
	}
	sign := map[string]string{"sure": "sure", "fair": c.Word, "doubtful": "doubtful"}[c.Kind]
	frame := Style{Stroke: inkPaint()}
	if c.Kind == "doubtful" {
		frame.Dash = []float64{3, 2}
	}
	w := textWidth(sign, pdfText, true) + 16
	d := pdfWriter{p: f.p, x: pdfEdge, y: f.y, scale: 1}
	d.path(roundOps(0.5, 0, w, 16, 8), frame)
	f.text(pdfEdge+8, f.y+11.5, sign, pdfText, true, inkPaint())
	f.y += 22
}

// numbers writes the numbers that matter, side by side.
func (f *pdfFlow) numbers(list []bigNumber) {
	wide := f.inner() / float64(max(len(list), 1))
	tall := 0.0
	for i, n := range list {
		x := pdfEdge + float64(i)*wide
		f.text(x, f.y+20, n.Value, 22, true, inkPaint())
		for k, l := range wrapLabel(n.Label, wide-10, pdfSmall, false, 3) {
			f.text(x, f.y+32+float64(k)*pdfSmall*leading, l, pdfSmall, false, mutedPaint())
			tall = max(tall, 32+float64(k+1)*pdfSmall*leading)
		}
	}
	f.y += tall + 6
}

// list writes a line and a bar for each recommended group; where there are too
// many for two pages, the smallest are on pages of their own.
func (f *pdfFlow) list(r *report.Report) {
	if len(r.Leaves) < 2 {
		return
	}
	l := newLevels(r)
	shown := l.shown(l.best)
	row := float64(frontRow)
	if len(shown) > frontMany {
		row = frontLine
	}
	f.y += 4
	for _, i := range shown {
		if r.Groups[i].Sureness == report.Doubtful {
			f.line("A question mark stands before groups of a doubtful split.", pdfSmall, false, mutedPaint())
			f.y += 3
			break
		}
	}
	for k, i := range shown {
		if f.y+row > pdfTall-pdfEdge {
			if f.p.PageNo() == 2 {
				f.line(fmt.Sprintf("and %d more", len(shown)-k), pdfSmall, false, mutedPaint())
				return
			}
			f.turn()
		}
		if f.p.PageNo() == 2 && f.y+row > pdfTall-pdfEdge-260 && k < len(shown)-1 {
			f.line(fmt.Sprintf("and %d more, on pages of their own", len(shown)-k), pdfSmall, false, mutedPaint())
			return
		}
		f.groupLine(r, l, i, row)
	}
}

// groupLine writes one group: colour, name, share with its bar, what marks it.
func (f *pdfFlow) groupLine(r *report.Report, l *levels, i int, row float64) {
	g, p := &r.Groups[i], l.palette()
	const name, bar = 200, 90
	d := pdfWriter{p: f.p, x: pdfEdge, y: f.y, scale: 1}
	d.path(boxOps(0, 2, frontSign, frontSign), Style{Fill: p.full(i), Stroke: p.edge(i)})
	title := g.Name
	if g.Sureness == report.Doubtful {
		title = "? " + title
	}
	f.text(pdfEdge+14, f.y+9, fitLabel(title, name-18, pdfText, true), pdfText, true, inkPaint())
	f.text(pdfEdge+name, f.y+9, shareWords(g), pdfText, true, inkPaint())
	if share, ok := g.Share.Value(); ok {
		d.path(boxOps(name+42, 2, bar, frontSign), Style{Fill: panelPaint()})
		d.path(boxOps(name+42, 2, max(bar*share/largestShare(r), 1), frontSign), Style{Fill: p.full(i), Stroke: p.edge(i)})
	}
	f.text(pdfEdge+name+42+bar+8, f.y+9, fitLabel(ofWords(r, g), f.inner()-name-42-bar-8, pdfSmall, false), pdfSmall, false, mutedPaint())
	if row == frontRow {
		var words []string
		for _, m := range marksOf(r, g) {
			words = append(words, strings.TrimSpace(m.Name+" "+m.Number+" "+parenthesised(m.More)))
		}
		f.text(pdfEdge+14, f.y+21, fitLabel(strings.Join(words, "; "), f.inner()-14, pdfSmall, false), pdfSmall, false, inkPaint())
	}
	f.y += row
}

// largestShare returns the largest share of a group proper: what bars are scaled to.
func largestShare(r *report.Report) float64 { return max(r.Largest().Share.Or(0), 1e-9) }

func parenthesised(s string) string {
	if s == "" {
		return ""
	}
	return "(" + strings.TrimSuffix(s, " as often") + ")"
}

// outcomes writes the side columns by group.
func (f *pdfFlow) outcomes(r *report.Report) {
	const names = 150 // points for the names of the groups
	sh := sideMatrix(r, 4)
	for len(sh.Head) > 2 && f.columns(sh)[0] < names {
		sh = sideMatrix(r, len(sh.Head)-2)
	}
	if len(sh.Rows) == 0 {
		return
	}
	const row = pdfSmall * 1.5
	room := int((pdfTall - pdfEdge - f.y - f.fineTall(r) - 160) / row)
	if room < 3 {
		return
	}
	f.section("Outcomes and other columns by " + groupNoun(r))
	sh.Rows = sh.Rows[:min(len(sh.Rows), room)]
	f.table(namedTable{Name: "Means, or shares of an answer, with 95 % intervals; not used to find the " + groupNoun(r) + "s", Table: sh})
}

// overTime draws the first trend where page 2 has room for it, or says what it
// found.
func (f *pdfFlow) overTime(r *report.Report) {
	charts := TrendCharts(r)
	if len(charts) == 0 {
		return
	}
	s := charts[0]
	if scale := min(points, f.inner()/s.Width); f.y+s.Height*scale+f.fineTall(r)+160 < pdfTall-pdfEdge {
		f.figure(s)
		return
	}
	f.paragraph(s.Title)
}

// keepInMind writes doubts, warnings and what to do next, as far as page 2 has
// room for them.
func (f *pdfFlow) keepInMind(r *report.Report) {
	end := pdfTall - pdfEdge - f.fineTall(r) - 10
	f.section("What to keep in mind, and what to do next")
	put := func(s string) bool {
		lines := wrapLabel(s, f.inner()-12, pdfText, false, 0)
		if f.y+float64(len(lines))*pdfText*leading > end {
			return false
		}
		f.text(pdfEdge, f.y+pdfText*ascent, "–", pdfText, false, mutedPaint())
		for _, l := range lines {
			f.text(pdfEdge+12, f.y+pdfText*ascent, l, pdfText, false, inkPaint())
			f.y += pdfText * leading
		}
		f.y += 3
		return true
	}
	for _, w := range r.Warnings {
		if !put(weightWords(r, w) + ": " + w.String()) {
			return
		}
	}
	for _, s := range append(doubts(r)[:min(len(doubts(r)), 4)], r.Next...) {
		if !put(s) {
			return
		}
	}
}

// fineText is the methods, settings, seed and fingerprint.
func fineText(r *report.Report) string { return "Methods. " + r.Methods }

func (f *pdfFlow) fineTall(r *report.Report) float64 {
	return float64(len(wrapLabel(fineText(r), f.inner(), pdfFine, false, 14))) * pdfFine * leading
}

// fine writes how it was done, small, at the foot of page 2.
func (f *pdfFlow) fine(r *report.Report) {
	y := max(f.y+6, pdfTall-pdfEdge-f.fineTall(r))
	for _, l := range wrapLabel(fineText(r), f.inner(), pdfFine, false, 14) {
		f.text(pdfEdge, y+pdfFine*ascent, l, pdfFine, false, mutedPaint())
		y += pdfFine * leading
	}
	f.y = pdfTall
}

// groupPage writes the page of one group.
func (f *pdfFlow) groupPage(r *report.Report, g *report.Group) {
	f.turn()
	f.line(eyebrow(r), pdfSmall, false, mutedPaint())
	f.y += 2
	f.heading(1, g.Name, 16)
	f.line(groupWord(r, g)+" · "+ofWords(r, g)+" · "+shareWords(g), pdfText, false, mutedPaint())
	f.y += 4
	f.chip(chipOf(r, g.Sureness))
	f.paragraph(g.Text)
	if g.Split != nil && g.Split.Why != "" {
		f.paragraph(g.Split.Why)
	}
	f.quotes(g)
	f.plots(r, g)
	for _, t := range groupTables(r, g) {
		room := int((pdfTall - pdfEdge - f.y - pdfText*leading - 20) / (pdfSmall * 1.5))
		if room < 4 {
			break
		}
		t.Table.Rows = t.Table.Rows[:min(len(t.Table.Rows), room-1)]
		f.table(t)
	}
}

// everybody draws what all have where there are no groups, or writes their averages.
func (f *pdfFlow) everybody(r *report.Report, g *report.Group) {
	f.plots(r, g)
	if t := measureTable(g); len(t.Rows) > 0 {
		f.table(namedTable{Name: "Measurements", Table: t})
	}
}

// plots draws a group against everybody, and beside the group most like it.
func (f *pdfFlow) plots(r *report.Report, g *report.Group) {
	const gap = 18
	wide := (f.inner() - gap) / 2
	var scenes []*Scene
	if d := (&dots{r: r, a: g}); !d.idle() {
		scenes = append(scenes, dotPlot(r, g, nil, dotsForm{width: dotsWide, bare: true, id: "dots"}))
	}
	if len(g.Nearest) > 0 {
		if o, ok := r.Find(g.Nearest[0].ID); ok {
			scenes = append(scenes, dotPlot(r, g, o, dotsForm{width: dotsWide, bare: true, id: "two"}))
		}
	}
	room, tall := pdfTall-pdfEdge-f.y-40, 0.0
	for i, s := range scenes {
		x, y := pdfEdge+float64(i)*(wide+gap), f.y
		for _, l := range wrapLabel(s.Title, wide, pdfText, true, 3) {
			f.text(x, y+pdfText*ascent, l, pdfText, true, inkPaint())
			y += pdfText * leading
		}
		scale := min(wide/s.Width, (room-40)/s.Height)
		drawPDF(f.p, s, x, y+4, scale)
		tall = max(tall, y-f.y+4+s.Height*scale)
	}
	f.y += tall + 10
}
