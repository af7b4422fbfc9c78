package fit

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
)

// Where EM ends for what is shared: where no center has moved by more than this in
// some steps, or after so many of them.
const (
	convergedMove  = 1e-6
	convergedSteps = 25
	convergedTimes = 12
)

// Converged returns a flat fit whose EM is taken to its end, with the records
// placed anew. A fit ends where more steps change little that people read; which
// start it came from can still be seen in single records then, and the start of
// a large fit is found on some of the records, by their numbers. At the end it
// cannot: two sets of records that differ by one have the same groups, but for a
// record or two. The fit itself is returned where that is not worth it: of trees,
// of models whose steps are costly, and of fits that were not refined.
func Converged(ctx context.Context, o *Outcome, run pass.Runner, s Settings) (*Outcome, error) {
	fam, err := o.Model.Family()
	if err != nil {
		return nil, err
	}
	if !fam.Info().EM.Quick || o.Tree != nil || s.Refine == None || fam.Check(o.Model.Params) != nil {
		return o, nil
	}
	m := *o.Model
	for range convergedTimes {
		done, err := refine.Steps(ctx, fam, run, m.Params, convergedSteps, refine.Options{Pseudo: float64(s.Prior)})
		if err != nil {
			return nil, err
		}
		still := moved(m.Params.Centers, done.Params.Centers) <= convergedMove
		if m.Params = done.Params; still {
			break
		}
	}
	places, err := assign.All(ctx, fam, m.Params, run, len(o.Group))
	if err != nil {
		return nil, err
	}
	out := *o
	out.Model, out.Group, out.Probability = &m, places.Group, places.Probability
	return &out, nil
}

// moved returns how far the entry that moved most did.
func moved(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}
