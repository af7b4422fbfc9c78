package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// PseudoInverse returns the pseudo-inverse (n×m) of the best approximation of
// rank k to a (m×n), and the rank in truth: singular values below rounding, or
// beyond the k-th, count as zero. Without the truncation, singular values that
// are nothing but noise would rule the inverse.
func PseudoInverse(a *mat.Dense, k int) (inverse *mat.Dense, rank int) {
	m, n := a.Dims()
	inverse = mat.NewDense(n, m, nil)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return inverse, 0
	}
	values := svd.Values(nil)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	const rounding = 1e-13
	for rank < min(k, len(values)) && values[rank] > rounding*values[0] && !math.IsInf(values[0], 0) {
		f := 1 / values[rank]
		for i := range n {
			for j := range m {
				inverse.Set(i, j, inverse.At(i, j)+f*v.At(i, rank)*u.At(j, rank))
			}
		}
		rank++
	}
	return inverse, rank
}
