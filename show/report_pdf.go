package show

import (
	"fmt"
	"io"

	"codeberg.org/go-pdf/fpdf"

	"github.com/moiety-go/moiety/report"
)

// WriteReportPDF writes the story as a PDF file on A4 paper: two pages that stand
// alone, one page for each group, and with Pages.Full one for every node of a
// tree, all pictures and the glossary.
func WriteReportPDF(w io.Writer, r *report.Report, p Pages) error {
	whole, err := p.wholeScene(r)
	if err != nil {
		return err
	}
	f := newPDFFlow(p.title(r))
	f.front(r, p, whole)
	for _, g := range p.paged(r) {
		f.groupPage(r, g)
	}
	if p.Full {
		charts, err := p.more(r, whole.ID)
		if err != nil {
			return err
		}
		f.turn()
		f.behind(r, charts)
	}
	return f.p.Output(w)
}

// paged returns the groups that have a page: the groups proper, or all nodes.
func (p Pages) paged(r *report.Report) []*report.Group {
	var out []*report.Group
	if !p.Full {
		for j := range r.Leaves {
			out = append(out, r.Leaf(j))
		}
		return out
	}
	for i := range r.Groups {
		out = append(out, &r.Groups[i])
	}
	return out
}

// behind writes what is behind the pages of the groups.
func (f *pdfFlow) behind(r *report.Report, charts []*Scene) {
	f.section("Evidence")
	f.facts(shownFactsOf(dataFacts(r)))
	for _, s := range append(charts, TrendCharts(r)...) {
		f.figure(s)
	}
	if tables := distalTables(r); tables != nil {
		f.section("Outcomes and covariates by three steps")
		f.paragraph(distalNote(r))
		for _, t := range tables {
			f.table(t)
		}
	}
	if tables := inferenceTables(r); tables != nil {
		f.section("Parameters")
		f.paragraph(inferenceWords(r))
		for _, t := range tables {
			f.table(t)
		}
	}
	f.section("Glossary")
	for _, t := range r.Glossary {
		f.need(2 * pdfText * leading)
		f.line(t.Word, pdfText, true, inkPaint())
		f.paragraph(t.Meaning)
	}
}

// Sizes of the paper and its letters, in points.
const (
	pdfWide, pdfTall = 595.28, 841.89
	pdfEdge          = 54
	pdfText          = 10
	pdfSmall         = 8.5
)

// pdfFlow writes down the page and turns it where it ends.
type pdfFlow struct {
	p *fpdf.Fpdf
	y float64
}

func newPDFFlow(title string) *pdfFlow {
	f := &pdfFlow{p: newPDF(fpdf.SizeType{Wd: pdfWide, Ht: pdfTall}, title, title)}
	f.p.SetCreator(markReport, false)
	f.p.SetFooterFunc(func() {
		n := fmt.Sprint(f.p.PageNo())
		wide, tall := f.p.GetPageSize()
		f.text(wide-pdfEdge-textWidth(n, pdfSmall, false), tall-pdfEdge/2, n, pdfSmall, false, mutedPaint())
		f.text(pdfEdge, tall-pdfEdge/2, fitLabel(title, pdfWide-3*pdfEdge, pdfSmall, false), pdfSmall, false, mutedPaint())
	})
	f.turn()
	return f
}

func (f *pdfFlow) turn() {
	f.p.AddPage()
	f.y = pdfEdge
}

func (f *pdfFlow) inner() float64 { return pdfWide - 2*pdfEdge }

// need turns the page unless so much is left on it.
func (f *pdfFlow) need(height float64) {
	if f.y+height > pdfTall-pdfEdge && f.y > pdfEdge {
		f.turn()
	}
}

// text writes one line at a place, on the base line y.
func (f *pdfFlow) text(x, y float64, s string, size float64, isBold bool, paint Paint) {
	d := pdfWriter{p: f.p, scale: 1}
	d.label(Label{X: x, Y: y, Text: s, Size: size, Bold: isBold, Fill: paint})
}

// line writes wrapped text over the width.
func (f *pdfFlow) line(s string, size float64, isBold bool, paint Paint) {
	for _, l := range wrapLabel(s, f.inner(), size, isBold, 0) {
		f.need(size * leading)
		f.text(pdfEdge, f.y+size*ascent, l, size, isBold, paint)
		f.y += size * leading
	}
}

func (f *pdfFlow) paragraph(s string) {
	f.line(s, pdfText, false, inkPaint())
	f.y += 4
}

// heading writes a title that the outline of the file lists.
func (f *pdfFlow) heading(level int, s string, size float64) {
	f.need(size*leading + 60)
	f.p.SetFont("go", "B", size)
	f.p.Bookmark(drawable(cleanLine(s), true), level, f.y)
	f.line(s, size, true, inkPaint())
	f.y += 4
}

func (f *pdfFlow) section(s string) {
	if f.y > pdfEdge {
		f.y += 12
	}
	f.heading(1, s, 13.5)
}

// facts writes names and values in two columns.
func (f *pdfFlow) facts(list []shownFact) {
	const column = 150
	for _, x := range list {
		lines := wrapLabel(x.Value, f.inner()-column, pdfText, false, 0)
		f.need(float64(len(lines)) * pdfText * leading)
		f.text(pdfEdge, f.y+pdfText*ascent, fitLabel(x.Name, column-10, pdfText, false), pdfText, false, mutedPaint())
		for _, l := range lines {
			f.text(pdfEdge+column, f.y+pdfText*ascent, l, pdfText, false, inkPaint())
			f.y += pdfText * leading
		}
	}
}

// leastFigure is the scale below which letters are too small to read: a wide
// drawing then gets a page on its side.
const leastFigure = 0.6

// figure draws a scene as wide as the page, or smaller where it is small.
func (f *pdfFlow) figure(s *Scene) {
	scale := min(points, f.inner()/s.Width, (pdfTall-2*pdfEdge)/s.Height)
	if scale < leastFigure*points {
		f.sideways(s)
		return
	}
	f.need(s.Height * scale)
	drawPDF(f.p, s, pdfEdge, f.y, scale)
	f.y += s.Height*scale + 8
}

// sideways draws a scene on a page of its own, as large as it needs up to twice
// the size of the paper, so that its letters stay legible.
func (f *pdfFlow) sideways(s *Scene) {
	scale := min(points, (2*pdfTall-2*pdfEdge)/max(s.Width, s.Height))
	size := fpdf.SizeType{Wd: max(s.Width*scale+2*pdfEdge, pdfTall), Ht: max(s.Height*scale+2*pdfEdge, pdfWide)}
	f.p.AddPageFormat("P", size)
	drawPDF(f.p, s, pdfEdge, pdfEdge, scale)
	f.p.AddPageFormat("P", fpdf.SizeType{Wd: pdfWide, Ht: pdfTall})
	f.y = pdfEdge
}
