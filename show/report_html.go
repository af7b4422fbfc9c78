package show

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// htmlPage is what the template of the report is filled with.
type htmlPage struct {
	Title, Eyebrow string
	R              *report.Report
	Noun, Nouns    string // one, and several at the beginning of a sentence
	Many           string // several
	Chip           chip
	Lead           []string
	Numbers        []bigNumber
	Whole          htmlFigure
	Slider         *htmlSlider
	Cards          []htmlCard
	CardsTitle     string
	CardsKey       string
	Sides          []htmlSide
	MoreSides      []htmlSide
	Distal         []namedTable
	DistalNote     string
	InTime         []namedTable
	InTimeNote     string
	Trends         []htmlFigure
	MoreTrends     []htmlFigure
	Doubts         []string
	Warnings       []htmlWarning
	Tree           template.HTML
	Charts         []htmlFigure
	Groups         []htmlGroup
	Tables         []namedTable
	TablesNote     string
	Facts, Fit     []shownFact
	Style          template.CSS
	Script         template.JS
}

type htmlWarning struct{ Weight, Text, Remedy string }

// htmlFigure is a picture with its words and its table. The drawings are the
// same picture for wide, middling and narrow pages, or one for all.
type htmlFigure struct {
	ID, Title, Sentence string
	Drawings            []htmlDrawing
	Table               Table
}

type htmlDrawing struct {
	Class string
	SVG   template.HTML
}

// htmlSlider moves between fewer and more groups.
type htmlSlider struct {
	Most, Best int
	Why        string
}

type htmlGroup struct {
	Slug, ID, Name, Size, Text, Why string
	Chip                            chip
	Style                           template.CSS
	Figure                          *htmlFigure // nil where there is nothing to draw
	Beside                          *htmlFigure
	Tables                          []namedTable
	Relatives                       []string
	Snippets                        []htmlSnippet
}

// WriteReportHTML writes the whole story as one page that needs nothing else: no
// network, no other file. It goes from the claim to the picture, the groups, the
// evidence and the methods.
func WriteReportHTML(w io.Writer, r *report.Report, p Pages) error {
	page, err := newHTMLPage(r, p)
	if err != nil {
		return err
	}
	for i := range r.Groups {
		page.Groups = append(page.Groups, newHTMLGroup(r, &r.Groups[i]))
	}
	t, err := reportTemplate(r.Language)
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// newHTMLPage makes the page but for its groups.
func newHTMLPage(r *report.Report, p Pages) (*htmlPage, error) {
	whole, charts, err := p.pictures(r)
	if err != nil {
		return nil, err
	}
	noun := nounWord(r, false)
	page := &htmlPage{
		Title: p.title(r), Eyebrow: eyebrow(r), R: r, Noun: noun, Many: nounWord(r, true), Nouns: capitalize(nounWord(r, true)), Chip: claimChip(r), Lead: lead(r),
		Numbers: bigNumbers(r), Whole: whole, Slider: newSlider(r), Cards: newCards(r), Doubts: doubts(r), Tree: htmlTree(r),
		Facts: shownFactsOf(dataFacts(r)), Fit: shownFactsOf(fitFacts(r)),
		Style:  template.CSS(StyleSheet()),
		Script: template.JS(asset("page.js") + Script() + asset("report.js")),
	}
	if page.Tables = inferenceTables(r); page.Tables != nil {
		page.TablesNote = inferenceWords(r)
	}
	page.CardsTitle, page.CardsKey = cardsTitle(r), cardsKey(r, page.Cards)
	page.Sides, page.MoreSides = sidesByWeight(r)
	if page.Distal = distalTables(r); page.Distal != nil {
		page.DistalNote = distalNote(r)
	}
	page.InTime, page.InTimeNote = inTimeTables(r), inTimeNote(r)
	page.Trends, page.MoreTrends = trendFigures(r)
	for _, x := range r.Warnings {
		page.Warnings = append(page.Warnings, htmlWarning{weightWords(r, x), x.Text, x.Remedy})
	}
	for _, s := range charts {
		page.Charts = append(page.Charts, newFigure(s))
	}
	return page, nil
}

// newFigure makes a figure of a scene. The drawing comes from this package's own
// writer, which escapes all words.
func newFigure(s *Scene) htmlFigure {
	return htmlFigure{
		ID: s.ID, Title: s.Title, Sentence: s.Desc, Table: s.Table.filled(),
		Drawings: []htmlDrawing{{"any", template.HTML(inlineSVG(s))}},
	}
}

// bareFigure makes a figure of a drawing without words of its own: the page has
// them.
func bareFigure(s *Scene, sentence, class string) htmlFigure {
	f := newFigure(s)
	f.Sentence, f.Drawings[0].Class = sentence, class
	return f
}

// newSlider returns the slider of a tree, nil where there is nothing to choose.
func newSlider(r *report.Report) *htmlSlider {
	if r.Shape != report.Tree || len(r.Leaves) < 3 {
		return nil
	}
	l := newLevels(r)
	s := &htmlSlider{Most: len(r.Leaves), Best: l.best, Why: "as many as were asked for"}
	if c := r.Claim; c != nil {
		s.Why = c.Reason
	}
	return s
}

// dotsWide is the width of a dot plot on a page: it fills the narrowest phone,
// and is enlarged on wide screens.
const dotsWide = 300

// Bounds of a page of many groups, which stays below 2 MB: the number of nodes
// from which inner ones have no tables, and the most groups that are drawn beside
// the one most like them.
const (
	manyGroups = 30
	mostBeside = 24
)

func newHTMLGroup(r *report.Report, g *report.Group) htmlGroup {
	d := &dots{r: r, a: g}
	h := htmlGroup{
		Slug: groupSlug(g), ID: g.ID, Name: g.Name, Size: size(r, g), Text: g.Text, Chip: chipOf(r, g.Sureness), Style: hueStyle(r, g),
		Relatives: relatives(r, g),
		Snippets:  snippets(g),
	}
	if !d.idle() {
		f := bareFigure(dotPlot(r, g, nil, dotsForm{width: dotsWide, bare: true, id: "dots-" + groupSlug(g)}), d.subtitle(), "dots")
		h.Figure = &f
	}
	if g.IsLeaf() || len(r.Groups) < manyGroups { // those of inner nodes stand in the tables of the export
		h.Tables = groupTables(r, g)
	}
	for i := range h.Tables {
		h.Tables[i].Label = groupWord(r, g) + ": " + h.Tables[i].Name
	}
	if g.Split != nil {
		h.Why = g.Split.Why
	}
	if len(g.Nearest) > 0 && g.IsLeaf() && len(r.Leaves) <= mostBeside {
		if o, ok := r.Find(g.Nearest[0].ID); ok {
			two := &dots{r: r, a: g, b: o}
			f := bareFigure(dotPlot(r, g, o, dotsForm{width: dotsWide, bare: true, id: "beside-" + groupSlug(g)}), two.subtitle(), "dots")
			h.Beside = &f
		}
	}
	return h
}

// htmlTree writes the groups as a tree that the keyboard can walk (WAI-ARIA tree
// view). Items are links to the sections of the groups.
func htmlTree(r *report.Report) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, `<ul role="tree" class="tree" aria-label="%s">`, escapeXML(speech(r)("tree.label", nounWord(r, true))))
	for i := range r.Groups {
		if r.Shape != report.Tree || r.Groups[i].Parent == "" {
			htmlItem(&b, r, &r.Groups[i], 1)
		}
	}
	b.WriteString("</ul>")
	return template.HTML(b.String())
}

// htmlItem writes a group and all below it. The list of the children stands
// beside the item and not in it, so that the name of an item is its own.
func htmlItem(b *strings.Builder, r *report.Report, g *report.Group, level int) {
	slug := escapeXML(groupSlug(g))
	fmt.Fprintf(b, `<li role="none"><a role="treeitem" class="node" tabindex="-1" href="#group-%s" data-group="%s" aria-level="%d"`, slug, slug, level)
	if len(g.Children) > 0 {
		fmt.Fprintf(b, ` aria-expanded="true" aria-owns="below-%s"`, slug)
	}
	share := ""
	if p, ok := g.Share.Value(); ok {
		share = fmt.Sprintf(`<span class="bar" style="width:%.1f%%"></span>`, 100*min(p, 1))
	}
	doubt := ""
	if g.Sureness == report.Doubtful {
		doubt = " " + escapeXML(speech(r)("tree.doubtful"))
	}
	fmt.Fprintf(b, `><span class="label"><span class="twig" aria-hidden="true"></span><span class="name">%s</span> <span class="id">%s</span></span> <span class="quiet size">%s%s</span><span class="room">%s</span></a>`,
		escapeXML(g.Name), escapeXML(g.ID), escapeXML(size(r, g)), doubt, share)
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
