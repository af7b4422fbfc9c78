package reference_test

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

// blobs returns dense rows around k far corners.
func blobs(n, d, k int) (sparse.Rows, []int) {
	r := stream.New(5, "blobs")
	rows, labels := sparse.Rows{Dim: d}, make([]int, n)
	for i := range n {
		labels[i] = r.IntN(k)
		for h := range d {
			v := r.NormFloat64()
			if h%k == labels[i] {
				v += 6
			}
			rows.Dense = append(rows.Dense, v)
		}
	}
	return rows, labels
}

// The start is made from what any family offers; here it must lead to the
// groups of records of four kinds.
func TestRandomEMOfFamilies(t *testing.T) {
	topics := synth.HierarchicalTopics(1, 400, 200, 0.1)
	presences := synth.ExponentialBernoulli(1, 1000, 99, 3, synth.UniformWeights)
	counts := synth.PoissonMixture(1, 600, 40, 3, 120)
	points, corners := blobs(500, 8, 4)
	single, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f      family.Family
		rows   sparse.Rows
		labels []int
		k      int
		least  float64 // ARI; the best of a few starts need not be the truth
	}{
		{bernoulli.New(bernoulli.Options{}), presences.Rows, presences.Labels, 3, 0.95},
		{poisson.New(), counts.Rows, counts.Labels, 3, 0.95},
		{single, topics.Rows, topics.Labels, 8, 0.85},
		{gaussian.New(gaussian.Options{}), points, corners, 4, 0.99},
	} {
		o := reference.EMOptions{Options: reference.Options{Seed: 2, Starts: 5}}
		r, err := reference.RandomEM(t.Context(), c.f, c.rows, c.k, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := ari(t, r.Labels, c.labels); v < c.least {
			t.Errorf("%s: ARI %.3f, want at least %.2f", c.f.Info().Name, v, c.least)
		}
		if best := slices.Max(r.LogLikelihood); len(r.LogLikelihood) != 5 || r.Objective < best-1 {
			t.Errorf("%s: kept %.3f of %.3f", c.f.Info().Name, r.Objective, r.LogLikelihood)
		}
	}
}

func TestRandomEMRefuses(t *testing.T) {
	points, _ := blobs(5, 8, 4)
	if _, err := reference.RandomEM(t.Context(), bernoulli.New(bernoulli.Options{}), points, 6, reference.EMOptions{}); err == nil {
		t.Error("6 groups of 5 rows accepted")
	}
}
