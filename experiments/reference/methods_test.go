package reference_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/experiments/reference"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/sparse"
)

type method struct {
	name string
	run  func(ctx context.Context, rows sparse.Rows, k int, o reference.Options) (*reference.Result, error)
}

func methods() []method {
	return []method{
		{"k-means", reference.KMeans},
		{"PCA and k-means", func(ctx context.Context, rows sparse.Rows, k int, o reference.Options) (*reference.Result, error) {
			return reference.PCAKMeans(ctx, rows, k, 0, o)
		}},
		{"bisecting", reference.BisectingKMeans},
		{"PDDP", reference.PDDP},
	}
}

// Three groups that nothing can confuse: all methods find them, in all layouts,
// with the same labels for any number of workers.
func TestMethodsOnPlainGroups(t *testing.T) {
	binary, labels := stripes(4500, 30, 3) // two chunks, the last uneven
	dense := sparse.Rows{Dim: 30, Dense: make([]float64, 4500*30)}
	valued := sparse.Rows{Dim: 30, Ptr: binary.Ptr, Index: binary.Index, Value: make([]float32, len(binary.Index))}
	for i := range 4500 {
		index, _ := binary.Row(i)
		for _, h := range index {
			dense.Dense[i*30+int(h)] = 1
		}
	}
	for e := range valued.Value {
		valued.Value[e] = 1
	}
	for _, m := range methods() {
		var first []int
		for _, rows := range []sparse.Rows{binary, valued, dense} {
			for _, workers := range []int{1, 2, 8} {
				if workers > 1 && testing.Short() && !rows.IsBinary() {
					continue // one layout is enough to tell workers apart
				}
				r, err := m.run(t.Context(), rows, 3, reference.Options{Seed: 3, Starts: 2, Workers: workers})
				if err != nil {
					t.Fatalf("%s: %v", m.name, err)
				}
				if first == nil {
					first = r.Labels
				}
				if !slices.Equal(r.Labels, first) {
					t.Fatalf("%s: labels depend on layout or workers", m.name)
				}
			}
		}
		if v := ari(t, first, labels); v < 0.98 {
			t.Errorf("%s: ARI %.3f on plain groups", m.name, v)
		}
	}
}

// stripes returns presences: features h ≡ j mod k are common in group j.
func stripes(n, d, k int) (sparse.Rows, []int) {
	r := synthRand()
	rows, labels := sparse.Rows{Dim: d, Ptr: []int{0}}, make([]int, n)
	for i := range n {
		labels[i] = r.IntN(k)
		for h := range d {
			p := 0.05
			if h%k == labels[i] {
				p = 0.8
			}
			if r.Float64() < p {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows, labels
}

func TestMethodsRefuse(t *testing.T) {
	rows, _ := stripes(40, 6, 2)
	missing := sparse.Rows{Dim: 1, Dense: []float64{1, math.NaN(), 2}}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range methods() {
		if _, err := m.run(t.Context(), rows, 41, reference.Options{}); err == nil {
			t.Errorf("%s: 41 groups of 40 rows accepted", m.name)
		}
		if _, err := m.run(t.Context(), rows, 0, reference.Options{}); err == nil {
			t.Errorf("%s: 0 groups accepted", m.name)
		}
		if _, err := m.run(t.Context(), missing, 2, reference.Options{}); err == nil {
			t.Errorf("%s: missing value accepted", m.name)
		}
		if _, err := m.run(cancelled, rows, 2, reference.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", m.name, err)
		}
	}
}

// Rows that are all alike, or more groups than different rows, end with legal
// labels.
func TestDegenerateRows(t *testing.T) {
	same := sparse.FromDense([][]float64{{1, 0, 1, 0, 0, 1}, {1, 0, 1, 0, 0, 1}, {1, 0, 1, 0, 0, 1}, {1, 0, 1, 0, 0, 1}}, 6, true)
	two := sparse.FromDense([][]float64{{1, 0, 1, 0, 0, 1}, {0, 1, 0, 1, 0, 0}, {1, 0, 1, 0, 0, 1}, {0, 1, 0, 1, 0, 0}}, 6, true)
	empty := sparse.FromDense([][]float64{{0, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 0, 0}}, 6, true)
	for _, m := range methods() {
		for _, rows := range []sparse.Rows{same, two, empty} {
			r, err := m.run(t.Context(), rows, 2, reference.Options{})
			if err != nil {
				t.Errorf("%s: %v", m.name, err)
				continue
			}
			for _, l := range r.Labels {
				if l < 0 || l > 1 {
					t.Errorf("%s: label %d", m.name, l)
				}
			}
		}
	}
}

// inertia is the plain definition.
func inertia(rows sparse.Rows, r *reference.Result) float64 {
	sum := 0.0
	for i, j := range r.Labels {
		for h := range rows.Dim {
			d := rows.At(i, h) - r.Centers.At(j, h)
			sum += d * d
		}
	}
	return sum
}

func TestInertiaIsTheSumOfSquares(t *testing.T) {
	set := synth.ExponentialBernoulli(4, 300, 20, 5, synth.UniformWeights)
	const tol = 1e-9 // sums of 6000 squares
	for _, m := range []method{{"k-means", reference.KMeans}, {"bisecting", reference.BisectingKMeans}, {"PDDP", reference.PDDP}} {
		r, err := m.run(t.Context(), set.Rows, 5, reference.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if want := inertia(set.Rows, r); numtest.Off(r.Objective, want, tol*want) {
			t.Errorf("%s: inertia %v, want %v", m.name, r.Objective, want)
		}
	}
}

// A split of PDDP is the sign along the first singular vector of the centred
// rows; here that vector comes from a full decomposition.
func TestPDDPAgainstSVD(t *testing.T) {
	set := synth.ExponentialBernoulli(4, 200, 20, 2, synth.UniformWeights)
	x := mat.NewDense(200, 20, nil)
	for i := range 200 {
		for h := range 20 {
			x.Set(i, h, set.Rows.At(i, h))
		}
	}
	for h := range 20 {
		m := mat.Sum(x.ColView(h)) / 200
		for i := range 200 {
			x.Set(i, h, x.At(i, h)-m)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		t.Fatal("no singular vectors")
	}
	var u mat.Dense
	svd.UTo(&u)
	want := make([]int, 200)
	for i := range want {
		if u.At(i, 0) > 0 {
			want[i] = 1
		}
	}
	r, err := reference.PDDP(t.Context(), set.Rows, 2, reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := ari(t, r.Labels, want); v != 1 {
		t.Errorf("PDDP and the singular vector agree by %.3f only", v)
	}
}

// Features that are always zero change nothing, but make the covariance too
// large to be formed: the leading components are then found by iteration.
func TestPCAOfManyFeatures(t *testing.T) {
	set := synth.ExponentialBernoulli(6, 400, 60, 3, synth.UniformWeights)
	wide := set.Rows
	wide.Dim = 700
	o := reference.Options{Seed: 1}
	a, err := reference.PCAKMeans(t.Context(), set.Rows, 3, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := reference.PCAKMeans(t.Context(), wide, 3, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	const tol = 1e-5 // the iteration stops at 1e-10 of the values, so at its root of the vectors
	if ari(t, a.Labels, b.Labels) != 1 || numtest.Off(a.Objective, b.Objective, tol*a.Objective) {
		t.Errorf("inertia %v by iteration, %v whole", b.Objective, a.Objective)
	}
}
