package hmm

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// defaultLength is the length of sampled sequences where none is given.
const defaultLength = 20

// Sample draws n sequences of the lengths of the shape; labels are the states
// of the rows.
func (f Family) Sample(p mixture.Params, r *rand.Rand, n int, shape family.Shape) (family.Draw, error) {
	if err := f.Check(p); err != nil {
		return family.Draw{}, err
	}
	draw := family.Draw{Steps: make([]int, 1, n+1)}
	for i := range n {
		j := 0
		for t := range shape.Length(i, defaultLength) {
			if t == 0 {
				j = family.Pick(r, p.Extra[InitialOf].RawRowView(0))
			} else {
				j = family.Pick(r, p.Extra[TransitionOf].RawRowView(j))
			}
			draw.Labels = append(draw.Labels, j)
		}
		draw.Steps = append(draw.Steps, len(draw.Labels))
	}
	var err error
	if f.o.Of != nil {
		draw.Rows, err = f.sampleLaw(p, r, draw.Labels)
	} else if f.o.Emission == Gaussian {
		draw.Rows = sampleNormal(p, r, draw.Labels)
	} else {
		draw.Rows, err = sampleSymbols(p, r, draw.Labels)
	}
	return draw, err
}

func sampleSymbols(p mixture.Params, r *rand.Rand, states []int) (sparse.Rows, error) {
	build, emit := sparse.NewBuilder(p.Dim(), true), make([][]float64, p.K())
	for j := range emit {
		emit[j] = mat.Col(nil, j, p.Centers)
	}
	for _, j := range states {
		if err := build.Add([]uint32{uint32(family.Pick(r, emit[j]))}, nil); err != nil {
			return sparse.Rows{}, err
		}
	}
	return build.Rows(), nil
}

func sampleNormal(p mixture.Params, r *rand.Rand, states []int) sparse.Rows {
	rows := sparse.Rows{Dim: p.Dim(), Dense: make([]float64, len(states)*p.Dim())}
	for i, j := range states {
		sd := math.Sqrt(p.Extra[VarianceOf].At(0, j))
		for h := range p.Dim() {
			rows.Dense[i*p.Dim()+h] = p.Centers.At(h, j) + sd*p.Extra[ScaleOf].At(h, 0)*r.NormFloat64()
		}
	}
	return rows
}
