package hmm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/sparse"
)

// A row that no state emits, and one that only a state emits which cannot be
// reached, cost as much as the least probability, and the sequence goes on.
func TestImpossibleStepsByHand(t *testing.T) {
	stay := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	p := NewParams(mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), stay, []float64{1, 0}, nil)
	no := math.Inf(-1)
	for _, scores := range [][]float64{{no, no}, {no, 0}} {
		all := append(append([]float64{0, 0}, scores...), math.Log(.25), math.Log(.25))
		if got, want := newChain(p).forward(all), math.Log(leastShare)+math.Log(.25); numtest.Off(got, want, 1e-9) {
			t.Errorf("scores %v: log probability %v, want %v", scores, got, want)
		}
	}
}

// Two rows, one in each of two states, and a prior of two: their mean is 2 and
// their variance 1, so that a pseudo-record has 1/2². For the first state
// (1 + 2·2)/3, and squares of 4/9 of its row, 2·1/9 of the prior's mean, 2·1/4 of
// its variance, over 3.
func TestNormalStepByHand(t *testing.T) {
	p := NewParams(mat.NewDense(1, 2, []float64{-3, 9}), mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), []float64{.5, .5}, []float64{1, 1})
	n := newNormal(p)
	state := make([]float64, n.size())
	n.gather(state, sparse.Rows{Dim: 1, Dense: []float64{1, 3}}, []float64{1, 0, 0, 1})
	if _, _, v := n.overall(state); numtest.Off(v, .25, 1e-12) {
		t.Errorf("variance of the prior %v, want .25", v)
	}
	q := n.maximise(state, p, 2)
	if m, v := q.Centers.At(0, 0), q.Extra[VarianceOf].At(0, 0); numtest.Off(m, 5./3, 1e-12) || numtest.Off(v, 7./18, 1e-12) {
		t.Errorf("mean %v and variance %v, want %v and %v", m, v, 5./3, 7./18)
	}
}

// Moves of three and one with a prior of two: (3+1)/6 and (1+1)/6.
func TestMovesByHand(t *testing.T) {
	got := make([]float64, 2)
	smooth(got, []float64{3, 1}, 2)
	if got[0] != 4./6 || got[1] != 2./6 {
		t.Errorf("moves %v, want 4/6 and 2/6", got)
	}
}

// The prior of the moves is one record spread over the states: models that differ
// in their moves alone differ by its logarithms.
func TestPriorOfMovesByHand(t *testing.T) {
	f := New(Options{})
	objective := func(moves ...float64) float64 {
		p := NewParams(mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), mat.NewDense(2, 2, moves), []float64{.5, .5}, nil)
		step, err := f.EStep(p, true)
		if err != nil {
			t.Fatal(err)
		}
		return f.Objective(make([]float64, step.Len()), p, 3)
	}
	got := objective(.9, .1, .2, .8) - objective(.5, .5, .5, .5)
	if want := 3 * math.Log(.9*.1*.2*.8*16) / 2; numtest.Off(got, want, 1e-12) {
		t.Errorf("the prior differs by %v, want %v", got, want)
	}
}
