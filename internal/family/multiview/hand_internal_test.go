package multiview

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// A view that no record of the data has keeps its numbers; the likelihood is that
// of the other.
func TestViewOfNobody(t *testing.T) {
	f, err := New(Options{Views: []View{
		{From: 0, To: 2, Family: gaussian.New(gaussian.Options{})},
		{From: 2, To: 4, Family: gaussian.New(gaussian.Options{})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	first := gaussian.NewParams(mat.NewDense(2, 2, []float64{0, 4, 0, 4}), []float64{.5, .5}, []float64{1, 1})
	second := gaussian.NewParams(mat.NewDense(2, 2, []float64{7, 8, 9, 10}), []float64{.5, .5}, []float64{2, 3})
	p, err := f.Join([]float64{.5, .5}, []mixture.Params{first, second})
	if err != nil {
		t.Fatal(err)
	}
	no := math.NaN()
	b := pass.Block{Rows: sparse.Rows{Dim: 4, Dense: []float64{0, 1, no, no, 4, 3, no, no, 1, 0, no, no}}}
	step, err := f.EStep(p, true)
	if err != nil {
		t.Fatal(err)
	}
	state := make([]float64, step.Len())
	if err := step.Add(state, b); err != nil {
		t.Fatal(err)
	}
	alone := make([]float64, 3)
	if err := gaussian.New(gaussian.Options{}).LogDensity(first, pass.Block{Rows: cut(b.Rows, 0, 2)}, alone); err != nil {
		t.Fatal(err)
	}
	if want := alone[0] + alone[1] + alone[2]; numtest.Off(f.Objective(state, p, 0), want, 1e-9) {
		t.Errorf("objective %v, want %v", f.Objective(state, p, 0), want)
	}
	q, _, err := f.MStep(state, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.view(q, 1); !mat.Equal(got.Centers, second.Centers) || !mat.Equal(got.Extra[gaussian.VarianceOf], second.Extra[gaussian.VarianceOf]) {
		t.Errorf("the view of nobody has moved to %v", mat.Formatted(got.Centers))
	}
	if got := f.view(q, 0); mat.Equal(got.Centers, first.Centers) {
		t.Error("the other view has not moved")
	}
}

// Of a view that the second record alone has, its group learns and no other.
func TestViewOfOne(t *testing.T) {
	f, err := New(Options{Views: []View{
		{From: 0, To: 2, Family: gaussian.New(gaussian.Options{})},
		{From: 2, To: 4, Family: gaussian.New(gaussian.Options{})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	first := gaussian.NewParams(mat.NewDense(2, 2, []float64{0, 40, 0, 40}), []float64{.5, .5}, []float64{1, 1})
	second := gaussian.NewParams(mat.NewDense(2, 2, []float64{7, 8, 9, 10}), []float64{.5, .5}, []float64{2, 3})
	p, err := f.Join([]float64{.5, .5}, []mixture.Params{first, second})
	if err != nil {
		t.Fatal(err)
	}
	no := math.NaN()
	step, err := f.EStep(p, true)
	if err != nil {
		t.Fatal(err)
	}
	state := make([]float64, step.Len())
	rows := sparse.Rows{Dim: 4, Dense: []float64{0, 1, no, no, 40, 39, 11, 12, 1, 0, no, no}}
	if err := step.Add(state, pass.Block{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	q, _, err := f.MStep(state, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(2, 2, []float64{7, 11, 9, 12})
	if got := f.view(q, 1); !mat.EqualApprox(got.Centers, want, 1e-9) {
		t.Errorf("the second view has the centers %v, want %v", mat.Formatted(got.Centers), mat.Formatted(want))
	}
}
