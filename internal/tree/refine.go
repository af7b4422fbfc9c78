package tree

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// leavesAsCut returns the parameters of the leaves as they were cut: of what was counted while
// the tree grew, or of a pass over all records.
func (g *builder) leavesAsCut(ctx context.Context, f family.Grouped, t *Tree, order []*branch, res *Result) (mixture.Params, error) {
	leaves := t.Leaf()
	if f, ok := g.s.Family.(family.Counted); ok && g.table != nil {
		n, has := make([]int, len(leaves)), make([][]float64, len(leaves))
		for j, l := range leaves {
			n[j], has[j] = order[l].Len(), order[l].records.(*counted).sums
		}
		p, _, err := g.s.Family.MStep(f.CountedStats(n, has), g.shape(len(leaves)), g.s.pseudo())
		return p, err
	}
	place := make([]int32, len(t.Nodes))
	for j, l := range leaves {
		place[l] = int32(j)
	}
	if err := g.placedAsCut(ctx, t, order, res); err != nil {
		return mixture.Params{}, err
	}
	if err := renamed(ctx, g.s.Workers, res.Leaf, res.Leaf, place); err != nil {
		return mixture.Params{}, err
	}
	return g.partition(ctx, f, g.run, len(leaves), res.Leaf)
}

// refineLeaves makes the leaves a mixture: its parameters are those of the partition,
// refined by EM over all leaves together. Records are then placed by the
// mixture, so that one cut off by an early split can come back; a node is the
// union of its leaves, so the tree stays nested. It returns the leaves that hold
// nobody.
func (g *builder) refineLeaves(ctx context.Context, t *Tree, p mixture.Params, res *Result) (empty []int, err error) {
	leaves := t.Leaf()
	node := make([]int32, len(leaves))
	for j, l := range leaves {
		node[j] = int32(l)
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
