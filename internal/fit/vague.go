package fit

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

const (
	// clearGap is the fall of the spectrum of M2 from the last of the groups to what follows,
	// as a share of the last, from which on moments tell so many groups apart: half. Where
	// they do the fall was .79 or more (nine families, 12,500 records), and .15 or less for the
	// eight topics of [T] Table 5.1, which span six directions and the noise.
	clearGap = .5
	// shortRecords is the number of records that short runs are tried on.
	shortRecords = 1 << 13
	// shortSteps is the number of EM steps of a short run, and drawnStarts that of starts
	// from records of the model.
	shortSteps  = 15
	drawnStarts = 4
)

// vague reports that the spectrum has no gap behind the groups that were asked for: the rest
// of the moments is noise, and EM would end where it leads. Of very many records moments are
// as good as any start.
func (s Settings) vague(fam family.Family, run pass.Runner, st *start) bool {
	const fewest = 3 // a tree of two leaves is the moments of two groups
	info := fam.Info()
	return s.K >= fewest && run.Len() < run.Can().Size(startRecords) && st.diagnostics.Gap < clearGap &&
		s.method() == "auto" && s.Refine != None && !info.EM.Costly && !info.Soft && !info.Sequences
}

// shortRuns puts in the place of vague moments the likeliest, after a few steps of EM on some
// of the records, of several starts: the moments, a tree of so many leaves, which needs two
// directions at a time, and, of presences and answers, records drawn from what the moments
// say, a group each. Drawn records are nobody's, and the same ones at every site.
func (s Settings) shortRuns(ctx context.Context, fam family.Family, run pass.Runner, st *start) error {
	ctx = progress.With(ctx, nil)
	if step := run.Len() / run.Can().Size(shortRecords); step > 1 {
		some, err := pass.Sample(ctx, run, step)
		if err != nil {
			return err
		}
		run = some
	}
	starts := slices.Clone(st.candidates)
	o := s.treeSettings(tree.Settings{Spec: s.Spec, Family: fam})
	o.Leaves, o.Levels, o.MaxLeaves = s.K, 0, 0
	if g, err := tree.Grow(ctx, run, o); err == nil && g.Tree.Leaves.K() == s.K {
		starts = append(starts, *g.Tree.Leaves)
	}
	drawn := 0
	if run.Can().Binary { // of words and measurements the likeliest of such starts has worse groups
		drawn = drawnStarts
	}
	for i := range drawn {
		if p, err := s.drawn(ctx, fam, st.candidates[0], uint64(i)); err == nil {
			starts = append(starts, p)
		}
	}
	if err := ctx.Err(); err != nil { // without a tree or records the moments go on alone
		return err
	}
	best, err := refine.Best(ctx, fam, run, starts, shortSteps, refine.Options{Pseudo: float64(s.Prior)})
	if err == nil {
		st.candidates = []mixture.Params{best}
	}
	return err
}

// drawn returns groups of one record each, drawn from a model of as many.
func (s Settings) drawn(ctx context.Context, fam family.Family, p mixture.Params, number uint64) (mixture.Params, error) {
	f, ok := fam.(family.Grouped)
	if !ok {
		return p, ErrTooLittle
	}
	records, err := fam.Sample(p, stream.New(s.Seed+number, "fit/drawn"), s.K, family.Shape{})
	if err != nil {
		return p, err
	}
	one := make([]int32, s.K)
	for j := range one {
		one[j] = int32(j)
	}
	step, err := f.HardStep(p, one)
	if err != nil {
		return p, err
	}
	stats, err := pass.RunOne(ctx, records.Runner(1), step)
	if err != nil {
		return p, err
	}
	out, _, err := fam.MStep(stats, p, max(1, s.Prior.Records()))
	return out, err
}
