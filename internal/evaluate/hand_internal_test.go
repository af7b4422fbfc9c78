package evaluate

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Scores 1, 2, 3, 4, of which 2 and 4 have the outcome: of four pairs three are in
// order. Of a word without company nothing is alike.
func TestAreaByHand(t *testing.T) {
	if got := areaUnder([]float64{1, 2, 3, 4}, []int{0, 1, 0, 1}); got != .75 {
		t.Errorf("area %v, want 3/4", got)
	}
	if got := areaUnder([]float64{1, 1}, []int{0, 1}); got != .5 {
		t.Errorf("area of a tie %v, want 1/2", got)
	}
	if cosine([]float64{1, 2}, []float64{0, 0}) != 0 || cosine([]float64{0, 0}, []float64{1, 2}) != 0 {
		t.Error("cosine of nothing")
	}
}

// Two of ten have it: to say no is right for eight. One of ten cannot be in two
// folds.
func TestBaselineByHand(t *testing.T) {
	x, outcome := mat.NewDense(10, 1, nil), make([]bool, 10)
	outcome[3], outcome[7] = true, true
	p, err := Predict(t.Context(), x, outcome, PredictOptions{Folds: 2})
	if err != nil || p.Baseline != .8 {
		t.Errorf("baseline %+v (%v), want .8", p, err)
	}
	outcome[7] = false
	if _, err := Predict(t.Context(), x, outcome, PredictOptions{Folds: 2}); err == nil {
		t.Error("a fold without the outcome")
	}
}

// Folds need as many of each outcome as there are of them.
func TestFoldsByHand(t *testing.T) {
	for yes, ok := range map[int]bool{2: false, 3: true, 9: true, 10: false} {
		outcome := make([]bool, 12)
		for i := range yes {
			outcome[i] = true
		}
		if _, n, err := foldsOf(outcome, PredictOptions{Folds: 3}); (err == nil) != ok || ok && n != yes {
			t.Errorf("%d of 12 in 3 folds: %d, %v", yes, n, err)
		}
	}
}
