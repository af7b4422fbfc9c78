package show

import (
	"fmt"
	"strings"
	"sync"
)

// Theme is a set of values for the tokens of colour.
type Theme int

// Themes. Print is light and without colour where colour says nothing.
const (
	Light Theme = iota
	Dark
	Print
)

// token is a colour by its role: the same name in drawings and in style sheets.
type token struct {
	name string
	hex  [3]uint32 // by theme
}

// hues are the colours of groups, in this order (Okabe and Ito 2008: told apart
// with any kind of colour vision), with values of their own on dark pages.
var hues = [8][2]uint32{
	{0x0072b2, 0x4aa3df},
	{0xe69f00, 0xe69f00},
	{0x009e73, 0x2fbf93},
	{0xcc79a7, 0xd992b8},
	{0x56b4e9, 0x7cc7f2},
	{0xd55e00, 0xe8743b},
	{0xf0e442, 0xf0e442},
	{0x999999, 0xa3a3a3},
}

// Shares of paper in the tints of children, and what an edge is darkened by so
// that light colours can be told from the paper.
const (
	tintPale  = 0.6
	tintFaint = 0.8
)

// tokens returns all colours. Every hue h has h (fill), h-edge (a line that
// stands off the paper), h-text (letters on the fill), h-pale and h-faint (tints
// that letters in ink can be read on).
var tokens = sync.OnceValue(func() []token {
	out := []token{
		{"ink", [3]uint32{0x1a1a1a, 0xf0f0f0, 0x1a1a1a}},
		{"muted", [3]uint32{0x555555, 0xb8bcc4, 0x555555}},
		{"faint", [3]uint32{0xd9d9d9, 0x44484f, 0xd9d9d9}},
		{"paper", [3]uint32{0xffffff, 0x16181c, 0xffffff}},
		{"panel", [3]uint32{0xf4f5f7, 0x22252b, 0xf4f5f7}},
		{"inner", [3]uint32{0x7486a0, 0x7486a0, 0x7486a0}},
		{"overall", [3]uint32{0x757575, 0x9aa0aa, 0x757575}},
		{"link", [3]uint32{0x00558a, 0x7cc4f5, 0x1a1a1a}},
		{"focus", [3]uint32{0xb34700, 0xffb266, 0xb34700}},
		{"good", [3]uint32{0x00684a, 0x6fd6b3, 0x00684a}},
		{"warn", [3]uint32{0x8a3c00, 0xffb38a, 0x8a3c00}},
		{"accent", [3]uint32{0x0072b2, 0x56b4e9, 0x0072b2}},
	}
	for i, h := range hues {
		t := [5]token{}
		for j, suffix := range hueTokens {
			t[j].name = hueName(i) + suffix
		}
		for theme, hex := range [3]uint32{h[0], h[1], h[0]} {
			fill, paper, ink := RGB(hex), RGB(out[3].hex[theme]), RGB(out[0].hex[theme])
			edge := fill
			for contrast(edge, paper) < 3.2 {
				edge = edge.mix(ink, 0.1)
			}
			for j, p := range [5]Paint{fill, edge, textOn(fill), fill.mix(paper, tintPale), fill.mix(paper, tintFaint)} {
				t[j].hex[theme] = p.hex()
			}
		}
		out = append(out, t[:]...)
	}
	return out
})

// hueTokens are the endings of the tokens of a hue.
var hueTokens = [5]string{"", "-edge", "-text", "-pale", "-faint"}

func hueName(i int) string { return fmt.Sprintf("g%d", i+1) }

// onPaint returns the colour of letters on a paint: the token for it, or black
// or white on a colour that is none.
func onPaint(p Paint) Paint {
	hue, tint, tinted := strings.Cut(p.role, "-")
	switch {
	case tinted && tint != "edge":
		return inkPaint()
	case len(hue) == 2 && hue[0] == 'g' && !tinted:
		return tokenPaint(hue + "-text")
	case p.role == "panel" || p.role == "paper":
		return inkPaint()
	}
	return textOn(p)
}

// tokenPaint returns a token as a paint: light, with its role.
func tokenPaint(name string) Paint {
	for _, t := range tokens() {
		if t.name == name {
			return role(name, t.hex[Light])
		}
	}
	panic("show: no token " + name) // a mistake in a chart, never in data
}

// tokenCSS is the part of the style sheet that tells the tokens of all themes.
func tokenCSS() string {
	block := func(theme Theme) string {
		var b strings.Builder
		for _, t := range tokens() {
			fmt.Fprintf(&b, "--%s:#%06x;", t.name, t.hex[theme])
		}
		return b.String()
	}
	return ":root{color-scheme:light dark;" + block(Light) + "}\n" +
		":root[data-theme=\"dark\"]{color-scheme:dark;" + block(Dark) + "}\n" +
		":root[data-theme=\"light\"]{color-scheme:light}\n" +
		"@media (prefers-color-scheme: dark){:root:not([data-theme=\"light\"]){" + block(Dark) + "}}\n" +
		"@media print{:root,:root[data-theme=\"dark\"],:root:not([data-theme=\"light\"]){" + block(Print) + "}}\n"
}

// In returns the scene in a theme: the same marks, with the values that its
// tokens have there.
func (s *Scene) In(theme Theme) *Scene {
	value := make(map[string]uint32)
	for _, t := range tokens() {
		value[t.name] = t.hex[theme]
	}
	out := *s
	out.theme = theme
	out.Marks = repainted(s.Marks, func(p Paint) Paint {
		if hex, ok := value[p.role]; ok {
			return role(p.role, hex)
		}
		return p
	})
	return &out
}

// repainted returns marks with other paints.
func repainted(marks []Mark, of func(Paint) Paint) []Mark {
	style := func(s Style) Style {
		s.Fill, s.Stroke = of(s.Fill), of(s.Stroke)
		return s
	}
	out := make([]Mark, len(marks))
	for i, m := range marks {
		switch m := m.(type) {
		case Box:
			m.Style = style(m.Style)
			out[i] = m
		case Rule:
			m.Style = style(m.Style)
			out[i] = m
		case Disc:
			m.Style = style(m.Style)
			out[i] = m
		case Path:
			m.Style = style(m.Style)
			out[i] = m
		case Label:
			m.Fill = of(m.Fill)
			out[i] = m
		case Layer:
			m.Marks = repainted(m.Marks, of)
			out[i] = m
		}
	}
	return out
}

// paper returns the colour behind a scene.
func (s *Scene) paper() Paint { return role("paper", tokens()[3].hex[s.theme]) }
