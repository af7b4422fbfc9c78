package lda

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
)

// many returns topics of so many words that there are three blocks of them.
func many(seed uint64) mixture.Params {
	const d, k = 2*topics.WordBlock + 77, 3
	r := rand.New(rand.NewPCG(seed, 25))
	centers, total := mat.NewDense(d, k, nil), make([]float64, k)
	for h := range d {
		for j := range k {
			v := math.Exp(8 * r.NormFloat64())
			centers.Set(h, j, v)
			total[j] += v
		}
	}
	for h := range d {
		for j := range k {
			centers.Set(h, j, centers.At(h, j)/total[j])
		}
	}
	return mixture.New(centers, []float64{.5, .25, .25}).With(Alpha, mat.NewDense(k, 1, []float64{1, .5, .5}))
}

// TestCrew: what is worked out between passes has the same bits with any number of cores, and
// the sums of their words are those of a loop over all.
func TestCrew(t *testing.T) {
	one, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, next := many(1), many(2)
	d, k := p.Centers.Dims()
	state := make([]float64, stateHeads+k+d*k)
	r := rand.New(rand.NewPCG(3, 25))
	for i := range state {
		state[i] = -r.Float64()
		if i >= stateHeads+k {
			state[i] = 10 * r.Float64()
		}
	}
	state[atN] = 1000
	type answers struct {
		step, far []float64
		objective float64
	}
	ask := func(f family.Family) answers {
		q, _, err := f.MStep(state, p, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(q); err != nil {
			t.Error(err)
		}
		return answers{q.Centers.RawMatrix().Data, f.Info().EM.OverRelax(p, next).Centers.RawMatrix().Data, f.Objective(state, p, 1)}
	}
	want := ask(one)
	for _, workers := range []int{2, 8} {
		if got := ask(one.Among(workers)); !slices.Equal(got.step, want.step) || !slices.Equal(got.far, want.far) || got.objective != want.objective {
			t.Errorf("%d cores: other bits than with one", workers)
		}
	}
	s, err := readStats(state, p)
	if err != nil {
		t.Fatal(err)
	}
	counts, words := make([]float64, k), make([]float64, k)
	for h := range d {
		m := s.word(h, counts)
		for j, v := range counts {
			words[j] += v + priorStrength*m
		}
	}
	s.word(d-1, counts)
	if got, m := want.step[(d-1)*k], s.word(d-1, counts); numtest.Off(got, (counts[0]+priorStrength*m)/words[0], 1e-12*got) {
		t.Errorf("the last word has %v of topic 1, want %v", got, (counts[0]+priorStrength*m)/words[0])
	}
}

// TestDistributions: one word in the last block that is no probability is found, and said.
func TestDistributions(t *testing.T) {
	f, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []float64{-1e-9, math.NaN(), math.Inf(1), 1e-3} {
		p := many(1)
		p.Centers.Set(p.Dim()-1, 2, wrong)
		if f.crew.Distributions(p) || f.Among(8).Check(p) == nil {
			t.Errorf("%v is a probability that was lost", wrong)
		}
	}
}
