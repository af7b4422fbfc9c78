package decompose_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/decomposetest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

func TestByName(t *testing.T) {
	for _, m := range decompose.Methods() {
		if f, err := decompose.ByName(m.Name); err != nil || f == nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if _, err := decompose.ByName(""); err != nil {
		t.Error(err)
	}
	const list = "; choose one of auto, svtd, svtd-removed, sidiwo, tpm, svd, eigen, jennrich, als, als-direct, random-projections, three-view, three-view-tpm"
	for name, want := range map[string]string{
		"sidivo":   `decompose: unknown method "sidivo" (did you mean "sidiwo"?)` + list,
		"Jenrich":  `decompose: unknown method "Jenrich" (did you mean "jennrich"?)` + list,
		"whatever": `decompose: unknown method "whatever"` + list,
	} {
		if _, err := decompose.ByName(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// With errors in the moments every method has its own answer: none is another
// under a second name.
func TestMethodsDiffer(t *testing.T) {
	src := decomposetest.Perturbed(decomposetest.Random(1, 20, 4), 1e-2, 5)
	type answer struct {
		name   string
		params mixture.Params
	}
	var all []answer
	add := func(name string, m decompose.Method, o decompose.Options) {
		r, err := m(context.Background(), src, 4, o)
		if err != nil {
			t.Fatal(name, err)
		}
		all = append(all, answer{name, r.Params})
	}
	for _, m := range decompose.Methods() {
		add(m.Name, m.Method, decompose.Options{})
	}
	add("sidiwo all slices", decompose.SIDIWO, decompose.Options{AllSlices: true})
	for i, a := range all {
		for _, b := range all[:i] {
			if c, _ := decomposetest.Distance(a.params, b.params); c < 1e-7 {
				t.Errorf("%s and %s give the same centers", a.name, b.name)
			}
		}
	}
}

// Moments that are not numbers are an error or a finite answer, never a panic
// and never NaN.
func TestNotANumber(t *testing.T) {
	p := decomposetest.Random(2, 20, 3)
	p.Centers.Set(4, 1, math.NaN())
	for _, m := range decompose.Methods() {
		if r, err := m.Method(context.Background(), moment.NewExact(p), 3, decompose.Options{}); err == nil {
			if err := r.Params.Check(); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
}

// equalThird is a source whose third moment has nothing to say.
type equalThird struct{ *moment.Exact }

func (e equalThird) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	p, err := e.Exact.Project(ctx, b, want)
	if p.Core != nil {
		p.Core.Scale(0)
	}
	for _, m := range []*mat.Dense{p.Slices, p.Rows} {
		if m != nil {
			m.Zero()
		}
	}
	return p, err
}

func TestNoThirdMoment(t *testing.T) {
	src := equalThird{moment.NewExact(decomposetest.Random(3, 20, 3))}
	for _, m := range decompose.Methods() {
		r, err := m.Method(context.Background(), src, 3, decompose.Options{})
		if err != nil {
			continue
		}
		if err := r.Params.Check(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if len(r.Warnings) == 0 {
			t.Errorf("%s: no warning for a third moment of zeros", m.Name)
		}
	}
}

// A feature of each component alone: no feature tells all four apart, and SVTD
// says so; where one does, it names it.
func TestFeatureChoice(t *testing.T) {
	for _, c := range decomposetest.Cases() {
		if c.Name != "no separating feature" {
			continue
		}
		r, err := decompose.SVTD(context.Background(), moment.NewExact(c.Params), 4, decompose.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Diagnostics.Feature != -1 || len(r.Warnings) != 1 || r.Warnings[0].Code != "no-single-feature" {
			t.Errorf("feature %d, warnings %v", r.Diagnostics.Feature, r.Warnings)
		}
	}
	p := decomposetest.Random(4, 10, 3)
	p.Centers.SetRow(6, []float64{0, 5, 10})
	r, err := decompose.SVTD(context.Background(), moment.NewExact(p), 3, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Diagnostics.Feature != 6 || numtest.Off(r.Diagnostics.Separation, 0.5, 1e-9) {
		t.Errorf("feature %d, separation %g, want 6 and 0.5", r.Diagnostics.Feature, r.Diagnostics.Separation)
	}
}

// The condition number is that of the true parameters, and a bad one is reported.
func TestCondition(t *testing.T) {
	p := decomposetest.Random(5, 20, 4)
	r, err := decompose.Auto(context.Background(), moment.NewExact(p), 4, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := decomposetest.Condition(p)
	if numtest.Off(r.Diagnostics.Condition, want, 1e-6*want) || len(r.Warnings) != 0 {
		t.Errorf("condition %g, want %g; warnings %v", r.Diagnostics.Condition, want, r.Warnings)
	}
	for h := range 20 {
		p.Centers.Set(h, 1, p.Centers.At(h, 0)+1e-4*p.Centers.At(h, 1))
	}
	r, err = decompose.Auto(context.Background(), moment.NewExact(p), 4, decompose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) == 0 || r.Warnings[0].Code != "ill-conditioned" {
		t.Errorf("condition %g, warnings %v", r.Diagnostics.Condition, r.Warnings)
	}
}

func TestDirectNeedsFewFeatures(t *testing.T) {
	src := moment.NewExact(decomposetest.Random(6, decompose.DirectDim+1, 2))
	if _, err := decompose.ALS(context.Background(), src, 2, decompose.Options{Direct: true}); err == nil {
		t.Error("no error")
	}
}
