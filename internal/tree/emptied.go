package tree

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// placed is a mixture of the leaves with the leaf of every record under it.
type placed struct {
	leaves mixture.Params
	by     *assign.Assignment
	empty  []int // leaves that hold nobody, by their place in the list of leaves
}

func (g *builder) placedBy(ctx context.Context, run pass.Runner, p mixture.Params) (*placed, error) {
	a, err := assign.All(ctx, g.s.Family, p, run)
	if err != nil {
		return nil, err
	}
	out := &placed{leaves: p, by: a}
	some := make([]atomic.Bool, p.K())
	err = inBlocks(ctx, g.s.Workers, len(a.Group), func(_, lo, n int) error {
		here := make([]bool, p.K())
		for _, j := range a.Group[lo : lo+n] {
			here[j] = true
		}
		for j, any := range here {
			if any {
				some[j].Store(true)
			}
		}
		return nil
	})
	for j := range some {
		if !some[j].Load() {
			out.empty = append(out.empty, j)
		}
	}
	return out, err
}

// refineAndAssign polishes the leaves and places the records. Where a size was asked for
// and EM would empty a leaf, they stay as they were cut; one that holds nobody is
// joined to its sibling, so that no leaf of a tree is ever empty. It returns the
// branches of the nodes.
func (g *builder) refineAndAssign(ctx context.Context, f family.Grouped, root *branch, t *Tree, res *Result) ([]*branch, error) {
	for {
		order, err := g.placedAsCut(ctx, root, t, res)
		if err != nil {
			return nil, err
		}
		empty, err := g.refineLeaves(ctx, f, t, res)
		if err != nil || len(empty) == 0 {
			return order, err
		}
		for _, l := range empty {
			g.joinLeaf(root, order[l])
		}
		t.Nodes, t.Leaves = nil, nil
	}
}

// placedAsCut numbers the nodes and leaves every record where the splits put it.
func (g *builder) placedAsCut(ctx context.Context, root *branch, t *Tree, res *Result) ([]*branch, error) {
	order := t.number(root)
	for i, b := range order {
		if !t.Nodes[i].IsLeaf() {
			continue
		}
		own := b.base()
		if err := inBlocks(ctx, own.workers(), own.own(), func(_, lo, n int) error {
			for at := lo; at < lo+n; at++ {
				res.Leaf[own.at(at)] = int32(i)
			}
			return nil
		}); err != nil {
			return nil, err
		}
		own.rest()
	}
	return order, nil
}

// joinLeaf gives the records of a leaf to its sibling, or to the largest leaf below
// that, which takes the place of both.
func (g *builder) joinLeaf(root, leaf *branch) {
	above := root.parentOf(leaf)
	if above == nil { // the root, or joined already
		return
	}
	sibling := above.kids[0]
	if sibling == leaf {
		sibling = above.kids[1]
	}
	to := sibling
	for len(to.kids) > 0 {
		to = slices.MaxFunc(to.kids, func(a, b *branch) int { return a.Len() - b.Len() })
	}
	both, more := to.base(), leaf.base()
	both.list, both.n = slices.Concat(both.list, more.list), both.n+more.n
	slices.Sort(both.list)
	level := above.level
	*above = *sibling
	above.level = level
	if len(above.kids) == 0 {
		above.cut, above.refused = nil, "one of its sides would hold no record"
	}
}

// parentOf returns the branch above a leaf, nil where there is none.
func (b *branch) parentOf(leaf *branch) *branch {
	if slices.Contains(b.kids, leaf) {
		return b
	}
	for _, k := range b.kids {
		if p := k.parentOf(leaf); p != nil {
			return p
		}
	}
	return nil
}
