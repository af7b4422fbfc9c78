package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// fewColumns are shared out together: a cache line, and whole steps of every kernel.
	fewColumns = 8
	// leastNumbers is the size of matrices that are only gone through from which on they are
	// shared out: a part of a millisecond.
	leastNumbers = 1 << 18
)

// Rows calls f for stretches of d rows of so many numbers that together are all of them. What f
// does to a row depends on nothing but that row.
func (t Team) Rows(d, width int, f func(lo, hi int)) {
	if d*width < leastNumbers {
		f(0, d)
		return
	}
	t.each(d, leastWork, func(_, lo, hi int) { f(lo, hi) })
}

// columns does the same for k columns of d numbers. Sums down a column keep their order, so that
// they have the same bits, shared out or not.
func (t Team) columns(d, k int, f func(lo, hi int)) {
	n := (k + fewColumns - 1) / fewColumns
	if d*k < leastNumbers || n < 2 {
		f(0, k)
		return
	}
	t.shared(n, func(i int) { f(i*fewColumns, min((i+1)*fewColumns, k)) })
}

// Cross sets dst to Aᵀ·B with the bits of MulTrans on one core: see columns.
func (t Team) Cross(dst, a, b *mat.Dense) {
	d, l := a.Dims()
	prepare(dst, l, b)
	t.columns(d, l, func(lo, hi int) { AddMulTrans(rows(dst, lo, hi), a.Slice(0, d, lo, hi).(*mat.Dense), b) })
}

// CrossVec returns Aᵀ·v, for A of many rows.
func (t Team) CrossVec(a *mat.Dense, v []float64) []float64 {
	d, l := a.Dims()
	out := make([]float64, l)
	t.columns(d, l, func(lo, hi int) {
		mat.NewVecDense(hi-lo, out[lo:hi]).MulVec(a.Slice(0, d, lo, hi).T(), mat.NewVecDense(d, v))
	})
	return out
}

// Furthest returns the largest ‖M·u_j − λ_j u_j‖ of the columns u_j of U, given M·U.
func (t Team) Furthest(u, mu *mat.Dense, values []float64) float64 {
	d, k := u.Dims()
	squares := make([]float64, k)
	t.columns(d, k, func(lo, hi int) {
		sums := make([]float64, hi-lo) // apart from those of others
		for h := range d {
			right, left := u.RawRowView(h)[lo:hi], mu.RawRowView(h)[lo:hi]
			for j, x := range left {
				r := x - values[lo+j]*right[j]
				sums[j] += r * r
			}
		}
		copy(squares[lo:hi], sums)
	})
	worst := 0.0
	for _, s := range squares {
		worst = math.Max(worst, s)
	}
	return math.Sqrt(worst)
}

// Columns returns the columns of m in another order.
func (t Team) Columns(m *mat.Dense, order []int) *mat.Dense {
	d, _ := m.Dims()
	out := mat.NewDense(d, len(order), nil)
	t.Rows(d, len(order), func(lo, hi int) {
		for h := lo; h < hi; h++ {
			from, to := m.RawRowView(h), out.RawRowView(h)
			for c, j := range order {
				to[c] = from[j]
			}
		}
	})
	return out
}
