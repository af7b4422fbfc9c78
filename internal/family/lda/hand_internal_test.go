package lda

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

func level(alpha ...float64) mixture.Params {
	k := len(alpha)
	centers, weights := mat.NewDense(2, k, nil), make([]float64, k)
	for j, a := range alpha {
		centers.Set(0, j, .5)
		centers.Set(1, j, .5)
		weights[j] = a
	}
	return mixture.New(centers, weights).With(Alpha, mat.NewDense(k, 1, alpha))
}

// Two documents with three words each of two kinds, and a prior of a hundred
// fiftieths of the mean document, 1.5 of each: (3 + 3)/10 in the first topic,
// 3/8 in the second.
func TestStepByHand(t *testing.T) {
	f, err := New(Options{Alpha: UpdateNone})
	if err != nil {
		t.Fatal(err)
	}
	old := level(.75, .25)
	state := []float64{-7, 2, 0, 0, 3, 0, 1, 2}
	p, _, err := f.MStep(state, old, 100)
	if err != nil {
		t.Fatal(err)
	}
	got := []float64{p.Centers.At(0, 0), p.Centers.At(1, 0), p.Centers.At(0, 1), p.Centers.At(1, 1), p.Weights[0], p.Weights[1]}
	for i, want := range []float64{.6, .4, .375, .625, .75, .25} {
		if numtest.Off(got[i], want, 1e-12) {
			t.Errorf("number %d of the step is %v, want %v", i, got[i], want)
		}
	}
	if got, want := f.Objective(state, old, 100), -7+2*4*1.5*math.Log(.5); numtest.Off(got, want, 1e-9) {
		t.Errorf("objective %v, want %v", got, want)
	}
}

// Logarithms of numbers whose product is no number any more, and of zero.
func TestSumLogsByHand(t *testing.T) {
	row := make([]float64, 100)
	for j := range row {
		row[j] = 1e-9
	}
	row[0] = 0
	if got, want := sumLogs(row), math.Log(leastProbability)+99*math.Log(1e-9); numtest.Off(got, want, 1e-9) {
		t.Errorf("sum of logarithms %v, want %v", got, want)
	}
}

// A topic that lost its words is said, once.
func TestLostTopicByHand(t *testing.T) {
	s := stats{n: 1, sums: []float64{2, 0, 1, 0}, old: level(1, 1).Centers}
	if _, warnings := s.topics(.1, topics.Crew{}); len(warnings) != 1 || warnings[0].Code != "lost-topic" {
		t.Errorf("warnings %v", warnings)
	}
}

// The likelihood of a Dirichlet distribution, and the parameters that fit given
// means of logarithms: those the means belong to.
func TestDirichletByHand(t *testing.T) {
	if got, want := dirichletValue([]float64{3, 1}, []float64{-1, -2}), math.Log(3)-3-2; numtest.Off(got, want, 1e-12) {
		t.Errorf("likelihood %v, want %v", got, want)
	}
	truth := []float64{.9, .3, 2}
	mean := make([]float64, 3)
	for j, a := range truth {
		mean[j] = digamma(a) - digamma(3.2)
	}
	elog := make([]float64, 3)
	for j, v := range mean {
		elog[j] = 4 * v // of four documents
	}
	for how, old := range map[AlphaStep][]float64{UpdateAll: {1, 1, 1}, UpdateShares: {1, 1, 1.2}} {
		f, err := New(Options{Alpha: how})
		if err != nil {
			t.Fatal(err)
		}
		for j, a := range f.newAlpha(old, stats{n: 4, elog: elog}) {
			if numtest.Off(a, truth[j], 1e-6) {
				t.Errorf("%s: alpha %d is %v, want %v", how, j, a, truth[j])
			}
		}
	}
}

// Of equal shares the first; smoothed words are not counted by BIC.
func TestBoundsByHand(t *testing.T) {
	if topic, share := largestShare([]float64{.1, .45, .45}); topic != 1 || share != .45 {
		t.Errorf("the largest share is %v of topic %d", share, topic)
	}
	p := mixture.New(mat.NewDense(2, 2, []float64{1 - 1e-9, .5, 1e-9, .5}), []float64{.5, .5})
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := f.FreeParameters(p); n != 3-2+2 {
		t.Errorf("%d free parameters, want 3: one word of a topic is negligible", n)
	}
}

// A word that no topic has costs the least probability, each time it comes; the
// factorials are those of all counts.
func TestUnknownWordsByHand(t *testing.T) {
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(mat.NewDense(2, 1, []float64{1, 0}), []float64{1}).With(Alpha, mat.NewDense(1, 1, []float64{1}))
	got := make([]float64, 2)
	if err := f.LogDensity(p, pass.Block{Rows: sparse.FromDense([][]float64{{2, 0}, {2, 3}}, 2, false)}, got); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 3*math.Log(leastProbability) + math.Log(10)} {
		if numtest.Off(got[i], want, 1e-5) {
			t.Errorf("document %d has the log density %v, want %v", i+1, got[i], want)
		}
	}
}

// Fifty sweeps are left out unless another number is given.
func TestSweepsByHand(t *testing.T) {
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := mixture.New(mat.NewDense(2, 2, []float64{.8, .3, .2, .7}), []float64{.5, .5}).With(Alpha, mat.NewDense(2, 1, []float64{.5, .5}))
	b := pass.Block{Rows: sparse.FromDense([][]float64{{5, 4}, {1, 7}}, 2, false)}
	mixtures := func(burn int) []float64 {
		out := make([]float64, 4)
		if err := f.MixtureBlock(p, b, Inference{Method: Gibbs, Seed: 3, Burn: burn, Sweeps: 7}, out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if !slices.Equal(mixtures(0), mixtures(50)) || slices.Equal(mixtures(0), mixtures(1)) {
		t.Errorf("mixtures %v, %v and %v after 0, 50 and 1 sweeps left out", mixtures(0), mixtures(50), mixtures(1))
	}
}
