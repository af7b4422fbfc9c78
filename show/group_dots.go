package show

import (
	"math"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Columns of a dot plot of characters.
const (
	dotNameColumns = 30
	dotLeast       = 16 // of the plot itself
)

// dots writes the dot plot of a group in characters: o everybody, ● the group.
func (p *page) dots(r *report.Report, g *report.Group) {
	d := &dots{r: r, a: g}
	for _, b := range d.blocks() {
		if len(b.rows) > 0 {
			p.dotBlock(b, g)
		}
	}
}

func (p *page) dotBlock(b dotBlock, g *report.Group) {
	name, numbers := 0, 0
	for _, x := range b.rows {
		name = max(name, columns(plain(x.name)))
		numbers = max(numbers, columns(x.numbers))
	}
	name = min(name, dotNameColumns, p.o.width()/3)
	wide := p.o.width() - 2 - name - 2 - numbers - 2
	if wide < dotLeast {
		return
	}
	w := &dotWriter{d: &dots{a: g}}
	x, _ := w.axis(b)
	x.from, x.to = 0, float64(wide-1)
	head := b.head
	if !g.Whole {
		head += "   (o overall, ● here)"
	}
	p.heading(head)
	of := b.rows[0].of
	for _, row := range b.rows {
		p.line("  %s  %s  %s", padRight(clip(plain(row.name), name), name), strings.Repeat(" ", numbers-columns(row.numbers))+row.numbers, dotLine(row, x, wide))
	}
	low, high := writeOf(of)(x.low), writeOf(of)(x.high)
	p.line("  %s  %s  %s", strings.Repeat(" ", name), strings.Repeat(" ", numbers), low+strings.Repeat(" ", max(wide-columns(low)-columns(high), 1))+high)
}

// dotLine draws one row.
func dotLine(row dotRow, x scale, wide int) string {
	line := []rune(strings.Repeat("·", wide))
	at := func(v float64) int { return min(max(int(math.Round(x.at(v))), 0), wide-1) }
	here, known := row.here.Value()
	all, overall := row.all.Value()
	if row.word != "" {
		here = x.high
	}
	if overall && (known || row.word == nearlyAll) {
		for i := min(at(all), at(here)); i <= max(at(all), at(here)); i++ {
			line[i] = '━'
		}
	}
	if overall {
		line[at(all)] = 'o'
	}
	switch {
	case known:
		line[at(here)] = '●'
	case row.word == nearlyAll:
		line[at(here)] = '○'
	}
	return string(line)
}
