package topictree

import (
	"context"
	"io"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/pass"
)

// short asks what limits trees over documents of 30 words: the way to the likeliest
// topics, which then would be less likely than EM from the truth, or the documents
// themselves, in which the likeliest topics are not the true ones.
func short(ctx context.Context, w io.Writer) error {
	const words, seeds = 30, 10
	lab.Heading(w, "The same topics in documents of %d words: what limits, %d seeds", words, seeds)
	t := lab.NewTable("documents", "default tree of 8", "EM from the tree", "EM from the truth", "oracle (true parameters)", "EM from the tree at least as likely as from the truth")
	f, err := singletopic.New(singletopic.Options{})
	if err != nil {
		return err
	}
	for _, n := range []int{400, 2000} {
		var grownARI, climbed, fromTrue, oracleARI, likelier lab.Series
		for _, seed := range lab.Seeds(ctx, 100, seeds) {
			set := synth.HierarchicalTopics(seed, n, words, noise)
			run := pass.NewLocal(set.Rows, 1)
			g, err := tree.Grow(ctx, pass.NewLocal(set.Rows, 1), tree.Settings{Family: f, Leaves: topics, Workers: 1})
			if err != nil {
				return err
			}
			ours, err := refine.EM(ctx, f, run, *g.Tree.Leaves, refine.Options{})
			if err != nil {
				return err
			}
			theirs, err := refine.EM(ctx, f, run, set.Truth, refine.Options{})
			if err != nil {
				return err
			}
			ari := func(labels []int, err error) (float64, error) {
				if err != nil {
					return 0, err
				}
				return agree.ARI(labels, set.Labels)
			}
			for _, c := range []struct {
				to    *lab.Series
				group func() ([]int, error)
			}{
				{&grownARI, func() ([]int, error) { return lab.Ints(g.Leaf), nil }},
				{&climbed, func() ([]int, error) { return placed(ctx, f, ours.Params, set) }},
				{&fromTrue, func() ([]int, error) { return placed(ctx, f, theirs.Params, set) }},
				{&oracleARI, func() ([]int, error) { return placed(ctx, f, set.Truth, set) }},
			} {
				v, err := ari(c.group())
				if err != nil {
					return err
				}
				*c.to = append(*c.to, v)
			}
			at := 0.0
			if ours.Objective() >= theirs.Objective() {
				at = 1
			}
			likelier = append(likelier, at)
		}
		t.Add(n, grownARI, climbed, fromTrue, oracleARI, likelier)
	}
	t.Write(w)
	return nil
}
