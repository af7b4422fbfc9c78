package show

import (
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Tree writes the tree of a report, or the list of its groups where it is flat,
// in plain words for a terminal.
func Tree(w io.Writer, r *report.Report, o Options) error {
	p := &page{w: w, o: o}
	for _, s := range r.Summary {
		p.text("", s)
	}
	p.line("")
	if r.Shape == report.Tree {
		p.branch(r, &r.Groups[0], "", "")
	} else {
		for j := range r.Leaves {
			p.node(r, r.Leaf(j), "", "   ")
		}
	}
	if p.doubted(r) {
		p.line("")
		p.item(p.o.warned("?")+" ", "  ", "not sure that this "+groupNoun(r)+" and the one beside it are two; show RUN with the number of the group above says why")
	}
	p.waits(r)
	p.courses(r)
	p.distal(r)
	p.findings(r)
	p.warnings(r)
	return p.err
}

// doubted reports whether a group is of a doubtful split.
func (p *page) doubted(r *report.Report) bool {
	if len(r.Leaves) < 2 {
		return false
	}
	for i := range r.Groups {
		if r.Groups[i].Sureness == report.Doubtful {
			return true
		}
	}
	return false
}

// branch writes a node and what is below it. first leads its own line, rest
// those below.
func (p *page) branch(r *report.Report, g *report.Group, first, rest string) {
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
		line := "─ "
		if g.Split != nil && g.Split.Doubt != "" {
			line = "╌ "
		}
		if i == len(children)-1 {
			p.branch(r, child, rest+"└"+line, rest+"   ")
		} else {
			p.branch(r, child, rest+"├"+line, rest+"│  ")
		}
	}
}

// Columns of a node at the right: the share and its bar.
const (
	shareColumns = 6
	barColumns   = 10
	leastName    = 10 // the room that a name gets on the narrowest terminal
	leastBar     = 60 // columns of a terminal from which there are bars
)

// node writes one group: name, id and size, its share as a bar, and below a
// group proper its features. A question mark stands where the split that made
// it is doubtful.
func (p *page) node(r *report.Report, g *report.Group, first, below string) {
	doubt, right := "  ", ""
	if g.Sureness == report.Doubtful {
		doubt = "? "
	}
	if share, ok := g.Share.Value(); ok {
		right = report.Percent(share)
		right = strings.Repeat(" ", max(shareColumns-columns(right), 0)) + right
		if p.o.width() >= leastBar {
			right += " " + padRight(blocks(share, barColumns), barColumns)
		}
	} else {
		right = "withheld"
	}
	room := p.o.width() - columns(first) - columns(right) - columns(doubt) - 1
	id := "  " + g.ID
	if n := sizeShort(r, g); n != "" && room-columns(id) > columns(n)+2+leastName+10 {
		id += " · " + n
	}
	name := clip(plain(g.Name), max(room-columns(id), leastName))
	gap := strings.Repeat(" ", max(room-columns(name)-columns(id), 0))
	p.line("%s%s%s%s %s%s", first, p.o.strong(name), p.o.dim(id), gap, p.o.warned(doubt), right)
	if words := p.characteristic(g); words != "" && (g.IsLeaf() || g.Whole) {
		p.text(below, words)
	}
}

// sizeShort is the number of records of a group, without unit.
func sizeShort(r *report.Report, g *report.Group) string {
	if r.Soft && !g.Whole {
		return ""
	}
	return g.N.String()
}

// blocks draws a share as a bar of block characters, to an eighth of a column.
func blocks(share float64, wide int) string {
	eighths := int(share*float64(wide)*8 + 0.5)
	if eighths == 0 && share > 0 {
		eighths = 1
	}
	eighths = min(max(eighths, 0), 8*wide)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}

// characteristic tells the clearest features of a group, or its most frequent
// ones where it is the whole.
func (p *page) characteristic(g *report.Group) string {
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
			f.Ratio = report.Number{}
		}
		words = append(words, short(f))
	}
	for _, m := range g.Measures {
		if len(words) < p.o.top(treeTop) {
			words = append(words, shortMeasure(m, g.Whole))
		}
	}
	return strings.Join(words, ", ")
}

// warnings writes the warnings with their remedies.
func (p *page) warnings(r *report.Report) {
	if len(r.Warnings) == 0 {
		return
	}
	p.heading("To keep in mind")
	for _, w := range r.Warnings {
		p.item("  • ", "    ", w.String())
	}
}
