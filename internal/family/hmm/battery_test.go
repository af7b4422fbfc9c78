package hmm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/sparse"
)

// lifted returns parameters in the coordinates of a source of this family.
func lifted(src moment.Source, p mixture.Params) mixture.Params {
	s := src.(*source)
	if s.lens.f == nil {
		return p
	}
	d, k := p.Centers.Dims()
	m := mat.NewDense(d+1, k, nil)
	for h := range d {
		for j := range k {
			m.Set(h, j, (p.Centers.At(h, j)-s.lens.f.shift[h])*s.lens.f.inv[h])
		}
	}
	for j := range k {
		m.Set(d, j, s.lens.c)
	}
	return mixture.New(m, p.Weights)
}

func TestBattery(t *testing.T) {
	for name, c := range map[string]struct {
		f    Family
		d    int
		free int
	}{
		"discrete": {New(Options{}), 8, 8 + 3*7},
		"gaussian": {New(Options{Emission: Gaussian, Raw: true}), 3, 8 + 3*3 + 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := truth(1, c.d, 3, c.f.o.Emission == Gaussian)
			off := mat.DenseCopyOf(p.Extra[TransitionOf])
			off.Set(0, 0, 3)
			familytest.Run(t, c.f, familytest.Case{
				Params: p, Seed: 2, N: 1000, Shape: family.Shape{Lengths: []int{6, 3, 1, 10, 0}},
				// The rows of a sequence are not independent, and a state of
				// weight 0 is still walked into: Bound leaves out the check of
				// weights and, with it, the likelihood, which has its own test.
				NoLabels: true, Bound: true, Coordinates: lifted, Free: c.free,
				Illegal: []mixture.Params{p.With(TransitionOf, off), mixture.New(p.Centers, p.Weights)},
				Hostile: hostile(c.d),
			})
		})
	}
}

func hostile(d int) map[string]family.Draw {
	nan := make([]float64, 60*d)
	for i := range nan {
		nan[i] = float64(i % 7)
	}
	nan[31] = math.NaN()
	empty := sparse.Rows{Dim: d, Ptr: make([]int, 41)}
	return map[string]family.Draw{
		"missing value":      {Rows: sparse.Rows{Dim: d, Dense: nan}, Steps: []int{0, 30, 60}},
		"nothing observed":   {Rows: empty, Steps: []int{0, 40}},
		"no sequences":       {Rows: empty},
		"constant":           {Rows: sparse.Rows{Dim: d, Dense: make([]float64, 60*d)}, Steps: []int{0, 60}},
		"sequences of a row": {Rows: sparse.FromDense([][]float64{{1}, {1}, {0, 1}}, d, true), Steps: []int{0, 1, 2, 3}},
	}
}
