package decompose

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/moment"
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
		if numtest.Off(got, want, 1e-12) {
			t.Errorf("off the diagonal %v: separation %v, want %v", h, got, want)
		}
	}
}

// Of features that tell components apart equally well the first turns.
func TestFirstFeatureByHand(t *testing.T) {
	p := &moment.Projection{Slices: mat.NewDense(3, 3, []float64{1, 0, 1, 3, 0, 1, 3, 0, 1})}
	if got := chooseFeature(p, 2); got.feature != 1 || numtest.Off(got.separation, 2./3, 1e-12) {
		t.Errorf("feature %d turns, separation %v; want 1, 2/3", got.feature, got.separation)
	}
}

// Of the eigenvectors that the starts find the one of the largest value is kept.
func TestBestStartByHand(t *testing.T) {
	c := moment.NewCube(2)
	c.Data[0], c.Data[7] = 1, 3
	for seed := range uint64(5) {
		v, lambda, converged := powerSearch(c, stream.New(seed, "test"), Options{Starts: 12, Iterations: 30})
		if numtest.Off(lambda, 3, 1e-6) || numtest.Off(v[1], 1, 1e-6) || !converged {
			t.Errorf("seed %d: value %v at %v", seed, lambda, v)
		}
	}
}

// A variable that depends on free ones is not tried again.
func TestSpoiltByHand(t *testing.T) {
	s := &activeSet{r: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), y: []float64{1, 2}, free: make([]bool, 2), spoilt: []bool{false, true}}
	if got := s.steepest(make([]float64, 2)); got != 0 {
		t.Errorf("variable %d, want 0", got)
	}
	s.spoilt[1] = false
	if got := s.steepest(make([]float64, 2)); got != 1 {
		t.Errorf("variable %d, want 1", got)
	}
}
