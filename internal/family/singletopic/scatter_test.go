package singletopic_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

var calm = []float64{.2, .5, .4, 1, 1, .9}

func calmTopics() mixture.Params {
	return topics().With(singletopic.Calm, mat.NewDense(6, 1, append([]float64(nil), calm...)))
}

func TestScatteredBattery(t *testing.T) {
	none, more, few := calmTopics(), calmTopics(), topics().With(singletopic.Calm, mat.NewDense(5, 1, []float64{1, 1, 1, 1, 1}))
	none.Extra[singletopic.Calm].Set(2, 0, 0)
	more.Extra[singletopic.Calm].Set(2, 0, 1.1)
	familytest.Run(t, newFamily(t, singletopic.Options{Calm: calm}), familytest.Case{
		Params:      calmTopics(),
		Shape:       family.Shape{Lengths: []int{5, 12, 3, 40, 1, 0, 2}},
		Proportions: true,
		NoMean:      true, // shares are those of all counts of a topic, not of its mean record
		NoMoments:   true, // those of counts that scatter as chance has it
		Illegal:     []mixture.Params{none, more, few},
		Free:        2 + 3*5,
	})
}

// Two features, of which a count of the first weighs a half: shares .8 and .2 of the
// counts are 2/3 and 1/3 of what they weigh, and a record of (2, 1) weighs 1 and 1.
func TestScatteredByHand(t *testing.T) {
	f := newFamily(t, singletopic.Options{})
	p := mixture.New(mat.NewDense(2, 2, []float64{.8, .5, .2, .5}), []float64{.5, .5}).
		With(singletopic.Calm, mat.NewDense(2, 1, []float64{.5, 1}))
	block := pass.Block{Rows: sparse.FromDense([][]float64{{2, 1}}, 2, false)}
	out := make([]float64, 2)
	if err := f.Posterior(p, block, out); err != nil {
		t.Fatal(err)
	}
	a, b := 2./3*1/3, 1./3*2/3
	if numtest.Off(out[0], a/(a+b), 1e-14) {
		t.Errorf("posterior %v, want %v", out[0], a/(a+b))
	}
	if err := f.LogDensity(p, block, out[:1]); err != nil {
		t.Fatal(err)
	}
	if want := math.Log(2 * (a + b) / 2); numtest.Off(out[0], want, 1e-14) { // 2!/1!1! ways to count them
		t.Errorf("log density %v, want %v", out[0], want)
	}
	// A family that was made without weights keeps those of the parameters.
	next, _, err := f.MStep([]float64{-1, 2, 1, 1, 6, 4, 2, 4}, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	if next.Centers.At(0, 0) != .75 || next.Extra[singletopic.Calm] == nil {
		t.Errorf("%v of the counts, weights %v", next.Centers.At(0, 0), next.Extra)
	}
}

// Records that are drawn scatter as much as their weights say.
func TestScatteredSample(t *testing.T) {
	p := mixture.New(mat.NewDense(2, 1, []float64{.1, .9}), []float64{1}).With(singletopic.Calm, mat.NewDense(2, 1, []float64{.25, 1}))
	d, err := newFamily(t, singletopic.Options{}).Sample(p, stream.New(1, "test/scatter"), 4000, family.Shape{Lengths: []int{100}})
	if err != nil {
		t.Fatal(err)
	}
	sum, square := 0.0, 0.0
	for i := range d.Rows.N() {
		x := 0.0
		d.Rows.Each(i, func(h int, v float64) {
			if h == 0 {
				x = v
			}
		})
		sum, square = sum+x, square+x*x
	}
	mean := sum / 4000
	if variance := square/4000 - mean*mean; numtest.Off(mean, 10, .5) || numtest.Off(variance, 40, 6) {
		t.Errorf("mean %.1f, variance %.1f, want 10 and 40", mean, variance)
	}
}
