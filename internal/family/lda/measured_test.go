package lda_test

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// learned returns the mean L1 error of the topics before and after the
// default refinement, with alpha0 estimated.
func learned(t *testing.T, seed uint64, n int, alpha0 float64) (before, after float64) {
	t.Helper()
	const d, k, eta, words = 1000, 10, .05, 100
	ctx := context.Background()
	set := synth.LDADocuments(seed, n, d, k, alpha0, eta, words)
	run := pass.NewLocal(set.Rows, 0)
	f := newFamily(t, lda.Options{})
	src, err := f.Source(ctx, run, k)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := decompose.Auto(ctx, src, k, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := likeliest(t, f, src, run, append([]mixture.Params{raw.Params}, raw.Alternatives...))
	before, _ = meanL1(t, set.Truth.Centers, p.Centers)
	p = refined(t, f, run, p)
	after, _ = meanL1(t, set.Truth.Centers, p.Centers)
	return before, after
}

// likeliest settles the candidates of a decomposition and keeps the one with
// the highest bound (algorithms: recovery).
func likeliest(t *testing.T, f *lda.Family, src moment.Source, run pass.Runner, candidates []mixture.Params) (best mixture.Params) {
	t.Helper()
	ctx := context.Background()
	top := math.Inf(-1)
	for _, raw := range candidates {
		p, _, err := f.Normalise(ctx, src, raw)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := f.EStep(p, true)
		if err != nil {
			t.Fatal(err)
		}
		state, err := pass.RunOne(ctx, run, sum)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.Objective(state, p, 1); v > top {
			top, best = v, p
		}
	}
	return best
}

// refined runs the default refinement; the objective must not fall.
func refined(t *testing.T, f *lda.Family, run pass.Runner, p mixture.Params) mixture.Params {
	t.Helper()
	r, err := refine.EM(context.Background(), f, run, p, refine.Options{Iterations: f.Info().EM.Iterations})
	if err != nil {
		t.Fatal(err)
	}
	for step := 1; step < len(r.Trace); step++ {
		if r.Trace[step] < r.Trace[step-1] {
			t.Errorf("step %d: objective fell from %v to %v", step, r.Trace[step-1], r.Trace[step])
		}
	}
	return r.Params
}

// longer returns the number of data sets, the larger one when MOIETY_LONG asks
// for it.
func longer(usual, long uint64) uint64 {
	if os.Getenv("MOIETY_LONG") != "" {
		return long
	}
	return usual
}

// The table of algorithms.md §5, alpha0 estimated and floored: mean topic L1
// before and after refinement.
func TestTopicsTable(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: learns 12 models of 2000 documents")
	}
	seeds := longer(2, 10)
	for _, c := range []struct{ alpha0, before, after float64 }{
		{.1, .084, .072}, {.3, .098, .073}, {1, .143, .086}, {5, .277, .154},
	} {
		before, after := 0.0, 0.0
		for seed := range seeds {
			b, a := learned(t, 1000+seed, 2000, c.alpha0)
			before, after = before+b/float64(seeds), after+a/float64(seeds)
		}
		t.Logf("alpha0 %v: L1 %.4f, refined %.4f", c.alpha0, before, after)
		if before > c.before || after > c.after {
			t.Errorf("alpha0 %v: L1 %.4f, refined %.4f; want %v, %v", c.alpha0, before, after, c.before, c.after)
		}
	}
}

// The promise of the product for 10,000 documents.
func TestTopicsOfManyDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: learns models of 10,000 documents")
	}
	seeds := longer(1, 5)
	before, after := 0.0, 0.0
	for seed := range seeds {
		b, a := learned(t, 1000+seed, 10000, 1)
		before, after = before+b/float64(seeds), after+a/float64(seeds)
	}
	t.Logf("L1 %.4f, refined %.4f", before, after)
	if before > .065 || after > .045 {
		t.Errorf("L1 %.4f, refined %.4f; want .065, .045", before, after)
	}
}
