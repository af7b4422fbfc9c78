package explain

import (
	"cmp"
	"slices"
)

// Small cells. The records of a node are cut into classes (has the feature, has
// it not; the answers to a question), and a table gives the number of records
// of each class at each node. A node is open if its row of the table may be
// read. What can be found by adding and subtracting open rows is spanned by the
// remainders: an open node less the open nodes right below it. (Remainders are
// disjoint sets of leaves, and every open row is a sum of them.) So no count of
// 1 to limit-1 can be found, neither of one cell nor of several together, if no
// remainder holds such a count in any class. A remainder may also be too narrow:
// see narrow. protect closes nodes until neither is so.

// division is one way to divide the records of every node into classes.
type division struct {
	classes [][]int // class×node: rows of the class in a node
	// people holds the records behind the rows where these are steps, as classes
	// does: many steps may be of few people. It is nil elsewhere.
	people [][]int
	limit  int
	// yield says that a node gives way to one below it that would have to be
	// closed otherwise and holds more than half of all counts of the first class:
	// a feature of which most cases lie in one group is what tells the group, and
	// its overall count is worth less.
	yield bool
}

// protect returns which nodes may be read: a subset of base, the nodes whose
// size may be read.
func (h *hierarchy) protect(v division, base []bool) []bool {
	open := append([]bool(nil), base...)
	if v.limit <= 1 {
		return open
	}
	for p := h.len() - 1; p >= 0; p-- {
		for open[p] {
			class := h.exposed(v, open, p)
			if class < 0 {
				break
			}
			// Grow the remainder by the smallest node that can help; where none
			// can, the node's own count is small.
			x := v.classes[class]
			q := h.smallestBelow(x, open, p)
			if q >= 0 && (!v.yield || class > 0 || 2*x[q] <= x[0]) {
				open[q] = false
			} else {
				open[p] = false
			}
		}
	}
	return open
}

// exposed returns a class of which too much is known in the remainder of p, or
// -1.
func (h *hierarchy) exposed(v division, open []bool, p int) int {
	for c, x := range v.classes {
		rest := h.remainder(x, open, p)
		if rest == 0 {
			continue
		}
		parts, hidden := h.tally(h.hidden, x, open, p)
		leaves, _ := h.tally(h.closedLeaves, x, open, p)
		if narrow(rest, parts, hidden, v.limit) || near(rest, leaves, v.limit) || v.people != nil && h.most(v.people[c], open, p) < v.limit {
			return c
		}
	}
	return -1
}

// tally counts the hidden places that visit finds in the remainder of p, and those of them
// that are not zero.
func (h *hierarchy) tally(visit func(open []bool, p int, of func(q int)), x []int, open []bool, p int) (parts, some int) {
	visit(open, p, func(q int) {
		parts++
		if x[q] > 0 {
			some++
		}
	})
	return parts, some
}

// narrow reports whether the sum of some hidden counts tells too much: where it
// is below the limit; or where whoever takes every hidden count for a small one,
// as most are, finds that they cannot be much smaller: of 17 in two that are each
// below 11, both are 7 to 10. parts is the number of hidden counts, of which
// hidden are not zero.
func narrow(sum, parts, hidden, limit int) bool {
	return sum > 0 && (sum < limit || parts > 1 && sum <= (limit-1)*parts && sum > (limit-1)*(hidden-1))
}

// near reports whether leaves, which are hidden one by one, are told nearly exactly by their
// sum: whoever takes all of them for small knows each to a third of the limit. 18 in two leaves
// of a group that is hidden too are 8 to 10 each.
func near(sum, parts, limit int) bool {
	least := sum - (limit-1)*(parts-1)
	return parts > 1 && sum <= (limit-1)*parts && limit-least <= (limit+1)/3
}

// hidden visits the uppermost closed nodes below p that hold no open one.
func (h *hierarchy) hidden(open []bool, p int, visit func(q int)) {
	for _, q := range h.children[p] {
		switch {
		case open[q]:
		case h.holdsOpen(open, q):
			h.hidden(open, q, visit)
		default:
			visit(q)
		}
	}
}

func (h *hierarchy) holdsOpen(open []bool, p int) bool {
	for _, q := range h.children[p] {
		if open[q] || h.holdsOpen(open, q) {
			return true
		}
	}
	return false
}

// most returns the largest count among the leaves in the remainder of p.
func (h *hierarchy) most(x []int, open []bool, p int) int {
	if len(h.children[p]) == 0 {
		return x[p]
	}
	best := 0
	for _, q := range h.children[p] {
		if !open[q] {
			best = max(best, h.most(x, open, q))
		}
	}
	return best
}

// remainder returns the count of p less those of the open nodes right below it.
func (h *hierarchy) remainder(x []int, open []bool, p int) int {
	r := x[p]
	h.below(open, p, func(q int) { r -= x[q] })
	return r
}

// below visits the open nodes below p that have no open node between.
func (h *hierarchy) below(open []bool, p int, visit func(q int)) {
	for _, q := range h.children[p] {
		if open[q] {
			visit(q)
		} else {
			h.below(open, q, visit)
		}
	}
}

// smallestBelow returns the open node right below p of the smallest count that
// is not zero, the first of equals, or -1.
func (h *hierarchy) smallestBelow(x []int, open []bool, p int) int {
	best := -1
	h.below(open, p, func(q int) {
		if x[q] > 0 && (best < 0 || x[q] < x[best]) {
			best = q
		}
	})
	return best
}

// mergeRare joins the classes that are rare among all records, and as many more
// as it takes to make them common, into one: their counts are open nowhere, but
// the others' may be. It returns the division as joined and which classes were.
func mergeRare(v division) (joined division, hidden []bool) {
	hidden = make([]bool, len(v.classes))
	sum, parts, people := 0, 0, 0
	hide := func(c int) {
		hidden[c] = true
		sum += v.classes[c][0]
		parts++
		if v.people != nil {
			people = max(people, v.people[c][0])
		}
	}
	for c, x := range v.classes {
		if x[0] > 0 && (x[0] < v.limit || v.people != nil && v.people[c][0] < v.limit) {
			hide(c)
		}
	}
	for narrow(sum, parts, parts, v.limit) || sum > 0 && v.people != nil && people < v.limit {
		best := -1
		for c, x := range v.classes {
			if !hidden[c] && x[0] > 0 && (best < 0 || x[0] < v.classes[best][0]) {
				best = c
			}
		}
		if best < 0 {
			break
		}
		hide(best)
	}
	if sum == 0 {
		return v, hidden
	}
	return v.joining(hidden), hidden
}

// joining returns the division with some classes made one, the last.
func (v division) joining(which []bool) division {
	nodes := len(v.classes[0])
	rest, people := make([]int, nodes), make([]int, nodes)
	out := division{limit: v.limit, yield: v.yield}
	for c, x := range v.classes {
		if !which[c] {
			out.classes = append(out.classes, x)
			if v.people != nil {
				out.people = append(out.people, v.people[c])
			}
			continue
		}
		for i, n := range x {
			rest[i] += n
			if v.people != nil {
				people[i] = max(people[i], v.people[c][i]) // at least so many
			}
		}
	}
	out.classes = append(out.classes, rest)
	if v.people != nil {
		out.people = append(out.people, people)
	}
	return out
}

// hiding finds what else to hide among numbers whose sum is known.
type hiding struct {
	limit  float64
	hidden int     // numbers that are hidden and not zero
	sum    float64 // their sum
	shown  []int
	value  []float64
}

func newHiding(limit int) *hiding { return &hiding{limit: float64(limit)} }

// see takes number f in.
func (x *hiding) see(f int, v float64, open bool) {
	switch {
	case v == 0:
	case open:
		x.shown, x.value = append(x.shown, f), append(x.value, v)
	default:
		x.hidden++
		x.sum += v
	}
}

// enough reports whether those hidden keep each other's secret.
func (x *hiding) enough() bool {
	return x.hidden == 0 || x.hidden > 1 && !narrow(int(x.sum), x.hidden, x.hidden, int(x.limit))
}

// more returns the numbers to hide so that those hidden are none, or at least
// two that together reach the limit: the smallest first.
func (x *hiding) more() []int {
	if x.enough() {
		return nil
	}
	order := make([]int, len(x.shown))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x.value[a], x.value[b]) })
	var out []int
	for _, i := range order {
		if x.enough() {
			break
		}
		out = append(out, x.shown[i])
		x.hidden++
		x.sum += x.value[i]
	}
	return out
}
