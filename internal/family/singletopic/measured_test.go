package singletopic_test

import (
	"context"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// estimatorErrors returns the relative Frobenius errors of M2 and M3.
func estimatorErrors(t *testing.T, set synth.Set, w moment.Weighting) (second, third float64) {
	t.Helper()
	ctx := context.Background()
	f := newFamily(t, singletopic.Options{Weights: w})
	src, err := f.Source(ctx, pass.NewLocal(set.Rows, 0), set.Truth.K())
	if err != nil {
		t.Fatal(err)
	}
	d := src.Dim()
	eye := mat.NewDense(d, d, nil)
	for h := range d {
		eye.Set(h, h, 1)
	}
	got, err := src.Project(ctx, eye, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	want, err := moment.NewExact(set.Truth).Project(ctx, eye, moment.Second|moment.Core)
	if err != nil {
		t.Fatal(err)
	}
	return relative(got.Second.RawMatrix().Data, want.Second.RawMatrix().Data), relative(got.Core.Data, want.Core.Data)
}

func relative(got, want []float64) float64 {
	diff, norm := 0.0, 0.0
	for i, v := range want {
		diff += (got[i] - v) * (got[i] - v)
		norm += v * v
	}
	return math.Sqrt(diff / norm)
}

// The four settings of reference-numbers.md §3d: the default weights are never
// worse than the better of the two published estimators by more than a tenth.
func TestEstimators(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: sums third moments of 100 words over 2000 documents many times")
	}
	seeds := uint64(2)
	if os.Getenv("MOIETY_LONG") != "" {
		seeds = 10
	}
	const n, margin = 2000, 1.1
	for _, c := range []struct {
		name   string
		topics synth.EstimatorTopics
		heavy  bool
	}{
		{"flat topics, even lengths", synth.FlatTopics, false},
		{"flat topics, heavy tails", synth.FlatTopics, true},
		{"peaked topics, even lengths", synth.PeakedTopics, false},
		{"peaked topics, heavy tails", synth.PeakedTopics, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := map[moment.Weighting][2]float64{}
			for seed := range seeds {
				set := synth.MomentDocuments(1000+seed, n, c.topics, c.heavy)
				for _, w := range []moment.Weighting{moment.Saturating, moment.Length, moment.Equal} {
					second, third := estimatorErrors(t, set, w)
					e := errs[w]
					errs[w] = [2]float64{e[0] + second/float64(seeds), e[1] + third/float64(seeds)}
				}
			}
			ours, length, equal := errs[moment.Saturating], errs[moment.Length], errs[moment.Equal]
			t.Logf("M2/M3: saturating %.3f, length %.3f, equal %.3f", ours, length, equal)
			for q := range 2 {
				if best := math.Min(length[q], equal[q]); ours[q] > margin*best {
					t.Errorf("moment %d: error %.4f, the better published estimator has %.4f", q+2, ours[q], best)
				}
			}
		})
	}
}
