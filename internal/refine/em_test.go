package refine_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

func setting() (synth.Set, *pass.Local, mixture.Params) {
	set := synth.ExponentialBernoulli(4, 2000, 30, 4, synth.UniformWeights)
	start := mixture.New(mat.DenseCopyOf(set.Truth.Centers), append([]float64(nil), set.Truth.Weights...))
	for i, v := range start.Centers.RawMatrix().Data { // a poor start: half way to one half
		start.Centers.RawMatrix().Data[i] = (v + .5) / 2
	}
	return set, pass.NewLocal(set.Rows, 2), start
}

// fall is the drop of the objective that rounding can make.
const fall = 1e-9

func TestObjectiveNeverFalls(t *testing.T) {
	_, run, start := setting()
	for _, pseudo := range []float64{-1, 0, 5} {
		r, err := refine.EM(context.Background(), bernoulli.New(bernoulli.Options{}), run, start, refine.Options{Pseudo: pseudo})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] < r.Trace[i-1]-fall*math.Abs(r.Trace[i]) {
				t.Errorf("pseudo %v: the objective falls at step %d: %v after %v", pseudo, i, r.Trace[i], r.Trace[i-1])
			}
		}
		if !r.Converged || len(r.Trace) != r.Iterations+1 {
			t.Errorf("converged %v after %d steps with %d values", r.Converged, r.Iterations, len(r.Trace))
		}
	}
}

func TestStepsAreCounted(t *testing.T) {
	_, run, start := setting()
	f := bernoulli.New(bernoulli.Options{})
	for _, n := range []int{0, 1, 7} {
		r, err := refine.Steps(context.Background(), f, run, start, n, refine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Iterations != n || len(r.Trace) != n+1 {
			t.Errorf("%d steps asked for, %d taken, %d values", n, r.Iterations, len(r.Trace))
		}
	}
}

// TestMore: going on from where steps ended is the same as beginning there.
// TestProgress: how far EM is, is said; when it will end nobody knows, and its limit is no
// forecast.
func TestProgress(t *testing.T) {
	_, run, start := setting()
	var said []progress.Event
	ctx := progress.With(context.Background(), func(e progress.Event) { said = append(said, e) })
	r, err := refine.EM(ctx, bernoulli.New(bernoulli.Options{}), run, start, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(said); n == 0 || said[n-1].Done != int64(r.Iterations) {
		t.Fatalf("%d iterations, and %v was said", r.Iterations, said)
	}
	for _, e := range said {
		if e.Total != 0 {
			t.Fatalf("%+v tells when it will end", e)
		}
	}
}

func TestMore(t *testing.T) {
	_, run, start := setting()
	f, ctx := bernoulli.New(bernoulli.Options{}), context.Background()
	some, err := refine.Steps(ctx, f, run, start, 2, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := refine.EM(ctx, f, run, some.Params, refine.Options{})
	got, err2 := refine.More(ctx, f, run, some, refine.Options{})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if !slices.Equal(got.Trace, want.Trace) || !mat.Equal(got.Params.Centers, want.Params.Centers) {
		t.Errorf("trace %v, want %v", got.Trace, want.Trace)
	}
}

// TestExtrapolate: a loop that extrapolates its end takes the same steps, ends no later,
// and what it left out gains little.
func TestExtrapolate(t *testing.T) {
	const tol, little = 1e-6, 10 // the gains left out fall by about half each
	_, run, start := setting()
	f, ctx := bernoulli.New(bernoulli.Options{}), context.Background()
	want, err := refine.EM(ctx, f, run, start, refine.Options{Tol: tol})
	got, err2 := refine.EM(ctx, f, run, start, refine.Options{Tol: tol, Extrapolate: true})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	n := len(got.Trace)
	if n >= len(want.Trace) || !slices.Equal(got.Trace, want.Trace[:n]) || !got.Converged {
		t.Fatalf("trace %v, want less of %v", got.Trace, want.Trace)
	}
	if gap := want.Objective() - got.Objective(); gap > little*tol*math.Abs(want.Objective()) {
		t.Errorf("the end was extrapolated %v too low", gap)
	}
}

func TestStartIsNotChanged(t *testing.T) {
	_, run, start := setting()
	before := mat.DenseCopyOf(start.Centers)
	if _, err := refine.EM(context.Background(), bernoulli.New(bernoulli.Options{}), run, start, refine.Options{}); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(before, start.Centers) {
		t.Error("the start was changed")
	}
}

func TestEmptiedGroupIsReported(t *testing.T) {
	_, run, start := setting()
	for h := range start.Dim() { // a component that no record resembles
		start.Centers.Set(h, 0, 1-1e-9)
	}
	r, err := refine.EM(context.Background(), bernoulli.New(bernoulli.Options{}), run, start, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Warnings {
		if w.Code == "empty-groups" {
			return
		}
	}
	t.Errorf("no warning of an empty group; weights %v", r.Params.Weights)
}

func TestCancelled(t *testing.T) {
	_, run, start := setting()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := refine.EM(ctx, bernoulli.New(bernoulli.Options{}), run, start, refine.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// far is a family that strides, too far when wild.
type far struct {
	family.Family
	wild bool
}

func (f far) Info() family.Info {
	info := f.Family.Info()
	info.EM.OverRelax = f.further
	return info
}

func (f far) further(old, next mixture.Params) mixture.Params {
	next.Centers = mat.DenseCopyOf(next.Centers)
	for i, v := range next.Centers.RawMatrix().Data {
		o := old.Centers.RawMatrix().Data[i]
		v = o + 1.8*(v-o)
		if f.wild {
			v = .5
		}
		next.Centers.RawMatrix().Data[i] = min(max(v, 1e-3), 1-1e-3)
	}
	return next
}

// Strides reach an objective in fewer passes, and those that lower it are taken
// back.
func TestOverRelaxation(t *testing.T) {
	_, run, start := setting()
	plain := bernoulli.New(bernoulli.Options{})
	o := refine.Options{Iterations: 4}
	a, err := refine.EM(context.Background(), plain, run, start, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := refine.EM(context.Background(), far{plain, false}, run, start, o)
	if err != nil {
		t.Fatal(err)
	}
	if !(b.Objective() > a.Objective()) || b.Iterations != a.Iterations {
		t.Errorf("objective %v with strides after %d steps, %v without after %d", b.Objective(), b.Iterations, a.Objective(), a.Iterations)
	}
	c, err := refine.EM(context.Background(), far{plain, true}, run, start, o)
	if err != nil {
		t.Fatal(err)
	}
	if c.Objective() != a.Objective() || len(c.Trace) != len(a.Trace) {
		t.Errorf("objective %v with strides taken back, %v without: %v", c.Objective(), a.Objective(), c.Trace)
	}
}

// The last step is the same, measured or not.
func TestUnmeasured(t *testing.T) {
	_, run, start := setting()
	f := bernoulli.New(bernoulli.Options{})
	for _, o := range []refine.Options{{Iterations: 3}, {Tol: 1e-3}} {
		a, err := refine.EM(context.Background(), f, run, start, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Unmeasured = true
		b, err := refine.EM(context.Background(), f, run, start, o)
		if err != nil {
			t.Fatal(err)
		}
		if !b.Unmeasured || len(b.Trace) != b.Iterations || a.Converged != b.Converged {
			t.Errorf("unmeasured: %d values after %d steps, converged %v and %v", len(b.Trace), b.Iterations, b.Converged, a.Converged)
		}
		if o.Iterations > 0 && !mat.Equal(a.Params.Centers, b.Params.Centers) {
			t.Error("the last step differs where it is not measured")
		}
	}
}
