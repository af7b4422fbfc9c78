package tree

import (
	"context"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
)

// polish makes the leaves a mixture: its parameters are those of the partition,
// refined by EM over all leaves together. Records
// are then placed by the mixture, so that one cut off by an early split can
// come back; a node is the union of its leaves, so the tree stays nested.
func (g *grower) polish(ctx context.Context, f family.Grouped, t *Tree, res *Result) error {
	leaves := t.Leaf()
	run := pass.NewLocal(g.rows, g.s.Workers)
	place := make([]int32, len(t.Nodes))
	for j, l := range leaves {
		place[l] = int32(j)
	}
	for i, l := range res.Leaf { // for now its place among the leaves
		res.Leaf[i] = place[l]
	}
	shape := g.s.Family.Reorder(g.one, make([]int, len(leaves)))
	for j := range shape.Weights {
		shape.Weights[j] = 1 / float64(len(leaves))
	}
	p, err := partition(ctx, f, g.s, run, shape, res.Leaf)
	if err != nil {
		return err
	}
	if len(leaves) > 1 {
		if p, err = g.polished(ctx, run, p); err != nil {
			return err
		}
	}
	t.Leaves = &p
	res.Sure = make([]float32, g.rows.N())
	k, n := len(leaves), g.rows.N()
	return par.Do(ctx, g.s.Workers, (n+placedRecords-1)/placedRecords, func(i int) error {
		lo := i * placedRecords
		hi := min(lo+placedRecords, n)
		post := g.scratch.take(k * (hi - lo))
		defer g.scratch.give(post)
		if err := g.s.Family.Posterior(p, pass.Block{First: lo, Rows: g.rows.Slice(lo, hi)}, post); err != nil {
			return err
		}
		for r := lo; r < hi; r++ {
			row := post[(r-lo)*k:][:k]
			best := assign.Best(row)
			res.Leaf[r], res.Sure[r] = int32(leaves[best]), float32(row[best])
		}
		return nil
	})
}

// polished returns the leaves after their steps of EM. A fixed number of them
// needs no look at where they end.
func (g *grower) polished(ctx context.Context, run pass.Runner, p mixture.Params) (mixture.Params, error) {
	steps := g.s.polishSteps()
	if steps == 0 {
		r, err := refine.EM(ctx, g.s.Family, run, p, refine.Options{Pseudo: g.s.Pseudo})
		if err != nil {
			return p, err
		}
		return r.Params, nil
	}
	for range steps {
		var err error
		if _, p, err = g.step(ctx, run, p); err != nil {
			return p, err
		}
	}
	return p, nil
}
