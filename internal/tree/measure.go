package tree

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/sparse"
)

// sized sets sizes and centers from the number of records of every leaf and the
// sums of their features, which it keeps. gone, unless nil, are the numbers of
// records without a value: a center is the mean of the values that are there.
func (t *Tree) sized(count []float64, sums, gone [][]float64) {
	for i, n := range count {
		t.Nodes[i].N = int(n)
	}
	for i := len(t.Nodes) - 1; i > 0; i-- {
		p := t.Nodes[i].Parent
		t.Nodes[p].N += t.Nodes[i].N
		for h, v := range sums[i] {
			sums[p][h] += v
		}
		for h := range sums[i] {
			if gone != nil {
				gone[p][h] += gone[i][h]
			}
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Share = float64(n.N) / math.Max(float64(t.Nodes[0].N), 1)
		for h := range sums[i] {
			there := float64(n.N)
			if gone != nil {
				there -= gone[i][h]
			}
			sums[i][h] /= math.Max(there, 1)
		}
		n.Center = sums[i]
	}
}

// addGone counts the values that are missing in a row.
func addGone(dst []float64, rows sparse.Rows, i int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if math.IsNaN(v) {
				dst[h]++
			}
		}
		return
	}
	index, value := rows.Row(i)
	for e := range value {
		if value[e] != value[e] {
			dst[index[e]]++
		}
	}
}

// addRow adds the values that are there.
func addRow(dst []float64, rows sparse.Rows, i int) {
	if rows.IsDense() {
		for h, v := range rows.DenseRow(i) {
			if !math.IsNaN(v) {
				dst[h] += v
			}
		}
		return
	}
	index, value := rows.Row(i)
	for e, h := range index {
		switch {
		case value == nil:
			dst[h]++
		case value[e] == value[e]:
			dst[h] += float64(value[e])
		}
	}
}

// largerFirst puts the larger child first again where records have moved since
// the split. Nodes are then numbered anew, and leaf, the node of every record,
// with them.
func (t *Tree) largerFirst(ctx context.Context, workers int, f family.Family, leaf []int32) error {
	swapped := false
	column := make([]int, len(t.Nodes)) // of each leaf in the mixture
	for j, l := range t.Leaf() {
		column[l] = j
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if c := n.Children; len(c) == 2 && t.Nodes[c[1]].N > t.Nodes[c[0]].N {
			n.Children, n.Split, swapped = []int{c[1], c[0]}, n.Split.flipped(f), true
		}
	}
	if !swapped {
		return nil
	}
	now := t.renumber()
	if t.Leaves != nil {
		columns := make([]int, 0, t.Leaves.K())
		for _, l := range t.Leaf() {
			columns = append(columns, column[slices.Index(now, int32(l))])
		}
		leaves := f.Reorder(*t.Leaves, columns)
		t.Leaves = &leaves
	}
	return renamed(ctx, workers, leaf, leaf, now)
}

// renumber puts the nodes in order again after children have changed places:
// level by level, as number does. It returns the new number of every old one.
func (t *Tree) renumber() (now []int32) {
	old := t.Nodes
	order := []int{0}
	for i := 0; i < len(order); i++ {
		order = append(order, old[order[i]].Children...)
	}
	now = make([]int32, len(old))
	for i, was := range order {
		now[was] = int32(i)
	}
	t.Nodes = make([]Node, len(old))
	for i, was := range order {
		n := old[was]
		if n.Parent >= 0 {
			n.Parent = int(now[n.Parent])
		}
		n.Children = slices.Clone(n.Children)
		for c, kid := range n.Children {
			n.Children[c] = int(now[kid])
			old[kid].ID = childID(n.ID, c)
		}
		t.Nodes[i] = n
	}
	return now
}

// flipped returns a split with its sides exchanged.
func (s Split) flipped(f family.Family) *Split {
	s.Sizes[0], s.Sizes[1] = s.Sizes[1], s.Sizes[0]
	s.Features = slices.Clone(s.Features)
	for i := range s.Features {
		s.Features[i].Z = -s.Features[i].Z
	}
	if s.Pair != nil {
		swapped := f.Reorder(*s.Pair, []int{1, 0})
		s.Pair = &swapped
	}
	if s.Rule != nil {
		s.Rule = s.Rule.flipped()
	}
	return &s
}
