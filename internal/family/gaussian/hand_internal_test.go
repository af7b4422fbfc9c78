package gaussian

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Three records in two groups, and a prior of three: the mean of all is (2, 2),
// their squares about it 32/3, so that a pseudo-record has the variance
// 32/3/2/2 = 8/3 a feature. For the first group (2+3·2)/5 and (0+3·2)/5, and
// squares of 4 + 1.6 of the records, 3·.8 of the pseudo-records' mean, 16 of
// their variance: 24 over 2·5.
func TestStepByHand(t *testing.T) {
	f := New(Options{})
	old := NewParams(mat.NewDense(2, 2, []float64{-1, 7, 2, 5}), []float64{.5, .5}, []float64{1, 4})
	step, err := f.HardStep(old, []int32{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	state := make([]float64, step.Len())
	if err := step.Add(state, pass.Block{Rows: sparse.Rows{Dim: 2, Dense: []float64{0, 0, 2, 0, 4, 6}}}); err != nil {
		t.Fatal(err)
	}
	p, _, err := f.MStep(state, old, 3)
	if err != nil {
		t.Fatal(err)
	}
	for what, v := range map[string][2]float64{
		"first mean":  {p.Centers.At(0, 0), 1.6},
		"second mean": {p.Centers.At(1, 0), 1.2},
		"variance":    {p.Extra[VarianceOf].At(0, 0), 2.4},
		"weight":      {p.Weights[0], 2. / 3},
	} {
		if numtest.Off(v[0], v[1], 1e-12) {
			t.Errorf("%s is %v, want %v", what, v[0], v[1])
		}
	}
}

// Covariances have a prior of as many records as they need to be of full rank.
func TestShapedPriorByHand(t *testing.T) {
	for shape, want := range map[normals.Shape]float64{normals.Own: 12, normals.Diagonal: 6, normals.Tied: 3} {
		if got := NewShaped(shape, nil).rows(3, 2); got != want {
			t.Errorf("%v: a prior of %v records, want %v", shape, got, want)
		}
	}
	own := []float64{6, 2, 4} // the lower triangle
	NewShaped(normals.Own, nil).divide(own, nil, []float64{4}, 10, 2, 2)
	if want := []float64{8. / 6, 2. / 6, 1}; !slices.Equal(own, want) {
		t.Errorf("own: %v, want %v", own, want)
	}
	tied := []float64{6, 2, 4}
	NewShaped(normals.Tied, nil).divide(tied, nil, []float64{4}, 10, 2, 2)
	if want := []float64{8. / 12, 2. / 12, .5}; !slices.Equal(tied, want) {
		t.Errorf("tied: %v, want %v", tied, want)
	}
	diagonal := []float64{6, 4}
	NewShaped(normals.Diagonal, nil).divide(diagonal, nil, []float64{4}, 10, 2, 2)
	if want := []float64{8. / 6, 1}; !slices.Equal(diagonal, want) {
		t.Errorf("diagonal: %v, want %v", diagonal, want)
	}
}
