package spectral

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/par"
)

// Team is a number of workers for products of tall matrices, 0 or less for all
// cores. Rows are cut into parts that depend on the matrices alone, so that the
// bits do not depend on the workers.
type Team int

const (
	// teamRows is the most rows of a part.
	teamRows = 1024
	// leastWork is the number of products below which sharing them out costs
	// more than it gains.
	leastWork = 1 << 22
)

// each calls f for all parts of d rows, of so many products each.
func (t Team) each(d, work int, f func(part, lo, hi int)) {
	n := parts(d, work)
	t.shared(n, func(i int) { f(i, i*d/n, (i+1)*d/n) })
}

// shared calls f for all of n parts.
func (t Team) shared(n int, f func(i int)) {
	_ = par.Do(context.Background(), int(t), n, func(i int) error { // nothing fails
		f(i)
		return nil
	})
}

// parts returns the number of parts of d rows, of so many products each.
func parts(d, work int) int {
	if d*work < leastWork {
		return 1
	}
	return (d + teamRows - 1) / teamRows
}

// rows returns rows lo to hi-1, sharing the memory.
func rows(m *mat.Dense, lo, hi int) *mat.Dense {
	_, c := m.Dims()
	return m.Slice(lo, hi, 0, c).(*mat.Dense)
}

// Mul sets dst to A·B, for A of many rows.
func (t Team) Mul(dst, a, b *mat.Dense) {
	d, l := a.Dims()
	_, m := b.Dims()
	prepare(dst, d, b)
	t.each(d, l*m, func(_, lo, hi int) {
		addMul(rows(dst, lo, hi), rows(a, lo, hi), b)
	})
}

// MulTrans sets dst to Aᵀ·B, for A and B of many rows.
func (t Team) MulTrans(dst, a, b *mat.Dense) {
	d, l := a.Dims()
	_, m := b.Dims()
	prepare(dst, l, b)
	touch(dst)
	sums := make([]mat.Dense, parts(d, l*m))
	t.each(d, l*m, func(part, lo, hi int) { MulTrans(&sums[part], rows(a, lo, hi), rows(b, lo, hi)) })
	for i := range sums {
		dst.Add(dst, &sums[i])
	}
}

// Orthonormalise is Orth in the memory of y, which is lost, where that can be.
func (t Team) Orthonormalise(y *mat.Dense) *mat.Dense {
	if quick(y) && t.choleskyOrth(y) {
		return y
	}
	return gramSchmidt(y)
}
