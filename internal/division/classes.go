package division

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/internal/normals"
)

const (
	classStarts = 3   // of latent classes
	classSteps  = 80  // of EM, at most
	pseudo      = .01 // answers of every class that nobody gave
	settled     = 2e-5
)

// latentClasses are k classes inside which questions are answered independently; words are
// answers to one question.
type latentClasses struct {
	v      *view
	k      int
	slope  []float64 // of every feature: what it adds to the log density in every class
	base   []float64 // of every class: the log density of a record without features
	loglik float64
}

// classes learns k latent classes from some rows, from a division of them and from others by
// chance, and places all records.
func (v *view) classes(rows, label []int, k int, r *rand.Rand) placing {
	var best *latentClasses
	for start := range classStarts {
		if start > 0 && k > 1 {
			label = normals.Nearest(v.table.Rows(rows), k, 1, r)
		}
		if m := v.climb(rows, label, k); best == nil || m.loglik > best.loglik {
			best = m
		}
		if k == 1 {
			break
		}
	}
	out := placing{label: make([]int, v.table.N), density: make([]float64, v.table.N)}
	score := make([]float64, k)
	for i := range out.label {
		best.joint(i, score)
		out.label[i], out.density[i] = largest(score), logSum(score)
	}
	return out
}

// climb is EM from a division.
func (v *view) climb(rows, label []int, k int) *latentClasses {
	share := make([]float64, len(rows)*k)
	for e, g := range label {
		share[e*k+g] = 1
	}
	m := &latentClasses{v: v, k: k}
	m.learn(rows, share)
	last := math.Inf(-1)
	for step := range classSteps {
		m.loglik = 0
		for e, i := range rows {
			row := share[e*k:][:k]
			m.joint(i, row)
			all := logSum(row)
			m.loglik += all
			for g := range row {
				row[g] = math.Exp(row[g] - all)
			}
		}
		if step > 5 && m.loglik-last < settled*math.Abs(m.loglik) {
			break
		}
		last = m.loglik
		m.learn(rows, share)
	}
	return m
}

// learn is the M-step; every class has a little of what all records have.
func (m *latentClasses) learn(rows []int, share []float64) {
	k, x, n := m.k, m.v.counts, float64(len(rows))
	sum, size, all := make([]float64, x.Dim*k), make([]float64, k), make([]float64, x.Dim)
	for e, i := range rows {
		row := share[e*k:][:k]
		for g, s := range row {
			size[g] += s
		}
		x.Each(i, func(h int, c float64) {
			if !(c > 0) {
				return
			}
			all[h] += c
			for g, s := range row {
				sum[h*k+g] += s * c
			}
		})
	}
	m.base, m.slope = make([]float64, k), sum
	for g := range m.base {
		m.base[g] = math.Log((size[g] + 1) / (n + float64(k)))
	}
	for _, b := range m.v.blocks {
		if b[1]-b[0] == 1 {
			m.presence(b[0], all[b[0]]/n, size)
		} else {
			m.question(b, all)
		}
	}
}

// presence turns the sums of a feature that records have or not into slopes.
func (m *latentClasses) presence(h int, overall float64, size []float64) {
	for g := range m.k {
		p := (m.slope[h*m.k+g] + overall + pseudo) / (size[g] + 1 + 2*pseudo)
		m.base[g] += math.Log1p(-p)
		m.slope[h*m.k+g] = math.Log(p) - math.Log1p(-p)
	}
}

// question turns the sums of the answers to one question into slopes.
func (m *latentClasses) question(b [2]int, all []float64) {
	total, answers := 0.0, float64(b[1]-b[0])
	for h := b[0]; h < b[1]; h++ {
		total += all[h]
	}
	for g := range m.k {
		sum := 0.0
		for h := b[0]; h < b[1]; h++ {
			m.slope[h*m.k+g] += all[h]/max(total, 1) + pseudo/answers
			sum += m.slope[h*m.k+g]
		}
		for h := b[0]; h < b[1]; h++ {
			m.slope[h*m.k+g] = math.Log(m.slope[h*m.k+g] / sum)
		}
	}
}

// joint sets score to the log of weight times density of record i in every class.
func (m *latentClasses) joint(i int, score []float64) {
	copy(score, m.base)
	m.v.counts.Each(i, func(h int, c float64) {
		if !(c > 0) {
			return
		}
		for g, l := range m.slope[h*m.k:][:m.k] {
			score[g] += c * l
		}
	})
}
