package poisson

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// Sample draws n records; the shape plays no part.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, _ family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	d := p.Dim()
	build, labels := sparse.NewBuilder(d, false), make([]int, n)
	pick := distuv.NewCategorical(p.Weights, r)
	var index []uint32
	var value []float32
	for i := range n {
		j := int(pick.Rand())
		labels[i], index, value = j, index[:0], value[:0]
		for h := range d {
			mean := p.Centers.At(h, j)
			if mean == 0 {
				continue
			}
			if x := (distuv.Poisson{Lambda: mean, Src: r}).Rand(); x > 0 {
				index, value = append(index, uint32(h)), append(value, float32(x))
			}
		}
		if err := build.Add(index, value); err != nil {
			return family.Draw{}, fmt.Errorf("poisson: %w", err)
		}
	}
	return family.Draw{Rows: build.Rows(), Labels: labels}, nil
}
