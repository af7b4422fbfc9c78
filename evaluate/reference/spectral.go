package reference

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/spectral"
)

// Spectral groups rows by normalised spectral clustering with the linear
// kernel (Ng, Jordan and Weiss 2002; Shi and Malik 2000): the affinity of two
// different rows is their product, the rows of the k leading eigenvectors of
// D^-½ A D^-½, divided by √D, are grouped by k-means. A is n×n and never
// formed. Rows must not hold negative numbers.
func Spectral(ctx context.Context, rows sparse.Rows, k int, o Options) (*Result, error) {
	if err := check(rows, k); err != nil {
		return nil, err
	}
	g, err := newAffinity(rows)
	if err != nil {
		return nil, err
	}
	_, v, _, err := spectral.Leading(ctx, rows.N(), k, g.apply, spectral.LeadingOptions{Passes: leadingPasses, Rand: o.stream("spectral", 0)})
	if err != nil {
		return nil, err
	}
	r, err := KMeans(ctx, g.embedding(v), k, o)
	if err != nil {
		return nil, err
	}
	r.Centers = nil // they live in the eigenvectors' space
	return r, nil
}

// affinity is the graph of the rows: edges x_i·x_j, no loops.
type affinity struct {
	rows   sparse.Rows
	square []float64 // |x_i|²: the loops to leave out
	root   []float64 // √degree; 1 for rows without an edge
	shift  float64   // largest |x_i|²/degree: makes the operator positive
}

func newAffinity(rows sparse.Rows) (*affinity, error) {
	for _, v := range rows.Value {
		if v < 0 {
			return nil, fmt.Errorf("reference: value %v; the linear kernel needs numbers of 0 or more", v)
		}
	}
	for _, v := range rows.Dense {
		if v < 0 {
			return nil, fmt.Errorf("reference: value %v; the linear kernel needs numbers of 0 or more", v)
		}
	}
	g := &affinity{rows: rows, square: squares(rows), root: make([]float64, rows.N())}
	sum := mean(rows)
	for h := range sum {
		sum[h] *= float64(rows.N())
	}
	rows.MulTo(g.root, sum, 1)
	for i, q := range g.square {
		degree := g.root[i] - q
		if !(degree > 0) {
			g.root[i] = 1
			continue
		}
		g.root[i] = math.Sqrt(degree)
		g.shift = math.Max(g.shift, q/degree)
	}
	return g, nil
}

// apply returns (D^-½ A D^-½ + shift·I)·B. The shift leaves the eigenvectors
// alone and makes the largest eigenvalues the largest in modulus.
func (g *affinity) apply(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	n, l := b.Dims()
	scaled := mat.NewDense(n, l, nil)
	for i := range n {
		for a, v := range b.RawRowView(i) {
			scaled.Set(i, a, v/g.root[i])
		}
	}
	across := make([]float64, g.rows.Dim*l) // XᵀD^-½B
	err := each(ctx, g.rows, func(first int, part sparse.Rows) {
		part.AddTransMul(across, scaled.RawMatrix().Data[first*l:(first+part.N())*l], l)
	})
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(n, l, nil)
	err = each(ctx, g.rows, func(first int, part sparse.Rows) {
		part.MulTo(out.RawMatrix().Data[first*l:(first+part.N())*l], across, l)
	})
	for i := range n {
		x := out.RawRowView(i)
		for a := range x {
			x[a] = (x[a]-g.square[i]*scaled.At(i, a))/g.root[i] + g.shift*b.At(i, a)
		}
	}
	return out, err
}

// embedding returns the rows of D^-½·V, as dense rows.
func (g *affinity) embedding(v *mat.Dense) sparse.Rows {
	n, k := v.Dims()
	out := sparse.Rows{Dim: k, Dense: make([]float64, 0, n*k)}
	for i := range n {
		for _, x := range v.RawRowView(i) {
			out.Dense = append(out.Dense, x/g.root[i])
		}
	}
	return out
}
