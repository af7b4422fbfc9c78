package show

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// htmlSnippet is a part of a document that stands for its group.
type htmlSnippet struct {
	ID, Share string
	Pieces    []report.Piece
}

// pageSnippets is the number of documents that a page quotes of a group.
const pageSnippets = 3

// snippets returns the documents of a group whose texts were kept.
func snippets(g *report.Group) []htmlSnippet {
	var out []htmlSnippet
	for _, e := range g.Records {
		if len(e.Text) > 0 && len(out) < pageSnippets {
			out = append(out, htmlSnippet{e.ID, report.Percent(e.Probability.Or(0)) + " of it", e.Text})
		}
	}
	return out
}

// snippet writes a part of a document; words that speak for the group are in bold
// where the terminal has it, and else between asterisks.
func (p *page) snippet(pieces []report.Piece) {
	if len(pieces) == 0 {
		return
	}
	var b strings.Builder
	for _, x := range pieces {
		text := plain(x.Text)
		switch {
		case x.Shade < 2:
			b.WriteString(text)
		case p.o.Color:
			b.WriteString(p.o.strong(text))
		default:
			b.WriteString("*" + text + "*")
		}
	}
	for _, l := range wrap(b.String(), p.o.width()-4) {
		p.line("    %s", l)
	}
}

// quotes writes documents that stand for a group, on paper.
func (f *pdfFlow) quotes(g *report.Group) {
	for _, s := range snippets(g)[:min(len(snippets(g)), 2)] {
		var b strings.Builder
		for _, x := range s.Pieces {
			b.WriteString(x.Text)
		}
		f.line(fmt.Sprintf("“%s” (%s, %s)", strings.TrimSpace(cleanLine(b.String())), s.ID, s.Share), pdfSmall, false, mutedPaint())
		f.y += 4
	}
}
