package show

import (
	"cmp"
	"slices"

	"github.com/moiety-go/moiety/report"
)

// levels is a tree as a row of pictures with one group more each: which groups
// are shown when k are. A flat fit has one picture.
type levels struct {
	r     *report.Report
	index map[string]int // of ids, in r.Groups
	// born and gone of group i: it is shown from born groups on, until there
	// are gone, when its children are.
	born, gone []int
	best       int // the recommended number
}

// forever is when a leaf goes.
const forever = 1 << 30

// newLevels splits the clearest split first: that of the most evidence, and the
// largest group where evidence is not reported; what was only asked for comes last.
func newLevels(r *report.Report) *levels {
	l := &levels{r: r, index: make(map[string]int), best: len(r.Leaves)}
	for i := range r.Groups {
		l.index[r.Groups[i].ID] = i
		l.born, l.gone = append(l.born, 1), append(l.gone, forever)
	}
	if r.Shape != report.Tree || len(r.Groups) == 0 {
		return l
	}
	shown, open := 1, []int{0}
	for len(open) > 0 {
		at := slices.MaxFunc(open, func(a, b int) int {
			x, y := &r.Groups[a], &r.Groups[b]
			return cmp.Or(cmp.Compare(asked(y), asked(x)), cmp.Compare(gain(x), gain(y)), cmp.Compare(x.Share.Or(0), y.Share.Or(0)), -cmp.Compare(a, b))
		})
		open = slices.DeleteFunc(open, func(i int) bool { return i == at })
		children := l.children(at)
		if len(children) == 0 {
			continue
		}
		shown += len(children) - 1
		l.gone[at] = shown
		for _, c := range children {
			l.born[c] = shown
			open = append(open, c)
		}
	}
	if c := r.Claim; c != nil && c.Groups >= 2 && c.Groups < l.best {
		l.best = c.Groups
	}
	return l
}

// asked is 1 for splits beyond what the records show: they come last.
func asked(g *report.Group) int {
	if g.Split != nil && g.Split.Finer {
		return 1
	}
	return 0
}

// gain is what speaks for a split.
func gain(g *report.Group) float64 {
	if g.Split == nil {
		return 0
	}
	return g.Split.Evidence.Or(g.Split.Gain.Or(0))
}

// children returns the places of the children of group i.
func (l *levels) children(i int) []int {
	var out []int
	for _, id := range l.r.Groups[i].Children {
		if c, ok := l.index[id]; ok {
			out = append(out, c)
		}
	}
	return out
}

// shown returns the groups of the picture with k groups, or with the most that
// are not more, by falling share.
func (l *levels) shown(k int) []int {
	var out []int
	for i := range l.r.Groups {
		if l.r.Shape != report.Tree && !l.r.Groups[i].IsLeaf() {
			continue
		}
		if l.born[i] <= k && k < l.gone[i] {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(l.r.Groups[b].Share.Or(0), l.r.Groups[a].Share.Or(0))
	})
	return out
}

// coloured is the number of groups that get a colour of their own.
const coloured = 8

// palette gives every group a colour: up to eight groups have their own, groups
// below them tints of it, groups above them none.
type palette struct {
	hue  []int // of every group, or -1
	tint []int // 0 full, 1 pale, 2 faint
}

func (l *levels) palette() *palette {
	r := l.r
	p := &palette{hue: make([]int, len(r.Groups)), tint: make([]int, len(r.Groups))}
	for i := range p.hue {
		p.hue[i] = -1
	}
	if r.Shape != report.Tree {
		for i := range r.Groups {
			j := max(r.Groups[i].Number-1, 0)
			p.hue[i], p.tint[i] = j%coloured, j/coloured%3
		}
		return p
	}
	k := min(l.best, coloured)
	for h, i := range l.shown(k) {
		if r.Groups[i].Parent == "" && len(r.Groups[i].Children) > 0 {
			continue // the whole has no colour
		}
		n := 0
		l.paint(p, i, h%coloured, &n)
		p.tint[i] = 0
	}
	return p
}

// paint colours a group and all below it; leaves of one colour take turns.
func (l *levels) paint(p *palette, i, hue int, leaves *int) {
	p.hue[i] = hue
	if l.r.Groups[i].IsLeaf() {
		p.tint[i] = *leaves % 3
		*leaves++
	}
	for _, c := range l.children(i) {
		l.paint(p, c, hue, leaves)
	}
}

// fill returns the colour of a group.
func (p *palette) fill(i int) Paint {
	if p.hue[i] < 0 {
		return innerPaint()
	}
	return tokenPaint(hueName(p.hue[i]) + [...]string{"", "-pale", "-faint"}[p.tint[i]])
}

// full returns the full colour of a group, and edge the line around it.
func (p *palette) full(i int) Paint {
	if p.hue[i] < 0 {
		return innerPaint()
	}
	return tokenPaint(hueName(p.hue[i]))
}

func (p *palette) edge(i int) Paint {
	if p.hue[i] < 0 {
		return innerPaint()
	}
	return tokenPaint(hueName(p.hue[i]) + "-edge")
}

// groupColours returns the colour and the edge of a group of a report.
func groupColours(r *report.Report, g *report.Group) (fill, edge Paint) {
	l := newLevels(r)
	i, ok := l.index[g.ID]
	if !ok {
		return innerPaint(), innerPaint()
	}
	p := l.palette()
	return p.full(i), p.edge(i)
}
