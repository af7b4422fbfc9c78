package simulators

import (
	"math"
	"math/rand/v2"
)

// matrix is a list of rows.
type matrix = [][]float64

func zeros(rows, columns int) matrix {
	m := make(matrix, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

func identity(p int) matrix {
	m := zeros(p, p)
	for i := range m {
		m[i][i] = 1
	}
	return m
}

// cholesky returns the lower factor of a positive definite matrix; pivots that
// are too small are raised.
func cholesky(m matrix) matrix {
	p := len(m)
	l := zeros(p, p)
	for i := range p {
		for j := 0; j <= i; j++ {
			sum := m[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(math.Max(sum, 1e-10))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

// lowerTimes multiplies a lower triangular matrix with a vector.
func lowerTimes(l matrix, z []float64) []float64 {
	out := make([]float64, len(z))
	for i := range l {
		for j := 0; j <= i; j++ {
			out[i] += l[i][j] * z[j]
		}
	}
	return out
}

// forward solves l x = b for a lower triangular l.
func forward(l matrix, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range b {
		sum := b[i]
		for j := range i {
			sum -= l[i][j] * x[j]
		}
		x[i] = sum / l[i][i]
	}
	return x
}

// backward solves lᵀ x = b for a lower triangular l.
func backward(l matrix, b []float64) []float64 {
	x := make([]float64, len(b))
	for i := len(b) - 1; i >= 0; i-- {
		sum := b[i]
		for j := i + 1; j < len(b); j++ {
			sum -= l[j][i] * x[j]
		}
		x[i] = sum / l[i][i]
	}
	return x
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

func plus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func scaled(a []float64, s float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = s * a[i]
	}
	return out
}

func scaledMatrix(m matrix, s float64) matrix {
	out := make(matrix, len(m))
	for i := range m {
		out[i] = scaled(m[i], s)
	}
	return out
}

// average is the entrywise mean of two matrices.
func average(a, b matrix) matrix {
	out := make(matrix, len(a))
	for i := range a {
		out[i] = scaled(plus(a[i], b[i]), 0.5)
	}
	return out
}

// times multiplies a matrix with a vector.
func times(m matrix, v []float64) []float64 {
	out := make([]float64, len(m))
	for i := range m {
		out[i] = dot(m[i], v)
	}
	return out
}

// gaussian draws a normal vector from its mean and the Cholesky factor of its
// covariance.
func gaussian(r *rand.Rand, mean []float64, l matrix) []float64 {
	return plus(mean, lowerTimes(l, normals(r, len(mean))))
}

// orthogonal draws a random rotation by Gram and Schmidt.
func orthogonal(r *rand.Rand, p int) matrix {
	q := make(matrix, p)
	for i := range q {
		v := normals(r, p)
		for j := range i {
			v = minus(v, scaled(q[j], dot(v, q[j])))
		}
		q[i] = scaled(v, 1/math.Sqrt(dot(v, v)))
	}
	return q
}

// fromSpectrum is the covariance with the rows of q as axes and the given variances
// along them.
func fromSpectrum(q matrix, variances []float64) matrix {
	p := len(q)
	m := zeros(p, p)
	for k := range p {
		for i := range p {
			for j := range p {
				m[i][j] += variances[k] * q[k][i] * q[k][j]
			}
		}
	}
	return m
}

// randomCovariance draws axes at random and variances along them from [lo, hi).
func randomCovariance(r *rand.Rand, p int, lo, hi float64) matrix {
	return fromSpectrum(orthogonal(r, p), uniforms(r, p, lo, hi))
}

// factorCorrelation draws a correlation matrix from a model of q factors with
// loadings in [lo, hi) of either sign.
func factorCorrelation(r *rand.Rand, p, q int, lo, hi float64) matrix {
	load := zeros(p, q)
	for i := range p {
		length := uniform(r, lo, hi)
		direction := normals(r, q)
		load[i] = scaled(direction, length/math.Sqrt(dot(direction, direction)))
	}
	m := identity(p)
	for i := range p {
		for j := range p {
			if i != j {
				m[i][j] = dot(load[i], load[j])
			}
		}
	}
	return m
}

// equicorrelation has the same correlation for each pair.
func equicorrelation(p int, rho float64) matrix {
	m := identity(p)
	for i := range p {
		for j := range p {
			if i != j {
				m[i][j] = rho
			}
		}
	}
	return m
}

// mahalanobis is the distance of two means under the Cholesky factor of a
// covariance.
func mahalanobis(a, b []float64, l matrix) float64 {
	d := forward(l, minus(a, b))
	return math.Sqrt(dot(d, d))
}

// spread scales the means so that the closest pair is at the given Mahalanobis
// distance under the average of its covariances.
func spread(means matrix, covariances []matrix, distance float64) matrix {
	closest := math.Inf(1)
	for i := range means {
		for j := range i {
			l := cholesky(average(covariances[i], covariances[j]))
			closest = math.Min(closest, mahalanobis(means[i], means[j], l))
		}
	}
	return scaledMatrix(means, distance/closest)
}

// apart draws k means of standard normal coordinates, the best of some tries: that
// whose closest pair is farthest apart.
func apart(r *rand.Rand, k, p int) matrix {
	var best matrix
	widest := -1.0
	for range 30 {
		means := make(matrix, k)
		for i := range means {
			means[i] = normals(r, p)
		}
		closest := math.Inf(1)
		for i := range means {
			for j := range i {
				d := minus(means[i], means[j])
				closest = math.Min(closest, dot(d, d))
			}
		}
		if closest > widest {
			best, widest = means, closest
		}
	}
	return best
}
