package explain

import (
	"strconv"

	"github.com/moiety-go/moiety/internal/fit"
)

// hierarchy is the tree of the nodes that counts are added up over: that of a
// tree, or all records over the groups of a flat fit. Every child comes after
// its parent; node 0 holds all rows.
type hierarchy struct {
	parent   []int
	children [][]int
	ids      []string
	leaf     []int // node of every group proper, by falling weight
	number   []int // of every node: its place in leaf, or -1
}

func newHierarchy(o *fit.Outcome) *hierarchy {
	h := flatHierarchy(o.K())
	if o.Tree != nil {
		h = treeHierarchy(o)
	}
	h.number = make([]int, h.len())
	for i := range h.number {
		h.number[i] = -1
	}
	for j, l := range h.leaf {
		h.number[l] = j
	}
	return h
}

func treeHierarchy(o *fit.Outcome) *hierarchy {
	h := &hierarchy{leaf: o.Leaves}
	for i := range o.Tree.Nodes {
		n := &o.Tree.Nodes[i]
		h.parent = append(h.parent, n.Parent)
		h.children = append(h.children, n.Children)
		h.ids = append(h.ids, n.ID)
	}
	return h
}

func flatHierarchy(k int) *hierarchy {
	h := &hierarchy{parent: []int{-1}, children: make([][]int, k+1), ids: []string{""}}
	for j := 1; j <= k; j++ {
		h.parent = append(h.parent, 0)
		h.children[0] = append(h.children[0], j)
		h.ids = append(h.ids, strconv.Itoa(j))
		h.leaf = append(h.leaf, j)
	}
	return h
}

func (h *hierarchy) len() int { return len(h.parent) }

// rollup adds the numbers of the leaves up to their parents.
func rollup[T int | int32 | float64](h *hierarchy, x []T) {
	for i := h.len() - 1; i > 0; i-- {
		x[h.parent[i]] += x[i]
	}
}

// each visits all nodes below a node.
func (h *hierarchy) each(node int, visit func(int)) {
	for _, c := range h.children[node] {
		visit(c)
		h.each(c, visit)
	}
}
