package reference_test

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

// TestFigure41 compares the methods with runs of other implementations on the
// setting of [T] Fig. 4.1 (d=99, k=12, n=1000, uniform weights, ten data sets):
// mean ARI of scikit-learn's k-means and PCA + k-means. The streams differ, so the
// data do, and so do the means, by about the standard error .04 of each.
func TestFigure41(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long: ten data sets, three methods")
	}
	const tol = 0.1
	em := func(ctx context.Context, rows sparse.Rows, k int, o reference.Options) (*reference.Result, error) {
		r, err := reference.RandomEM(ctx, bernoulli.New(bernoulli.Options{}), rows, k, reference.EMOptions{Options: o})
		if err != nil {
			return nil, err
		}
		return &r.Result, nil
	}
	for _, c := range []struct {
		method
		want float64
	}{
		{methods()[0], 0.737},
		{methods()[1], 0.709},
		{method{"EM from 10 random starts", em}, 0.849}, // measured here: converged MAP-EM, no published value
	} {
		mean := 0.0
		for seed := uint64(3000); seed < 3010; seed++ {
			set := synth.ExponentialBernoulli(seed, 1000, 99, 12, synth.UniformWeights)
			r, err := c.run(t.Context(), set.Rows, 12, reference.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			mean += ari(t, r.Labels, set.Labels) / 10
		}
		t.Logf("%s: ARI %.3f, elsewhere %.3f", c.name, mean, c.want)
		if numtest.Off(mean, c.want, tol) {
			t.Errorf("%s: ARI %.3f, elsewhere %.3f", c.name, mean, c.want)
		}
	}
}
