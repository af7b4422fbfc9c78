package fit

import (
	"context"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/tree"
)

// Outcome is a finished fit with the place of every row.
type Outcome struct {
	// Model holds the groups: of a flat fit, or the leaves of a tree, in
	// canonical order. It is nil for a tree without a model.
	Model *model.Model
	// Tree is nil for a flat fit. Leaves then names, for every group, its
	// node of the tree.
	Tree   *tree.Tree
	Leaves []int
	// Group is the group of every row, from 0; Probability how sure it is.
	Group       []int32
	Probability []float32
}

// K returns the number of groups.
func (o *Outcome) K() int {
	if o.Tree != nil {
		return len(o.Leaves)
	}
	return o.Model.Params.K()
}

// place assigns every row of the data to a group of the model.
func place(ctx context.Context, fam family.Family, m *model.Model, data Data) (*Outcome, error) {
	a, err := assign.All(ctx, fam, m.Params, data.Run, data.Rows)
	if err != nil {
		return nil, err
	}
	return &Outcome{Model: m, Group: a.Group, Probability: a.Probability}, nil
}
