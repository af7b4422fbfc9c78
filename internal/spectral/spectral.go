// Package spectral finds the leading eigenpairs of operators that can only be
// applied, orthonormal bases, and the rotation that makes several symmetric
// matrices as diagonal as possible together.
//
// It knows matrices and cubes of numbers; it does not know moments, records or
// components. All of it is deterministic: random starts come from a stream the
// caller names.
package spectral

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/stream"
)

// Apply returns A·B for a symmetric d×d operator A and a d×l matrix B.
type Apply func(ctx context.Context, b *mat.Dense) (*mat.Dense, error)

// SymEig returns the eigenvalues of the symmetric matrix a in falling order,
// and the eigenvectors as columns in the same order, each with its entry of
// largest modulus positive.
func SymEig(a *mat.Dense) (values []float64, vectors *mat.Dense) {
	n, _ := a.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		// The QL iteration gives up on NaN only; say so with NaN.
		values = make([]float64, n)
		for i := range values {
			values[i] = math.NaN()
		}
		return values, mat.NewDense(n, n, nil)
	}
	values = eig.Values(nil)
	var v mat.Dense
	eig.VectorsTo(&v)
	slices.Reverse(values)
	vectors = mat.NewDense(n, n, nil)
	for j := range n {
		sign, best := 1.0, 0.0
		for i := range n {
			if x := v.At(i, n-1-j); math.Abs(x) > best {
				best, sign = math.Abs(x), math.Copysign(1, x)
			}
		}
		for i := range n {
			vectors.Set(i, j, sign*v.At(i, n-1-j))
		}
	}
	return values, vectors
}

// Random returns a d×l matrix of standard normal numbers.
func Random(r *rand.Rand, d, l int) *mat.Dense {
	m := mat.NewDense(d, l, nil)
	stream.Normals(r, m.RawMatrix().Data)
	return m
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func axpy(dst []float64, a float64, x []float64) {
	for i, v := range x {
		dst[i] += a * v
	}
}

func norm(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = math.Max(m, math.Abs(x))
	}
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	s := 0.0
	for _, x := range v {
		s += (x / m) * (x / m)
	}
	return m * math.Sqrt(s)
}
