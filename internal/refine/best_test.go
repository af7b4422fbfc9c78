package refine_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
)

// Best returns where the better of two starts has come, whichever is named first: that is
// above the start, and the same steps alone lead there. Of equals it is the first.
func TestBestOfTwoStarts(t *testing.T) {
	_, run, good := setting()
	f := bernoulli.New(bernoulli.Options{})
	d, k := good.Centers.Dims()
	alike := mat.NewDense(d, k, slices.Repeat([]float64{.5}, d*k))
	poor := mixture.New(alike, slices.Clone(good.Weights))
	alone, err := refine.Best(t.Context(), f, run, []mixture.Params{good}, 4, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, starts := range [][]mixture.Params{{good, poor}, {poor, good}, {good, good}} {
		p, err := refine.Best(t.Context(), f, run, starts, 4, refine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(p.Centers, alone.Centers) || !slices.Equal(p.Weights, alone.Weights) {
			t.Error("the poorer start was taken, or starts that run side by side move one another")
		}
	}
	before, err := refine.Steps(t.Context(), f, run, good, 0, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after, err := refine.Steps(t.Context(), f, run, alone, 0, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !(after.Objective() > before.Objective()) {
		t.Errorf("objective %v after four steps, %v before", after.Objective(), before.Objective())
	}
}
