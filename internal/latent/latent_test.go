package latent

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// drawn are records of a tree of causes: a root with two causes below, of which the
// first has two of its own; features 0–3, 4–7 and 8–11 hang on these three, 12 and 13 on
// nothing.
func drawn(seed uint64, n int) sparse.Rows {
	r := stream.New(seed, "test/latent")
	flip := func(v bool, chance float64) bool { return (r.Float64() < chance) != v }
	rows := sparse.Rows{Dim: 14, Ptr: []int{0}}
	for range n {
		root := r.Float64() < .5
		left := flip(root, .1)
		causes := []bool{flip(left, .08), flip(left, .08), flip(root, .15)}
		for h := range 14 {
			on := r.Float64() < .3
			if h < 12 {
				on = flip(causes[h/4], .1+.02*float64(h%4))
			}
			if on {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	return rows
}

func every(d int) []int {
	out := make([]int, d)
	for h := range out {
		out[h] = h
	}
	return out
}

func groups(t *Tree) []string {
	var out []string
	for i, n := range t.Nodes {
		if n.Feature < 0 {
			u := t.Under(i)
			slices.Sort(u)
			out = append(out, strings.Trim(fmt.Sprint(u), "[]"))
		}
	}
	return out
}

func TestTreeOfCauses(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		tree, err := Learn(t.Context(), pass.NewLocal(drawn(seed, 6000), 2), every(14))
		if err != nil {
			t.Fatal(err)
		}
		got := groups(tree)
		for _, want := range []string{"0 1 2 3", "4 5 6 7", "8 9 10 11", "0 1 2 3 4 5 6 7"} {
			if !slices.Contains(got, want) {
				t.Errorf("seed %d: no group %q among %q", seed, want, got)
			}
		}
		if fmt.Sprint(tree.Alone) != "[12 13]" || len(tree.Roots) != 1 || tree.Records != 6000 {
			t.Errorf("seed %d: alone %v, roots %v, %d records", seed, tree.Alone, tree.Roots, tree.Records)
		}
		for i, n := range tree.Nodes {
			u := tree.Under(i)
			slices.Sort(u)
			if n.Feature < 0 && !n.Repeats {
				t.Errorf("seed %d: the halves do not show %v", seed, u)
			}
			if n.Parent >= 0 && !slices.Contains(tree.Nodes[n.Parent].Children, i) {
				t.Errorf("seed %d: node %d is no child of its parent", seed, i)
			}
		}
	}
}

// Features without a common cause stay alone.
func TestIndependentFeaturesStayAlone(t *testing.T) {
	r, rows := stream.New(1, "test/alone"), sparse.Rows{Dim: 30, Ptr: []int{0}}
	for range 4000 {
		for h := range 30 {
			if r.Float64() < .2 {
				rows.Index = append(rows.Index, uint32(h))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	tree, err := Learn(t.Context(), pass.NewLocal(rows, 1), every(30))
	if err != nil || len(tree.Roots) > 0 || len(tree.Alone) != 30 {
		t.Errorf("%v: roots %v, %d alone", err, tree.Roots, len(tree.Alone))
	}
}

// The counts by hand, in all layouts and for any number of workers.
func TestPairsByHand(t *testing.T) {
	binary := drawn(3, 9001)
	valued, dense := binary, sparse.Rows{Dim: 14, Dense: make([]float64, 9001*14)}
	valued.Value = make([]float32, len(binary.Index))
	for i := range 9001 {
		index, _ := binary.Row(i)
		for _, h := range index {
			dense.Dense[i*14+int(h)] = 2
		}
	}
	for e := range valued.Value {
		valued.Value[e] = 3
	}
	var want string
	for _, rows := range []sparse.Rows{binary, valued, dense} {
		for _, workers := range []int{1, 3} {
			tree, err := Learn(t.Context(), pass.NewLocal(rows, workers), every(14))
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%+v", tree)
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatal("another layout or number of workers, another tree")
			}
		}
	}
	both, one, two := 0.0, 0.0, 0.0
	for i := range 9001 {
		a, b := binary.At(i, 0), binary.At(i, 1)
		both, one, two = both+a*b, one+a, two+b
	}
	sum := newPairSum(every(14), 14, 0)
	state, err := pass.RunOne(t.Context(), pass.NewLocal(binary, 1), sum)
	if err != nil {
		t.Fatal(err)
	}
	p := sum.counts(state, 0).plus(sum.counts(state, 1))
	n := 9001.0
	phi := (n*both - one*two) / math.Sqrt(one*(n-one)*two*(n-two))
	if p.n != 9001 || p.at(1, 0) != both || numtest.Off(p.correlation(0, 1), phi, 1e-12) {
		t.Errorf("%d records, %v together, correlation %v, want %v and %v", p.n, p.at(1, 0), p.correlation(0, 1), both, phi)
	}
}

func TestRefusals(t *testing.T) {
	run := pass.NewLocal(drawn(1, 10), 1)
	if _, err := Learn(t.Context(), run, []int{1}); err == nil {
		t.Error("a single feature was accepted")
	}
	if _, err := Learn(t.Context(), run, make([]int, MostFeatures+1)); err == nil {
		t.Error("too many features were accepted")
	}
}

// How often two features come together does not depend on the order in which they are listed.
func TestAnyOrder(t *testing.T) {
	rows := sparse.Rows{Dim: 3, Ptr: []int{0, 3, 5, 6}, Index: []uint32{0, 1, 2, 0, 2, 1}}
	for _, features := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}} {
		sum := newPairSum(features, 3, 0)
		state, err := pass.RunOne(t.Context(), pass.NewLocal(rows, 1), sum)
		if err != nil {
			t.Fatal(err)
		}
		p := sum.counts(state, 0).plus(sum.counts(state, 1))
		for i, h := range features {
			for j, g := range features {
				want := 0.0
				for row := range 3 {
					want += rows.At(row, h) * rows.At(row, g)
				}
				if got := p.at(i, j); got != want {
					t.Errorf("listed as %v, %d and %d come together %v times, want %v", features, h, g, got, want)
				}
			}
		}
	}
}
