package show

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/moiety-go/moiety/explain"
)

// htmlPage is what the template of the report is filled with.
type htmlPage struct {
	Title, Methods string
	R              *explain.Report
	Noun, Nouns    string
	Facts          []shownFact
	Warnings       []htmlWarning
	Tree           template.HTML
	Charts         []htmlFigure
	Groups         []htmlGroup
	Style          template.CSS
	Script         template.JS
}

type htmlWarning struct{ Weight, Text, Remedy string }

type htmlFigure struct {
	Drawing template.HTML
	Sheet   Sheet
	Title   string
}

type htmlGroup struct {
	Slug, Head, Text, Why string
	Figure                htmlFigure
	Tables                []namedSheet
	Relatives             []string
}

// WriteReportHTML writes the whole story as one page that needs nothing else: no
// network, no other file.
func WriteReportHTML(w io.Writer, r *explain.Report, p Pages) error {
	charts, err := p.charts(r)
	if err != nil {
		return err
	}
	noun := groupNoun(r)
	page := htmlPage{
		Title: p.title(r), Methods: r.Methods, R: r, Noun: noun, Nouns: capitalize(noun) + "s", Facts: shownFacts(r), Tree: htmlTree(r),
		Style: template.CSS(asset("page.css") + asset("report.css")), Script: template.JS(asset("page.js") + asset("report.js")),
	}
	for _, x := range r.Warnings {
		page.Warnings = append(page.Warnings, htmlWarning{weightWords(x), x.Text, x.Remedy})
	}
	for _, s := range charts {
		page.Charts = append(page.Charts, newFigure(s))
	}
	for i := range r.Groups {
		page.Groups = append(page.Groups, newHTMLGroup(r, &r.Groups[i]))
	}
	t, err := template.New("report").Parse(asset("report.html"))
	if err != nil {
		return fmt.Errorf("show: the page of the report: %w", err)
	}
	return t.Execute(w, page)
}

// newFigure makes a figure of a scene. The drawing comes from this package's own
// writer, which escapes all words.
func newFigure(s *Scene) htmlFigure {
	return htmlFigure{Drawing: template.HTML(inlineSVG(s)), Sheet: s.Sheet.filled(), Title: s.Title}
}

func newHTMLGroup(r *explain.Report, g *explain.Group) htmlGroup {
	h := htmlGroup{
		Slug: groupSlug(g), Head: groupWord(r, g) + ": " + g.Name, Text: g.Text, Figure: newFigure(FrequencyChart(r, g, ByShare)),
		Tables: groupTables(r, g), Relatives: relatives(g),
	}
	for i := range h.Tables {
		h.Tables[i].Label = groupWord(r, g) + ": " + h.Tables[i].Name
	}
	if g.Split != nil {
		h.Why = g.Split.Why
	}
	return h
}

// htmlTree writes the groups as a tree that the keyboard can walk (WAI-ARIA tree
// view). Items are links to the sections of the groups.
func htmlTree(r *explain.Report) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<ul role="tree" class="tree" aria-label="%s">`, escapeXML("The "+groupNoun(r)+"s"))
	for i := range r.Groups {
		if r.Shape != explain.Tree || r.Groups[i].Parent == "" {
			htmlItem(&b, r, &r.Groups[i], 1)
		}
	}
	b.WriteString("</ul>")
	return template.HTML(b.String())
}

// htmlItem writes a group and all below it. The list of the children stands
// beside the item and not in it, so that the name of an item is its own.
func htmlItem(b *strings.Builder, r *explain.Report, g *explain.Group, level int) {
	slug := escapeXML(groupSlug(g))
	fmt.Fprintf(b, `<li role="none"><a role="treeitem" class="node" tabindex="-1" href="#group-%s" data-group="%s" aria-level="%d"`, slug, slug, level)
	if len(g.Children) > 0 {
		fmt.Fprintf(b, ` aria-expanded="true" aria-owns="below-%s"`, slug)
	}
	share := ""
	if p, ok := g.Share.Value(); ok {
		share = fmt.Sprintf(`<span class="bar" style="width:%.1f%%"></span>`, 100*min(p, 1))
	}
	fmt.Fprintf(b, `><span class="twig" aria-hidden="true"></span><span class="id">%s</span> <span class="name">%s</span> <span class="quiet">%s</span><span class="room">%s</span></a>`,
		escapeXML(g.ID), escapeXML(g.Name), escapeXML(size(r, g)), share)
	if len(g.Children) > 0 {
		fmt.Fprintf(b, `<ul role="group" id="below-%s">`, slug)
		for _, id := range g.Children {
			if c, ok := r.Find(id); ok {
				htmlItem(b, r, c, level+1)
			}
		}
		b.WriteString("</ul>")
	}
	b.WriteString("</li>")
}
