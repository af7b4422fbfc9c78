package show

import (
	"errors"
	"html/template"
	"strings"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// Pages say what a report holds besides the words and numbers.
type Pages struct {
	// Title is the title of the whole; "" lets the report say what was found.
	Title string
	// Records are the rows behind the report, for the charts of records; nil
	// leaves those charts out.
	Records *Records
	// Full gives every node of a tree a page of a PDF file, and adds all
	// pictures and the glossary.
	Full bool
}

// title returns the title of a report.
func (p Pages) title(r *report.Report) string {
	if p.Title != "" {
		return p.Title
	}
	return treeTitle(r)
}

// wholeScene returns the picture of the whole for paper: the groups as shares,
// states over time, or what one population lies along.
func (p Pages) wholeScene(r *report.Report) (*Scene, error) {
	if p.Records != nil {
		var s *Scene
		err := error(ErrNoPicture)
		switch {
		case len(r.Leaves) == 1 && r.Shape != report.States:
			s, err = Population(r, *p.Records)
		case r.Shape == report.States:
			s, err = StateStrips(r, *p.Records)
		}
		if !errors.Is(err, ErrNoPicture) {
			return s, err
		}
	}
	return Icicle(r), nil
}

// pictures returns the picture of the whole as a figure of a page, and the
// drawings behind it, those that can be made.
func (p Pages) pictures(r *report.Report) (htmlFigure, []*Scene, error) {
	s, err := p.wholeScene(r)
	if err != nil {
		return htmlFigure{}, nil, err
	}
	whole := newFigure(s)
	if s.ID == "tree" {
		whole = icicleFigure(r)
	} else if whole.Drawings, err = p.twoWidths(r, s); err != nil {
		return htmlFigure{}, nil, err
	}
	charts, err := p.more(r, s.ID)
	if topical(r) && r.Shape == report.Flat && len(r.Leaves) > 2 && err == nil {
		m := topicBubbles(r)
		whole = bareFigure(m, m.Desc, "map")
		rows := icicle(r, icicleForm{width: 300, bare: true, upright: true, numbered: true, id: "topics"})
		whole.Drawings = append(whole.Drawings, htmlDrawing{"map", template.HTML(inlineSVG(rows))})
	}
	return whole, charts, err
}

// phoneWide is the width of drawings for phones.
const phoneWide = 295

// twoWidths returns the drawings of the whole for wide and narrow pages.
func (p Pages) twoWidths(r *report.Report, s *Scene) ([]htmlDrawing, error) {
	draw := drawPopulation
	if s.ID == "strips" {
		draw = drawStrips
	}
	n, err := draw(r, *p.Records, phoneWide)
	if err != nil {
		return nil, err
	}
	return []htmlDrawing{{"large", template.HTML(inlineSVG(s))}, {"narrow", template.HTML(inlineSVG(n))}}, nil
}

// icicleFigure is the same icicle three times: for wide, middling and narrow
// pages.
func icicleFigure(r *report.Report) htmlFigure {
	var out htmlFigure
	for _, x := range []struct {
		class string
		form  icicleForm
	}{
		{"wide", icicleForm{width: 1040, bare: true, id: "tree"}},
		{"middling", icicleForm{width: 560, bare: true, id: "tree-middling"}},
		{"narrow", icicleForm{width: 300, bare: true, upright: true, id: "tree-narrow"}},
	} {
		f := bareFigure(icicle(r, x.form), icicleSubtitle(r), x.class)
		out.Drawings = append(out.Drawings, f.Drawings...)
		out.ID, out.Title, out.Sentence, out.Table = "tree", f.Title, f.Sentence, f.Table
	}
	for _, n := range icicleNotes(r)[1:] {
		out.Sentence += " " + n
	}
	return out
}

// more returns the further drawings of the whole.
func (p Pages) more(r *report.Report, first string) ([]*Scene, error) {
	var out []*Scene
	if first == "strips" || first == "population" && len(r.Leaves) > 1 {
		out = append(out, Icicle(r))
	}
	list := []func(*report.Report, Records) (*Scene, error){
		func(r *report.Report, _ Records) (*Scene, error) { return StateMoves(r) },
	}
	if len(r.Leaves) > 1 {
		list = append(list, func(r *report.Report, _ Records) (*Scene, error) { return TopicMap(r, 0) })
	}
	rec := Records{}
	if p.Records != nil {
		rec = *p.Records
		list = append(list, HeatMap)
		if r.Shape != report.States {
			list = append(list, AssignmentAreas)
		}
	}
	for _, draw := range list {
		s, err := draw(r, rec)
		switch {
		case errors.Is(err, ErrNoPicture):
		case err != nil:
			return nil, err
		default:
			out = append(out, s)
		}
	}
	return out, nil
}

// shownFact is one line of "the data as read".
type shownFact struct{ Name, Value string }

// shownFactsOf tells facts as the lines of a page.
func shownFactsOf(list []fact) []shownFact {
	var out []shownFact
	for _, f := range list {
		out = append(out, shownFact{capitalize(f.name), f.value})
	}
	return out
}

func capitalize(s string) string {
	for i, c := range s {
		return strings.ToUpper(string(c)) + s[i+len(string(c)):]
	}
	return s
}

// weightWords tells how heavy a warning is.
func weightWords(r *report.Report, w warn.Warning) string {
	say := speech(r)
	switch {
	case w.Weight >= warn.Serious:
		return say("weight.serious")
	case w.Weight == warn.Caution:
		return say("weight.caution")
	}
	return say("weight.note")
}

// groupTables returns the tables of a group: typical features, rare ones, real
// ones.
func groupTables(r *report.Report, g *report.Group) []namedTable {
	var out []namedTable
	say := speech(r)
	if len(g.Typical) > 0 && len(g.Views) == 0 && !g.Whole {
		out = append(out, namedTable{Name: say("table.typical", word(r, r.Unit.Features)), Table: featureTable(r, g.Typical).filled()})
	}
	for _, v := range g.Views {
		if len(v.Typical) > 0 {
			out = append(out, namedTable{Name: say("table.view", v.View), Table: featureTable(r, v.Typical).filled()})
		}
	}
	if len(g.Rare) > 0 {
		out = append(out, namedTable{Name: say("table.rare"), Table: featureTable(r, g.Rare).filled()})
	}
	if len(g.Measures) > 0 {
		out = append(out, namedTable{Name: say("table.measures"), Table: measureTable(g).filled()})
	}
	if g.Split != nil && len(g.Split.Separates) > 0 && len(g.Children) == 2 {
		out = append(out, namedTable{Name: say("table.separates", g.Children[0], g.Children[1]), Table: separatorTable(g)})
	}
	return append(out, trendTables(r, g)...)
}

// namedTable is a table with its title, and a label that no other table has.
type namedTable struct {
	Name  string
	Label string
	Table Table
}

// filled returns the table without columns that hold nothing.
func (s Table) filled() Table {
	var keep []int
	for c := range s.Head {
		some := c == 0
		for _, row := range s.Rows {
			some = some || row[c] != ""
		}
		if some {
			keep = append(keep, c)
		}
	}
	pick := func(row []string) []string {
		out := make([]string, len(keep))
		for i, c := range keep {
			out[i] = row[c]
		}
		return out
	}
	out := Table{Head: pick(s.Head)}
	for _, row := range s.Rows {
		out.Rows = append(out.Rows, pick(row))
	}
	return out
}

func separatorTable(g *report.Group) Table {
	sh := Table{Head: []string{"", "in " + g.Children[0], "in " + g.Children[1]}}
	for _, x := range g.Split.Separates {
		row := []string{labelled(x.Name, x.Title, x.Said()), "", ""}
		for c, share := range x.Share {
			v, ok := share.Value()
			switch {
			case !ok:
			case x.Of == report.Average || x.Of == report.Value:
				row[c+1] = report.Amount(v)
			default:
				row[c+1] = report.Percent(v)
			}
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}

// relatives tells the neighbours of a group and records that stand for it.
func relatives(r *report.Report, g *report.Group) []string {
	say := speech(r)
	var out []string
	if len(g.Nearest) > 0 {
		var words []string
		for _, n := range g.Nearest {
			if n.Distance.Or(0) < nothingAlike {
				words = append(words, n.ID+" ("+n.Name+")")
			}
		}
		if len(words) == 0 {
			out = append(out, say("relatives.none"))
		} else {
			out = append(out, say("relatives.like", strings.Join(words, "; ")))
		}
	}
	if len(g.Records) > 0 {
		var words []string
		for _, x := range g.Records {
			word := x.ID
			if len(x.Words) > 0 {
				word += " (" + strings.Join(x.Words, ", ") + ")"
			}
			words = append(words, word)
		}
		out = append(out, say("relatives.records", strings.Join(words, "; ")))
	}
	return out
}

// featureTable is the table of a list of features.
func featureTable(r *report.Report, list []report.Feature) Table {
	if len(list) == 0 {
		return Table{Head: []string{r.Unit.Feature}}
	}
	sh := Table{Head: headings(r, list)}
	for _, f := range list {
		sh.Rows = append(sh.Rows, featureRow(f))
	}
	return sh
}
