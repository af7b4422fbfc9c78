package mixed

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// four is a family of one column of each kind: a presence, a count, a
// measurement and a question with three answers.
func four(t *testing.T) *Family {
	t.Helper()
	f, err := New(Options{Columns: []vocab.Column{
		{Name: "code", Kind: vocab.Presence, From: 0, To: 1},
		{Name: "visits", Kind: vocab.Counts, From: 1, To: 2},
		{Name: "lab", Kind: vocab.Real, From: 2, To: 3},
		{Name: "ward", Kind: vocab.Categorical, From: 3, To: 6},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if numtest.Off(got, want, 1e-12) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// Four records in two groups, one of them without a measurement, and a prior of
// two. The measurements 1, 3, 8 have the mean 4 and the variance 26/3: in the
// first group (4 + 2·4)/4 = 3, and ((1−3)² + 0 + 2·(26/3 + 1))/4.
func TestStepByHand(t *testing.T) {
	f := four(t)
	old := mixture.New(mat.NewDense(6, 2, []float64{.5, .5, 1, 1, 2, 7, .4, .2, .3, .5, .3, .3}), []float64{.5, .5}).
		With(Variance, mat.NewDense(6, 2, []float64{0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0}))
	step, err := f.HardStep(old, []int32{0, 0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	state := make([]float64, step.Len())
	rows := sparse.Rows{Dim: 6, Dense: []float64{
		1, 2, 1, 1, 0, 0,
		0, 0, 3, 1, 0, 0,
		1, 4, 8, 0, 1, 0,
		1, 2, math.NaN(), 1, 0, 0,
	}}
	if err := step.Add(state, pass.Block{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	p, _, err := f.MStep(state, old, 2)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "presence", p.Centers.At(0, 0), (2+2*.75)/5)
	near(t, "count", p.Centers.At(1, 0), (4+2*2)/5.)
	near(t, "mean", p.Centers.At(2, 0), 3)
	near(t, "variance", p.Extra[Variance].At(2, 0), (4+2*(26./3+1))/4)
	near(t, "frequent answer", p.Centers.At(3, 0), (3+2*.75)/5)
	near(t, "rare answer", p.Centers.At(4, 0), (0+2*.25)/5)
	near(t, "answer of nobody", p.Centers.At(5, 0), 0)
	near(t, "weight", p.Weights[0], .75)
	prior := func(p mixture.Params) (sum float64) {
		for j := range 2 {
			at := func(h int) float64 { return p.Centers.At(h, j) }
			sum += .75*math.Log(at(0)) + .25*math.Log(1-at(0)) + 2*math.Log(at(1)) - at(1)
			v, off := p.Extra[Variance].At(2, j), at(2)-4
			sum -= (math.Log(v) + (off*off+26./3)/v) / 2
			sum += .75*math.Log(at(3)) + .25*math.Log(at(4))
		}
		return sum
	}
	near(t, "prior", f.Objective(state, old, 2)-f.Objective(state, old, 0), 2*prior(old))
}

// The density of a record with a count of two and a missing presence.
func TestDensityByHand(t *testing.T) {
	f := four(t)
	p := mixture.New(mat.NewDense(6, 1, []float64{.25, 3, 10, .5, .25, .25}), []float64{1}).
		With(Variance, mat.NewDense(6, 1, []float64{0, 0, 4, 0, 0, 0}))
	rows := sparse.Rows{Dim: 6, Dense: []float64{math.NaN(), 2, 12, 0, 1, 0, 1, 0, 10, 1, 0, 0}}
	got := make([]float64, 2)
	if err := f.LogDensity(p, pass.Block{Rows: rows}, got); err != nil {
		t.Fatal(err)
	}
	level := -math.Log(2*math.Pi*4) / 2
	near(t, "first", got[0], 2*math.Log(3)-3-math.Log(2)+level-.5+math.Log(.25))
	near(t, "second", got[1], math.Log(.25)-3+level+math.Log(.5))
}

// What the moments give is kept within bounds: a presence at a thousandth, a
// count at a hundredth of its mean; what groups explain is taken from the
// variance, but nine tenths at most.
func TestStartByHand(t *testing.T) {
	f := four(t)
	src := source{&moment.Standard{
		Mean: []float64{.4, 2, 5, .5, .5, 0}, Scale: []float64{1, 1, 1, 1, 1, 1}, N: 10, Completed: &moment.Completed{},
	}, []float64{1, 1, 8, 1, 1, 1}}
	for _, c := range []struct{ center, variance float64 }{{5, 8}, {7, 4}, {9, .8}} {
		raw := mixture.New(mat.NewDense(6, 1, []float64{-.2, -1, c.center, .5, .5, 0}), []float64{1})
		p, _, err := f.Normalise(context.Background(), src, raw)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "presence", p.Centers.At(0, 0), .001)
		near(t, "count", p.Centers.At(1, 0), .02)
		near(t, "variance", p.Extra[Variance].At(2, 0), c.variance)
	}
}
