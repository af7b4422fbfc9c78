package fit

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/normals"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Clouds cut from one another settle on the sample: over all records they take a few steps
// more, to an end that is as good.
func TestPartsSettleOnTheSample(t *testing.T) {
	const n, k, part = 6000, 6, 4
	all, some, label := sparse.Rows{Dim: 1}, sparse.Rows{Dim: 1}, []int32{}
	for i := range n { // one flat population, cut into six unlike slices
		v := float64(i*7%n) / n
		all.Dense = append(all.Dense, 1e4*v)
		if i%part == 0 {
			some.Dense, label = append(some.Dense, 1e4*v), append(label, int32(v*v*k))
		}
	}
	ctx, fam := context.Background(), gaussian.NewShaped(normals.Own, nil)
	form := &verdict.Form{Shape: "full", Middle: []float64{5000}, Scale: []float64{3000}}
	p := &parts{fam: fam, data: Training{Run: pass.NewLocal(all, 1)}, form: form, rows: some, label: label}
	q, err := partitioned(ctx, fam, p.data.of(pass.NewLocal(some, 1)), p.s, form, k, label)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.refined(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	want, err := refine.EM(ctx, fam, p.data.Run, q, refine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if 2*got.Iterations >= want.Iterations || got.Objective() < want.Objective()-1e-4*n {
		t.Errorf("%d steps to %v, without the sample %d to %v", got.Iterations, got.Objective(), want.Iterations, want.Objective())
	}
	p.data.Run = pass.NewLocal(some, 1) // all records are the sample
	if got, err = p.refined(ctx, q); err != nil {
		t.Fatal(err)
	}
	if want, err = refine.EM(ctx, fam, p.data.Run, q, refine.Options{}); err != nil || got.Iterations != want.Iterations {
		t.Errorf("%d steps, want %d (%v)", got.Iterations, want.Iterations, err)
	}
}
