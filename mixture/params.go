// Package mixture holds the parameters of a latent variable model: the centers
// of its components, their weights, and whatever further matrices the
// probability model owns. It knows no probability; the family does.
package mixture

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Params are the parameters of a model with k components over d features.
// They are treated as immutable once handed on.
type Params struct {
	Centers *mat.Dense            // d×k: column j is the mean of component j
	Weights []float64             // k numbers on the simplex
	Extra   map[string]*mat.Dense // named by the family: variances, α, transition
}

// New returns Params of the given centers (d×k) and weights.
func New(centers *mat.Dense, weights []float64) Params {
	return Params{Centers: centers, Weights: weights}
}

// Dim returns the number of features.
func (p Params) Dim() int {
	if p.Centers == nil {
		return 0
	}
	d, _ := p.Centers.Dims()
	return d
}

// K returns the number of components.
func (p Params) K() int { return len(p.Weights) }

// Numbers returns all numbers of p, extra matrices by name; they are not copied.
func (p Params) Numbers() [][]float64 {
	out := [][]float64{p.Weights, p.Centers.RawMatrix().Data}
	for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
		out = append(out, p.Extra[name].RawMatrix().Data)
	}
	return out
}

// With returns a copy of p whose extra matrix of that name is m.
func (p Params) With(name string, m *mat.Dense) Params {
	extra := make(map[string]*mat.Dense, len(p.Extra)+1)
	for k, v := range p.Extra {
		extra[k] = v
	}
	extra[name] = m
	p.Extra = extra
	return p
}

// Check reports the first thing that no family can accept: wrong shapes,
// numbers that are not finite, weights off the simplex.
func (p Params) Check() error {
	if p.Centers == nil || p.Centers.IsEmpty() {
		return errors.New("mixture: Centers is empty, want a column for each component")
	}
	d, k := p.Centers.Dims()
	if k != len(p.Weights) {
		return fmt.Errorf("mixture: %d columns of centers but %d weights", k, len(p.Weights))
	}
	sum := 0.0
	for j, w := range p.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("mixture: weight %d is %v, want a number >= 0", j+1, w)
		}
		sum += w
	}
	if math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("mixture: weights add up to %v, want 1", sum)
	}
	for h := range d {
		for j, v := range p.Centers.RawRowView(h) {
			if v-v != 0 { // infinite or no number
				return fmt.Errorf("mixture: center of feature %d in component %d is %v", h+1, j+1, v)
			}
		}
	}
	return nil
}

// Order returns the canonical order of the components: by falling weight, ties
// by the centers' entries from the first feature on, larger first.
func (p Params) Order() []int {
	order := make([]int, p.K())
	for j := range order {
		order[j] = j
	}
	d := p.Dim()
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(p.Weights[b], p.Weights[a]); c != 0 {
			return c
		}
		for h := range d {
			if c := cmp.Compare(p.Centers.At(h, b), p.Centers.At(h, a)); c != 0 {
				return c
			}
		}
		return 0
	})
	return order
}

// Columns returns the d×len(order) matrix of the named columns of m.
func Columns(m *mat.Dense, order []int) *mat.Dense {
	d, _ := m.Dims()
	out := mat.NewDense(d, len(order), nil)
	for h := range d {
		from, to := m.RawRowView(h), out.RawRowView(h)
		for c, j := range order {
			to[c] = from[j]
		}
	}
	return out
}

// Reorder returns Params whose component c is component order[c] of p. Extra
// matrices are left to the family, which knows which of their sides are
// components: see family.Family.Reorder.
func (p Params) Reorder(order []int) Params {
	w := make([]float64, len(order))
	for c, j := range order {
		w[c] = p.Weights[j]
	}
	return Params{Centers: Columns(p.Centers, order), Weights: w, Extra: p.Extra}
}
