package bernoulli

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// A start keeps a thousandth from 0 and 1, a step only so much that logarithms
// are finite.
func TestClipsByHand(t *testing.T) {
	raw := mixture.New(mat.NewDense(3, 1, []float64{0, .5, 1}), []float64{1})
	p, _, err := New(Options{}).Normalise(context.Background(), nil, raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := mat.Col(nil, 0, p.Centers); !slices.Equal(got, []float64{.001, .5, .999}) {
		t.Errorf("start %v, want .001, .5, .999", got)
	}
	const want = -20.72326583 // log 1e-9
	if got := (density{}).Table(raw).Slope; numtest.Off(got[0], want, 1e-6) || numtest.Off(got[2]+want, 0, 1e-6) {
		t.Errorf("log odds of never and always %v, want ±%v", got, want)
	}
}

// Two groups, one feature that both know, one that none of the first and all of
// the second have: a weight and two frequencies.
func TestFreeParametersByHand(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{.3, .6, 0, 1}), []float64{.5, .5})
	if got := New(Options{}).FreeParameters(p); got != 3 {
		t.Errorf("%d free parameters, want 3", got)
	}
}

// Features of more than half are turned, not those that all have; a stored zero
// is no presence.
func TestTurnedByHand(t *testing.T) {
	flip, any := common([]float64{0, .5, .6, 1})
	if want := []bool{false, false, true, false}; !any || !slices.Equal(flip, want) {
		t.Errorf("turned %v, want %v", flip, want)
	}
	present := make([]bool, 3)
	mark(present, sparse.Rows{Dim: 3, Ptr: []int{0, 2}, Index: []uint32{0, 2}, Value: []float32{1, 0}}, 0)
	if want := []bool{true, false, false}; !slices.Equal(present, want) {
		t.Errorf("present %v, want %v", present, want)
	}
}
