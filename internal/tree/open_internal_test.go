package tree

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// threeKinds returns records of three kinds that have no feature in common, the third, of
// every twelfth record, the rarest.
func threeKinds(n, each int) sparse.Rows {
	r := stream.New(5, "tree/test/kinds")
	table := make([][]float64, n)
	for i := range table {
		kind := min(i%12/5, 2) // 5, 5 and 2 of 12
		table[i] = make([]float64, 3*each)
		table[i][kind*each] = 1
		for h := 1; h < each; h++ {
			if r.Float64() < .3+.02*float64(kind) {
				table[i][kind*each+h] = 1
			}
		}
	}
	return sparse.FromDense(table, 3*each, true)
}

// Records that have no feature in common with the leading plane are left open: they go to the
// larger side, with a probability of one half, and are counted; so in a fit and after it,
// however records are looked at.
func TestOpenRecords(t *testing.T) {
	rows := threeKinds(1200, 9)
	s := settings(t, "bernoulli", rows.Dim)
	s.Splitter, s.Steps, s.Leaves = DSidiwo, -1, 2
	elsewhere := elsewhere{pass.NewLocal(rows, 2)}
	for name, run := range map[string]pass.Runner{"counted": pass.NewLocal(rows, 2), "scanned": elsewhere} {
		r, err := Grow(ctx, run, s)
		if err != nil {
			t.Fatal(err)
		}
		leaf, sure, err := r.Tree.Place(s.Family, rows)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(leaf, r.Leaf) || !slices.Equal(sure, r.Sure) {
			t.Errorf("%s: placed otherwise than in the fit", name)
		}
		split := r.Tree.Nodes[0].Split
		if split.Open != 200 {
			t.Errorf("%s: %d records are left open, want 200", name, split.Open)
		}
		for i := range rows.N() {
			open := i%12 >= 10
			if want := map[bool]float32{true: .5, false: 1}[open]; sure[i] != want || open && leaf[i] != int32(r.Tree.Nodes[0].Children[0]) {
				t.Fatalf("%s: record %d in node %d, sure %v, want %v", name, i, leaf[i], sure[i], want)
			}
		}
		for h := 18; h < 27; h++ {
			if v := split.Rule.Vectors.RawRowView(h); v[0] != 0 || v[1] != 0 {
				t.Errorf("%s: feature %d, of the third kind, is %v in the rule", name, h, v)
			}
		}
	}
}

// The basis stays orthogonal until it holds all there is, where each step forgets most of
// what it starts from.
func TestKrylovStaysOrthogonal(t *testing.T) {
	const d = 150
	k := newKrylov(&pool[float64]{}, func(y, x [][]float64) error {
		for i := range x {
			for h, v := range x[i] {
				y[i][h] = v * (1 + math.Pow(.8, float64(h))*100)
			}
		}
		return nil
	})
	r := stream.New(1, "tree/test/orthogonal")
	start := [][]float64{make([]float64, d), make([]float64, d)}
	for _, v := range start {
		stream.Normals(r, v)
	}
	if _, _, _, err := k.leadingPairs(start, d, -1); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, a := range k.q.list {
		for _, b := range k.q.list[:i] {
			worst = math.Max(worst, math.Abs(floats.Dot(a, b)))
		}
	}
	if !(worst <= 1e-12) {
		t.Errorf("of %d directions, two have a product of %.1g", len(k.q.list), worst)
	}
}
