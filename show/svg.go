package show

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// svgHead begins every file.
const svgHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + markSVG

// WriteSVG writes a scene as an SVG file. Text stays text, with the width it was
// measured with, so that no viewer's font makes labels overlap.
func WriteSVG(w io.Writer, s *Scene) error {
	b := bufio.NewWriter(w)
	b.WriteString(svgHead)
	v := svgWriter{w: b}
	v.scene(s)
	return b.Flush()
}

// inlineSVG returns a scene as part of a page: roles of colour are variables of
// the page.
func inlineSVG(s *Scene) string {
	var sb strings.Builder
	b := bufio.NewWriter(&sb)
	v := svgWriter{w: b, page: true}
	v.scene(s)
	b.Flush() // a strings.Builder takes everything
	return sb.String()
}

// svgWriter writes marks; errors stay in the buffered writer until it is
// flushed.
type svgWriter struct {
	w    *bufio.Writer
	page bool
	id   string
	head float64 // labels above it are left out
}

func (v *svgWriter) put(parts ...string) {
	for _, p := range parts {
		v.w.WriteString(p)
	}
}

func (v *svgWriter) scene(s *Scene) {
	v.id = s.ID
	if v.id == "" {
		v.id = "drawing"
	}
	if v.page {
		v.head = s.head
	}
	v.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 `, num(v.head), " ", num(s.Width), " ", num(s.Height-v.head), `"`)
	if v.page {
		v.put(` class="chart" style="max-width:`, num(s.Width), `px"`)
	} else {
		v.put(` width="`, num(s.Width), `" height="`, num(s.Height), `"`)
	}
	v.put(` role="`, v.kind(s.Marks), `" aria-labelledby="`, v.id, `-title `, v.id, `-desc" font-family="Go, 'Lucida Grande', 'Segoe UI', Verdana, sans-serif">`, "\n")
	v.put(`<title id="`, v.id, `-title">`, escapeXML(s.Title), "</title>\n")
	v.put(`<desc id="`, v.id, `-desc">`, escapeXML(s.Desc), "</desc>\n")
	v.box(Box{W: s.Width, H: s.Height, Style: Style{Fill: s.paper()}})
	v.marks(s.Marks)
	v.put("</svg>\n")
}

func (v *svgWriter) marks(marks []Mark) {
	for _, m := range marks {
		switch m := m.(type) {
		case Box:
			v.box(m)
		case Rule:
			v.put(`<line x1="`, num(m.X1), `" y1="`, num(m.Y1), `" x2="`, num(m.X2), `" y2="`, num(m.Y2), `"`)
			v.style(m.Style)
		case Disc:
			v.put(`<circle cx="`, num(m.X), `" cy="`, num(m.Y), `" r="`, num(m.R), `"`)
			v.style(m.Style)
		case Path:
			v.put(`<path d="`, pathData(m.Ops), `"`)
			v.style(m.Style)
		case Label:
			v.label(m)
		case Layer:
			v.layer(m)
		}
	}
}

func (v *svgWriter) box(m Box) {
	v.put(`<rect x="`, num(m.X), `" y="`, num(m.Y), `" width="`, num(m.W), `" height="`, num(m.H), `"`)
	if m.Round > 0 {
		v.put(` rx="`, num(m.Round), `"`)
	}
	v.style(m.Style)
}

// kind is the role of a drawing: a picture, or a group of links in a page.
func (v *svgWriter) kind(marks []Mark) string {
	for _, m := range marks {
		if l, ok := m.(Layer); ok && v.page && l.Href != "" {
			return "group"
		}
	}
	return "img"
}

func (v *svgWriter) layer(m Layer) {
	name := "g"
	if v.page && m.Href != "" {
		name = "a"
	}
	v.put("<", name)
	if m.ID != "" {
		v.put(` id="`, escapeXML(v.id+"-"+m.ID), `"`)
	}
	if name == "a" {
		v.put(` href="`, escapeXML(m.Href), `"`)
	}
	if v.page && m.Class != "" {
		v.put(` class="`, escapeXML(m.Class), `"`)
	}
	if v.page {
		for _, d := range m.Data {
			v.put(` data-`, d[0], `="`, escapeXML(d[1]), `"`)
		}
	}
	v.put(">\n")
	if m.Title != "" {
		v.put("<title>", escapeXML(m.Title), "</title>\n")
	}
	v.marks(m.Marks)
	v.put("</", name, ">\n")
}

func (v *svgWriter) label(m Label) {
	if m.Text == "" || m.Y < v.head {
		return
	}
	v.put(`<text x="`, num(m.X), `" y="`, num(m.Y), `" font-size="`, num(m.Size), `"`)
	if m.Bold {
		v.put(` font-weight="bold"`)
	}
	if m.Anchor != Start {
		v.put(` text-anchor="`, [...]string{Middle: "middle", End: "end"}[m.Anchor], `"`)
	}
	if m.Turn != 0 {
		v.put(` transform="rotate(`, num(m.Turn), " ", num(m.X), " ", num(m.Y), `)"`)
	}
	v.put(` fill="`, v.paint(m.Fill), `" textLength="`, num(textWidth(m.Text, m.Size, m.Bold)),
		`" lengthAdjust="spacingAndGlyphs">`, escapeXML(m.Text), "</text>\n")
}

func (v *svgWriter) style(s Style) {
	v.put(` fill="`, v.paint(s.Fill), `"`)
	if s.Stroke.on {
		v.put(` stroke="`, v.paint(s.Stroke), `"`)
		if s.width() != 1 {
			v.put(` stroke-width="`, num(s.width()), `"`)
		}
		if !v.page { // the style sheet of the page says so
			v.put(` stroke-linejoin="round"`)
		}
	}
	if len(s.Dash) > 0 {
		d := make([]string, len(s.Dash))
		for i, x := range s.Dash {
			d[i] = num(x)
		}
		v.put(` stroke-dasharray="`, strings.Join(d, " "), `"`)
	}
	if s.alpha() != 1 {
		v.put(` opacity="`, num(s.alpha()), `"`)
	}
	v.put("/>\n")
}

func (v *svgWriter) paint(p Paint) string {
	if !p.on {
		return "none"
	}
	hex := hexColour(p)
	if v.page && p.role != "" {
		return "var(--" + p.role + ")"
	}
	return hex
}

func hexColour(p Paint) string { return fmt.Sprintf("#%02x%02x%02x", p.r, p.g, p.b) }

func pathData(ops []Op) string {
	var b strings.Builder
	for _, o := range ops {
		b.WriteByte(o.Kind)
		count := 1
		switch o.Kind {
		case 'C':
			count = 3
		case 'Z':
			count = 0
		}
		for i := range count {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(num(o.P[i].X) + " " + num(o.P[i].Y))
		}
	}
	return b.String()
}

// num writes a length with at most two digits after the point: 1/100 of 1/96
// inch is finer than any printer.
func num(x float64) string {
	x = math.Round(x*100) / 100
	if x == 0 {
		return "0" // never "-0"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// escapeXML makes text safe inside elements and quoted attributes.
func escapeXML(s string) string {
	return xmlEscaper.Replace(cleanLine(s))
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
