package mixed

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
)

// Spread implements family.Spreader.
func (f *Family) Spread(p mixture.Params) []float64 {
	out, v := make([]float64, p.Dim()), p.Extra[Variance]
	if v == nil {
		return out
	}
	for _, h := range f.real {
		sum := 0.0
		for j, w := range p.Weights {
			sum += w * v.At(h, j)
		}
		out[h] = math.Sqrt(sum)
	}
	return out
}

// Even returns k equal components in which every answer is as likely as any
// other: what a partition is learned from.
func (f *Family) Even(k int) mixture.Params {
	d := len(f.kinds)
	centers, variance, weights := mat.NewDense(d, k, nil), mat.NewDense(d, k, nil), make([]float64, k)
	for h, kind := range f.kinds {
		for j := range k {
			switch kind {
			case vocab.Real:
				variance.Set(h, j, 1)
			case vocab.Counts:
				centers.Set(h, j, 1)
			default:
				centers.Set(h, j, .5)
			}
		}
	}
	for _, b := range f.blocks {
		for h := b[0]; h < b[1]; h++ {
			for j := range k {
				centers.Set(h, j, 1/float64(b[1]-b[0]))
			}
		}
	}
	for j := range weights {
		weights[j] = 1 / float64(k)
	}
	return mixture.New(centers, weights).With(Variance, variance)
}
