package explain

import "github.com/moiety-go/moiety/vocab"

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
	// ofAll lists features whose missing values are too few to be told: their
	// shares are of all records, not of those with a value.
	ofAll []bool
}

// rest says how many of some records have a feature.
type rest int

const (
	unknown rest = iota
	few          // fewer than the limit have it
	most         // fewer than the limit lack it
)

// newOpenness decides what may be read. symbols says that every row has one
// feature at most, so that the features are answers to one question.
func newOpenness(h *hierarchy, c *cells, d *survey, of []Of, limit int, symbols bool) *openness {
	if limit <= 1 {
		return &openness{doubtful: true}
	}
	o := &openness{limit: limit, cell: make([][]bool, len(of)), vague: make([]bool, len(of)), ofAll: make([]bool, len(of)), rest: make([]rest, len(of))}
	o.size = h.protect([][]int{c.n}, o.startingSizes(h, c, d), limit, false)
	o.closeNeighbours(h, c)
	o.closeSure(h, c)
	o.closeFeatures(h, c, d, of, symbols)
	for f := range of {
		o.vague[f] = o.tooExact(h, c, f)
		o.rest[f] = o.restOf(h, c, of[f], f)
	}
	return o
}

func (o *openness) closeFeatures(h *hierarchy, c *cells, d *survey, of []Of, symbols bool) {
	if symbols {
		o.closeQuestion(h, c, vocab.Column{To: len(of)})
		return
	}
	question := questionsOf(d.vocab)
	for f := range of {
		if question[f] < 0 {
			o.closeFeature(h, c, of[f], f, d.parents[f])
		} else if col := d.vocab.Columns[question[f]]; col.From == f {
			o.closeQuestion(h, c, col)
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
func (o *openness) closeWords(c *cells, of []Of, node int) {
	hide := newHiding(o.limit)
	for f := range of {
		if of[f] == OfWords && o.size[node] {
			hide.see(f, c.total(node, f), o.cell[f][node])
		}
	}
	for _, f := range hide.more() {
		o.cell[f][node] = false
	}
}

// closeSure protects the shares of sure and doubtful records; where the doubtful
// ones are too few anywhere, only sure ones are told from others.
func (o *openness) closeSure(h *hierarchy, c *cells) {
	o.sure, o.doubtful = h.protect(c.sure[:], o.size, o.limit, false), true
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
		o.sure = h.protect([][]int{c.sure[0], others}, o.size, o.limit, false)
	}
}

// restOf says what is known of a feature outside its open nodes.
func (o *openness) restOf(h *hierarchy, c *cells, of Of, f int) rest {
	if o.cell[f][0] || of != OfRecords || c.missing(0, f) > 0 || !o.size[0] {
		return unknown
	}
	have, lack := make([]int, h.len()), make([]int, h.len())
	for i := range have {
		have[i] = int(c.have[i][f])
		lack[i] = c.n[i] - have[i]
	}
	if r := h.remainder(have, o.cell[f], 0); r > 0 && r < o.limit {
		return few
	}
	if r := h.remainder(lack, o.cell[f], 0); r > 0 && r < o.limit {
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
	guess := min(float64(o.limit)/2, float64(left)/2)
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

// startingSizes closes nothing, unless records are sequences: then a state may
// have many steps of few people, and neither it nor, by subtraction, it alone
// may be read.
func (o *openness) startingSizes(h *hierarchy, c *cells, d *survey) []bool {
	open := make([]bool, h.len())
	for i := range open {
		open[i] = !d.sequences || c.people == nil || c.people[i] == 0 || c.people[i] >= o.limit
	}
	closed := 0
	for _, l := range h.leaf {
		if !open[l] {
			closed++
		}
	}
	if closed == 1 {
		if q := h.smallestBelow(c.n, open, 0); q >= 0 {
			open[q] = false
		}
	}
	return open
}

// closeFeature protects a feature that stands alone, or that lies inside others
// (a code inside its chapter): then the records with the parent but without it
// are a class of their own, and where the parent is closed it is too.
func (o *openness) closeFeature(h *hierarchy, c *cells, of Of, f int, parents []int) {
	base, classes := o.size, o.classes(h, c, of, f)
	for _, p := range parents {
		base = both(base, o.cell[p])
		only := make([]int, h.len())
		for i := range only {
			only[i] = int(c.have[i][p] - c.have[i][f])
		}
		classes = append(classes, only)
	}
	o.cell[f] = h.protect(classes, base, o.limit, true)
}

// classes cuts the records by a feature, as far as the cut will be told.
func (o *openness) classes(h *hierarchy, c *cells, of Of, f int) [][]int {
	have, absent, missing := make([]int, h.len()), make([]int, h.len()), make([]int, h.len())
	for i := range have {
		have[i], missing[i] = int(c.have[i][f]), c.missing(i, f)
		absent[i] = c.n[i] - have[i] - missing[i]
	}
	switch of {
	case OfWords, Average: // the number of records that lack it is not told
		return [][]int{have}
	case Value: // means of the records with a value; their number is told only where none is missing
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
	joined, hidden := mergeRare(append(classes, missing), o.limit)
	open := h.protect(joined, o.size, o.limit, false)
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

// tooExact reports whether "nearly all", said of all cells it holds for, would
// tell the exact numbers: where the sum of the records that lack the feature is
// the largest, or the smallest, that the words allow.
func (o *openness) tooExact(h *hierarchy, c *cells, f int) bool {
	lack := make([]int, h.len())
	for i := range lack {
		lack[i] = c.n[i] - c.missing(i, f) - int(c.have[i][f])
	}
	for p := range lack {
		if !o.cell[f][p] {
			continue
		}
		r := h.remainder(lack, o.cell[f], p)
		if r > 0 && (r%(o.limit-1) == 0 || r <= len(h.leaf)) {
			return true
		}
	}
	return false
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
func (o *openness) nearlyAll(c *cells, node, f int) bool {
	if o.limit == 0 || o.cell[f][node] || !o.size[node] || o.vague[f] || c.n[node] < 2*o.limit {
		return false
	}
	lack := c.n[node] - c.missing(node, f) - int(c.have[node][f])
	return c.missing(node, f) == 0 && lack > 0 && lack < o.limit
}
