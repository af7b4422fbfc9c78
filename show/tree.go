package show

import (
	"io"
	"strings"

	"github.com/moiety-go/moiety/explain"
)

// Tree writes the tree of a report, or the list of its groups where it is flat,
// in plain words for a terminal.
func Tree(w io.Writer, r *explain.Report, o Options) error {
	p := &page{w: w, o: o}
	for _, s := range r.Summary {
		p.text("", s)
	}
	p.line("")
	if r.Shape == explain.Tree {
		p.branch(r, &r.Groups[0], "", "")
	} else {
		for j := range r.Leaves {
			p.node(r, r.Leaf(j), "", "   ")
		}
	}
	p.warnings(r)
	return p.err
}

// branch writes a node and what is below it. first leads its own line, rest
// those below.
func (p *page) branch(r *explain.Report, g *explain.Group, first, rest string) {
	children := g.Children
	if p.o.Level > 0 && g.Level >= p.o.Level {
		children = nil
	}
	below := rest + "   "
	if len(children) > 0 {
		below = rest + "│  "
	}
	p.node(r, g, first, below)
	for i, id := range children {
		child, ok := r.Find(id)
		if !ok {
			continue
		}
		if i == len(children)-1 {
			p.branch(r, child, rest+"└─ ", rest+"   ")
		} else {
			p.branch(r, child, rest+"├─ ", rest+"│  ")
		}
	}
}

// node writes one group: id, name and size, and below it its features.
func (p *page) node(r *explain.Report, g *explain.Group, first, below string) {
	tail := " · " + size(r, g)
	lead := p.o.width() - columns(first+g.ID+"  ")
	room := lead - columns(tail)
	if share, ok := g.Share.Value(); ok && room < leastName {
		tail = " · " + explain.Percent(share)
		room = lead - columns(tail)
	}
	p.line("%s%s  %s%s", first, g.ID, p.o.strong(clip(plain(g.Name), max(room, leastName))), tail)
	if words := p.characteristic(g); words != "" {
		p.text(below, words)
	}
}

// leastName is the room that a name gets on the narrowest terminal.
const leastName = 10

// characteristic tells the clearest features of a group, or its most frequent
// ones where it is the whole.
func (p *page) characteristic(g *explain.Group) string {
	list := g.Frequent
	if !g.Whole {
		list = nil
		for _, f := range g.Typical {
			if f.Clear {
				list = append(list, f)
			}
		}
	}
	var words []string
	for _, f := range list[:min(len(list), p.o.top(treeTop))] {
		if g.Whole {
			f.Ratio = explain.Number{}
		}
		words = append(words, short(f))
	}
	for _, m := range g.Measures {
		if len(words) < p.o.top(treeTop) {
			words = append(words, shortMeasure(m))
		}
	}
	return strings.Join(words, ", ")
}

// warnings writes the warnings with their remedies.
func (p *page) warnings(r *explain.Report) {
	if len(r.Warnings) == 0 {
		return
	}
	p.heading("To keep in mind")
	for _, w := range r.Warnings {
		p.item("  • ", "    ", w.String())
	}
}
