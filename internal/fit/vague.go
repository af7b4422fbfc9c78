package fit

import (
	"context"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/pass"
)

// clearGap is the fall of the spectrum of M2 from the last of the groups to what follows, as
// a share of the last, from which on moments tell so many groups apart: half. Where they do
// the fall was .79 or more (nine families, 12,500 records), and .15 or less for the eight
// topics of [T] Table 5.1, which span six directions and the noise.
const clearGap = .5

// grownToo adds a start where the spectrum has no gap behind the groups that were asked for:
// the rest of the moments is noise then, and EM ends where it leads. A tree of so many leaves
// needs two directions at a time. Of very many records the moments are as good.
func (s Settings) grownToo(ctx context.Context, fam family.Family, run pass.Runner, st *start) error {
	const fewest = 3 // a tree of two leaves is the moments of two groups
	info := fam.Info()
	if s.K < fewest || run.Len() >= run.Can().Size(startRecords) || st.diagnostics.Gap >= clearGap || s.method() != "auto" || s.Refine == None || info.EM.Costly || info.Soft || info.Sequences {
		return nil
	}
	o := s.treeSettings(tree.Settings{Spec: s.Spec, Family: fam})
	o.Leaves, o.Levels, o.MaxLeaves = s.K, 0, 0
	g, err := tree.Grow(progress.With(ctx, nil), run, o)
	if err == nil && g.Tree.Leaves.K() == s.K {
		st.candidates = append(st.candidates, *g.Tree.Leaves)
	}
	return ctx.Err() // moments are enough to go on from
}
