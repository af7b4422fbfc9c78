package fit

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/warn"
)

// Tree grows a tree of groups over the data. Missing values are skipped: see skipping.
func Tree(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	return told(ctx, data, s, grown)
}

func grown(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := data.Check(); err != nil {
		return nil, err
	}
	data.Run = s.way(data.Run)
	if err := s.hasCourses(data); err != nil {
		return nil, err
	}
	if data.Sequences {
		return states(ctx, data, s)
	}
	if s.decides() {
		v, err := judge(ctx, data, s)
		if err != nil {
			return nil, err
		}
		if v != nil {
			return judged(ctx, data, s, v)
		}
	}
	some, err := inMemory(ctx, data, s)
	if err != nil {
		return nil, err
	}
	if s, err = s.resolved(ctx, data, true); err != nil {
		return nil, err
	}
	g, err := grow(ctx, data, some, s)
	if err != nil {
		return nil, tooLittle(err)
	}
	g.Tree.Provenance = model.Provenance{
		Program: Program(), Settings: s.canonical(), Seed: s.Seed,
		Data: data.Fingerprint, Records: data.Run.Len(),
		Warnings: append(partWarning(some.Run.Len(), data.Run.Len()), treeWarnings(g.Tree)...),
	}
	return treeOutcome(ctx, g, some, s)
}

// grow splits some of the records, or all, and places all of them. Documents that
// mix topics are split as if each had one, and their leaves become the topics of
// the mixed model.
func grow(ctx context.Context, data, some Training, s Settings) (*tree.Result, error) {
	split := s
	split.Spec.Model = s.Spec.Splits()
	fam, err := split.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	settings := split.treeSettings(tree.Settings{Family: fam, Vocab: data.Vocab})
	g, err := tree.Grow(ctx, some.Run, settings)
	if err != nil {
		return nil, err
	}
	if g.Tree, err = g.Tree.Stabilised(ctx, *some.Run.Can().Rows, g.Leaf, settings, s.Tree.Stability); err != nil {
		return nil, err
	}
	switch {
	case split.Spec.Model != s.Spec.Model:
		return mixLeaves(ctx, data, s, g)
	case some.Run.Len() < data.Run.Len():
		return g.Spread(ctx, data.Run, settings)
	}
	return g, nil
}

// mixLeaves makes the leaves of a tree the topics of a mixed model: Dirichlet
// parameters by the size of the leaves, refined by the model's own steps.
func mixLeaves(ctx context.Context, data Training, s Settings, g *tree.Result) (*tree.Result, error) {
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	whole, err := g.Tree.Model(g.Tree.Leaf())
	if err != nil {
		return nil, err
	}
	p := s.concentrated(fam, whole.Params)
	if s.Refine != None {
		r, err := refine.EM(ctx, fam, data.Run, p, refine.Options{Pseudo: float64(s.Prior)}.Within(fam.Info().EM))
		if err != nil {
			return nil, err
		}
		p = r.Params
	}
	return g.Remodel(ctx, data.Run, s.Spec, fam, p)
}

func (s Settings) treeSettings(t tree.Settings) tree.Settings {
	t.Spec, t.Seed, t.Workers, t.Pseudo = s.Spec, s.Seed, s.Workers, float64(s.Prior)
	t.Leaves, t.Levels, t.MaxLeaves = s.Tree.Leaves, s.Tree.Levels, s.Tree.MaxLeaves
	t.Cautious, t.Splitter, t.AllSlices = s.Tree.Cautious, s.Tree.Splitter, s.Slices == AllSlices
	if s.Tree.Free {
		t.Splitter = tree.DSidiwo
	}
	if s.Refine == None {
		t.Steps = -1
	}
	return t
}

// atATime is the number of records that one core goes through at a time, of those that take
// next to nothing each.
const atATime = 1 << 16

// treeOutcome numbers the leaves by falling weight and places the records: the numbers are
// written over the leaves of the result, which nobody asks any more, for fresh memory would
// take longer than the numbers.
func treeOutcome(ctx context.Context, g *tree.Result, data Training, s Settings) (*Outcome, error) {
	t := g.Tree
	leaves := t.Leaf()
	slices.SortStableFunc(leaves, func(a, b int) int { return cmp.Compare(t.Nodes[b].N, t.Nodes[a].N) })
	number := make([]int32, len(t.Nodes))
	for j, l := range leaves {
		number[l] = int32(j)
	}
	out := &Outcome{Tree: t, Leaves: leaves, Group: g.Leaf}
	g.Leaf = nil
	err := par.Blocks(ctx, s.Workers, len(out.Group), atATime, func(_, lo, hi int) error {
		for i, l := range out.Group[lo:hi] {
			out.Group[lo+i] = number[l]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m, err := t.Model(leaves)
	if err != nil {
		return nil, err
	}
	out.Model, out.Probability = m, g.Sure
	if out.Probability == nil {
		out.Probability, err = t.Certainty(ctx, *data.Run.Can().Rows, s.Workers)
	}
	return out, err
}

// treeWarnings says where the limit, not the evidence, ended the growth, and where a rule,
// not the evidence, placed records.
func treeWarnings(t *tree.Tree) []warn.Warning {
	var out []warn.Warning
	var open []string
	for i := range t.Nodes {
		if n := &t.Nodes[i]; !n.IsLeaf() && n.Split != nil && n.Split.Open > 0 {
			open = append(open, n.ID)
		}
	}
	if len(open) > 0 {
		out = append(out, warn.New(warn.Caution, "open-records",
			"Ask for more groups: these records may be one of their own.",
			"Some records have none of the features that tell the two parts of %s apart: they lie in its larger part by rule, with a probability of one half, not by evidence.", strings.Join(open, ", ")))
	}
	if t.Capped {
		out = append(out, warn.New(warn.Note, "capped",
			"Look at the upper levels first; allow more groups only if the finest ones are still mixed.",
			"The tree stopped at its limit of %d groups, not because the evidence ended.", len(t.Leaf())))
	}
	if len(t.Nodes) == 1 {
		out = append(out, warn.New(warn.Note, "one-group",
			"More records, or more features a record, may show groups that these cannot.",
			"The records show no groups that are clear enough to tell apart: they stay together."))
	}
	return out
}
