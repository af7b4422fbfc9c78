package fit_test

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// A start of more groups than a whole third moment is held of is the same for any number of
// workers, and at several places what it is at one.
func TestManyGroupsAnywhere(t *testing.T) {
	const n, d, k = 2000, 120, moment.MostCubed + 2
	for name, j := range map[string]journey{
		"bernoulli": {rows: synth.Patients(5, n, d, k, 9).Rows, kind: record.Presence},
		"lda":       {rows: synth.LDADocuments(5, n, d, k, 1, .05, 60).Rows, kind: record.Counts},
	} {
		j.vocab = vocab.Numbered(d)
		j.s.K, j.s.Seed, j.s.Refine, j.s.Double, j.s.Spec.Model = k, 1, fit.None, true, name
		start := func(ctx context.Context, run pass.Runner) (mixture.Params, error) {
			out, err := fit.Flat(ctx, j.data(run), j.s)
			if err != nil {
				return mixture.Params{}, err
			}
			return out.Model.Params, nil
		}
		want, err := start(t.Context(), pass.NewLocal(j.rows, 1))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, workers := range numtest.Workers() {
			got, err := start(t.Context(), pass.NewLocal(j.rows, workers))
			if err != nil {
				t.Fatal(err)
			}
			if far := farthest(got, want); far != 0 {
				t.Errorf("%s, %d workers: parameters are off by %g", name, workers, far)
			}
		}
		err = passtest.SplitAt(j.rows, nil, uneven(n)["3 sites"], 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
			got, err := start(ctx, r)
			if err != nil {
				return err
			}
			if far := farthest(got, want); !(far <= 1e-6) {
				t.Errorf("%s, site %d: parameters are off by %g", name, place, far)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
