package loglinear_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
)

// Half a record is enough for an average; only a component without any, and
// without a prior, keeps its old one.
func TestAveragesByHand(t *testing.T) {
	s := loglinear.Stats{N: 2, Count: []float64{1.5, .5, 0}, Sum: mat.NewDense(1, 3, []float64{3, 4, 0})}
	old := mat.NewDense(1, 3, []float64{7, 8, 9})
	same := func(v, _ float64) float64 { return v }
	if got := s.Averages(old, 0, same).RawRowView(0); !slices.Equal(got, []float64{2, 8, 9}) {
		t.Errorf("averages %v, want 3/1.5, 4/.5 and the old one", got)
	}
	// With a prior of one record at the mean of 3.5.
	if got := s.Averages(old, 1, same).RawRowView(0); !slices.Equal(got, []float64{6.5 / 2.5, 7.5 / 1.5, 3.5}) {
		t.Errorf("averages with a prior %v", got)
	}
}

// Counts of fewer than all records are shares of those that are counted.
func TestWeightsByHand(t *testing.T) {
	if got := (loglinear.Stats{N: 4, Count: []float64{1, 3}}).Weights(); !slices.Equal(got, []float64{.25, .75}) {
		t.Errorf("weights %v of all", got)
	}
	if got := (loglinear.Stats{N: 8, Count: []float64{1, 3}}).Weights(); !slices.Equal(got, []float64{.25, .75}) {
		t.Errorf("weights %v of those counted", got)
	}
}
