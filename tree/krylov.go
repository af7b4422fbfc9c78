package tree

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/spectral"
)

// krylov is a growing orthonormal basis Q with A·Q for a symmetric A that can
// only be applied. It keeps QᵀAQ in full, so that any direction may be added,
// not only the next power.
type krylov struct {
	apply func(y, x [][]float64) error // the products of several vectors
	q, aq [][]float64
	small [][]float64 // QᵀAQ, lower triangle
}

// extend adds directions (spoiled) and their products. It returns how many of
// them are new to the basis.
func (k *krylov) extend(directions ...[]float64) (added int, err error) {
	for _, v := range directions {
		if k.orthogonal(v) {
			k.q = append(k.q, v)
		}
	}
	first := len(k.aq)
	for range k.q[first:] {
		k.aq = append(k.aq, make([]float64, len(directions[0])))
	}
	if err := k.apply(k.aq[first:], k.q[first:]); err != nil {
		return 0, err
	}
	for a, av := range k.aq[first:] {
		row := make([]float64, first+a+1)
		for b, q := range k.q[:len(row)] {
			row[b] = floats.Dot(q, av)
		}
		k.small = append(k.small, row)
	}
	return len(k.q) - first, nil
}

// orthogonal makes v orthogonal to the basis, of length 1; ok is false where the
// basis already holds it.
func (k *krylov) orthogonal(v []float64) (ok bool) {
	const (
		lost = 1e-10 // of a vector: what is left of it is rounding
		much = 0.1   // of it: what is left is exact enough to go without another turn
	)
	before := floats.Norm(v, 2)
	norm := before
	for range 2 { // twice is enough
		was := norm
		for _, q := range k.q {
			floats.AddScaled(v, -floats.Dot(q, v), q)
		}
		if norm = floats.Norm(v, 2); norm > much*was {
			break
		}
	}
	if !(norm > lost*before) {
		return false
	}
	floats.Scale(1/norm, v)
	return true
}

// ritz returns the eigenpairs of QᵀAQ plus, where diag is not nil, Qᵀ·diag·Q;
// values fall.
func (k *krylov) ritz(diag []float64) ([]float64, *mat.Dense) {
	j := len(k.q)
	m := mat.NewDense(j, j, nil)
	for a, row := range k.small {
		scaled := k.q[a]
		if diag != nil {
			scaled = floats.MulTo(make([]float64, len(diag)), diag, k.q[a])
		}
		for b, v := range row {
			if diag != nil {
				v += floats.Dot(scaled, k.q[b])
			}
			m.Set(a, b, v)
			m.Set(b, a, v)
		}
	}
	return spectral.SymEig(m)
}

// shrink keeps n directions of the basis, the leading columns of y.
func (k *krylov) shrink(y *mat.Dense, n int) {
	if len(k.q) <= n {
		return
	}
	var q, aq [][]float64
	for a := range n {
		q, aq = append(q, combine(k.q, y.ColView(a))), append(aq, combine(k.aq, y.ColView(a)))
	}
	k.q, k.aq, k.small = q, aq, nil
	for a := range q {
		row := make([]float64, a+1)
		for b := range row {
			row[b] = floats.Dot(q[b], aq[a])
		}
		k.small = append(k.small, row)
	}
}

// combine returns Σ_j y_j·basis_j.
func combine(basis [][]float64, y mat.Vector) []float64 {
	out := make([]float64, len(basis[0]))
	for j, b := range basis {
		floats.AddScaled(out, y.AtVec(j), b)
	}
	return out
}

// leadingPairs returns the leading n eigenpairs, as far as there are so many,
// the values that follow, and how far the pairs are from settled: the largest
// ‖Av − λv‖/λ_n. It stops once that is below tol or after most products. fresh
// draws a direction: powers of n of them are followed together, since equal
// eigenvalues hide one of their directions from powers of a single one.
func (k *krylov) leadingPairs(fresh func() []float64, n, most int, tol float64) (values []float64, vectors [][]float64, residual float64, err error) {
	next := make([][]float64, n)
	for i := range next {
		next[i] = fresh()
	}
	for len(next) > 0 && len(k.q) < most {
		for i := 0; i < productsAtOnce && len(next) > 0 && len(k.q) < most; i += n {
			added, err := k.extend(next[:min(len(next), most-len(k.q))]...)
			if err != nil {
				return nil, nil, 0, err
			}
			next = next[:0]
			for _, aq := range k.aq[len(k.aq)-added:] { // one that leads nowhere new ends there
				next = append(next, slices.Clone(aq))
			}
		}
		if len(k.q) < n {
			continue
		}
		if values, vectors, residual = k.pairs(n); residual <= tol {
			break
		}
	}
	return values, vectors, residual, nil
}

// pairs returns all eigenvalues in the basis, the first n vectors, and how far
// these are from settled.
func (k *krylov) pairs(n int) (values []float64, vectors [][]float64, residual float64) {
	values, y := k.ritz(nil)
	scale := math.Max(math.Abs(values[n-1]), math.SmallestNonzeroFloat64)
	for a := range n {
		u, au := combine(k.q, y.ColView(a)), combine(k.aq, y.ColView(a))
		floats.AddScaled(au, -values[a], u)
		residual = math.Max(residual, floats.Norm(au, 2)/scale)
		vectors = append(vectors, u)
	}
	return values, vectors, residual
}

// productsAtOnce is the number of products between two looks at the basis: a
// look costs about as much as one.
const productsAtOnce = 4
