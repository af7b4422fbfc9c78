package explain

import "github.com/moiety-go/moiety/report"

// sharedOpenness decides what may be read of rounded counts. It looks at them
// alone, so that what is left out tells nothing more. A count is reported where
// every number that is rounded to it reaches the limit; and where what is left
// of a node, or those of it that lack a feature, could be few, they could be more
// as well: the range is at least the limit wide.
func sharedOpenness(h *hierarchy, c *cells, of []report.Of, limit int, r roundings) *openness {
	o := &openness{
		limit: limit, size: make([]bool, h.len()), cell: make([][]bool, len(of)),
		// How many are sure is not reported: records of the same features lie on one
		// side of a bound together, and a little more or less moves them all.
		sure:  make([]bool, h.len()),
		vague: make([]bool, len(of)), near: make([][]bool, len(of)), ofAll: make([]bool, len(of)), rest: make([]rest, len(of)), rounded: r.rows,
	}
	for i := range o.size {
		o.size[i] = r.rows.reaches(float64(c.n[i]), partOfSizes, limit) &&
			(c.people == nil || r.people.reaches(float64(c.people.in.n[i]), partOfFeatures, limit))
	}
	h.widen(o.size, limit, func() []span {
		x := h.spans(c.n, o.size, r.rows, partOfSizes)
		h.additive(x)
		return []span{x}
	})
	sizes := h.spans(c.n, o.size, r.rows, partOfSizes)
	for f := range of {
		o.sharedCells(h, c, of[f], f, r, sizes)
	}
	return o
}

// sharedCells decides on the cells of a feature: whether their counts are reported,
// or "nearly all" where rounding hides that some lack it.
func (o *openness) sharedCells(h *hierarchy, c *cells, of report.Of, f int, r roundings, sizes span) {
	have, known := make([]int, h.len()), append([]bool(nil), o.size...)
	for i := range have {
		have[i] = int(c.have[i][f])
		if of == report.Value {
			have[i] = c.n[i] - c.missing(i, f)
		}
		known[i] = known[i] && r.rows.reaches(float64(have[i]), partOfFeatures, o.limit) &&
			(c.people == nil || r.people.reaches(float64(c.people.with[f].n[i]), partOfFeatures, o.limit)) &&
			(of != report.OfWords && of != report.Average || r.sums.reaches(c.total(i, f), partOfFeatures, o.limit))
	}
	switch of {
	case report.OfRecords:
		h.widen(known, o.limit, func() []span { return h.dividing(sizes, h.spans(have, known, r.rows, partOfFeatures)) })
	case report.OfWords, report.Average: // what is reported are sums
		total := make([]int, h.len())
		for i := range total {
			total[i] = int(c.total(i, f))
		}
		h.widen(known, o.limit, func() []span {
			x := h.spans(total, known, r.sums, partOfFeatures)
			h.additive(x)
			return []span{x}
		})
	}
	o.cell[f], o.near[f] = known, make([]bool, h.len())
	for i := range known {
		if of == report.OfRecords && known[i] && have[i] >= c.n[i] {
			known[i] = false
			o.near[f][i] = h.number[i] >= 0 && c.n[i] >= leastNearly*o.limit && c.missing(i, f) == 0
		}
	}
}

// span holds, by node, the least and the largest that a count may be.
type span struct{ low, high []float64 }

// spans returns what is known of counts by their rounding alone, where they are
// reported.
func (h *hierarchy) spans(x []int, known []bool, r rounding, part int) span {
	const top = 1e15 // more than there are people
	s := span{make([]float64, len(x)), make([]float64, len(x))}
	for i, n := range x {
		s.high[i] = top
		if known[i] {
			s.low[i], s.high[i] = r.low(float64(n), part), r.high(float64(n), part)
		}
	}
	return s
}

func (s span) clone() span {
	return span{append([]float64(nil), s.low...), append([]float64(nil), s.high...)}
}

// sweeps is how often what is known is worked through; what more would tell is
// less than a record.
const sweeps = 12

// dividing works out what sizes and the counts of those with a feature tell of
// each other and of those without: parents are sums of their children, and a
// node is those with and those without.
func (h *hierarchy) dividing(sizes, have span) []span {
	n, without := sizes.clone(), h.spans(make([]int, h.len()), make([]bool, h.len()), rounding{}, 1)
	for range sweeps {
		h.additive(n)
		h.additive(have)
		h.additive(without)
		for i := range n.low {
			n.low[i], n.high[i] = max(n.low[i], have.low[i]+without.low[i]), min(n.high[i], have.high[i]+without.high[i])
			have.low[i], have.high[i] = max(have.low[i], n.low[i]-without.high[i]), min(have.high[i], n.high[i]-without.low[i])
			without.low[i], without.high[i] = max(without.low[i], n.low[i]-have.high[i]), min(without.high[i], n.high[i]-have.low[i])
		}
	}
	return []span{have, without}
}

// additive works out what parents and children tell of each other.
func (h *hierarchy) additive(x span) {
	for p := h.len() - 1; p >= 0; p-- {
		if low, high := h.over(x, p); len(h.children[p]) > 0 {
			x.low[p], x.high[p] = max(x.low[p], low), min(x.high[p], high)
		}
	}
	for p := range h.len() {
		low, high := h.over(x, p)
		for _, q := range h.children[p] {
			most, least := x.high[p]-(low-x.low[q]), x.low[p]-(high-x.high[q])
			x.low[q], x.high[q] = max(x.low[q], least), min(x.high[q], most)
		}
	}
}

// over adds up the children of p.
func (h *hierarchy) over(x span, p int) (low, high float64) {
	for _, q := range h.children[p] {
		low, high = low+x.low[q], high+x.high[q]
	}
	return low, high
}

// widen closes nodes until no count that may be small is known to less than the
// limit; known tells what there is to be known. Where one is, the smallest of
// what is reported beside it is closed, or what is above it.
func (h *hierarchy) widen(open []bool, limit int, known func() []span) {
	for {
		x := known()
		p := h.tight(x, float64(limit))
		if p < 0 {
			return
		}
		q := h.beside(open, p, x[0].low)
		if q < 0 {
			return // nothing is reported
		}
		open[q] = false
	}
}

// tight returns a node of which a count may be below the limit and is known to
// less than it, or -1.
func (h *hierarchy) tight(classes []span, limit float64) int {
	for _, x := range classes {
		for i := range x.low {
			if x.high[i] > 0 && x.low[i] < limit && x.high[i]-x.low[i] < limit {
				return i
			}
		}
	}
	return -1
}

// beside returns the open node to close for p: p itself; else the smallest of
// its neighbours under the lowest node that has any; else the node above.
func (h *hierarchy) beside(open []bool, p int, size []float64) int {
	if open[p] {
		return p
	}
	for up := h.parent[p]; up >= 0; up = h.parent[up] {
		best := -1
		h.below(open, up, func(q int) {
			if best < 0 || size[q] < size[best] {
				best = q
			}
		})
		if best >= 0 {
			return best
		}
		if open[up] {
			return up
		}
	}
	for i, o := range open {
		if o {
			return i
		}
	}
	return -1
}
