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
func TestNotConvergedIsSaid(t *testing.T) {
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

// Single precision begins at 16,384 records, and at 2,048 after a split.
func TestQuickFromSoManyRecords(t *testing.T) {
	f := bernoulli.New(bernoulli.Options{})
	for brief, from := range map[bool]int{false: 1 << 14, true: 1 << 11} {
		for n, want := range map[int]bool{from - 1: false, from: true} {
			if got := quick(f, pass.NewLocal(sparse.Rows{Dim: 1, Ptr: make([]int, n+1)}, 1), Options{Brief: brief}); got != want {
				t.Errorf("%d records, brief %v: quick %v", n, brief, got)
			}
		}
	}
}

// Brief steps are those of EM without the pass that would measure the last one, and
// are judged by the likelihood alone.
func TestBriefSteps(t *testing.T) {
	f, ctx := bernoulli.New(bernoulli.Options{}), context.Background()
	run := pass.NewLocal(sparse.FromDense([][]float64{{1, 0, 1}, {0, 1, 0}, {1, 1, 1}, {0, 0, 1}, {0, 1, 1}}, 3, true), 1)
	start := mixture.New(mat.NewDense(3, 2, []float64{.2, .6, .7, .4, .5, .3}), []float64{.5, .5})
	want, err := Steps(ctx, f, run, start, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := EM(ctx, f, run, start, Options{Brief: true, Iterations: 3, Tol: -1})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(got.Params.Centers, want.Params.Centers) || got.Iterations != 3 || !got.Unmeasured || len(got.Trace) != 3 {
		t.Errorf("%d steps, %d measured, unmeasured %v; want the centers of 3 steps, the last unmeasured", got.Iterations, len(got.Trace), got.Unmeasured)
	}
	if got.Trace[2] != got.LogLikelihood {
		t.Errorf("judged by %v, want the likelihood %v", got.Trace[2], got.LogLikelihood)
	}
	if got, err = EM(ctx, f, run, start, Options{Brief: true, Iterations: 3, Tol: 1}); err != nil || got.Iterations != 1 || got.Unmeasured {
		t.Errorf("ended by its tolerance after %d steps, unmeasured %v (%v), want the measured first", got.Iterations, got.Unmeasured, err)
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

// Patience gives as many times the steps and asks for as many times the less, and never takes
// anything away.
func TestPatienceByHand(t *testing.T) {
	o := Options{Iterations: 8, Tol: 3e-4}
	for patience, times := range map[float64]float64{.5: 1, 1: 1, 2.5: 2.5} {
		o.Patience = func(mixture.Params) float64 { return patience }
		if steps, tol := o.at(mixture.Params{}); float64(steps) != 8*times || tol != 3e-4/times {
			t.Errorf("patience %v: %d steps to %v, want %v to %v", patience, steps, tol, 8*times, 3e-4/times)
		}
	}
}
