package gaussian

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
	d, k := p.Centers.Dims()
	m := mat.NewDense(d+1, k, nil)
	for h := range d {
		for j := range k {
			m.Set(h, j, (p.Centers.At(h, j)-s.f.shift[h])*s.f.inv[h])
		}
	}
	for j := range k {
		m.Set(d, j, s.lift)
	}
	return mixture.New(m, p.Weights)
}

func hostile() map[string]family.Draw {
	nan := make([]float64, 60)
	far := make([]float64, 60)
	for i := range nan {
		nan[i] = float64(i % 7)
		far[i] = 1e9 + float64(i%11)*1e-3
	}
	nan[31] = math.NaN()
	inf := append([]float64(nil), far...)
	inf[3] = math.Inf(-1)
	return map[string]family.Draw{
		"missing value": {Rows: sparse.Rows{Dim: 6, Dense: nan}},
		"infinite":      {Rows: sparse.Rows{Dim: 6, Dense: inf}},
		"far away":      {Rows: sparse.Rows{Dim: 6, Dense: far}},
		"constant":      {Rows: sparse.Rows{Dim: 6, Dense: make([]float64, 600)}},
	}
}

func TestBattery(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		free int
	}{
		"own":    {Options{Standardise: Never}, 2 + 18 + 3},
		"shared": {Options{Variance: Shared, Standardise: Never}, 2 + 18 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := truth(3, 6, 3, 2, c.o.Variance == Own)
			p.Centers.Set(0, 0, p.Centers.At(0, 0)+100) // far from the origin
			p.Centers.Set(0, 1, p.Centers.At(0, 1)+100)
			p.Centers.Set(0, 2, p.Centers.At(0, 2)+100)
			bad := NewParams(p.Centers, p.Weights, []float64{1, 0, 1})
			familytest.Run(t, New(c.o), familytest.Case{
				Params: p, Seed: 1, Free: c.free, Coordinates: lifted, Hostile: hostile(),
				Illegal: []mixture.Params{bad, mixture.New(p.Centers, p.Weights)},
			})
		})
	}
}
