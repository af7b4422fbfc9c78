package exponential_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/exponential"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
)

// Means far below that of all are kept as they are; only none at all becomes a
// billionth of it.
func TestSmallMeansByHand(t *testing.T) {
	old := mixture.New(mat.NewDense(1, 3, []float64{1, 1, 1}), []float64{.5, .25, .25})
	stats := []float64{-1, 4, 2, 1, 1, 8, 1e-4, 0} // log-likelihood, records, counts, sums
	p, _, err := exponential.New().MStep(stats, old, 0)
	if err != nil {
		t.Fatal(err)
	}
	mean := 8.0001 / 4
	for j, want := range []float64{4, 1e-4, 1e-9 * mean} {
		if got := p.Centers.At(0, j); numtest.Off(got, want, 1e-12*want) {
			t.Errorf("mean of component %d is %v, want %v", j, got, want)
		}
	}
}
