package show

import (
	"io"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// points is the number of PDF points in a unit of a scene.
const points = 72.0 / 96

// WritePDF writes a scene as a PDF file of one page, as large as the scene.
func WritePDF(w io.Writer, s *Scene) error {
	p := newPDF(fpdf.SizeType{Wd: s.Width * points, Ht: s.Height * points}, s.Title, s.Desc)
	p.AddPage()
	if s.theme == Dark {
		drawPDF(p, &Scene{Marks: []Mark{Box{W: s.Width, H: s.Height, Style: Style{Fill: s.paper()}}}}, 0, 0, points)
	}
	drawPDF(p, s, 0, 0, points)
	return p.Output(w)
}

// newPDF starts a document without clock and without chance: the same bytes
// each time.
func newPDF(size fpdf.SizeType, title, subject string) *fpdf.Fpdf {
	// Portrait keeps width and height as they are.
	p := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "pt", Size: size})
	epoch := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	p.SetCreationDate(epoch)
	p.SetModificationDate(epoch)
	p.SetCatalogSort(true)
	p.SetProducer("moiety", true)
	p.SetTitle(cleanLine(title), true)
	p.SetSubject(cleanLine(subject), true)
	p.SetLang("en")
	p.SetMargins(0, 0, 0)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	p.AddUTF8FontFromBytes("go", "", regular().data)
	p.AddUTF8FontFromBytes("go", "B", bold().data)
	return p
}

// drawPDF draws a scene on the page with its corner at (x, y), scale points to a
// unit.
func drawPDF(p *fpdf.Fpdf, s *Scene, x, y, scale float64) {
	d := pdfWriter{p: p, x: x, y: y, scale: scale}
	d.marks(s.Marks)
	p.SetAlpha(1, "Normal")
	p.SetDashPattern(nil, 0)
}

type pdfWriter struct {
	p           *fpdf.Fpdf
	x, y, scale float64
}

func (d *pdfWriter) at(q Point) (x, y float64) { return d.x + q.X*d.scale, d.y + q.Y*d.scale }

func (d *pdfWriter) marks(marks []Mark) {
	for _, m := range marks {
		switch m := m.(type) {
		case Box:
			d.path(roundOps(m.X, m.Y, m.W, m.H, m.Round), m.Style)
		case Rule:
			d.path([]Op{Move(m.X1, m.Y1), Draw(m.X2, m.Y2)}, m.Style)
		case Disc:
			d.path(discOps(m.X, m.Y, m.R), m.Style)
		case Path:
			d.path(m.Ops, m.Style)
		case Label:
			d.label(m)
		case Layer:
			d.marks(m.Marks)
		}
	}
}

func (d *pdfWriter) path(ops []Op, s Style) {
	how := d.set(s)
	if how == "" || len(ops) == 0 {
		return
	}
	for _, o := range ops {
		x, y := d.at(o.P[0])
		switch o.Kind {
		case 'M':
			d.p.MoveTo(x, y)
		case 'L':
			d.p.LineTo(x, y)
		case 'C':
			x2, y2 := d.at(o.P[1])
			x3, y3 := d.at(o.P[2])
			d.p.CurveBezierCubicTo(x, y, x2, y2, x3, y3)
		case 'Z':
			d.p.ClosePath()
		}
	}
	d.p.DrawPath(how)
}

// set sets colours and lines, and returns how to draw a path: "F", "D", "FD" or
// not at all.
func (d *pdfWriter) set(s Style) string {
	how := ""
	if s.Fill.on {
		d.p.SetFillColor(int(s.Fill.r), int(s.Fill.g), int(s.Fill.b))
		how += "F"
	}
	if s.Stroke.on {
		d.p.SetDrawColor(int(s.Stroke.r), int(s.Stroke.g), int(s.Stroke.b))
		d.p.SetLineWidth(s.width() * d.scale)
		d.p.SetLineJoinStyle("round")
		dash := make([]float64, len(s.Dash))
		for i, x := range s.Dash {
			dash[i] = x * d.scale
		}
		d.p.SetDashPattern(dash, 0)
		how += "D"
	}
	if alpha, _ := d.p.GetAlpha(); alpha != s.alpha() {
		d.p.SetAlpha(s.alpha(), "Normal")
	}
	return how
}

func (d *pdfWriter) label(m Label) {
	if m.Text == "" {
		return
	}
	style := ""
	if m.Bold {
		style = "B"
	}
	if alpha, _ := d.p.GetAlpha(); alpha != 1 {
		d.p.SetAlpha(1, "Normal")
	}
	d.p.SetFont("go", style, m.Size*d.scale)
	d.p.SetTextColor(int(m.Fill.r), int(m.Fill.g), int(m.Fill.b))
	x, y := d.at(Point{m.X, m.Y})
	left := x
	switch width := textWidth(m.Text, m.Size, m.Bold) * d.scale; m.Anchor {
	case Middle:
		left -= width / 2
	case End:
		left -= width
	}
	if m.Turn != 0 {
		d.p.TransformBegin()
		d.p.TransformRotate(-m.Turn, x, y)
	}
	d.p.Text(left, y, strings.TrimSpace(drawable(m.Text, m.Bold)))
	if m.Turn != 0 {
		d.p.TransformEnd()
	}
}
