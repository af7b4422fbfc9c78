package multiview

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/mixed"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
)

// Views of all kinds: mixed columns, documents of different lengths.
func TestKinds(t *testing.T) {
	cols, err := mixed.New(mixed.Options{Dim: 8, Columns: []vocab.Column{{Name: "a", From: 2, To: 4, Kind: vocab.Real}, {Name: "b", From: 4, To: 6, Kind: vocab.Counts}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
		{Name: "mix", From: 17, To: 25, Family: cols},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	q := f.view(p, 2)
	v := mat.NewDense(8, 3, nil)
	for h := range 8 {
		for j := range 3 {
			x := q.Centers.At(h, j)
			if h < 2 || h > 5 {
				q.Centers.Set(h, j, x/(1+x))
			}
			if h == 2 || h == 3 {
				v.Set(h, j, 1)
			}
		}
	}
	q = q.With(mixed.Variance, v)
	p, err = f.Join(p.Weights, []mixture.Params{f.view(p, 0), f.view(p, 1), q})
	if err != nil {
		t.Fatal(err)
	}
	draw, err := f.Sample(p, stream.New(2, "partition"), 6000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	near(t, f, draw, p)
}

func TestDocuments(t *testing.T) {
	docs, err := singletopic.New(singletopic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
		{Name: "words", From: 17, To: 57, Family: docs, EmptyMissing: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	q := f.view(p, 2)
	for j := range 3 {
		s := 0.0
		for h := range 40 {
			s += q.Centers.At(h, j)
		}
		for h := range 40 {
			q.Centers.Set(h, j, q.Centers.At(h, j)/s)
		}
	}
	if p, err = f.Join(p.Weights, []mixture.Params{f.view(p, 0), f.view(p, 1), q}); err != nil {
		t.Fatal(err)
	}
	draw, err := f.Sample(p, stream.New(2, "partition"), 6000, family.Shape{Lengths: []int{5, 30, 80}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, f, draw, p)
}

// near checks that moments, and then EM, find all views of 6000 records.
func near(t *testing.T, f *Family, draw family.Draw, p mixture.Params) {
	t.Helper()
	for _, steps := range []int{0, 5} {
		got := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, steps), p)
		t.Logf("%d steps of EM: relative errors %.4f", steps, got)
		for i, most := range []float64{0.05, 0.003, 0.05} {
			if got[i] > most {
				t.Errorf("%d steps of EM: view %s off by %.4f", steps, f.views[i].Name, got[i])
			}
		}
	}
}
