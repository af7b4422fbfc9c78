package main

import (
	"testing"

	"github.com/moiety-go/moiety/experiments/privacy"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestPrivacy: 100,000 people at ε = 1 lose at most .01 of ARI with one site or a
// secure sum, and ten sites with noise of their own at most .03; what is below the
// line is refused at 10,000.
func TestPrivacy(t *testing.T) {
	numtest.NotShort(t)
	cells, err := privacy.Measure(t.Context(), 100000, 5, 2, []float64{1}, []privacy.Where{privacy.OneSite, privacy.Secure, privacy.Own})
	if err != nil {
		t.Fatal(err)
	}
	for i, bound := range []float64{.01, .01, .03} {
		c := cells[1+i]
		t.Logf("%+v", c)
		if c.Loss > bound || c.Passed > .05 {
			t.Errorf("sites %v lose %.3f of ARI, at most %.2f may be", c.Where, c.Loss, bound)
		}
	}
	few, err := privacy.Measure(t.Context(), 10000, 1, 2, []float64{.5}, []privacy.Where{privacy.Own})
	if err != nil {
		t.Fatal(err)
	}
	if few[1].Refused != few[1].Draws {
		t.Errorf("10,000 people, ε = .5, ten sites: %+v", few[1])
	}
}
