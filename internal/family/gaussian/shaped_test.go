package gaussian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// shapedTruth are three components of four features with correlations.
func shapedTruth(f Shaped) mixture.Params {
	centers := mat.NewDense(4, 3, []float64{
		100, 104, 108,
		1, 3, 9,
		20, 20, 14,
		5, 5, 5,
	})
	p := f.Scaled(centers, []float64{.5, .3, .2}, []float64{1, .4, 2, 1})
	c := p.Extra[CovarianceOf]
	if f.square() {
		_, w := c.Dims()
		for b := range w / 4 {
			r := .5 - .3*float64(b)
			c.Set(0, 4*b+1, r)
			c.Set(1, 4*b, r)
		}
	}
	return p
}

func TestShapedBattery(t *testing.T) {
	free := map[normals.Shape]int{normals.Common: 4, normals.Diagonal: 12, normals.Tied: 10, normals.Own: 30}
	for shape, n := range free {
		for name, logs := range map[string][]int{"": nil, "-log": {1}} {
			t.Run(shape.String()+name, func(t *testing.T) {
				f := NewShaped(shape, logs)
				p := shapedTruth(f)
				bad := p.With(CovarianceOf, mat.NewDense(1, 1, nil))
				familytest.Run(t, f, familytest.Case{
					Params: p, Seed: 1, Free: 2 + 12 + n, NoMoments: true, NoMean: logs != nil, Hostile: hostile(),
					Illegal: []mixture.Params{bad, mixture.New(p.Centers, p.Weights)},
				})
			})
		}
	}
}

// The density of two correlated features by hand.
func TestShapedDensityByHand(t *testing.T) {
	f := NewShaped(normals.Tied, []int{1})
	p := f.Scaled(mat.NewDense(2, 1, []float64{1, math.E}), []float64{1}, []float64{2, 1})
	p.Extra[CovarianceOf].Set(0, 1, .6)
	p.Extra[CovarianceOf].Set(1, 0, .6)
	x := sparse.Rows{Dim: 2, Dense: []float64{3, 1}}
	// t = ((3−1)/2, (0−1)/1) = (1, −1); log|Σ| = log .64, tᵀΣ⁻¹t = (1+1+2·.6)/.64 = 5.
	want := -math.Log(2*math.Pi) - math.Log(.64)/2 - 2.5 - math.Log(2) - math.Log(1)
	got := make([]float64, 1)
	if err := f.LogDensity(p, pass.Block{Rows: x}, got); err != nil || numtest.Off(got[0], want, 1e-12) {
		t.Errorf("log density %v, want %v (%v)", got[0], want, err)
	}
}

// A partition gives back the moments of its parts.
func TestShapedPartition(t *testing.T) {
	for _, shape := range []normals.Shape{normals.Tied, normals.Own} {
		f := NewShaped(shape, nil)
		truth := shapedTruth(f)
		d, err := f.Sample(truth, stream.New(1, "test"), 20000, family.Shape{})
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int32, len(d.Labels))
		for i, l := range d.Labels {
			labels[i] = int32(l)
		}
		step, err := f.HardStep(truth, labels)
		if err != nil {
			t.Fatal(err)
		}
		state, err := pass.RunOne(t.Context(), d.Runner(2), step)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := f.MStep(state, truth, 0)
		if err != nil {
			t.Fatal(err)
		}
		var diff mat.Dense
		diff.Sub(p.Extra[CovarianceOf], truth.Extra[CovarianceOf])
		if m := mat.Max(&diff); m > .1 || mat.Min(&diff) < -.1 {
			t.Errorf("%v: covariances off by %v", shape, mat.Formatted(&diff))
		}
	}
}
