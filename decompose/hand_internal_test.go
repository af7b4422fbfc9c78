package decompose

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The least gap is over all neighbours, the first too; a separation below none is
// none.
func TestGapByHand(t *testing.T) {
	for want, values := range map[float64][]float64{.5: {3, 2.5}, 1: {4, 3, 1}, 2: {-2}, .25: {5, 3, 2.75}} {
		if got := leastGap(values); got != want {
			t.Errorf("%v: %v, want %v", values, got, want)
		}
	}
	if relative(-1, 2) != 0 || relative(1, 2) != .5 || relative(1, 0) != 0 {
		t.Error("relative separations")
	}
}

// Two slices, diag(2, 0) and one of 1 off the diagonal alone: A = B = 1 has any
// rotation as good; with √3 instead the range of F is half of its middle.
func TestSeparationByHand(t *testing.T) {
	first := mat.NewDense(2, 2, []float64{2, 0, 0, 0})
	for h, want := range map[float64]float64{0: 1, 1: 0, math.Sqrt(3): .5} {
		_, _, got := newPair([]*mat.Dense{first, mat.NewDense(2, 2, []float64{0, h, h, 0})}).best()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("off the diagonal %v: separation %v, want %v", h, got, want)
		}
	}
}
