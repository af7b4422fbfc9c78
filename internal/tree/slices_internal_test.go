package tree

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// cost is the papers' objective for two vectors, by its words ([T] eq. 6.7): the square of
// Σ_i x_ir⟨d_1, x_i⟩⟨d_2, x_i⟩/n, added up over the features r.
func cost(rows sparse.Rows, d1, d2 []float64) float64 {
	out := 0.0
	dense := mat.NewDense(rows.N(), rows.Dim, nil)
	for i := range rows.N() {
		addRow(dense.RawRowView(i), rows, i)
	}
	for r := range rows.Dim {
		sum := 0.0
		for i := range rows.N() {
			x := dense.RawRowView(i)
			a, b := 0.0, 0.0
			for h, v := range x {
				a, b = a+d1[h]*v, b+d2[h]*v
			}
			sum += x[r] * a * b / float64(rows.N())
		}
		out += sum * sum
	}
	return out
}

// With all slices a tree without a model has the papers' least cost of all rotations of its
// plane, by counted pairs and by scans; by default it has that of the slices seen in the plane.
func TestAllSlicesWithoutModel(t *testing.T) {
	rows := synth.HierarchicalBernoulli(3, 400, 12, 1).Rows
	s := settings(t, "bernoulli", rows.Dim)
	s.Splitter, s.Steps, s.Leaves = DSidiwo, -1, 2
	of := func(run pass.Runner) (*mat.Dense, float64) {
		r, err := Grow(ctx, run, s)
		if err != nil {
			t.Fatal(err)
		}
		v := r.Tree.Nodes[0].Split.Rule.Vectors
		return v, cost(rows, mat.Col(nil, 0, v), mat.Col(nil, 1, v))
	}
	v, plain := of(pass.NewLocal(rows, 1))
	least := math.Inf(1)
	for step := range 2000 {
		sin, cos := math.Sincos(math.Pi / 2 * float64(step) / 2000)
		turned := new(mat.Dense)
		turned.Mul(v, mat.NewDense(2, 2, []float64{cos, sin, -sin, cos}))
		least = math.Min(least, cost(rows, mat.Col(nil, 0, turned), mat.Col(nil, 1, turned)))
	}
	s.AllSlices = true
	for name, run := range map[string]pass.Runner{"counted": pass.NewLocal(rows, 1), "scanned": elsewhere{pass.NewLocal(rows, 1)}} {
		if _, all := of(run); all > least*(1+1e-9) || all < least*(1-1e-5) {
			t.Errorf("%s: cost %v, the least of 2,000 rotations is %v", name, all, least)
		}
	}
	if plain < least*(1+1e-6) {
		t.Errorf("the slices seen in the plane cost %v, no more than all slices at their best, %v: the test shows nothing", plain, least)
	}
}
