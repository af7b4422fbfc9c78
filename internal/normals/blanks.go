package normals

import "math"

// Blank reports that some value of a row is missing: NaN stands for it.
func Blank(x []float64) bool {
	for _, v := range x {
		if v != v {
			return true
		}
	}
	return false
}

// partial is what a cloud says of a row by what is there of it: with o what is
// there and u what is missing, L the Cholesky factor of S_oo and W = L⁻¹S_ou,
//
//	|y|² with y = L⁻¹(x_o − μ_o),  E[x_u] = μ_u + Wᵀy,  Cov[x_u] = S_uu − WᵀW
type partial struct {
	there, gone []int
	logDet      float64   // log |L|
	y           []float64 // of what is there
	w           []float64 // there×gone
	cov         []float64 // D×D, of the cloud; nil where columns vary independently:
	spread      []float64 // then W is 0, and these are the variances
	mean        []float64
}

func (m *Mixture) partial(k int, x []float64) *partial {
	d := m.D
	p := &partial{mean: m.Mean[k*d:][:d]}
	for h, v := range x {
		if v != v {
			p.gone = append(p.gone, h)
		} else {
			p.there = append(p.there, h)
		}
	}
	if m.Shape == Common || m.Shape == Diagonal {
		p.spread = m.Variances(k)
		for _, h := range p.there {
			sd := math.Sqrt(p.spread[h])
			p.logDet += math.Log(sd)
			p.y = append(p.y, (x[h]-p.mean[h])/sd)
		}
		return p
	}
	p.cov = m.Covariance(k)
	n := len(p.there)
	packed, factor, off := make([]float64, 0, n*(n+1)/2), make([]float64, n*(n+1)/2), make([]float64, n)
	for i, h := range p.there {
		for _, e := range p.there[:i+1] {
			packed = append(packed, p.cov[h*d+e])
		}
		off[i] = x[h] - p.mean[h]
	}
	p.logDet = inverseFactor(factor, packed, n)
	p.y = make([]float64, n)
	lower(p.y, factor, off)
	p.w = make([]float64, n*len(p.gone))
	column, solved := make([]float64, n), make([]float64, n)
	for j, u := range p.gone {
		for i, h := range p.there {
			column[i] = p.cov[h*d+u]
		}
		lower(solved, factor, column)
		for i, v := range solved {
			p.w[i*len(p.gone)+j] = v
		}
	}
	return p
}

// marginal sets z to log(weight·density) of what is there of a row: a part of a
// normal row is normal, and one of a t row has the same tails.
func (m *Mixture) marginal(z, x []float64) {
	for k := range z {
		p := m.partial(k, x)
		n, q := float64(len(p.there)), 0.0
		for _, v := range p.y {
			q += v * v
		}
		z[k] = math.Log(m.Weight[k]) + m.logScale(n) - p.logDet
		if m.Nu > 0 {
			z[k] -= (m.Nu + n) / 2 * math.Log1p(q/m.Nu)
		} else {
			z[k] -= q / 2
		}
	}
}

// fill sets row to x with what is missing as the cloud expects it, and returns
// the covariance of what was filled in.
func (p *partial) fill(row, x []float64) (left func(i, j int) float64) {
	copy(row, x)
	if p.cov == nil {
		for _, u := range p.gone {
			row[u] = p.mean[u]
		}
		return func(a, b int) float64 {
			if a != b {
				return 0
			}
			return p.spread[p.gone[a]]
		}
	}
	g := len(p.gone)
	for j, u := range p.gone {
		row[u] = p.mean[u]
		for i, v := range p.y {
			row[u] += p.w[i*g+j] * v
		}
	}
	d := len(p.mean)
	return func(a, b int) float64 {
		c := p.cov[p.gone[a]*d+p.gone[b]]
		for i := range p.y {
			c -= p.w[i*g+a] * p.w[i*g+b]
		}
		return c
	}
}

// expect adds the products of a row by its memberships, with what is missing as the clouds
// of m expect it.
func (s Stats) expect(m *Mixture, x, member []float64) {
	row := make([]float64, s.D)
	for k, r := range member {
		if r < nothing {
			continue
		}
		p := m.partial(k, x)
		left := p.fill(row, x)
		s.moments(k, row, r, s.D)
		s.common(row, r)
		s.uncertain(k, p.gone, left, r)
	}
}

// uncertain adds the covariance of what is missing to the products of a cloud.
func (s Stats) uncertain(k int, gone []int, left func(i, j int) float64, w float64) {
	second := s.second(k)
	for a, h := range gone {
		if s.Shape == Common || s.Shape == Diagonal {
			second[h] += w * left(a, a)
			continue
		}
		for b, e := range gone[:a+1] {
			second[h*(h+1)/2+e] += w * left(a, b)
		}
	}
}
