package lca

import (
	"math"
	"math/rand/v2"
)

// uniform returns a start whose probabilities are drawn evenly, as other
// programs draw theirs.
func (t *Table) uniform(k int, r *rand.Rand) Model {
	m := t.newModel(k)
	for c := range m.Weights {
		m.Weights[c] = 1 / float64(k)
	}
	for i := range m.P[:t.cols*k] {
		m.P[i] = r.Float64()
	}
	t.legal(m, least)
	return m
}

// overall returns the frequency of every answer, with half a record more.
func (t *Table) overall() []float64 {
	p := make([]float64, t.cols+1)
	for i, n := range t.count {
		for _, col := range t.row(i) {
			p[col] += n
		}
	}
	for q, f := range t.first {
		sum := 0.0
		for j := f; j < f+t.Answers(q); j++ {
			p[j] += .5
			sum += p[j]
		}
		for j := f; j < f+t.Answers(q); j++ {
			p[j] /= sum
		}
	}
	return p
}

// pull is how far a class begins from all records towards one of them.
const pull = .5

// scattered returns a start around records that lie far apart (k-means++).
func (t *Table) scattered(k int, r *rand.Rand) Model {
	m, overall := t.newModel(k), t.overall()
	far := make([]float64, len(t.count))
	for i := range far {
		far[i] = 1
	}
	for c := range k {
		total := 0.0
		for i, d := range far {
			total += d * t.count[i]
		}
		u, at := r.Float64()*total, 0
		for i, d := range far {
			if at = i; d > 0 {
				if u -= d * t.count[i]; u < 0 {
					break
				}
			}
		}
		m.Weights[c] = 1 / float64(k)
		for j := range t.cols {
			m.P[j*k+c] = (1 - pull) * overall[j]
		}
		for _, col := range t.row(at) {
			if int(col) < t.cols {
				m.P[int(col)*k+c] += pull
			}
		}
		for i := range far {
			d := t.apart(i, at)
			if c == 0 {
				far[i] = math.Inf(1)
			}
			far[i] = min(far[i], d*d)
		}
	}
	t.legal(m, least)
	return m
}

// apart returns on how many questions two records differ.
func (t *Table) apart(i, j int) float64 {
	d, other := 0.0, t.row(j)
	for q, col := range t.row(i) {
		if col != other[q] {
			d++
		}
	}
	return d
}

// redrawn returns a model with one class drawn anew.
func (t *Table) redrawn(m Model, r *rand.Rand) Model {
	m = m.clone()
	c, fresh := r.IntN(m.K), t.uniform(1, r)
	for j := range t.cols {
		m.P[j*m.K+c] = fresh.P[j]
	}
	m.Weights[c] = 1 / float64(m.K)
	t.legal(m, least)
	return m
}

// joined returns a model with two classes made one and a third split in two
// (split and merge, Ueda et al. 2000); of two classes, redrawn.
func (t *Table) joined(m Model, r *rand.Rand) Model {
	if m.K < 3 {
		return t.redrawn(m, r)
	}
	m, k := m.clone(), m.K
	order := r.Perm(k)
	a, b, c := order[0], order[1], order[2]
	wa, wb := m.Weights[a]+least, m.Weights[b]+least
	for j := range t.cols {
		m.P[j*k+a] = (wa*m.P[j*k+a] + wb*m.P[j*k+b]) / (wa + wb)
		m.P[j*k+b] = m.P[j*k+c]*(.5+r.Float64()) + .1*r.Float64()
	}
	m.Weights[a], m.Weights[b] = wa+wb, m.Weights[c]/2
	m.Weights[c] /= 2
	t.legal(m, least)
	return m
}
