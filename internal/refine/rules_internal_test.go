package refine

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// No prior asked for is one record, a negative one none.
func TestDefaultsOfThePrior(t *testing.T) {
	for asked, want := range map[float64]float64{0: 1, -1: 0, 5: 5} {
		if got := (Options{Pseudo: asked}).filled().Pseudo; got != want {
			t.Errorf("pseudo %v becomes %v, want %v", asked, got, want)
		}
	}
}

// A loop that used up its 500 steps says so; one that was cut short need not.
func TestNotSettledIsSaid(t *testing.T) {
	r := &Result{Params: mixture.Params{Weights: []float64{1}}, Iterations: 500}
	for limit, want := range map[int]int{499: 0, 500: 1, 501: 1} {
		if got := len(r.remarks(10, Options{Iterations: limit})); got != want {
			t.Errorf("limit %d: %d remarks, want %d", limit, got, want)
		}
	}
	if r.Converged = true; len(r.remarks(10, Options{Iterations: 500})) > 0 {
		t.Error("a loop that settled is said not to have")
	}
}

// The end is extrapolated where gains fall: 4, then 1, means at most 1/4 to come.
func TestExtrapolatedByHand(t *testing.T) {
	for _, c := range []struct {
		trace []float64
		tol   float64
		want  bool
	}{
		{[]float64{0, 4, 5}, .051, true}, // 1/4 of 1 is at most .051 of 5
		{[]float64{0, 4, 5}, .049, false},
		{[]float64{0, 1, 3}, 1, false}, // they grow
		{[]float64{0, 99, 100}, .00126, true},
		{[]float64{0, 99, 100}, .00124, false}, // no faster than to an eighth
		{[]float64{1, .9, 1}, .02, false},      // rounding had lowered it before
		{[]float64{4, 5}, 1, false},
	} {
		if got := (&Result{Trace: c.trace}).extrapolated(c.tol); got != c.want {
			t.Errorf("%v within %v: %v", c.trace, c.tol, got)
		}
	}
}

// Single precision begins at 16,384 records.
func TestQuickFromSoManyRecords(t *testing.T) {
	f := bernoulli.New(bernoulli.Options{})
	for n, want := range map[int]bool{1<<14 - 1: false, 1 << 14: true} {
		if got := quick(f, pass.NewLocal(sparse.Rows{Dim: 1, Ptr: make([]int, n+1)}, 1)); got != want {
			t.Errorf("%d records: quick %v", n, got)
		}
	}
}

// lost is a family of which no record is possible.
type lost struct{ family.Family }

func (lost) Objective([]float64, mixture.Params, float64) float64 { return math.NaN() }

func TestWhatCannotBeRefined(t *testing.T) {
	f, ctx := bernoulli.New(bernoulli.Options{}), context.Background()
	run := pass.NewLocal(sparse.FromDense([][]float64{{1, 0}, {0, 1}, {1, 1}}, 2, true), 1)
	start := func(d int) mixture.Params {
		return mixture.New(mat.NewDense(d, 2, []float64{.2, .6, .7, .4, .5, .5}[:2*d]), []float64{.5, .5})
	}
	for want, c := range map[string]struct {
		f family.Family
		d int
	}{"Centers of 3 features for records of 2": {f, 3}, "not a number": {lost{f}, 2}} {
		if _, err := EM(ctx, c.f, run, start(c.d), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
