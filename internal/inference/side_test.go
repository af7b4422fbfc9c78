package inference_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestNumbersByHand: two groups of three, numbers by hand.
func TestNumbersByHand(t *testing.T) {
	nan := math.NaN()
	c := inference.CompareNumbers([]float64{1, 2, 3, nan, 4, 6, 8}, []int32{0, 0, 0, 0, 1, 1, 1}, 2)
	a, b := c.Groups[0], c.Groups[1]
	// Means 2 and 6, deviations 1 and 2; t(.975; 2) = 4.302653; pooled sqrt(2.5);
	// Welch: 4² / (1/3 + 4/3) = 9.6 with 1 and 2.941176 degrees of freedom.
	for _, x := range []struct {
		what           string
		got, want, tol float64
	}{
		{"mean", a.Mean, 2, 1e-12},
		{"sd", b.SD, 2, 1e-12},
		{"median", b.Median, 6, 1e-12},
		{"low", a.Low, 2 - 4.302653/math.Sqrt(3), 1e-5},
		{"difference", a.Difference, -4 / math.Sqrt(2.5), 1e-12},
		{"n", float64(a.N), 3, 0},
		{"all", c.All.Mean, 4, 1e-12},
		{"p", c.P, .0546, 1e-3},
	} {
		if !(math.Abs(x.got-x.want) <= x.tol) {
			t.Errorf("%s: %v, want %v", x.what, x.got, x.want)
		}
	}
}

// TestChiSquaredByHand: 10, 20 against 20, 10: X² = 6.6667, p = .00982.
func TestChiSquaredByHand(t *testing.T) {
	if p := inference.ChiSquared([][]float64{{10, 20}, {20, 10}}); !(math.Abs(p-.009823) <= 1e-5) {
		t.Errorf("p = %v", p)
	}
	if p := inference.ChiSquared([][]float64{{10, 0, 20}, {0, 0, 0}, {20, 0, 10}}); !(math.Abs(p-.009823) <= 1e-5) {
		t.Errorf("with a group and a level of nobody: p = %v", p)
	}
	if p := inference.ChiSquared([][]float64{{10, 0}, {20, 0}}); !math.IsNaN(p) {
		t.Errorf("one level: p = %v", p)
	}
}

func TestHolm(t *testing.T) {
	got := inference.Holm([]float64{.01, math.NaN(), .04, .03})
	want := []float64{.03, math.NaN(), .06, .06}
	numtest.Slices(t, "p", got, want, 1e-15)
}
