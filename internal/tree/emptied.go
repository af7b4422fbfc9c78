package tree

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
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
	held := make([]float64, p.K()) // here, and then wherever the records are
	for _, j := range a.Group {
		held[j]++
	}
	if held, err = run.Total(ctx, held); err != nil {
		return nil, err
	}
	out := &placed{leaves: p, by: a}
	for j, n := range held {
		if n == 0 {
			out.empty = append(out.empty, j)
		}
	}
	return out, nil
}

// refineAndAssign polishes the leaves and places the records. Where a size was asked for
// and EM would empty a leaf, they stay as they were cut; one that holds nobody is
// joined to its sibling, so that no leaf of a tree is ever empty. It returns the
// branches of the nodes.
func (g *builder) refineAndAssign(ctx context.Context, f family.Grouped, root *branch, t *Tree, res *Result) ([]*branch, error) {
	for {
		order := t.number(root)
		p, err := g.leavesAsCut(ctx, f, t, order, res)
		if err != nil {
			return nil, err
		}
		empty, err := g.refineLeaves(ctx, t, p, res)
		if err != nil || len(empty) == 0 {
			return order, err
		}
		for _, l := range empty {
			g.joinLeaf(root, order[l])
		}
		t.Nodes, t.Leaves = nil, nil
	}
}

// placedAsCut leaves every record where the splits put it: the blocks of all leaves at a time.
func (g *builder) placedAsCut(ctx context.Context, t *Tree, order []*branch, res *Result) error {
	res.Leaf = make([]int32, g.run.Can().Own)
	type block struct{ leaf, lo int }
	var blocks []block
	for i, b := range order {
		if own := b.base(); t.Nodes[i].IsLeaf() {
			own.rest()
			for lo := 0; lo < own.own(); lo += countedBlock {
				blocks = append(blocks, block{i, lo})
			}
		}
	}
	return par.Do(ctx, g.s.Workers, len(blocks), func(i int) error {
		leaf, lo := blocks[i].leaf, blocks[i].lo
		own := order[leaf].base()
		for at := lo; at < min(lo+countedBlock, own.own()); at++ {
			res.Leaf[own.at(at)] = int32(leaf)
		}
		return nil
	})
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
	if to, ok := to.records.(*counted); ok {
		floats.Add(to.sums, leaf.records.(*counted).sums)
	}
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
