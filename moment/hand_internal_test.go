package moment

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// What is filled in is the part of the moments above zero: 2·1·1, not 2 − 1.
func TestLowRankByHand(t *testing.T) {
	u := mat.NewDense(2, 2, []float64{1, 1, 1, -1})
	if got := lowRank(u, []float64{2, -1}, 2, 0, 0); got != 2 {
		t.Errorf("filled in %v, want 2", got)
	}
}

// A variance that rounding makes is none.
func TestDeviationByHand(t *testing.T) {
	s := &Survey{N: 4, Sum: []float64{4, 4}, SumSquares: []float64{4 * (1 + 1e-14), 4 + 36}, Present: []float64{4, 4}}
	if got := s.Deviation(); !slices.Equal(got, []float64{1, 3}) {
		t.Errorf("deviations %v, want 1 of a constant feature and 3", got)
	}
}

// Kept weights are those of second and of third order.
func TestKeptWeightsByHand(t *testing.T) {
	rows := sparse.Rows{Dim: 2, Ptr: []int{0, 1, 3}, Index: []uint32{0, 0, 1}, Value: []float32{4, 3, 5}}
	f := &Formula{Law: Factorial(), Weigh: func(t float64) (r, u, v float64) { return t, t + 1, t + 2 }}
	w := newOwnWeights(3)
	if err := w.see(f, pass.Block{First: 1, Rows: rows}); err != nil {
		t.Fatal(err)
	}
	w.both, w.third = w.both[2:], w.third[1:]
	if got := w.recordWeights(f, pass.Block{First: 1, Rows: rows}, false); !slices.Equal(got.totals, []float64{4, 8}) || !got.whole {
		t.Errorf("kept %+v", got)
	}
	if !slices.Equal(w.both, []float32{5, 6, 9, 10}) || !slices.Equal(w.third, []float32{6, 10}) {
		t.Errorf("weights %v and %v", w.both, w.third)
	}
}

// Weights saturate, unless asked otherwise, between a line and an abstract: the pairs of ten
// words count nearly by their number, and a hundred words nearly as much as endless ones.
func TestWhereWeightsSaturate(t *testing.T) {
	weigh := Documents{}.weigh()
	pairs := func(words float64) float64 {
		_, u, _ := weigh(words)
		return u * words * (words - 1)
	}
	if got := pairs(10) / 90; got < .9 {
		t.Errorf("ten words count as %.2f of their pairs", got)
	}
	if got := pairs(100) / pairs(1e6); got < .9 {
		t.Errorf("a hundred words count as %.2f of a book", got)
	}
}
