package decompose

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// The slices without their own feature, against [S] Alg. 2 written out with a
// pseudo-inverse of E without row r and the slice without row and column r.
// More components than k, so that the moments do not fit and every term counts.
func TestRemovedFeatureTwin(t *testing.T) {
	const d, k, tol = 9, 3, 1e-10
	r := stream.New(1, "test/removed")
	weights := make([]float64, 6)
	for j := range weights {
		weights[j] = 1.0 / 6
	}
	src := moment.NewExact(mixture.New(spectral.Random(r, d, 6), weights))
	ctx := context.Background()
	w, err := Whiten(ctx, src, k, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.slices(ctx, src, Options{RemoveFeature: true})
	if err != nil {
		t.Fatal(err)
	}
	full, _ := src.Project(ctx, identity(d), moment.Slices)
	for f := range d {
		slice := full.Slice(f, d)
		e, m3 := mat.NewDense(d-1, k, nil), mat.NewDense(d-1, d-1, nil)
		for i := range d - 1 {
			e.SetRow(i, w.E.RawRowView(i+past(i, f)))
			for j := range d - 1 {
				m3.Set(i, j, slice.At(i+past(i, f), j+past(j, f)))
			}
		}
		var left, want mat.Dense // E_r†·M3,r·(E_r†)ᵀ by two least squares
		if err := left.Solve(e, m3); err != nil {
			t.Fatal(err)
		}
		if err := want.Solve(e, left.T()); err != nil {
			t.Fatal(err)
		}
		h := got.Slice(f, k)
		for a := range k {
			for b := range k {
				if diff := math.Abs(h.At(a, b) - want.At(a, b)); !(diff <= tol) {
					t.Fatalf("feature %d: entry (%d,%d) off by %g", f, a, b, diff)
				}
			}
		}
	}
}

// past is 1 from the removed place on.
func past(i, removed int) int {
	if i >= removed {
		return 1
	}
	return 0
}
