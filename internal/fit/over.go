package fit

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/tree"
)

// over makes the groups of a flat fit the leaves of a tree, joined from below: the
// two first that lose least log-likelihood. It needs nothing but sums, so that
// sites that join get the tree of one machine; no verdict is asked, and none of
// the splits has one.
func over(ctx context.Context, fam family.Family, o *Outcome, data Training, s Settings) (*Outcome, error) {
	if err := s.treeOver(fam, data); err != nil {
		return nil, err
	}
	s.Spec = o.Model.Spec
	settings := s.treeSettings(tree.Settings{Family: fam, Vocab: data.Vocab})
	g, err := tree.Joined(ctx, data.Run, settings, o.Model.Params, tree.Again{})
	if err != nil {
		return nil, err
	}
	g.Tree.Provenance = o.Model.Provenance
	return treeOutcome(ctx, g, data, s)
}

// treeOver refuses a tree over groups that cannot be joined.
func (s Settings) treeOver(fam family.Family, data Training) error {
	info := fam.Info()
	switch {
	case data.Sequences:
		return fmt.Errorf("fit: states of sequences follow each other and are not joined into a tree: leave ‹tree› out")
	case info.Soft:
		return fmt.Errorf("fit: records mix the groups of the model %s, which are not joined into a tree: leave ‹tree› out, or choose another model", info.Name)
	case divides(s.Method) && s.Refine == None:
		return Unsuited("the parts of the method %s have a rule and no model, and are not joined into a tree: leave ‹tree› out, or refine them", s.Method)
	}
	return nil
}
