package explain

import (
	"context"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// openness says which cells may be read. Everything may where limit is 0.
type openness struct {
	limit int
	size  []bool   // by node
	cell  [][]bool // by feature, then node: nil where no cell is closed
	sure  []bool   // by node: the share of sure records
	// doubtful says that the shares of doubtful records may be read where those
	// of sure ones may.
	doubtful bool
	// rest says what is known of the records outside the open nodes, where the
	// count of all records is closed.
	rest []rest
	// vague lists features of which not even "nearly all" may be said.
	vague []bool
	// rounded is how counts are rounded where they are to be shared.
	rounded rounding
	// near lists, by feature and node, the groups of which rounding hides that
	// some lack the feature: nearly all have it.
	near [][]bool
	// ofAll lists features whose missing values are too few to be reported: their
	// shares are of all records, not of those with a value.
	ofAll []bool
}

// rest says how many of some records have a feature.
type rest int

const (
	unknown rest = iota
	few          // not more than twice the limit have it
	most         // not more than twice the limit lack it
)

// newOpenness decides what may be read. symbols says that every row has one
// feature at most, so that the features are answers to one question.
func newOpenness(h *hierarchy, c *cells, d *survey, of []report.Of, limit int, symbols bool, workers int) *openness {
	if limit <= 1 {
		return &openness{doubtful: true}
	}
	o := &openness{limit: limit, cell: make([][]bool, len(of)), vague: make([]bool, len(of)), ofAll: make([]bool, len(of)), rest: make([]rest, len(of))}
	sizes := division{classes: [][]int{c.n}, limit: limit}
	if c.people != nil {
		sizes.people = [][]int{c.people.in.n}
	}
	o.size = h.protect(sizes, allOpen(h.len()))
	o.closeNeighbours(h, c)
	o.closeSure(h, c)
	o.closeFeatures(h, c, d, of, symbols, workers)
	eachFeature(workers, len(of), func(f int) {
		o.vague[f] = o.tooExact(h, c, f)
		o.rest[f] = o.restOf(h, c, of[f], f)
	})
	return o
}

// eachFeature does something of every feature, which does not depend on that of another.
func eachFeature(workers, features int, do func(f int)) {
	const atOnce = 32
	_ = par.Blocks(context.Background(), workers, features, atOnce, func(_, lo, hi int) error { // nothing fails
		for f := lo; f < hi; f++ {
			do(f)
		}
		return nil
	})
}

func allOpen(n int) []bool {
	open := make([]bool, n)
	for i := range open {
		open[i] = true
	}
	return open
}

func (o *openness) closeFeatures(h *hierarchy, c *cells, d *survey, of []report.Of, symbols bool, workers int) {
	if symbols {
		o.closeQuestion(h, c, vocab.Column{To: len(of)})
		return
	}
	question := questionsOf(d.vocab)
	eachFeature(workers, len(of), func(f int) {
		if question[f] < 0 && len(d.parents[f]) == 0 {
			o.closeFeature(h, c, of[f], f, nil)
		}
	})
	for f := range of {
		switch q := question[f]; {
		case q < 0 && len(d.parents[f]) > 0: // which stand before it
			o.closeFeature(h, c, of[f], f, d.parents[f])
		case q >= 0 && d.vocab.Columns[q].From == f:
			o.closeQuestion(h, c, d.vocab.Columns[q])
		}
	}
	for i := range c.n {
		o.closeWords(c, of, i)
	}
}

// closeWords closes further words of a node: shares of words add up to one, so
// one that is closed alone, or together with few others, could be worked out.
// Closing a cell opens no other: a remainder that swallows another is still
// none or large.
func (o *openness) closeWords(c *cells, of []report.Of, node int) {
	hide := newHiding(o.limit)
	for f := range of {
		if of[f] == report.OfWords && o.size[node] {
			hide.see(f, c.total(node, f), o.cell[f][node])
		}
	}
	for _, f := range hide.more() {
		o.cell[f][node] = false
	}
}

// closeSure protects the shares of sure and doubtful records; where the doubtful
// ones are too few anywhere, only sure ones are told from others.
// Of steps neither is reported: whose they are is not counted.
func (o *openness) closeSure(h *hierarchy, c *cells) {
	if c.people != nil {
		o.sure = make([]bool, h.len())
		return
	}
	o.sure, o.doubtful = h.protect(division{classes: c.sure[:], limit: o.limit}, o.size), true
	for i, open := range o.sure {
		if o.size[i] && !open {
			o.doubtful = false
		}
	}
	if !o.doubtful {
		others := make([]int, h.len())
		for i := range others {
			others[i] = c.sure[1][i] + c.sure[2][i]
		}
		o.sure = h.protect(division{classes: [][]int{c.sure[0], others}, limit: o.limit}, o.size)
	}
}

// restOf says what is known of a feature outside its open nodes.
func (o *openness) restOf(h *hierarchy, c *cells, of report.Of, f int) rest {
	if o.cell[f][0] || of != report.OfRecords || c.missing(0, f) > 0 || !o.size[0] {
		return unknown
	}
	have, lack := make([]int, h.len()), make([]int, h.len())
	for i := range have {
		have[i] = int(c.have[i][f])
		lack[i] = c.n[i] - have[i]
	}
	if r := h.remainder(have, o.cell[f], 0); r > 0 && r <= 2*o.limit {
		return few
	}
	if r := h.remainder(lack, o.cell[f], 0); r > 0 && r <= 2*o.limit {
		return most
	}
	return unknown
}

// estimate returns the share of a feature among all records as it can be
// worked out from what is open, where the exact one is closed.
func (o *openness) estimate(h *hierarchy, c *cells, f int) (float64, bool) {
	if o.limit == 0 || o.rest[f] == unknown {
		return 0, false
	}
	have, left := 0, c.n[0]
	h.below(o.cell[f], 0, func(q int) {
		have += int(c.have[q][f])
		left -= c.n[q]
	})
	guess := min(0.75*float64(o.limit), float64(left)/2)
	if o.rest[f] == most {
		guess = float64(left) - guess
	}
	return (float64(have) + guess) / float64(c.n[0]), true
}

// closeNeighbours closes further groups of a flat fit: they are numbered by
// falling size, so that a masked size between two that are nearly alike would
// be known, and with it the small one that it is masked for.
func (o *openness) closeNeighbours(h *hierarchy, c *cells) {
	if len(h.children[0]) != len(h.leaf) || !o.size[0] { // a tree: its nodes have paths for names
		return
	}
	for again := true; again; {
		again = false
		for j, l := range h.leaf {
			if o.size[l] || c.n[l] < o.limit {
				continue
			}
			for _, side := range []int{-1, 1} {
				at := j + side
				for at >= 0 && at < len(h.leaf) && !o.size[h.leaf[at]] {
					at += side
				}
				if at >= 0 && at < len(h.leaf) && max(c.n[h.leaf[at]], c.n[l])-min(c.n[h.leaf[at]], c.n[l]) < o.limit-2 {
					o.size[h.leaf[at]], again = false, true
				}
			}
		}
	}
}

// closeFeature protects a feature that stands alone, or that lies inside others
// (a code inside its chapter): then the records with the parent but without it
// are a class of their own, and where the parent is closed it is too.
func (o *openness) closeFeature(h *hierarchy, c *cells, of report.Of, f int, parents []int) {
	base, classes := o.size, o.classes(h, c, of, f)
	for _, p := range parents {
		base = both(base, o.cell[p])
		only := make([]int, h.len())
		for i := range only {
			only[i] = int(c.have[i][p] - c.have[i][f])
		}
		classes = append(classes, only)
	}
	v := division{classes: classes, limit: o.limit, yield: true}
	if c.people != nil {
		v.people = [][]int{c.people.with[f].n}
		for range classes[1:] {
			v.people = append(v.people, c.people.in.n)
		}
	}
	o.cell[f] = h.protect(v, base)
}

// classes cuts the records by a feature, as far as the cut will be reported.
func (o *openness) classes(h *hierarchy, c *cells, of report.Of, f int) [][]int {
	have, absent, missing := make([]int, h.len()), make([]int, h.len()), make([]int, h.len())
	for i := range have {
		have[i], missing[i] = int(c.have[i][f]), c.missing(i, f)
		absent[i] = c.n[i] - have[i] - missing[i]
	}
	switch of {
	case report.OfWords, report.Average: // the number of records that lack it is not reported
		return [][]int{have}
	case report.Value: // means of the records with a value; their number is reported only where none is missing
		for i := range have {
			have[i] += absent[i]
		}
		return [][]int{have}
	}
	if missing[0] == 0 {
		return [][]int{have, absent}
	}
	if missing[0] < o.limit { // counted among those without
		o.ofAll[f] = true
		for i := range absent {
			absent[i] += missing[i]
		}
		return [][]int{have, absent}
	}
	return [][]int{have, absent, missing}
}

// closeQuestion protects the answers to one question together.
func (o *openness) closeQuestion(h *hierarchy, c *cells, col vocab.Column) {
	missing := append([]int(nil), c.n...)
	classes := make([][]int, 0, col.To-col.From+1)
	for f := col.From; f < col.To; f++ {
		x := make([]int, h.len())
		for i := range x {
			x[i] = int(c.have[i][f])
			missing[i] -= x[i]
		}
		classes = append(classes, x)
	}
	v := division{classes: append(classes, missing), limit: o.limit}
	if c.people != nil {
		v.people = c.people.answers(col)
	}
	joined, hidden := mergeRare(v)
	open := h.protect(joined, o.size)
	for f := col.From; f < col.To; f++ {
		// Where the number of missing answers is hidden, shares are of all.
		o.ofAll[f] = hidden[len(hidden)-1]
		o.cell[f] = open
		if hidden[f-col.From] {
			o.cell[f] = make([]bool, h.len())
		}
	}
}

func both(a, b []bool) []bool {
	if b == nil {
		return a
	}
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] && b[i]
	}
	return out
}

// fewLack is how many records more than the limit may lack a feature that
// nearly all have: from 1 on these are more values than the limit.
const fewLack = 1

// leastNearly is the size of a group, in limits, from which "nearly all" of it
// are said to have a feature.
const leastNearly = 10

// tooExact reports whether "nearly all", said of all groups it holds for, would
// narrow the numbers down: where, of the records of a remainder that lack the
// feature, a group could not have as few or as many as the words allow.
func (o *openness) tooExact(h *hierarchy, c *cells, f int) bool {
	lack, open := make([]int, h.len()), o.cell[f]
	for i := range lack {
		lack[i] = c.n[i] - c.missing(i, f) - int(c.have[i][f])
	}
	most := o.limit + fewLack
	for p := range lack {
		if !open[p] {
			continue
		}
		said, others := 0, 0 // groups, and the records of those it is not said of
		h.closedLeaves(open, p, func(l int) {
			if o.hasNearly(h, c, l, f) {
				said++
			} else {
				others += c.n[l]
			}
		})
		r := h.remainder(lack, open, p)
		if said > 0 && (r-(said-1) < most || r-others-most*(said-1) > 1) {
			return true
		}
	}
	return false
}

// closedLeaves visits the leaves in the remainder of p.
func (h *hierarchy) closedLeaves(open []bool, p int, visit func(leaf int)) {
	for _, q := range h.children[p] {
		switch {
		case open[q]:
		case len(h.children[q]) == 0:
			visit(q)
		default:
			h.closedLeaves(open, q, visit)
		}
	}
}

// sizeOpen reports whether the size of a node may be read.
func (o *openness) sizeOpen(node int) bool { return o.limit == 0 || o.size[node] }

// sizes returns, by node, which sizes may be read.
func (o *openness) sizes(h *hierarchy) []bool {
	open := make([]bool, h.len())
	for i := range open {
		open[i] = o.sizeOpen(i)
	}
	return open
}

// cellOpen reports whether the count of a feature at a node may be read.
func (o *openness) cellOpen(node, f int) bool { return o.limit == 0 || o.cell[f][node] }

// nearlyAll reports whether all but a few records have the feature and that is
// all that may be said.
func (o *openness) nearlyAll(h *hierarchy, c *cells, node, f int) bool {
	if o.rounded.unit > 0 {
		return o.near[f][node]
	}
	return o.limit > 0 && !o.vague[f] && o.hasNearly(h, c, node, f)
}

// hasNearly reports whether nearly all records of a closed cell have the
// feature. It is asked of groups proper only: said of a group and of one inside
// it, the words would tell more than each.
func (o *openness) hasNearly(h *hierarchy, c *cells, node, f int) bool {
	if o.cell[f][node] || !o.size[node] || h.number[node] < 0 || c.n[node] < leastNearly*o.limit || c.missing(node, f) > 0 {
		return false
	}
	lack := c.n[node] - int(c.have[node][f])
	return lack > 0 && lack <= o.limit+fewLack
}
