package fit

import (
	"context"

	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/pass"
)

// lossSteps is the number of EM steps by which a loss is measured; of models whose
// steps are costly fewer.
const (
	lossSteps       = 10
	costlyLossSteps = 3
)

// Loss measures what groups lose that were learned from sums with cells left out:
// by how many nats a record they describe the records worse than after some steps
// of EM on the whole sums, which run must give.
func Loss(ctx context.Context, o *Outcome, run pass.Runner, s Settings) (float64, error) {
	fam, err := o.Model.Family()
	if err != nil {
		return 0, err
	}
	before, err := likelihood(ctx, fam, run, o.Model.Params)
	if err != nil {
		return 0, err
	}
	steps := lossSteps
	if fam.Info().EM.Costly {
		steps = costlyLossSteps
	}
	r, err := refine.Steps(ctx, fam, run, o.Model.Params, steps, refine.Options{Pseudo: float64(s.Prior)})
	if err != nil {
		return 0, err
	}
	after, err := likelihood(ctx, fam, run, r.Params)
	if err != nil {
		return 0, err
	}
	return max(0, after-before) / float64(max(run.Len(), 1)), nil
}
