package synth_test

import (
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
)

// Means of n draws lie within five standard errors of their expectation.
func near(t *testing.T, what string, sum, sumSquares, mean, variance float64, n int) {
	t.Helper()
	m := sum / float64(n)
	if numtest.Off(m, mean, 5*math.Sqrt(variance/float64(n))) {
		t.Errorf("%s: mean %v, want %v", what, m, mean)
	}
	v := sumSquares/float64(n) - m*m
	if numtest.Off(v, variance, .1*variance) {
		t.Errorf("%s: variance %v, want %v", what, v, variance)
	}
}

func TestDraws(t *testing.T) {
	const n = 40000
	r := stream.New(1, "draws")
	for _, shape := range []float64{.05, .5, 1, 3.7, 40} {
		s, s2 := 0.0, 0.0
		for range n {
			x := synth.Gamma(r, shape)
			s, s2 = s+x, s2+x*x
		}
		near(t, "gamma", s, s2, shape, shape, n)
	}
	for _, mean := range []float64{.1, 3, 29, 31, 150, 1000} {
		s, s2 := 0.0, 0.0
		for range n {
			x := float64(synth.Poisson(r, mean))
			s, s2 = s+x, s2+x*x
		}
		near(t, "poisson", s, s2, mean, mean, n)
	}
}

func TestDirichletOnSimplex(t *testing.T) {
	r := stream.New(1, "dirichlet")
	dst := make([]float64, 20)
	alpha := make([]float64, 20)
	for i := range alpha {
		alpha[i] = 1e-4 // underflows to nothing often
	}
	for range 200 {
		synth.Dirichlet(r, alpha, dst)
		sum := 0.0
		for _, v := range dst {
			sum += v
		}
		if numtest.Off(sum, 1, 1e-9) {
			t.Fatalf("sum %v", sum)
		}
	}
}

// TestRecordsFollowTheirTruth compares the mean of each component's records
// with its center.
func TestRecordsFollowTheirTruth(t *testing.T) {
	for name, set := range map[string]synth.Set{
		"poisson":  synth.PoissonMixture(3, 20000, 30, 3, 20),
		"exp":      synth.ExponentialBernoulli(3, 20000, 30, 3, synth.ExponentialWeights),
		"patients": synth.Patients(3, 20000, 60, 3, 8),
		"hier8":    synth.HierarchicalBernoulli(3, 20000, 30, .35),
	} {
		d, k := set.Truth.Centers.Dims()
		sum, count := make([]float64, d*k), make([]float64, k)
		for i, l := range set.Labels {
			count[l]++
			index, value := set.Rows.Row(i)
			for e, h := range index {
				v := 1.0
				if value != nil {
					v = float64(value[e])
				}
				sum[int(h)*k+l] += v
			}
		}
		for h := range d {
			for j := range k {
				want := set.Truth.Centers.At(h, j)
				got := sum[h*k+j] / count[j]
				if numtest.Off(got, want, 5.5*math.Sqrt((want+1e-3)/count[j])) {
					t.Errorf("%s: feature %d of component %d: mean %v, want %v", name, h, j, got, want)
				}
			}
		}
	}
}

func TestSeedsAndLengths(t *testing.T) {
	a, b, c := synth.HierarchicalTopics(1, 50, 200, .1), synth.HierarchicalTopics(1, 50, 200, .1), synth.HierarchicalTopics(2, 50, 200, .1)
	for i, total := range a.Rows.Totals() {
		if total != 200 {
			t.Errorf("document %d has %v words", i, total)
		}
	}
	same := func(x, y synth.Set) bool {
		if len(x.Rows.Index) != len(y.Rows.Index) {
			return false
		}
		for i := range x.Rows.Index {
			if x.Rows.Index[i] != y.Rows.Index[i] || x.Rows.Value[i] != y.Rows.Value[i] {
				return false
			}
		}
		return true
	}
	if !same(a, b) || same(a, c) {
		t.Error("a seed does not decide the records")
	}
	// The matrix of [H]: word 1 belongs to topics 1-4, word 100 to 7 and 8.
	for j := range 8 {
		if high := a.Truth.Centers.At(0, j) > .012; high != (j < 4) {
			t.Errorf("word 1 in topic %d: %v", j+1, a.Truth.Centers.At(0, j))
		}
	}
}

// A stream drawn in pieces gives the records of one draw.
func TestStreamsInPieces(t *testing.T) {
	for name, draw := range map[string]func() func(int) synth.Set{
		"patients":  func() func(int) synth.Set { return synth.PatientStream(3, 40, 3, 5) },
		"mixtures":  func() func(int) synth.Set { return synth.CorpusStream(3, 50, 3, 20, true) },
		"one topic": func() func(int) synth.Set { return synth.CorpusStream(3, 50, 3, 20, false) },
	} {
		whole, next := draw()(30), draw()
		at := 0
		for _, n := range []int{1, 12, 17} {
			piece := next(n)
			for i := range n {
				a, av := whole.Rows.Row(at + i)
				b, bv := piece.Rows.Row(i)
				if !slices.Equal(a, b) || !slices.Equal(av, bv) || whole.Labels != nil && whole.Labels[at+i] != piece.Labels[i] {
					t.Fatalf("%s: record %d differs", name, at+i)
				}
			}
			at += n
		}
	}
}
