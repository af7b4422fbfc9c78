package normals

import "math"

// New returns a mixture of normal clouds with these parameters; means are K×D,
// spreads what the shape has of covariances: one or K, each D variances or a
// lower triangle packed by rows.
func New(shape Shape, d int, weight, mean, spread []float64) *Mixture {
	m := &Mixture{K: len(weight), D: d, Shape: shape, Weight: weight, Mean: mean}
	switch shape {
	case Tied:
		m.factored(spread, 1)
	case Own:
		m.factored(spread, m.K)
	default:
		m.deviated(spread)
	}
	return m
}

// factored sets covariances, given packed, and their inverse factors.
func (m *Mixture) factored(packed []float64, count int) {
	d, size := m.D, m.D*(m.D+1)/2
	m.spread = make([]float64, count*d*d)
	m.factor = make([]float64, count*size)
	m.logDet = make([]float64, m.K)
	for c := range count {
		p, at := packed[c*size:][:size], 0
		for i := range d {
			for j := range i + 1 {
				m.spread[c*d*d+i*d+j], m.spread[c*d*d+j*d+i] = p[at], p[at]
				at++
			}
		}
		det := inverseFactor(m.factor[c*size:][:size], p, d)
		if count < m.K {
			for k := range m.logDet {
				m.logDet[k] = det
			}
		} else {
			m.logDet[c] = det
		}
	}
	if m.Shape == Tied {
		m.center = make([]float64, m.K*d)
		for k := range m.K {
			lower(m.center[k*d:][:d], m.factor, m.Mean[k*d:][:d])
		}
	}
}

// deviated sets variances and their inverse deviations.
func (m *Mixture) deviated(spread []float64) {
	m.spread = spread
	m.factor, m.logDet = make([]float64, len(spread)), make([]float64, m.K)
	for i, v := range spread {
		m.factor[i] = 1 / math.Sqrt(v)
	}
	for k := range m.K {
		for _, v := range m.Variances(k) {
			m.logDet[k] += math.Log(v) / 2
		}
	}
}

// inverseFactor sets out to the inverse of the Cholesky factor of a symmetric
// matrix, both packed by rows of the lower triangle, and returns the logarithm
// of the factor's determinant. Directions without spread get a little.
func inverseFactor(out, packed []float64, d int) (logDet float64) {
	const least = 1e-10
	l := make([]float64, len(packed))
	row := func(i int) int { return i * (i + 1) / 2 }
	for i := range d {
		for j := range i + 1 {
			sum := packed[row(i)+j]
			for e := range j {
				sum -= l[row(i)+e] * l[row(j)+e]
			}
			if i == j {
				l[row(i)+i] = math.Sqrt(max(sum, least*max(packed[row(i)+i], least)))
				logDet += math.Log(l[row(i)+i])
			} else {
				l[row(i)+j] = sum / l[row(j)+j]
			}
		}
	}
	for i := range d {
		out[row(i)+i] = 1 / l[row(i)+i]
		for j := range i {
			sum := 0.0
			for e := j; e < i; e++ {
				sum += l[row(i)+e] * out[row(e)+j]
			}
			out[row(i)+j] = -sum / l[row(i)+i]
		}
	}
	return logDet
}

// LogPrior is the logarithm of a prior of so many pseudo-rows of unit covariance
// for every covariance, less what does not depend on them.
func (m *Mixture) LogPrior(rows float64) float64 {
	own, sum := 1, 0.0
	if m.Shape == Own || m.Shape == Diagonal {
		own = m.K
	}
	for c := range own {
		sum += 2 * m.logDet[c]
	}
	for _, v := range m.factor {
		sum += v * v
	}
	return -rows / 2 * sum
}

// Coloured sets x to a row of cloud k made of independent standard normals.
func (m *Mixture) Coloured(x, normals []float64, k int) {
	d := m.D
	if m.Shape == Common || m.Shape == Diagonal {
		for h, v := range m.Variances(k) {
			x[h] = m.Mean[k*d+h] + math.Sqrt(v)*normals[h]
		}
		return
	}
	packed := m.factor
	if m.Shape == Own {
		packed = m.factor[k*d*(d+1)/2:]
	}
	at := 0
	for i := range d { // forward substitution with the inverse factor
		sum := normals[i]
		for j := range i {
			sum -= packed[at+j] * x[j]
		}
		x[i] = sum / packed[at+i]
		at += i + 1
	}
	for i := range d {
		x[i] += m.Mean[k*d+i]
	}
}
