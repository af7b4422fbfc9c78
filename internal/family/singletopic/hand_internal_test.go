package singletopic

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
)

// Two documents of four words, each of its own topic and word. A tenth of the
// mean document, .2 of each word, joins each topic: 4.2 and .2 of 4.4. The prior
// of the objective is a tenth of Σ 2·log μ.
func TestPriorByHand(t *testing.T) {
	old := mixture.New(mat.NewDense(2, 2, []float64{.5, .5, .5, .5}), []float64{.5, .5})
	stats := []float64{-1, 2, 1, 1, 4, 0, 0, 4} // log-likelihood, records, counts, sums of both words
	var f Family
	p, _, err := f.MStep(stats, old, 1)
	if err != nil {
		t.Fatal(err)
	}
	high, low := 4.2/4.4, .2/4.4
	for i, want := range []float64{high, low, low, high} {
		if got := p.Centers.RawMatrix().Data[i]; numtest.Off(got, want, 1e-12) {
			t.Errorf("probability %d is %v, want %v", i, got, want)
		}
	}
	want := -1 + .1*2*2*(math.Log(high)+math.Log(low))
	if got := f.Objective(stats, p, 1); numtest.Off(got, want, 1e-12) {
		t.Errorf("objective %v, want %v", got, want)
	}
}

// A topic of weight 0 starts with a millionth.
func TestLeastWeightByHand(t *testing.T) {
	if w := topics.Weights([]float64{1, -1}, leastWeight); numtest.Off(w[1], 1e-6, 1e-9) || numtest.Off(w[0]+w[1], 1, 1e-12) {
		t.Errorf("weights %v", w)
	}
}

// Of four probabilities one is below a hundredth of its mean: a weight, three
// probabilities, less one for each topic.
func TestFreeParametersByHand(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 2, []float64{.999, .5, .001, .5}), []float64{.5, .5})
	if got := (&Family{}).FreeParameters(p); got != 1+3-2 {
		t.Errorf("%d free parameters, want 2", got)
	}
}
