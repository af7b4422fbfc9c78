package binomial

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// estimated returns the number of trials of a mixture of k groups by the method of
// moments. Products of different features do not know m: they give Σ_j w_j μ_j μ_jᵀ off
// its diagonal, and the diagonal is completed at rank k. Of one feature,
// E x(x−1) = (m−1)/m · Σ_j w_j μ_hj²; so m = D/(D − F) with D and F the two sides summed
// over standardised features. With one group it is m1²/(m1² + m1 − m2), the formula of
// [L]. The answer is a whole number, no less than the largest count.
func estimated(ctx context.Context, run pass.Runner, s *moment.Survey, k int) (float64, error) {
	least, err := largest(ctx, run)
	if err != nil {
		return 0, err
	}
	scale := deviation(s, least)
	if !moment.Varying(scale) {
		return 0, moment.ErrConstant()
	}
	formula := moment.Formula{Law: moment.Distinct(), Scale: scale, Pairs: run.Dim() <= moment.PairFeatures}
	c, err := moment.Complete(ctx, moment.NewSampled(run, formula, false), k, moment.CompleteOptions{})
	if err != nil {
		return 0, err
	}
	_, e, _, _ := c.Whitening(ctx, k)
	completed, factorial := 0.0, 0.0
	for h, sd := range scale {
		if math.IsInf(sd, 1) {
			continue
		}
		for _, v := range e.RawRowView(h) {
			completed += v * v
		}
		factorial += (s.SumSquares[h] - s.Sum[h]) / s.N / (sd * sd)
	}
	m := completed / (completed - factorial)
	if !(completed > factorial) || m > mostTrials {
		return 0, fmt.Errorf("binomial: the counts scatter inside %d groups as much as counts without a limit, so that no number of trials can be told: give it, or use the model poisson", k)
	}
	return math.Max(math.Round(m), least), nil
}
