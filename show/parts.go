package show

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
)

// Parts are the components of the report's page, one by one, for a page that
// arranges them in another way: same words, same drawings, same numbers.
type Parts struct {
	page  *htmlPage
	pages *template.Template
	group map[string]func() htmlGroup // made when one is asked for
}

// Names of parts.
const (
	PartClaim    = "claim"    // how many groups, how sure, why
	PartNumbers  = "numbers"  // the numbers that matter
	PartWhole    = "whole"    // the picture of the whole, with the slider
	PartCards    = "cards"    // the groups in a few lines each
	PartOutcomes = "outcomes" // side columns by group, groups over time
	PartNext     = "next"     // what to keep in mind, and what to do
	PartEvidence = "evidence" // the tree as a list, further pictures, tables
	PartMethods  = "methods"  // the paragraph for a paper, the glossary, settings
)

// NewParts makes the components of a report.
func NewParts(r *report.Report, p Pages) (*Parts, error) {
	page, err := newHTMLPage(r, p)
	if err != nil {
		return nil, err
	}
	t, err := reportTemplate(r.Language)
	if err != nil {
		return nil, err
	}
	out := &Parts{page, t, make(map[string]func() htmlGroup)}
	for i := range r.Groups {
		out.group[r.Groups[i].ID] = sync.OnceValue(func() htmlGroup { return newHTMLGroup(r, &r.Groups[i]) })
	}
	return out, nil
}

// HTML returns a part as a piece of a page; all words in it are escaped.
func (p *Parts) HTML(name string) (string, error) {
	var b bytes.Buffer
	err := p.pages.ExecuteTemplate(&b, name, p.page)
	return b.String(), err
}

// Group returns what the page tells of one group: its paragraph, its dot plot,
// the one beside it, its tables.
func (p *Parts) Group(id string) (string, error) {
	g, ok := p.group[id]
	if !ok {
		return "", fmt.Errorf("show: there is no group %q", id)
	}
	var b bytes.Buffer
	err := p.pages.ExecuteTemplate(&b, "group", g())
	return b.String(), err
}

// Colours returns the colours of a group as the value of an attribute style.
func (p *Parts) Colours(id string) string {
	if g, ok := p.page.R.Find(id); ok {
		return string(hueStyle(p.page.R, g))
	}
	return ""
}

// Figure returns a drawing with its title, its sentence and its table, as a part;
// language is that of the words around it, as in report.Settings.
func Figure(s *Scene, language string) (string, error) {
	t, err := reportTemplate(language)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, "figure", newFigure(s))
	return b.String(), err
}

// Beside returns two groups against each other, drawn for wide pages and for phones, with its
// sentence and its table.
func (p *Parts) Beside(a, b *report.Group) (string, error) {
	r := p.page.R
	d := &dots{r: r, a: a, b: b}
	id := "dots-" + groupSlug(a) + "-" + groupSlug(b)
	f := bareFigure(dotPlot(r, a, b, dotsForm{width: besideWide, bare: true, id: id}), d.subtitle(), "large two")
	narrow := dotPlot(r, a, b, dotsForm{width: dotsWide, bare: true, id: widthID(id, phoneWide)})
	f.Drawings = append(f.Drawings, htmlDrawing{"narrow", template.HTML(inlineSVG(narrow))})
	return p.figure(f)
}

// besideWide is the width of two groups against each other on a wide page.
const besideWide = 600

// Picture returns a picture of the whole, or of groups over time or by another column, as
// the page has it; false where the page has none of this name.
func (p *Parts) Picture(name string) (string, bool, error) {
	for _, f := range slices.Concat([]htmlFigure{p.page.Whole}, p.page.Trends, p.page.MoreTrends) {
		if f.ID == name {
			html, err := p.figure(f)
			return html, true, err
		}
	}
	return "", false, nil
}

func (p *Parts) figure(f htmlFigure) (string, error) {
	var b bytes.Buffer
	err := p.pages.ExecuteTemplate(&b, "figure", f)
	return b.String(), err
}

func reportTemplate(language string) (*template.Template, error) {
	l := phrases.Language(language)
	t, err := template.New("report").Funcs(template.FuncMap{"say": l.Say, "language": func() string { return cmp.Or(language, string(phrases.English)) }}).Parse(asset("report.html"))
	if err != nil {
		return nil, fmt.Errorf("show: the page of the report: %w", err)
	}
	return t, nil
}

// StyleSheet returns the style of the report's page: the tokens of all themes and
// the rules of its components.
func StyleSheet() string { return tokenCSS() + asset("page.css") + asset("report.css") }

// Script returns what the components do in a browser: it defines the object
// parts and does nothing by itself.
func Script() string { return asset("parts.js") }
