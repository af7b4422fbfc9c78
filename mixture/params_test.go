package mixture

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func example() Params {
	return New(mat.NewDense(2, 3, []float64{
		1, 2, 3,
		4, 5, 6,
	}), []float64{0.2, 0.5, 0.3})
}

func TestShape(t *testing.T) {
	if p := example(); p.Dim() != 2 || p.K() != 3 || p.Check() != nil {
		t.Errorf("Dim %d, K %d, Check %v", p.Dim(), p.K(), p.Check())
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Params)
		want  string
	}{
		"columns":  {func(p *Params) { p.Weights = p.Weights[:2] }, "3 columns of centers but 2 weights"},
		"negative": {func(p *Params) { p.Weights = []float64{-0.1, 0.6, 0.5} }, "weight 1 is -0.1"},
		"NaN":      {func(p *Params) { p.Weights = []float64{0.5, math.NaN(), 0.5} }, "weight 2 is NaN"},
		"infinite": {func(p *Params) { p.Weights = []float64{0.5, 0, math.Inf(1)} }, "weight 3 is +Inf"},
		"sum":      {func(p *Params) { p.Weights = []float64{0.5, 0.5, 0.5} }, "add up to 1.5"},
		"center":   {func(p *Params) { p.Centers.Set(1, 2, math.Inf(-1)) }, "feature 2 in component 3 is -Inf"},
	} {
		p := example()
		c.spoil(&p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Check = %v, want %q", name, err, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	if got := example().Order(); !slices.Equal(got, []int{1, 2, 0}) {
		t.Errorf("by weight: %v", got)
	}
	tied := New(mat.NewDense(2, 4, []float64{
		0, 1, 1, 0,
		7, 2, 3, 7,
	}), []float64{0.25, 0.25, 0.25, 0.25})
	if got := tied.Order(); !slices.Equal(got, []int{2, 1, 0, 3}) {
		t.Errorf("ties: %v", got)
	}
}

func TestReorder(t *testing.T) {
	p := example()
	got := p.Reorder([]int{2, 0})
	if !mat.Equal(got.Centers, mat.NewDense(2, 2, []float64{3, 1, 6, 4})) || !slices.Equal(got.Weights, []float64{0.3, 0.2}) {
		t.Errorf("Reorder = %v, %v", mat.Formatted(got.Centers), got.Weights)
	}
	if want := example(); !mat.Equal(p.Centers, want.Centers) || !slices.Equal(p.Weights, want.Weights) {
		t.Error("Reorder changed its input")
	}
	sorted := p.Reorder(p.Order())
	if !slices.IsSortedFunc(sorted.Weights, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Errorf("weights in canonical order: %v", sorted.Weights)
	}
}

func TestWith(t *testing.T) {
	p := example()
	one := p.With("a", mat.NewDense(1, 1, []float64{1}))
	two := one.With("b", mat.NewDense(1, 1, []float64{2})).With("a", mat.NewDense(1, 1, []float64{3}))
	if p.Extra != nil || len(one.Extra) != 1 || one.Extra["a"].At(0, 0) != 1 {
		t.Error("With changed its input")
	}
	if len(two.Extra) != 2 || two.Extra["a"].At(0, 0) != 3 || two.Extra["b"].At(0, 0) != 2 {
		t.Errorf("With = %v", two.Extra)
	}
}
