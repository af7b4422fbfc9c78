package oracle

import "math"

// square returns an empty matrix.
func square(p int) [][]float64 {
	m := make([][]float64, p)
	for j := range m {
		m[j] = make([]float64, p)
	}
	return m
}

// factor returns Cholesky's lower factor of a positive definite matrix, of which the
// lower half is read.
func factor(s [][]float64) [][]float64 {
	l := square(len(s))
	for j := range s {
		for k := range j {
			l[j][k] = (s[j][k] - dot(l[j][:k], l[k][:k])) / l[k][k]
		}
		l[j][j] = math.Sqrt(max(s[j][j]-dot(l[j][:j], l[j][:j]), 1e-9))
	}
	return l
}

// solve solves L Lᵀ x = b.
func solve(l [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for j := range x {
		x[j] = (b[j] - dot(l[j][:j], x[:j])) / l[j][j]
	}
	for j := len(x) - 1; j >= 0; j-- {
		x[j] /= l[j][j]
		for k := range j {
			x[k] -= l[j][k] * x[j]
		}
	}
	return x
}
