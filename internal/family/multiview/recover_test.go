package multiview

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
)

// relative returns the relative error of the centers of each view after one
// matching of all views together.
func relative(t *testing.T, f *Family, got, want mixture.Params) []float64 {
	t.Helper()
	scaled := func(p mixture.Params) *mat.Dense { // every view weighs alike in the matching
		m := mat.DenseCopyOf(p.Centers)
		for i := range f.views {
			v := f.views[i]
			norm := mat.Norm(want.Centers.Slice(v.From, v.To, 0, want.K()), 2)
			block := m.Slice(v.From, v.To, 0, p.K()).(*mat.Dense)
			block.Scale(1/norm, block)
		}
		return m
	}
	match, err := agree.Columns(scaled(want), scaled(got))
	if err != nil {
		t.Fatal(err)
	}
	got = f.Reorder(got, match)
	var out []float64
	for _, v := range f.views {
		var diff mat.Dense
		diff.Sub(got.Centers.Slice(v.From, v.To, 0, want.K()), want.Centers.Slice(v.From, v.To, 0, want.K()))
		out = append(out, mat.Norm(&diff, 2)/mat.Norm(want.Centers.Slice(v.From, v.To, 0, want.K()), 2))
	}
	return out
}

// three returns presences, measurements and counts of k groups.
func three(t *testing.T, k int) (*Family, mixture.Params) {
	t.Helper()
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 8, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 8, To: 14, Family: gaussian.New(gaussian.Options{})},
		{Name: "visits", From: 14, To: 20, Family: poisson.New()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f, joined(t, f, k)
}

// joined draws parameters for presences, measurements and counts, in this
// order, as many views as f has.
func joined(t *testing.T, f *Family, k int) mixture.Params {
	t.Helper()
	r := stream.New(11, "multiview truth")
	w, v := make([]float64, k), make([]float64, k)
	for j := range w {
		w[j], v[j] = 1/float64(k), 0.5+r.Float64()
	}
	var views []mixture.Params
	for i, view := range f.views {
		m := mat.NewDense(view.To-view.From, k, nil)
		m.Apply(func(_, _ int, _ float64) float64 {
			switch i {
			case 0:
				return 0.05 + 0.9*r.Float64()
			case 1:
				return 30 + 1.5*r.NormFloat64()
			}
			return 0.2 + 2*r.ExpFloat64()
		}, m)
		if i == 1 {
			views = append(views, gaussian.NewParams(m, w, v))
		} else {
			views = append(views, mixture.New(m, w))
		}
	}
	p, err := f.Join(w, views)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
