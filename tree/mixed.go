package tree

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Remodel gives the leaves of a grown tree another model, by which every record
// is placed anew: the topics of a tree that was split by whole documents become
// those of documents that mix several. The splits stay; a node is still the
// union of its leaves.
func (r *Result) Remodel(ctx context.Context, rows sparse.Rows, spec model.Spec, f family.Family, leaves mixture.Params, workers int) (*Result, error) {
	t := *r.Tree
	t.Spec, t.Leaves = spec, &leaves
	t.Nodes = append([]Node(nil), r.Tree.Nodes...)
	out := &Result{Tree: &t, Leaf: make([]int32, rows.N())}
	err := pass.NewLocal(rows, workers).Visit(ctx, func(b pass.Block) error {
		leaf, _, err := t.Place(f, b.Rows)
		copy(out.Leaf[b.First:], leaf)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.measure(rows, out.Leaf)
	return out, nil
}
