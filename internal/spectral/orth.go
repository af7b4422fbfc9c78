package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// dependent is the share of a column's own length below which what other
	// columns leave of it is nothing but rounding.
	dependent = 1e-13
	// fewRows is the number of rows below which Gram-Schmidt is as fast as
	// matrix products.
	fewRows = 200
	// mostCond is the condition of YᵀY up to which its Cholesky factor, done
	// twice, gives an orthonormal basis to rounding.
	mostCond = 1e10
	// onceCond is the condition up to which doing it once is enough.
	onceCond = 1e3
)

// Orth returns an orthonormal basis (d×r, r ≤ l) of the column span of y
// (d×l): the one of Gram-Schmidt. Columns that add nothing beyond rounding are
// dropped; a matrix of zeros gives one column of zeros.
func Orth(y *mat.Dense) *mat.Dense { return OrthIn(nil, y) }

// OrthIn is Orth in the memory of q, which is lost, where that has the shape of y.
func OrthIn(q, y *mat.Dense) *mat.Dense { return Team(1).orthIn(q, y) }

// Orth is Orth on the cores of the team, with the same bits.
func (t Team) Orth(y *mat.Dense) *mat.Dense { return t.orthIn(nil, y) }

func (t Team) orthIn(q, y *mat.Dense) *mat.Dense {
	if !quick(y) {
		return gramSchmidt(y)
	}
	d, l := y.Dims()
	if q == nil || q.RawMatrix().Rows != d || q.RawMatrix().Cols != l {
		q = mat.NewDense(d, l, nil)
	}
	t.Rows(d, l, func(lo, hi int) { rows(q, lo, hi).Copy(rows(y, lo, hi)) })
	if t.choleskyOrth(q) {
		return q
	}
	return gramSchmidt(y)
}

// manyColumns is the number from which on matrix products are faster than Gram-Schmidt even
// where there are hardly more rows (696×505: a quarter of the time).
const manyColumns = 160

// quick reports whether matrix products are faster than Gram-Schmidt.
func quick(y *mat.Dense) bool {
	d, l := y.Dims()
	return d >= fewRows && (d > 2*l || l > manyColumns)
}

// choleskyOrth divides y by the Cholesky factor of YᵀY, twice where the columns
// are close, since the first time loses as many digits. It reports whether that
// was few enough; where it was not, y may be divided once, which leaves its
// span as it was.
func (t Team) choleskyOrth(q *mat.Dense) bool {
	_, l := q.Dims()
	var g mat.Dense
	for range 2 {
		t.MulTrans(&g, q, q)
		r := mat.NewTriDense(l, mat.Upper, nil)
		cond := choleskyInverse(&g, r)
		if !(cond < mostCond) {
			return false
		}
		t.mulInPlace(q, mat.DenseCopyOf(r))
		if cond < onceCond {
			break
		}
	}
	return true
}

// mulInPlace sets q (d×l) to q·r (l×l), some rows at a time.
func (t Team) mulInPlace(q, r *mat.Dense) {
	const some = 128
	d, l := q.Dims()
	t.each(d, l*l, func(_, lo, hi int) {
		part := mat.NewDense(some, l, nil)
		for ; lo < hi; lo += some {
			end := min(lo+some, hi)
			here, out := rows(q, lo, end), rows(part, 0, end-lo)
			Mul(out, here, r)
			here.Copy(out)
		}
	})
}

// choleskyInverse sets r to the inverse of the upper Cholesky factor of g and
// returns the condition of g with the columns behind it brought to length one,
// infinite where there is no inverse.
func choleskyInverse(g *mat.Dense, r *mat.TriDense) (cond float64) {
	l, _ := g.Dims()
	scale := make([]float64, l)
	for i := range scale {
		v := g.At(i, i)
		if !(v > 0) || math.IsInf(v, 0) {
			return math.Inf(1)
		}
		scale[i] = 1 / math.Sqrt(v)
	}
	sym := mat.NewSymDense(l, nil)
	for i := range l {
		for j := i; j < l; j++ {
			sym.SetSym(i, j, g.At(i, j)*scale[i]*scale[j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sym) || !(chol.Cond() < mostCond) {
		return math.Inf(1)
	}
	var u mat.TriDense
	chol.UTo(&u)
	if r.InverseTri(&u) != nil {
		return math.Inf(1)
	}
	for i := range l { // undo the scaling: Y·diag(scale)·U^-1
		for j := i; j < l; j++ {
			r.SetTri(i, j, scale[i]*r.At(i, j))
		}
	}
	return chol.Cond()
}

// gramSchmidt is done twice for every column, on rows of the transpose, which
// are contiguous.
func gramSchmidt(y *mat.Dense) *mat.Dense {
	d, l := y.Dims()
	t := make([][]float64, 0, l)
	for j := range l {
		v := make([]float64, d)
		mat.Col(v, j, y)
		before := norm(v)
		if before == 0 || math.IsNaN(before) {
			continue
		}
		for range 2 {
			for _, u := range t {
				axpy(v, -dot(u, v), u)
			}
		}
		after := norm(v)
		if after <= dependent*before {
			continue
		}
		for i := range v {
			v[i] /= after
		}
		t = append(t, v)
	}
	q := mat.NewDense(d, max(len(t), 1), nil)
	for j, v := range t {
		q.SetCol(j, v)
	}
	return q
}
