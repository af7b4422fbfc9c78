package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Where EM ends for what is shared: where no center has moved by more than this in
// some steps, or after so many of them.
const (
	convergedMove  = 1e-6
	convergedSteps = 25
	convergedTimes = 12
)

// Converged returns a fit whose EM is taken to its end, with the records placed
// anew. A fit ends where more steps change little that people read; which start
// it came from can still be seen in single records then, and the start of a large
// fit is found on some of the records, by their numbers. At the end it cannot:
// two sets of records that differ by one have the same groups, but for a record
// or two. Of a tree the leaves are, and the splits stay. The fit itself is
// returned where that is not worth it or not right: of models whose steps are
// costly, of fits that were not refined, of private ones, and of trees without a
// mixture.
func Converged(ctx context.Context, o *Outcome, run pass.Runner, s Settings) (*Outcome, error) {
	fam, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	if s.Privacy.Epsilon > 0 { // steps on the records themselves would undo it
		return o, nil
	}
	if !fam.Info().EM.Quick || s.Refine == None || fam.Check(o.Model.Params) != nil {
		return o, nil
	}
	if o.Tree != nil {
		return convergedTree(ctx, fam, o, run, s)
	}
	m := *o.Model
	if m.Params, err = converge(ctx, fam, run, m.Params, s); err != nil {
		return nil, err
	}
	places, err := assign.All(ctx, fam, m.Params, run)
	if err != nil {
		return nil, err
	}
	out := *o
	out.Model, out.Group, out.Probability = &m, places.Group, places.Probability
	return &out, nil
}

// convergedTree is Converged of a tree. Where the verdict found that records also
// differ by degree, EM would turn its groups into degrees: they were counted, not
// refined, and stay.
func convergedTree(ctx context.Context, fam family.Family, o *Outcome, run pass.Runner, s Settings) (*Outcome, error) {
	t := o.Tree
	if t.Leaves == nil || t.Leaves.K() < 2 || o.Verdict != nil && !o.Verdict.Plain {
		return o, nil
	}
	leaves, err := converge(ctx, fam, run, *t.Leaves, s)
	if err != nil {
		return nil, err
	}
	g, err := (&tree.Result{Tree: t}).Remodel(ctx, run, t.Spec, fam, leaves)
	if err != nil {
		return nil, err
	}
	out, err := treeOutcome(ctx, g, Training{Run: run}, s)
	if err != nil {
		return nil, err
	}
	out.Verdict = o.Verdict
	return out, nil
}

// converge takes EM to its end.
func converge(ctx context.Context, fam family.Family, run pass.Runner, p mixture.Params, s Settings) (mixture.Params, error) {
	for range convergedTimes {
		done, err := refine.Steps(ctx, fam, run, p, convergedSteps, refine.Options{Pseudo: float64(s.Prior)})
		if err != nil {
			return p, err
		}
		still := moved(p.Centers, done.Params.Centers) <= convergedMove
		if p = done.Params; still {
			break
		}
	}
	return p, nil
}

// moved returns how far the entry that moved most did.
func moved(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}
