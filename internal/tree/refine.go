package tree

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// refineLeaves makes the leaves a mixture: its parameters are those of the partition,
// refined by EM over all leaves together. Records are then placed by the
// mixture, so that one cut off by an early split can come back; a node is the
// union of its leaves, so the tree stays nested. It returns the leaves that hold
// nobody.
func (g *builder) refineLeaves(ctx context.Context, f family.Grouped, t *Tree, res *Result) (empty []int, err error) {
	leaves := t.Leaf()
	node, place := make([]int32, len(leaves)), make([]int32, len(t.Nodes))
	for j, l := range leaves {
		node[j], place[l] = int32(l), int32(j)
	}
	if err := renamed(ctx, g.s.Workers, res.Leaf, res.Leaf, place); err != nil {
		return nil, err
	}
	p, err := g.partition(ctx, f, g.run, len(leaves), res.Leaf)
	if err != nil {
		return nil, err
	}
	cut, best := p, (*placed)(nil)
	if len(leaves) > 1 {
		if p, err = g.refinedLeaves(ctx, g.run, p); err != nil {
			return nil, err
		}
	}
	if best, err = g.placedBy(ctx, g.run, p); err != nil {
		return nil, err
	}
	if len(best.empty) > 0 && (g.s.Leaves > 0 || g.s.Levels > 0) { // so many were asked for
		as, err := g.placedBy(ctx, g.run, cut)
		if err != nil {
			return nil, err
		}
		if len(as.empty) < len(best.empty) {
			best = as
		}
	}
	t.Leaves, res.Leaf, res.Sure = &best.leaves, best.by.Group, best.by.Probability
	for _, j := range best.empty {
		empty = append(empty, leaves[j])
	}
	return empty, renamed(ctx, g.s.Workers, res.Leaf, res.Leaf, node)
}

// refinedLeaves returns the leaves after their steps of EM, a fixed number of them or as
// many as it takes.
func (g *builder) refinedLeaves(ctx context.Context, run pass.Runner, p mixture.Params) (mixture.Params, error) {
	o := refine.Options{Pseudo: g.s.Pseudo}
	if n := g.s.leafSteps(); n > 0 {
		o.Iterations, o.Tol, o.Brief = n, -1, true
	}
	r, err := refine.EM(ctx, g.s.Family, run, p, o)
	if err != nil {
		return p, err
	}
	return r.Params, nil
}
