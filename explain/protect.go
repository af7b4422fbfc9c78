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
// remainder holds such a count in any class. protect closes nodes until that is
// so.

// protect returns which nodes may be read: a subset of base, the nodes whose
// size may be read. classes holds one row of counts, by node, for each class.
// Where yield is set, a node gives way to one below it that would have to be
// closed otherwise and holds more than half of all counts of the first class: a
// feature of which most cases lie in one group is what tells the group, and its
// overall count is worth less.
func (h *hierarchy) protect(classes [][]int, base []bool, limit int, yield bool) []bool {
	open := append([]bool(nil), base...)
	if limit <= 1 {
		return open
	}
	for p := h.len() - 1; p >= 0; p-- {
		for open[p] {
			class := h.exposed(classes, open, p, limit)
			if class < 0 {
				break
			}
			// Grow the remainder by the smallest node that can help; where none
			// can, the node's own count is small.
			q := h.smallestBelow(classes[class], open, p)
			if q >= 0 && (!yield || class > 0 || 2*classes[0][q] <= classes[0][0]) {
				open[q] = false
			} else {
				open[p] = false
			}
		}
	}
	return open
}

// exposed returns a class whose count in the remainder of p is small, or -1.
func (h *hierarchy) exposed(classes [][]int, open []bool, p, limit int) int {
	for c, x := range classes {
		if r := h.remainder(x, open, p); r > 0 && r < limit {
			return c
		}
	}
	return -1
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
// the others' may be. It returns the classes as joined and which were.
func mergeRare(classes [][]int, limit int) (joined [][]int, hidden []bool) {
	hidden = make([]bool, len(classes))
	sum := 0
	for c, x := range classes {
		if x[0] > 0 && x[0] < limit {
			hidden[c] = true
			sum += x[0]
		}
	}
	for sum > 0 && sum < limit {
		best := -1
		for c, x := range classes {
			if !hidden[c] && x[0] > 0 && (best < 0 || x[0] < classes[best][0]) {
				best = c
			}
		}
		if best < 0 {
			break
		}
		hidden[best] = true
		sum += classes[best][0]
	}
	if sum == 0 {
		return classes, hidden
	}
	rest := make([]int, len(classes[0]))
	for c, x := range classes {
		if !hidden[c] {
			joined = append(joined, x)
			continue
		}
		for i, v := range x {
			rest[i] += v
		}
	}
	return append(joined, rest), hidden
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

// more returns the numbers to hide so that those hidden are none, or at least
// two that together reach the limit: the smallest first.
func (x *hiding) more() []int {
	if x.hidden == 0 || x.hidden > 1 && x.sum >= x.limit {
		return nil
	}
	order := make([]int, len(x.shown))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x.value[a], x.value[b]) })
	var out []int
	for _, i := range order {
		if x.hidden > 1 && x.sum >= x.limit {
			break
		}
		out = append(out, x.shown[i])
		x.hidden++
		x.sum += x.value[i]
	}
	return out
}
