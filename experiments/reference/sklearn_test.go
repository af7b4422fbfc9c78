package reference_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/synth"
)

// published holds what scikit-learn 1.9.1 (numpy 2.4.6) finds on
// synth.ExponentialBernoulli(seed, 1000, 99, 4, UniformWeights), seeds 1 to 3:
//
//	KMeans(4, n_init=50, random_state=0)
//	PCA(4, svd_solver="full") and then the same KMeans
//	BisectingKMeans(4, n_init=50, random_state=0)
//
// each with its adjusted Rand index against the truth and its inertia.
var published = []struct {
	seed       uint64
	kmeans     float64
	kmeansCost float64
	pca        float64
	pcaCost    float64
	bisecting  float64
	bisectCost float64
}{
	{1, 0.9873, 11572.858, 0.9850, 685.786, 0.9755, 11582.185},
	{2, 0.7152, 10731.465, 0.7212, 664.960, 0.7137, 10734.411},
	{3, 0.6926, 10947.762, 0.6940, 716.008, 0.6877, 10953.094},
}

const (
	// tolARI is the house rule for reference methods.
	tolARI = 0.01
	// tolInertia allows another local optimum of nearly the same inertia.
	tolInertia = 5e-4
	// starts is as many as scikit-learn was given.
	starts = 50
)

func ari(t *testing.T, a, b []int) float64 {
	t.Helper()
	v, err := agree.ARI(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func close(t *testing.T, name string, seed uint64, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("seed %d: %s is %.5f, scikit-learn's %.5f", seed, name, got, want)
	}
}

func TestKMeansAgainstPublished(t *testing.T) {
	for _, p := range published {
		set := synth.ExponentialBernoulli(p.seed, 1000, 99, 4, synth.UniformWeights)
		o := reference.Options{Seed: 7, Starts: starts}
		r, err := reference.KMeans(t.Context(), set.Rows, 4, o)
		if err != nil {
			t.Fatal(err)
		}
		close(t, "ARI of k-means", p.seed, ari(t, r.Labels, set.Labels), p.kmeans, tolARI)
		close(t, "inertia of k-means", p.seed, r.Objective/p.kmeansCost, 1, tolInertia)
		r, err = reference.PCAKMeans(t.Context(), set.Rows, 4, 0, o)
		if err != nil {
			t.Fatal(err)
		}
		close(t, "ARI of PCA and k-means", p.seed, ari(t, r.Labels, set.Labels), p.pca, tolARI)
		close(t, "inertia of PCA and k-means", p.seed, r.Objective/p.pcaCost, 1, tolInertia)
	}
}

func TestBisectingAgainstPublished(t *testing.T) {
	for _, p := range published {
		set := synth.ExponentialBernoulli(p.seed, 1000, 99, 4, synth.UniformWeights)
		r, err := reference.BisectingKMeans(t.Context(), set.Rows, 4, reference.Options{Seed: 7, Starts: starts})
		if err != nil {
			t.Fatal(err)
		}
		close(t, "ARI of bisecting k-means", p.seed, ari(t, r.Labels, set.Labels), p.bisecting, tolARI)
		close(t, "inertia of bisecting k-means", p.seed, r.Objective/p.bisectCost, 1, tolInertia)
	}
}
