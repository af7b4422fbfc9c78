package topics_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
)

// A topic that points the other way is turned, what is below nothing becomes a
// thousandth of the frequency in all documents, and one without words is reported and
// gets those frequencies.
func TestNormalise(t *testing.T) {
	raw := mixture.New(mat.NewDense(2, 3, []float64{-3, 5, 0, 0, -1, math.NaN()}), []float64{.5, .3, .2})
	var crew topics.Crew
	c, warnings, err := crew.Normalise([]float64{.75, .25}, raw)
	if err != nil || len(warnings) != 1 || warnings[0].Code != "empty-topic" {
		t.Fatal(warnings, err)
	}
	floor := 1e-3 * (.999*.25 + 1e-3/2)
	one := 1 / (1 + floor)
	want := mat.NewDense(2, 3, []float64{one, one, .75, floor * one, floor * one, .25})
	if !mat.EqualApprox(c, want, 1e-12) {
		t.Errorf("got %v, want %v", mat.Formatted(c), mat.Formatted(want))
	}
	if _, _, err := crew.Normalise([]float64{1}, raw); err == nil {
		t.Error("two words were taken for one")
	}
}

// Topics of many words have the same bits on any number of cores, and those of a loop over all
// words, to rounding.
func TestNormaliseMany(t *testing.T) {
	const d, k = 2*topics.WordBlock + 77, 3
	r := rand.New(rand.NewPCG(1, 31))
	raw, m1 := mixture.New(mat.NewDense(d, k, nil), []float64{.5, .3, .2}), make([]float64, d)
	for h := range d {
		m1[h] = r.Float64() / d
		for j := range k {
			raw.Centers.Set(h, j, (r.Float64()-.2)*float64(1-2*(j%2))) // the second is turned
		}
	}
	raw.Centers.Set(d-1, 0, 7) // the largest is in the last block
	var one topics.Crew
	want, _, err := one.Normalise(m1, raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 8} {
		if got, _, _ := topics.NewCrew(workers).Normalise(m1, raw); !mat.Equal(got, want) {
			t.Errorf("%d cores: other bits than with one", workers)
		}
	}
	sum, total, floor := 0.0, 0.0, make([]float64, d)
	base := simplex.Clip(make([]float64, d), m1)
	for h := range d {
		sum += math.Max(-raw.Centers.At(h, 1), 0)
		floor[h] = 1e-3 * (.999*base[h] + 1e-3/d)
	}
	word := func(h int) float64 { return math.Max(math.Max(-raw.Centers.At(h, 1), 0)/sum, floor[h]) }
	for h := range d {
		total += word(h)
	}
	for h := range d {
		if got := want.At(h, 1); numtest.Off(got, word(h)/total, 1e-12*got) {
			t.Fatalf("word %d has the probability %v, want %v", h, got, word(h)/total)
		}
	}
	order := []int{2, 0, 1}
	got := topics.NewCrew(8).Reorder(raw, order)
	if same := raw.Reorder(order); !mat.Equal(got.Centers, same.Centers) || !slices.Equal(got.Weights, same.Weights) {
		t.Error("another order than that of mixture")
	}
}
