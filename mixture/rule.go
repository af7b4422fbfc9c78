package mixture

import (
	"math"

	"github.com/moiety-go/moiety/sparse"
)

// Rule places records without a model: each goes to the component whose linear function of
// it is the largest.
type Rule struct {
	Vectors  [][]float64 `json:"vectors"`            // of every component, over the features
	Absolute bool        `json:"absolute,omitempty"` // the largest modulus ([T] eq. 6.11)
}

// Reorder returns the rule of which component c is component order[c] of r; of no rule there
// is none.
func (r *Rule) Reorder(order []int) *Rule {
	if r == nil {
		return nil
	}
	out := &Rule{Absolute: r.Absolute}
	for _, j := range order {
		out.Vectors = append(out.Vectors, r.Vectors[j])
	}
	return out
}

// Place sets out (rows×k) to 1 for the component of every row and 0 for the others; a row
// that has several with the same value belongs to each of them alike.
func (r *Rule) Place(rows sparse.Rows, out []float64) {
	k, d := len(r.Vectors), rows.Dim
	b := make([]float64, d*k)
	for j, v := range r.Vectors {
		for h, x := range v {
			b[h*k+j] = x
		}
	}
	rows.MulTo(out, b, k)
	for ; len(out) >= k; out = out[k:] {
		if r.Absolute {
			for j, v := range out[:k] {
				out[j] = math.Abs(v)
			}
		}
		share(out[:k])
	}
}

// share makes 1 of the largest number and 0 of the others; equal ones share.
func share(z []float64) {
	largest, equal := math.Inf(-1), 0.0
	for _, v := range z {
		switch {
		case v > largest:
			largest, equal = v, 1
		case v == largest:
			equal++
		}
	}
	for j, v := range z {
		if z[j] = 0; v == largest {
			z[j] = 1 / equal
		}
	}
}
