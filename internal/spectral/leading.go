package spectral

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// LeadingOptions steers Leading. The zero value works.
type LeadingOptions struct {
	Extra  int        // columns beyond the k asked for; 0 means 10
	Passes int        // applications of the operator at the most; 0 means 30
	Tol    float64    // stop when no leading value moves by more, relative; 0 means 1e-10
	Start  *mat.Dense // d×l first basis; nil draws one from Rand
	Rand   *rand.Rand // needed when Start is nil
}

// Leading returns the k leading eigenpairs by modulus of a symmetric operator
// on d numbers, by subspace iteration with a Rayleigh-Ritz step in each pass;
// values fall. passes is the number of applications it took.
func Leading(ctx context.Context, d, k int, apply Apply, o LeadingOptions) (values []float64, vectors *mat.Dense, passes int, err error) {
	l := min(d, k+orDefault(o.Extra, 10))
	q := o.Start
	if q == nil {
		q = Random(o.Rand, d, l)
	}
	q = Orth(q)
	tol := o.Tol
	if tol == 0 {
		tol = 1e-10
	}
	var last []float64
	for passes < max(orDefault(o.Passes, 30), 1) {
		y, err := apply(ctx, q)
		if err != nil {
			return nil, nil, passes, err
		}
		passes++
		var small mat.Dense
		MulTrans(&small, q, y)
		values, vectors = ritz(&small, q, k)
		if converged(values, last, tol) {
			break
		}
		last = values
		q = Orth(y)
	}
	return values, vectors, passes, nil
}

// ritz returns the k pairs of largest modulus of the projected operator,
// lifted through the basis q, values falling.
func ritz(small, q *mat.Dense, k int) ([]float64, *mat.Dense) {
	all, v := SymEig(small)
	l := len(all)
	k = min(k, l)
	keep := make([]int, 0, k)
	lo, hi := 0, l-1
	for len(keep) < k { // values fall, so the largest moduli stand at the ends
		if math.Abs(all[lo]) >= math.Abs(all[hi]) {
			keep = append(keep, lo)
			lo++
		} else {
			keep = append(keep, hi)
			hi--
		}
	}
	values := make([]float64, 0, k)
	cols := mat.NewDense(l, k, nil)
	c := 0
	for j := range l { // falling order of value
		for _, kept := range keep {
			if kept == j {
				values = append(values, all[j])
				for i := range l {
					cols.Set(i, c, v.At(i, j))
				}
				c++
			}
		}
	}
	var vectors mat.Dense
	Mul(&vectors, q, cols)
	return values, &vectors
}

func converged(values, last []float64, tol float64) bool {
	if last == nil || len(last) != len(values) {
		return false
	}
	largest := 0.0
	for _, v := range values {
		largest = math.Max(largest, math.Abs(v))
	}
	for i, v := range values {
		if math.Abs(v-last[i]) > tol*largest {
			return false
		}
	}
	return true
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return v
}
