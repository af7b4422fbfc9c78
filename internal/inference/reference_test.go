package inference_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/inference"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/lca/lcatest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

var ctx = context.Background()

// fitted is a maximum-likelihood fit of a set.
type fitted struct {
	set   *lcatest.Set
	f     family.Family
	p     mixture.Params
	run   pass.Runner
	table *lca.Table
}

func fit(t *testing.T, set *lcatest.Set, k int) fitted {
	t.Helper()
	f, err := categorical.New(categorical.Options{Blocks: set.Blocks()})
	if err != nil {
		t.Fatal(err)
	}
	run := pass.NewLocal(set.Rows, 2)
	table, err := lca.Gather(ctx, run, set.Questions, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	found, err := table.Search(ctx, k, lca.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return fitted{set, f, table.Params(found.Model, mixture.Params{}), run, table}
}

// Tolerances of reference-numbers.md §7.2.
const (
	tolCriterion = .03
	tolShare     = .001
	tolOuter     = .02 // relative, inside (.005, .995)
	tolRelative  = .01 // of residuals, G², X²
	inside       = .005
)

// TestReference compares every figure that other programs print of the
// canonical models: criteria, shares, probabilities, standard errors,
// classification, residuals.
func TestReference(t *testing.T) {
	figures := lcatest.Reference(t)
	cells := map[string]int{}
	for _, name := range lcatest.Sets {
		for _, records := range []string{"complete", "all"} {
			for k := 2; k <= 4; k++ {
				has := func(f lcatest.Figure) bool {
					return f.Set == name && f.K == k && f.Records == records
				}
				if !slices.ContainsFunc(figures, func(f lcatest.Figure) bool { return has(f) && f.Quantity == "share" }) {
					continue
				}
				if testing.Short() && (name == "election" || name == "naep" || name == "pap") {
					continue
				}
				c := compared{fitted: fit(t, lcatest.Load(t, name, records == "complete"), k), t: t, cells: cells}
				c.measure()
				for _, f := range figures {
					if has(f) {
						c.check(f)
					}
				}
			}
		}
	}
	for _, q := range []string{"share", "probability", "outer", "observed", "bic", "icl", "entropy_r2", "bivariate_residual", "g2", "mean_posterior_given_modal"} {
		if cells[q] < 4 {
			t.Errorf("%d figures of %s were compared", cells[q], q)
		}
	}
	t.Log(cells)
}

type compared struct {
	fitted
	t     *testing.T
	e     *inference.Estimates
	fit   *inference.Fit
	pairs []inference.Pair
	whole *inference.Whole
	cells map[string]int
}

func (c *compared) measure() {
	var err error
	if c.e, err = inference.Parameters(ctx, c.f, c.p, c.run, 1); err != nil {
		c.t.Fatal(err)
	}
	if c.fit, err = inference.Classified(ctx, c.f, c.p, c.run); err != nil {
		c.t.Fatal(err)
	}
	if c.pairs, err = inference.Residuals(ctx, c.f, c.p, c.run); err != nil {
		c.t.Fatal(err)
	}
	c.whole = inference.Cells(c.table, c.p, c.fit.Parameters)
}

func (c *compared) check(f lcatest.Figure) {
	var got float64
	tol := tolCriterion
	switch f.Quantity {
	case "log_likelihood":
		got, tol = c.fit.LogLikelihood, .01
	case "parameters":
		got, tol = float64(c.fit.Parameters), 0
	case "bic":
		got = c.fit.BIC
	case "aic":
		got = c.fit.AIC
	case "adjusted_bic":
		got = c.fit.AdjustedBIC
	case "caic":
		got = c.fit.CAIC
	case "icl":
		got = c.fit.ICL
	case "entropy_r2":
		got, tol = c.fit.EntropyR2, tolShare
	case "modal_count":
		got, tol = float64(c.fit.Modal[f.Class-1]), 0
	case "mean_posterior_given_modal":
		o, _ := strconv.Atoi(f.Answer)
		got, tol = c.fit.Posterior[f.Class-1][o-1], tolShare
	case "g2":
		got, tol = c.whole.G2, tolRelative*f.Value
	case "x2":
		got, tol = c.whole.X2, tolRelative*f.Value
	case "cells_less_1_less_parameters":
		got, tol = c.whole.DF, 0
	case "bivariate_residual":
		got, tol = c.residual(f), tolRelative*f.Value+1e-4
	case "share":
		c.estimate(f, c.e.Shares[f.Class-1])
		return
	case "probability":
		q := slices.Index(c.set.Items, f.Item)
		a := slices.Index(c.set.Answers[q], f.Answer)
		c.estimate(f, c.e.Answers[f.Class-1][c.e.First[q]+a])
		return
	default:
		c.t.Errorf("unknown quantity %s", f.Quantity)
		return
	}
	c.cells[f.Quantity]++
	if !(math.Abs(got-f.Value) <= tol) {
		c.t.Errorf("%s %d %s: %s %d %s %s: %v, want %v", f.Set, f.K, f.Records, f.Quantity, f.Class, f.Item, f.Answer, got, f.Value)
	}
}

func (c *compared) residual(f lcatest.Figure) float64 {
	one, other, _ := strings.Cut(f.Item, "~")
	a, b := slices.Index(c.set.Items, one), slices.Index(c.set.Items, other)
	for _, p := range c.pairs {
		if p.A == min(a, b) && p.B == max(a, b) {
			return p.Residual
		}
	}
	return math.NaN()
}

func (c *compared) estimate(f lcatest.Figure, e inference.Estimate) {
	say := func(what string, got, want float64) {
		c.t.Errorf("%s %d %s, class %d, %s %s: %s %v, want %v", f.Set, f.K, f.Records, f.Class, f.Item, f.Answer, what, got, want)
	}
	c.cells[f.Quantity]++
	if !(math.Abs(e.Value-f.Value) <= tolShare) {
		say("value", e.Value, f.Value)
	}
	if f.Set == "hads" { // nobody's standard errors can be trusted there
		return
	}
	if e.Edge != (f.Outer == 0) {
		say("edge", e.Value, f.Outer)
		return
	}
	if e.Edge {
		if !math.IsNaN(e.SE) || !math.IsNaN(e.Low) || !math.IsNaN(e.High) {
			say("an interval at the edge", e.Low, e.High)
		}
		return
	}
	if f.Value > inside && f.Value < 1-inside {
		c.cells["outer"]++
		if numtest.Off(e.Outer, f.Outer, tolOuter*f.Outer) {
			say("standard error by outer product", e.Outer, f.Outer)
		}
		c.cells["observed"]++
		if numtest.Off(e.SE, f.Observed, tolOuter*f.Observed) {
			say("standard error by information", e.SE, f.Observed)
		}
		if !(e.Low < e.Value && e.Value < e.High && e.Low > 0 && e.High < 1) {
			say("interval", e.Low, e.High)
		}
	}
}
