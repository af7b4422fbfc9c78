package moment

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
)

// The missing entries of M3 are the same without the core: T(e_h,e_h,·), and Rows.
func TestCompletedWithoutCore(t *testing.T) {
	const d, k, tol = 20, 3, 1e-6
	rows := synth.Patients(4, 4000, d, k, 6).Rows
	src := NewSampled(pass.NewLocal(rows, 2), Formula{Law: Distinct(), Pairs: true}, true)
	c, err := Complete(t.Context(), src, k, CompleteOptions{Tol: tol})
	if err != nil {
		t.Fatal(err)
	}
	want := mat.DenseCopyOf(c.newContraction(c.alone()).of(c.core))
	b := spectral.Random(stream.New(2, "test"), d, 4)
	held, err := c.Project(t.Context(), b, Rows|Slices)
	if err != nil {
		t.Fatal(err)
	}
	c.core, c.own = nil, nil
	got, err := c.ownPairs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, size := furthest(want, want)
	if far := numtest.MatDiff(got, want); !(far <= tol*size) {
		t.Errorf("pairs are off by %g of %g", far, size)
	}
	scanned, err := c.Project(t.Context(), b, Rows)
	if err != nil {
		t.Fatal(err)
	}
	if far := numtest.MatDiff(scanned.Rows, held.Rows); !(far <= tol*mat.Norm(held.Rows, math.Inf(1))) {
		t.Errorf("rows are off by %g", far)
	}
	if c.core != nil {
		t.Error("Rows alone asked for the core")
	}
}
