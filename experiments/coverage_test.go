package main

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/experiments/coverage"
	"github.com/moiety-go/moiety/internal/numtest"
)

// TestCoverage: the experiment in short, with wide limits: of 40 sets the mean
// over tens of parameters moves by a point or two.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes a while")
	}
	draws := numtest.Scale(0, 40, 500)
	for _, law := range coverage.Laws() {
		r, err := coverage.Measure(context.Background(), law, draws, numtest.Scale(0, 50, 100), 7)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: entropy R² %.3f, shares %.3f, probabilities %.3f (least %.3f), outcome %.3f, counted %v",
			r.Law, r.EntropyR2, coverage.Mean(r.Shares), coverage.Mean(r.Answers), coverage.Least(r.Answers), coverage.Mean(r.Distal), r.Naive)
		if r.EntropyR2 < .6 {
			t.Errorf("%s: entropy R² %.3f, want .6 or more", r.Law, r.EntropyR2)
		}
		for what, v := range map[string]float64{"shares": coverage.Mean(r.Shares), "probabilities": coverage.Mean(r.Answers), "outcome": coverage.Mean(r.Distal)} {
			if v < .89 || v > .99 {
				t.Errorf("%s: intervals of %s hold the truth in %.1f of 100 cases", r.Law, what, 100*v)
			}
		}
		if naive := coverage.Least(r.Naive); naive > .85 {
			t.Errorf("%s: counted intervals of the outcome hold it in %.1f of 100 cases: the law tests nothing", r.Law, 100*naive)
		}
	}
}
