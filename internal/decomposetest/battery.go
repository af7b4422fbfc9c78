// Package decomposetest is the battery that every decomposition passes: known
// parameters, their exact moments, and the parameters found again.
package decomposetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Tol is how far parameters found from exact moments may be off, relative to
// the largest center entry: a few thousand roundings, times the condition.
const Tol = 1e-9

// perCondition is the error allowed for each unit of the condition number
// where that is larger than Tol allows: rounding errors grow by the condition.
const perCondition = 1e-12

// Promises says what a method does not promise, and with which options it is
// tested. The zero value promises everything.
type Promises struct {
	Options decompose.Options
	// Unwhitened says that the method does not look at M2, so that it returns
	// no rotation and does not see a wrong rank.
	Unwhitened bool
	// OffSpan says that pseudo-centers, fewer than there are components, may
	// leave the span of the centers.
	OffSpan bool
	// Slack multiplies the tolerance; 0 means 1.
	Slack float64
	// MostDim is the largest number of features the method takes; 0 means any.
	MostDim int
	// Views is the number of parts of the features of which each must tell all
	// components apart; 0 means one.
	Views int
}

// Run puts a method through the battery.
func Run(t *testing.T, name string, method decompose.Method, p Promises) {
	t.Run(name, func(t *testing.T) {
		b := &battery{method: method, promises: p}
		t.Run("recovery", b.recovery)
		t.Run("identities", b.identities)
		t.Run("determinism", b.determinism)
		t.Run("input untouched", b.untouched)
		t.Run("rank", b.rank)
		t.Run("fewer than there are", b.misspecified)
		t.Run("permuted and scaled", b.metamorphic)
		t.Run("noise", b.noise)
		t.Run("cancelled", b.cancelled)
	})
}

type battery struct {
	method   decompose.Method
	promises Promises
}

func (b *battery) run(t *testing.T, src moment.Source, k int) *decompose.Result {
	t.Helper()
	r, err := b.method(context.Background(), src, k, b.promises.Options)
	if err != nil {
		t.Fatalf("%d components of %d features: %v", k, src.Dim(), err)
	}
	if err := r.Params.Check(); err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Alternatives {
		if err := a.Check(); err != nil {
			t.Fatalf("alternative: %v", err)
		}
	}
	return r
}

// tol is the tolerance for parameters of that condition.
func (b *battery) tol(condition float64) float64 {
	return math.Max(Tol, perCondition*condition) * math.Max(b.promises.Slack, 1)
}

func (b *battery) recovery(t *testing.T) {
	for _, c := range Cases() {
		if most := b.promises.MostDim; most > 0 && c.Params.Dim() > most {
			continue
		}
		if b.promises.Views > 1 && !c.viewed(b.promises.Views) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			r := b.run(t, moment.NewExact(c.Params), c.Params.K())
			tol := b.tol(Condition(c.Params))
			for i, p := range append([]mixture.Params{r.Params}, r.Alternatives...) {
				centers, weights := Distance(p, c.Params)
				if !(centers <= tol) || !(weights <= tol) {
					t.Errorf("answer %d: centers off by %.2g, weights by %.2g, tolerance %.2g", i, centers, weights, tol)
				}
			}
			b.diagnostics(t, r, c.Params.K())
		})
	}
}

func (b *battery) diagnostics(t *testing.T, r *decompose.Result, k int) {
	d := r.Diagnostics
	if d.Objective > 1e-6 || math.IsNaN(d.Objective) || d.Objective < 0 {
		t.Errorf("objective %g on exact moments, want 0", d.Objective)
	}
	if !(d.Condition >= 1) || d.Passes < 1 {
		t.Errorf("condition %g, passes %d", d.Condition, d.Passes)
	}
	if !b.promises.Unwhitened && (len(d.Spectrum) < k || !(d.Gap > 0.999)) {
		t.Errorf("spectrum %v, gap %g, want at least %d values and a gap of 1", d.Spectrum, d.Gap, k)
	}
	for j := 1; j < k; j++ {
		if r.Params.Weights[j] > r.Params.Weights[j-1] {
			t.Errorf("weights %v do not fall", r.Params.Weights)
		}
	}
}

func (b *battery) identities(t *testing.T) {
	if b.promises.Unwhitened {
		t.Skip("the method works without whitened coordinates")
	}
	p := Random(3, 20, 6)
	r := b.run(t, moment.NewExact(p), 6)
	var o mat.Dense
	o.Mul(r.Rotation.T(), r.Rotation)
	if far := farFromIdentity(&o); far > b.tol(Condition(p)) {
		t.Errorf("OᵀO differs from I by %g", far)
	}
}

func (b *battery) determinism(t *testing.T) {
	src := Perturbed(Random(4, 15, 4), 1e-3, 7)
	one, two := b.run(t, src, 4), b.run(t, src, 4)
	if !mat.Equal(one.Params.Centers, two.Params.Centers) ||
		fmt.Sprint(one.Params.Weights, one.Diagnostics) != fmt.Sprint(two.Params.Weights, two.Diagnostics) {
		t.Error("two runs differ")
	}
}

func (b *battery) untouched(t *testing.T) {
	p := Random(5, 12, 3)
	before, weights := mat.DenseCopyOf(p.Centers), append([]float64(nil), p.Weights...)
	r := b.run(t, moment.NewExact(p), 3)
	r.Params.Centers.Scale(0, r.Params.Centers)
	if !mat.Equal(before, p.Centers) || fmt.Sprint(weights) != fmt.Sprint(p.Weights) {
		t.Error("the input was changed")
	}
}

func (b *battery) rank(t *testing.T) {
	p := Random(6, 10, 3)
	for _, k := range []int{-1, 0, 4, 11} {
		if b.promises.Unwhitened && k == 4 {
			continue
		}
		_, err := b.method(context.Background(), moment.NewExact(p), k, b.promises.Options)
		var rank *decompose.ErrRank
		if !errors.As(err, &rank) || rank.Want != k || rank.Error() == "" {
			t.Errorf("k = %d of 3 components, 10 features: %v, want an ErrRank", k, err)
		}
	}
	if b.promises.Unwhitened {
		return
	}
	o := b.promises.Options
	o.Fewer = true
	r, err := b.method(context.Background(), moment.NewExact(p), 5, o)
	if err != nil || r.Params.K() != 3 || len(r.Warnings) == 0 {
		t.Errorf("5 of 3 components with Fewer: %v", err)
	} else if c, w := Distance(r.Params, p); c > Tol || w > Tol {
		t.Errorf("5 of 3 components with Fewer: off by %g, %g", c, w)
	}
}

// misspecified asks for 2 of 6 components: finite pseudo-centers, which for
// whitened methods lie in the span of the centers.
func (b *battery) misspecified(t *testing.T) {
	p := Random(8, 20, 6)
	r := b.run(t, moment.NewExact(p), 2)
	if b.promises.OffSpan {
		return
	}
	var coef, back mat.Dense
	if err := coef.Solve(p.Centers, r.Params.Centers); err != nil {
		t.Fatal(err)
	}
	back.Mul(p.Centers, &coef)
	back.Sub(&back, r.Params.Centers)
	if far := mat.Max(&back) - mat.Min(&back); far > 1e-8 {
		t.Errorf("pseudo-centers leave the span of the centers by %g", far)
	}
}

// metamorphic permutes the features and scales all of them.
func (b *battery) metamorphic(t *testing.T) {
	p := Random(9, 14, 4)
	d, k := p.Centers.Dims()
	const factor = 1e-3
	turned := mat.NewDense(d, k, nil)
	for h := range d {
		for j := range k {
			turned.Set((5*h+3)%d, j, factor*p.Centers.At(h, j)) // 5 and 14 have no common factor
		}
	}
	q := mixture.New(turned, p.Weights)
	r := b.run(t, moment.NewExact(q), k)
	if c, w := Distance(r.Params, q); c > b.tol(Condition(q)) || w > b.tol(Condition(q)) {
		t.Errorf("permuted and scaled features: off by %g, %g", c, w)
	}
}

// noise checks that small errors stay small: within the condition.
func (b *battery) noise(t *testing.T) {
	p := Random(10, 20, 4)
	const size = 1e-6
	r := b.run(t, Perturbed(p, size, 11), 4)
	// One random contraction may separate components badly, so the bound is
	// loose; a wrong formula is off by one, not by a thousandth.
	if c, w := Distance(r.Params, p); c > 1e-3 || w > 1e-3 || c == 0 {
		t.Errorf("moments off by %g: centers off by %g, weights by %g", size, c, w)
	}
}

func (b *battery) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.method(ctx, failing{moment.NewExact(Random(1, 30, 3))}, 3, b.promises.Options); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// failing is a source that minds its context.
type failing struct{ moment.Source }

func (f failing) First(ctx context.Context) ([]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.Source.First(ctx)
}

func (f failing) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.Source.Project(ctx, b, want)
}

// Distance returns how far the centers, relative to their largest entry, and
// the weights of got are from want, components matched.
func Distance(got, want mixture.Params) (centers, weights float64) {
	match, err := agree.Columns(want.Centers, got.Centers)
	if err != nil || got.K() != want.K() {
		return math.Inf(1), math.Inf(1)
	}
	size := math.Max(mat.Max(want.Centers), -mat.Min(want.Centers))
	for j, c := range match {
		for h := range want.Dim() {
			centers = math.Max(centers, math.Abs(got.Centers.At(h, c)-want.Centers.At(h, j))/size)
		}
		weights = math.Max(weights, math.Abs(got.Weights[c]-want.Weights[j]))
	}
	return centers, weights
}

func farFromIdentity(m *mat.Dense) float64 {
	k, _ := m.Dims()
	far := 0.0
	for i := range k {
		for j := range k {
			want := 0.0
			if i == j {
				want = 1
			}
			far = math.Max(far, math.Abs(m.At(i, j)-want))
		}
	}
	return far
}
