package moment

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Compressed is the Source of moments that live in a subspace and are known
// whole there: M2 = Q·S·Qᵀ and M3 = T seen through Q, for a d×r matrix Q of few
// columns. Models of several views make their moments so: what the views have
// in common spans a few dimensions, and one scan gives all of it.
type Compressed struct {
	Basis  *mat.Dense // d×r: Q
	Mean   []float64  // d: M1
	Second *mat.Dense // r×r, symmetric: S
	Third  *Cube      // r×r×r, symmetric: T
}

// Dim returns the number of features.
func (c *Compressed) Dim() int { d, _ := c.Basis.Dims(); return d }

// First returns M1.
func (c *Compressed) First(context.Context) ([]float64, error) {
	return append([]float64(nil), c.Mean...), nil
}

// Project implements Source; it touches no data.
func (c *Compressed) Project(_ context.Context, b *mat.Dense, want Want) (*Projection, error) {
	d, l := b.Dims()
	if d != c.Dim() {
		return nil, fmt.Errorf("moment: basis of %d rows for %d features", d, c.Dim())
	}
	var y mat.Dense // r×l: QᵀB
	y.Mul(c.Basis.T(), b)
	out := &Projection{}
	if want&Second != 0 {
		var sy mat.Dense
		sy.Mul(c.Second, &y)
		out.Second = mat.NewDense(d, l, nil)
		out.Second.Mul(c.Basis, &sy)
	}
	if want&Core != 0 {
		out.Core = c.Third.Congruence(&y)
	}
	if want&(Slices|Rows) != 0 {
		packed, diagonal := c.slices(&y)
		if want&Slices != 0 {
			out.Slices = mat.NewDense(d, l*(l+1)/2, nil)
			out.Slices.Mul(c.Basis, packed)
		}
		if want&Rows != 0 {
			out.Rows = mat.NewDense(d, l, nil)
			out.Rows.Mul(c.Basis, diagonal)
		}
	}
	return out, nil
}

// slices returns yᵀT_q y for every slice q of T, packed (r×l(l+1)/2), and
// their diagonals (r×l).
func (c *Compressed) slices(y *mat.Dense) (packed, diagonal *mat.Dense) {
	r, l := y.Dims()
	packed, diagonal = mat.NewDense(r, l*(l+1)/2, nil), mat.NewDense(r, l, nil)
	for q := range r {
		var half, whole mat.Dense
		half.Mul(y.T(), c.Third.Slice(q))
		whole.Mul(&half, y)
		row, at := packed.RawRowView(q), 0
		for a := range l {
			diagonal.Set(q, a, whole.At(a, a))
			for e := a; e < l; e++ {
				row[at] = (whole.At(a, e) + whole.At(e, a)) / 2
				at++
			}
		}
	}
	return packed, diagonal
}
