package tree

import (
	"context"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
	"github.com/moiety-go/moiety/sparse"
)

// polish makes the leaves a mixture: its parameters are those of the partition,
// refined by EM over all leaves together. Records
// are then placed by the mixture, so that one cut off by an early split can
// come back; a node is the union of its leaves, so the tree stays nested.
func (g *grower) polish(ctx context.Context, f family.Grouped, t *Tree, rows sparse.Rows, res *Result) error {
	leaves := t.Leaf()
	run := pass.NewLocal(rows, g.s.Workers)
	place := make([]int32, len(t.Nodes))
	for j, l := range leaves {
		place[l] = int32(j)
	}
	labels := make([]int32, rows.N())
	for i, l := range res.Leaf {
		labels[i] = place[l]
	}
	shape := g.s.Family.Reorder(g.one, make([]int, len(leaves)))
	for j := range shape.Weights {
		shape.Weights[j] = 1 / float64(len(leaves))
	}
	p, err := partition(ctx, f, g.s, run, shape, labels)
	if err != nil {
		return err
	}
	if len(leaves) > 1 {
		r, err := refine.EM(ctx, g.s.Family, run, p, refine.Options{Pseudo: g.s.Pseudo, Iterations: g.s.polishSteps()})
		if err != nil {
			return err
		}
		p = r.Params
	}
	t.Leaves = &p
	a, err := assign.All(ctx, g.s.Family, p, run, rows.N())
	if err != nil {
		return err
	}
	for i, j := range a.Group {
		res.Leaf[i] = int32(leaves[j])
	}
	return nil
}
