package normals

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// tilted are two clouds of the covariance [1 .5; .5 1].
func tilted(shape Shape) *Mixture {
	spread := []float64{1, .5, 1}
	switch shape {
	case Own:
		spread = []float64{1, .5, 1, 1, .5, 1}
	case Common:
		spread = []float64{1, 1}
	case Diagonal:
		spread = []float64{1, 1, 1, 1}
	}
	return New(shape, 2, []float64{.25, .75}, []float64{0, 0, 2, 4}, spread)
}

// Scores of a row with a blank are those of its other value; those of a row of
// blanks are the weights.
func TestScoresOfBlanks(t *testing.T) {
	blank := math.NaN()
	table := Table{N: 3, D: 2, X: []float64{1, blank, blank, 3, blank, blank}}
	normal := func(x float64) float64 { return -math.Log(2*math.Pi)/2 - x*x/2 }
	four := func(x float64) float64 { return math.Log(.375 * math.Pow(1+x*x/4, -2.5)) } // t with 4 degrees
	for _, shape := range []Shape{Common, Diagonal, Tied, Own} {
		m := tilted(shape)
		for _, law := range []func(float64) float64{normal, four} {
			z := make([]float64, 6)
			m.Scores(table, z)
			a, b := math.Log(.25), math.Log(.75)
			want := []float64{a + law(1), b + law(-1), a + law(3), b + law(-1), a, b}
			for i, v := range want {
				if numtest.Off(z[i], v, 1e-12) {
					t.Errorf("%v, %g degrees: score %d is %v, want %v", shape, m.Nu, i, z[i], v)
				}
			}
			m.Nu = 4
		}
	}
}

// The expected statistics of the row (1, ?): cloud 1 expects .5 with the variance
// .75, cloud 2 expects 4 − .5 = 3.5; without correlations these are 0 and 4 with 1.
func TestExpectedByHand(t *testing.T) {
	row, member := []float64{1, math.NaN()}, []float64{.5, .5}
	for _, c := range []struct {
		shape  Shape
		first  []float64
		second []float64
	}{
		{Common, []float64{.5, 0, .5, 2}, []float64{1, 9}},
		{Diagonal, []float64{.5, 0, .5, 2}, []float64{.5, .5, .5, 8.5}},
		{Tied, []float64{.5, .25, .5, 1.75}, []float64{1, 2, .75 + .125 + 6.125}},
		{Own, []float64{.5, .25, .5, 1.75}, []float64{.5, .25, .5, .5, 1.75, 6.5}},
	} {
		s := NewStats(make([]float64, StatsLen(2, 2, c.shape)), 2, 2, c.shape)
		s.expect(tilted(c.shape), row, member)
		for i, v := range c.first {
			if numtest.Off(s.First[i], v, 1e-12) {
				t.Errorf("%v: sums %v, want %v", c.shape, s.First, c.first)
				break
			}
		}
		for i, v := range c.second {
			if numtest.Off(s.Second[i], v, 1e-12) {
				t.Errorf("%v: products %v, want %v", c.shape, s.Second, c.second)
				break
			}
		}
	}
}
