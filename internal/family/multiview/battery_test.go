package multiview

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/sparse"
)

// lifted returns parameters in the coordinates of a source of this family.
func lifted(src moment.Source, p mixture.Params) mixture.Params {
	s := src.(*source)
	d, k := p.Centers.Dims()
	m := mat.NewDense(d+3, k, nil)
	for i, q := range s.parts {
		for j := range k {
			for e, h := range q.features {
				m.Set(h, j, (p.Centers.At(h, j)-q.shift[e])*q.inv[e])
			}
			m.Set(d+i, j, q.c)
		}
	}
	return mixture.New(m, p.Weights)
}

func TestBattery(t *testing.T) {
	f, p := three(t, 3)
	bad := p.With(prefix(1)+gaussian.VarianceOf, mat.NewDense(1, 3, nil))
	nan := make([]float64, 40*20)
	for i := range nan {
		nan[i] = float64(i % 2)
		if i%20 < 8 && i < 200 {
			nan[i] = math.NaN()
		}
	}
	never := append([]float64(nil), nan...)
	for i := range never {
		if i%20 >= 8 && i%20 < 14 {
			never[i] = math.NaN()
		}
	}
	familytest.Run(t, f, familytest.Case{
		Params: p, Seed: 4, N: 300, Coordinates: lifted,
		Free:    2 + 3*8 + 3*6 + 3 + 3*6,
		Illegal: []mixture.Params{bad, mixture.New(p.Centers, p.Weights)},
		Hostile: map[string]family.Draw{
			"a view missing in some": {Rows: sparse.Rows{Dim: 20, Dense: nan}},
			"a view never seen":      {Rows: sparse.Rows{Dim: 20, Dense: never}},
		},
	})
}
