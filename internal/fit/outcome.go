package fit

import (
	"cmp"
	"context"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
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
	// Verdict says how many groups there are and why; nil where a size or a way
	// was asked for, or the kind of the records has no verdict yet.
	Verdict *verdict.Verdict
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

// Placed returns where every row belongs.
func (o *Outcome) Placed() report.Placed {
	return report.Placed{Group: o.Group, Probability: o.Probability}
}

// place assigns every row of the data to a group of the model. Topics get their
// shares of the documents.
func place(ctx context.Context, fam family.Family, m *model.Model, data Training) (*Outcome, error) {
	fam = placing(fam, m)
	if fam.Info().Is(family.WordShare) {
		return placeTopics(ctx, fam, m, data)
	}
	a, err := assign.All(ctx, fam, m.Params, data.Run)
	if err != nil {
		return nil, err
	}
	return &Outcome{Model: m, Group: a.Group, Probability: a.Probability}, nil
}

// placing returns the family as it places the records of a model.
func placing(fam family.Family, m *model.Model) family.Family {
	if m.Provenance.Rule == nil {
		return fam
	}
	return ruled{fam, m.Provenance.Rule}
}

// ruled is a family whose groups are parts of the records: the rule that made the parts
// places records, not the likelihood of their means.
type ruled struct {
	family.Family
	rule *mixture.Rule
}

// Posterior is certain, but for records that the rule leaves open.
func (r ruled) Posterior(_ mixture.Params, b pass.Block, out []float64) error {
	r.rule.Place(b.Rows, out)
	return nil
}

// placeTopics is place for topics of documents. Topics that mix are numbered by
// their shares of all words: the prior's are of documents that nobody has seen,
// and a topic of few long documents is large in the data and small there.
func placeTopics(ctx context.Context, fam family.Family, m *model.Model, data Training) (*Outcome, error) {
	a, shares, err := assign.Weighed(ctx, fam, m.Params, data.Run)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Model: m, Group: a.Group, Probability: a.Probability}
	m.Provenance.Shares = shares
	if !fam.Info().Soft {
		return out, nil
	}
	order := make([]int, a.K)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(shares.Words[y], shares.Words[x]) })
	number := make([]int32, a.K) // new one of every topic
	for c, j := range order {
		number[j] = int32(c)
	}
	m.Params, m.Provenance.Shares = fam.Reorder(m.Params, order), shares.Reorder(order)
	for i, g := range out.Group {
		out.Group[i] = number[g]
	}
	return out, nil
}

// Reweigh takes the shares of topics from other records than those of the fit.
func Reweigh(ctx context.Context, o *Outcome, data Training) error {
	if o.Tree != nil {
		return nil
	}
	fam, err := o.Model.Family()
	if err != nil || !fam.Info().Is(family.WordShare) {
		return err
	}
	_, o.Model.Provenance.Shares, err = assign.Weighed(ctx, placing(fam, o.Model), o.Model.Params, data.Run)
	return err
}
