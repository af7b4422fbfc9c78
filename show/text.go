package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Options say how text is laid out. The zero value works.
type Options struct {
	Width int  // columns of the terminal; 0 means 80
	Color bool // ANSI marks for names; never unless asked
	Top   int  // features a group: 0 means 3 in a tree and 10 on a page
	Level int  // deepest level of a tree to show; 0 means all
}

const (
	defaultWidth = 80
	leastWidth   = 30
	treeTop      = 3
	pageTop      = 10
)

func (o Options) width() int {
	if o.Width == 0 {
		return defaultWidth
	}
	return max(o.Width, leastWidth)
}

func (o Options) top(def int) int {
	if o.Top <= 0 {
		return def
	}
	return o.Top
}

// dim and warned mark words beside the strong ones.
func (o Options) dim(s string) string {
	if !o.Color {
		return s
	}
	return string(dimOn) + s + string(strongOff)
}

func (o Options) warned(s string) string {
	if !o.Color {
		return s
	}
	return string(warnOn) + s + string(strongOff)
}

// strong marks a word where colours are asked for.
func (o Options) strong(s string) string {
	if !o.Color {
		return s
	}
	return string(strongOn) + s + string(strongOff)
}

// page gathers lines and keeps the first error of the writer.
type page struct {
	w   io.Writer
	o   Options
	err error
}

// line writes one line. Texts among args must be plain, or marked by strong.
func (p *page) line(format string, args ...any) {
	if p.err != nil {
		return
	}
	s := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	s = strings.NewReplacer(string(strongOn), "\x1b[1m", string(dimOn), "\x1b[2m", string(warnOn), "\x1b[33m", string(strongOff), "\x1b[0m").Replace(s)
	_, p.err = fmt.Fprintln(p.w, s)
}

// text writes a paragraph, wrapped, every line after indent.
func (p *page) text(indent, s string) { p.item(indent, indent, s) }

// item writes a paragraph whose first line has an indent of its own, of the
// same width.
func (p *page) item(first, indent, s string) {
	for i, l := range wrap(plain(s), p.o.width()-columns(indent)) {
		if i == 0 {
			p.line("%s%s", first, l)
		} else {
			p.line("%s%s", indent, l)
		}
	}
}

// heading writes a title with a blank line before it.
func (p *page) heading(s string) {
	p.line("")
	p.line("%s", p.o.strong(plain(s)))
}

// size tells n and share: "423 patients, 53 %", or that they are withheld.
func size(r *report.Report, g *report.Group) string {
	n, known := g.N.Value()
	if !known {
		return "size withheld"
	}
	noun := r.Unit.Many
	if n == 1 {
		noun = r.Unit.One
	}
	if r.Shape == report.States {
		noun = map[bool]string{true: "step", false: "steps"}[n == 1]
	}
	p := report.Percent(g.Share.Or(0))
	if r.Soft && !g.Whole {
		return fmt.Sprintf("%s of all %s, largest in %s %s", p, r.Unit.Features, report.Thousands(n), noun)
	}
	if !g.Counted.Masked() {
		return fmt.Sprintf("%s of all, %s %s put into it", p, report.Thousands(n), noun)
	}
	return fmt.Sprintf("%s %s, %s", report.Thousands(n), noun, p)
}

// short tells a feature in a few characters: "Anaemia 37 % (1.5×)".
func short(f report.Feature) string {
	s := f.Said()
	share, known := f.Share.Value()
	switch {
	case f.NearlyAll:
		return s + " nearly all"
	case !known:
		return s
	case f.Of == report.Average:
		s += " " + report.Amount(share)
	default:
		s += " " + report.Percent(share)
	}
	if r, ok := f.Ratio.Value(); ok {
		about := ""
		if f.About {
			about = "about "
		}
		s += " (" + about + report.Times(r) + "×)"
	}
	return s
}

// shortMeasure tells a measurement: "Age 71.2 ± 8.1 (+0.6 sd)".
// of everybody nothing is compared.
func shortMeasure(m report.Measure, whole bool) string {
	s := m.Title
	if v, ok := m.Mean.Value(); ok {
		s += " " + report.Amount(v)
	}
	if v, ok := m.SD.Value(); ok {
		s += " ± " + report.Amount(v)
	}
	if v, ok := m.Difference.Value(); ok && !whole {
		s += fmt.Sprintf(" (%+.1f sd)", v)
	}
	return s
}
