package topics_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
)

// A topic that points the other way is turned, what is below nothing becomes a
// thousandth of the frequency in all documents, and one without words is reported and
// gets those frequencies.
func TestNormalise(t *testing.T) {
	raw := mixture.New(mat.NewDense(2, 3, []float64{-3, 5, 0, 0, -1, math.NaN()}), []float64{.5, .3, .2})
	c, warnings, err := topics.Normalise([]float64{.75, .25}, raw)
	if err != nil || len(warnings) != 1 || warnings[0].Code != "empty-topic" {
		t.Fatal(warnings, err)
	}
	floor := 1e-3 * (.999*.25 + 1e-3/2)
	one := 1 / (1 + floor)
	want := mat.NewDense(2, 3, []float64{one, one, .75, floor * one, floor * one, .25})
	if !mat.EqualApprox(c, want, 1e-12) {
		t.Errorf("got %v, want %v", mat.Formatted(c), mat.Formatted(want))
	}
	if _, _, err := topics.Normalise([]float64{1}, raw); err == nil {
		t.Error("two words were taken for one")
	}
}
