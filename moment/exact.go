package moment

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// Exact is the Source of known parameters: what the moments of infinitely many
// records would be.
type Exact struct{ p mixture.Params }

// NewExact returns the exact moments of p.
func NewExact(p mixture.Params) *Exact { return &Exact{p} }

// Dim returns the number of features.
func (e *Exact) Dim() int { return e.p.Dim() }

// First returns M·ω.
func (e *Exact) First(context.Context) ([]float64, error) {
	var m1 mat.VecDense
	m1.MulVec(e.p.Centers, mat.NewVecDense(e.p.K(), e.p.Weights))
	return m1.RawVector().Data, nil
}

// Project implements Source.
func (e *Exact) Project(_ context.Context, b *mat.Dense, want Want) (*Projection, error) {
	d, l := b.Dims()
	k := e.p.K()
	var y mat.Dense // k×l: row j is Bᵀμ_j
	y.Mul(e.p.Centers.T(), b)
	out := &Projection{}
	if want&Second != 0 {
		scaled := mat.DenseCopyOf(&y)
		for j, w := range e.p.Weights {
			row := scaled.RawRowView(j)
			for a := range row {
				row[a] *= w
			}
		}
		out.Second = mat.NewDense(d, l, nil)
		out.Second.Mul(e.p.Centers, scaled)
	}
	if want&Core != 0 {
		out.Core = NewCube(l)
		for j, w := range e.p.Weights {
			out.Core.AddSym3(w, y.RawRowView(j))
		}
	}
	if want&Slices != 0 {
		pairs := mat.NewDense(k, l*(l+1)/2, nil) // row j: ω_j y_j y_jᵀ, packed
		for j, w := range e.p.Weights {
			row, at := y.RawRowView(j), 0
			for a := range l {
				for c := a; c < l; c++ {
					pairs.Set(j, at, w*row[a]*row[c])
					at++
				}
			}
		}
		out.Slices = mat.NewDense(d, l*(l+1)/2, nil)
		out.Slices.Mul(e.p.Centers, pairs)
	}
	if want&Rows != 0 {
		squares := mat.NewDense(k, l, nil)
		for j, w := range e.p.Weights {
			for a, v := range y.RawRowView(j) {
				squares.Set(j, a, w*v*v)
			}
		}
		out.Rows = mat.NewDense(d, l, nil)
		out.Rows.Mul(e.p.Centers, squares)
	}
	return out, nil
}
