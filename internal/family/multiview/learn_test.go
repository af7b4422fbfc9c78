package multiview

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Errors of all views fall like 1/√n, with records that lack views among them.
func TestRate(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: long")
	}
	const rate = 2.5 // of 4 expected from 16 times the records
	const seeds = 3
	for _, missing := range []bool{false, true} {
		f, p := three(t, 3)
		var first []float64
		for _, n := range []int{4000, 16000, 64000} {
			mean := make([]float64, 3)
			for seed := range uint64(seeds) {
				draw, err := f.Sample(p, stream.New(seed, "rate"), n, family.Shape{})
				if err != nil {
					t.Fatal(err)
				}
				if missing {
					draw.Rows = holes(f, draw)
				}
				for i, e := range relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 0), p) {
					mean[i] += e / seeds
				}
			}
			t.Logf("missing %v, n=%d: relative errors %.4f", missing, n, mean)
			if first == nil {
				first = mean
			}
			for i, e := range mean {
				if n == 64000 && e > first[i]/rate {
					t.Errorf("n=%d: view %d off by %.4f after %.4f at 4000", n, i+1, e, first[i])
				}
			}
		}
	}
}

// Two views: the larger is split for the moments.
func TestTwoViews(t *testing.T) {
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	draw, err := f.Sample(p, stream.New(1, "two"), 8000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	start := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 0), p)
	after := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 10), p)
	t.Logf("two views, n=8000: relative errors %.3f, after 10 steps of EM %.3f", start, after)
	if start[0] > 0.15 || start[1] > 0.02 || after[0] > 0.04 || after[1] > 0.002 {
		t.Errorf("relative errors %.3f, after EM %.3f", start, after)
	}
}

// A family that settles from its own moments only learns from the partition.
func TestPartition(t *testing.T) {
	answers, err := categorical.New(categorical.Options{Blocks: [][2]int{{0, 4}, {4, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Views: []View{
		{Name: "codes", From: 0, To: 12, Family: bernoulli.New(bernoulli.Options{})},
		{Name: "labs", From: 12, To: 17, Family: gaussian.New(gaussian.Options{})},
		{Name: "answers", From: 17, To: 25, Family: answers},
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := joined(t, f, 3)
	for j := range 3 { // probabilities of each question add up to 1
		for _, from := range []int{17, 21} {
			sum := 0.0
			for h := from; h < from+4; h++ {
				sum += p.Centers.At(h, j)
			}
			for h := from; h < from+4; h++ {
				p.Centers.Set(h, j, p.Centers.At(h, j)/sum)
			}
		}
	}
	draw, err := f.Sample(p, stream.New(2, "partition"), 6000, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.views[2].Family.(grouped); !ok {
		t.Skip("the categorical family does not learn from partitions")
	}
	after := relative(t, f, familytest.Learn(t, f, draw.Runner(0), 3, 10), p)
	t.Logf("with a categorical view, n=6000: relative errors after 10 steps of EM %.3f", after)
	if after[0] > 0.1 || after[1] > 0.01 || after[2] > 0.1 {
		t.Errorf("relative errors %.3f", after)
	}
}

// What the views say one by one adds up to what they say together, and a view that a
// record lacks says nothing of it.
func TestTestify(t *testing.T) {
	f, p := three(t, 3)
	const n, k = 500, 3
	draw, err := f.Sample(p, stream.New(3, "testify"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	rows := holes(f, draw)
	scores, has, err := f.Testify(p, pass.Block{Rows: rows})
	if err != nil || len(scores) != 3 || len(f.Witnesses()) != 3 {
		t.Fatal(err, len(scores))
	}
	want := make([]float64, n*k)
	if err := f.Posterior(p, pass.Block{Rows: rows}, want); err != nil {
		t.Fatal(err)
	}
	lacking := 0
	for i := range n {
		got := make([]float64, k)
		for v := range scores {
			if !has[v][i] {
				lacking++
				if floats.Norm(scores[v][i*k:][:k], 1) != 0 {
					t.Fatalf("view %d says something of record %d, which lacks it", v+1, i+1)
				}
			}
			floats.Add(got, scores[v][i*k:][:k])
		}
		for j, w := range p.Weights {
			got[j] += math.Log(w)
		}
		loglinear.Softmax(got)
		if !floats.EqualApprox(got, want[i*k:][:k], 1e-12) {
			t.Fatalf("record %d: %v, want %v", i+1, got, want[i*k:][:k])
		}
	}
	if lacking == 0 {
		t.Error("no record lacks a view")
	}
}

func TestNew(t *testing.T) {
	g := gaussian.New(gaussian.Options{})
	for name, views := range map[string][]View{
		"one view":      {{From: 0, To: 3, Family: g}},
		"a gap":         {{From: 0, To: 3, Family: g}, {From: 4, To: 6, Family: g}},
		"empty":         {{From: 0, To: 3, Family: g}, {From: 3, To: 3, Family: g}},
		"no family":     {{From: 0, To: 3, Family: g}, {From: 3, To: 4}},
		"a chain":       {{From: 0, To: 3, Family: g}, {From: 3, To: 5, Family: hmm.New(hmm.Options{})}},
		"too small":     {{From: 0, To: 1, Family: g}, {From: 1, To: 2, Family: g}},
		"four of views": {{From: 0, To: 1, Family: g}, {From: 1, To: 2, Family: g}, {From: 2, To: 3, Family: g}, {From: 3, To: 4, Family: g}},
	} {
		if _, err := New(Options{Views: views}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	f, p := three(t, 2)
	if q, err := f.Of(p, 1); err != nil || q.Dim() != 6 || q.Extra[gaussian.VarianceOf] == nil {
		t.Errorf("parameters of view 2: %v, %v", q, err)
	}
	if _, err := f.Of(p, 3); err == nil {
		t.Error("view 4 of three is accepted")
	}
	if _, err := f.Join(p.Weights, []mixture.Params{p}); err == nil {
		t.Error("parameters of one view for three are accepted")
	}
}
