package lca

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// Model returns the parameters of a family in the form of the table: those of
// its questions, each adding up to one.
func (t *Table) Model(p mixture.Params) Model {
	m := t.newModel(p.K())
	copy(m.Weights, p.Weights)
	for q, w := range t.q {
		for h := w.From; h < w.To; h++ {
			for c, v := range p.Centers.RawRowView(h) {
				m.P[t.column[h]*m.K+c] = v
				if w.Presence {
					m.P[t.first[q]*m.K+c] = 1 - v
				}
			}
		}
	}
	t.legal(m, 0)
	return m
}

// Params returns a model in the form of a family: centers of features, and the
// further matrices of like, which has as many features and classes.
func (t *Table) Params(m Model, like mixture.Params) mixture.Params {
	centers := mat.NewDense(len(t.column), m.K, nil)
	for h, col := range t.column {
		copy(centers.RawRowView(h), m.P[col*m.K:][:m.K])
	}
	like.Centers, like.Weights = centers, slices.Clone(m.Weights)
	return like
}
