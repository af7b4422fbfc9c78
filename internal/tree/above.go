package tree

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Above returns the tree above a cut: its nodes become the leaves, each with the
// split that it has no longer and why. Records are placed by leaves, the mixture
// of the nodes of the cut, from left to right.
func (r *Result) Above(ctx context.Context, run pass.Runner, f family.Family, cut []int, leaves mixture.Params, why string) (*Result, error) {
	old := r.Tree
	t := old.copied()
	t.Nodes = nil
	under := old.Under(cut)
	now := make([]int, len(old.Nodes))
	for i, n := range old.Nodes {
		leaf := slices.Contains(cut, i)
		if under[i] >= 0 && !leaf {
			continue
		}
		now[i] = len(t.Nodes)
		if n.Parent >= 0 {
			n.Parent = now[n.Parent]
			t.Nodes[n.Parent].Children = append(t.Nodes[n.Parent].Children, now[i])
		}
		if leaf && !n.IsLeaf() {
			split := *n.Split
			split.Refused = why
			n.Split = &split
		}
		n.Children = nil
		t.Nodes = append(t.Nodes, n)
	}
	t.Leaves = &leaves
	out, err := t.over(ctx, run, f)
	if err != nil {
		return nil, err
	}
	for i := range t.Nodes {
		if !t.Nodes[i].IsLeaf() {
			t.measure(i, f, lawOf(f, leaves))
		}
	}
	return out, nil
}

// Considered is a split of a leaf that was looked for and not made: the pair of
// its sides, the features that would tell them apart, by the sides of some of its
// records, and why it was not made.
func Considered(why string, f family.Family, pair mixture.Params, rows sparse.Rows, side []int32) *Split {
	own := lawOf(f, pair)
	var columns [2]columnStats
	var sizes [2]int
	for s := range columns {
		columns[s] = columnStats{make([]float64, rows.Dim), make([]float64, rows.Dim)}
	}
	for i, s := range side {
		sizes[s]++
		addRow(columns[s].mean, rows, i)
	}
	for s := range columns {
		for h := range columns[s].mean {
			columns[s].mean[h] /= max(float64(sizes[s]), 1)
			columns[s].variance[h] = own.variance(h, columns[s].mean[h])
		}
	}
	return &Split{Refused: why, Stability: -1, Pair: &pair, Features: differences(sizes, columns)}
}
