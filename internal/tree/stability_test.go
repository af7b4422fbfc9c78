package tree

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/synth"
)

func TestStabilised(t *testing.T) {
	set := synth.HierarchicalBernoulli(1, 1000, 60, 1)
	s := settings(t, "bernoulli", 60)
	s.Leaves = 4
	r := grow(t, set.Rows, s)
	before := stripped(r.Tree)
	var first *Tree
	for _, w := range []int{1, 2, 8} {
		s.Workers = w
		got, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf, s, StabilityFull)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if stripped(first) != stripped(got) {
			t.Errorf("%d workers give another stability", w)
		}
	}
	if stripped(r.Tree) != before {
		t.Error("the tree itself was changed")
	}
	for _, n := range first.Nodes {
		switch {
		case n.IsLeaf() && n.Split != nil && n.Split.Stability != -1:
			t.Errorf("leaf %s has a stability of %v", n.ID, n.Split.Stability)
		case !n.IsLeaf() && (n.Split.Stability < .6 || n.Split.Stability > 1):
			t.Errorf("node %s has a stability of %v, of clear groups", n.ID, n.Split.Stability)
		}
	}
	sampled, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf, s, "")
	if err != nil || stripped(sampled) != stripped(first) {
		t.Errorf("nodes below the limit are sampled: %v", err)
	}
	off, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf, s, StabilityOff)
	if err != nil || off != r.Tree {
		t.Errorf("off: %v", err)
	}
	if _, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf, s, "often"); err == nil {
		t.Error("an unknown mode was accepted")
	}
	if _, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf[1:], s, ""); err == nil {
		t.Error("too few leaves accepted")
	}
}

// A split of records without groups is not found again.
func TestForcedSplitIsUnstable(t *testing.T) {
	set := synth.Independent(1, 600, 40)
	s := settings(t, "bernoulli", 40)
	s.Leaves = 2
	r := grow(t, set.Rows, s)
	got, err := r.Tree.Stabilised(ctx, set.Rows, r.Leaf, s, StabilityFull)
	if err != nil {
		t.Fatal(err)
	}
	if v := got.Nodes[0].Split.Stability; v > .6 {
		t.Errorf("stability %v of a split of nothing", v)
	}
}

func TestOverlapping(t *testing.T) {
	samples, shared := overlapping([]int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0})
	if shared != 8 || !slices.Equal(samples[0], []int{9, 8, 7, 6, 5, 4, 3, 2, 1}) || !slices.Equal(samples[1], []int{9, 8, 7, 6, 5, 4, 3, 2, 0}) {
		t.Errorf("%v, %d shared", samples, shared)
	}
}

// The stability of sparse hierarchical groups, 3200 records shared and 600 own
// (algorithms, trees: raw D-SIDIWO .884, ours .862; bisecting k-means .622, which
// experiments/reference tests).
func TestStabilityOverSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: slow: 20 trees of 3800 records")
	}
	tree := func(change func(*Settings)) func(seed uint64, set synth.Set, rows []int) []int {
		return func(seed uint64, set synth.Set, rows []int) []int {
			s := settings(t, "bernoulli", 200)
			s.Leaves, s.Seed = 8, seed
			change(&s)
			return ints(grow(t, set.Rows.Pick(rows), s).Leaf)
		}
	}
	for _, c := range []struct {
		name   string
		fit    func(seed uint64, set synth.Set, rows []int) []int
		lo, hi float64
	}{
		{"raw D-SIDIWO", tree(func(s *Settings) { s.Splitter, s.Steps = DSidiwo, -1 }), .8, .95},
		{"default", tree(func(*Settings) {}), .83, .95},
	} {
		var all []float64
		for seed := range uint64(5) {
			set := synth.HierarchicalBernoulli(seed, 4400, 200, .35)
			rows := count(4400)
			first := c.fit(seed, set, rows[:3800])
			second := c.fit(seed, set, slices.Concat(rows[:3200], rows[3800:]))
			ari, err := agree.ARI(first[:3200], second[:3200])
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, ari)
		}
		mean, sd := stat.MeanStdDev(all, nil)
		t.Logf("%s: %.3f ± %.3f", c.name, mean, sd)
		if mean < c.lo || mean > c.hi {
			t.Errorf("%s: %.3f, want %v to %v", c.name, mean, c.lo, c.hi)
		}
	}
}

// Records are drawn from every node without a list of all: those of the node,
// each once, as many as asked for, and every one equally often.
func TestDeal(t *testing.T) {
	tr := &Tree{Nodes: []Node{
		{ID: "1", Parent: -1, Children: []int{1, 2}, N: 10},
		{ID: "1.1", Parent: 0, Children: []int{3, 4}, N: 6},
		{ID: "1.2", Parent: 0, N: 4},
		{ID: "1.1.1", Parent: 1, N: 3},
		{ID: "1.1.2", Parent: 1, N: 3},
	}}
	leaf := []int32{2, 3, 4, 2, 3, 4, 2, 3, 4, 2}
	seen := make([]int, len(leaf))
	for seed := range uint64(2000) {
		for _, most := range []int{4, 100} {
			got := tr.shuffled(leaf, seed, most)
			for i, n := range tr.Nodes[:2] {
				if len(got[i]) != min(most, n.N) {
					t.Fatalf("node %s: %d records of %d, most %d", n.ID, len(got[i]), n.N, most)
				}
				once := map[int]bool{}
				for _, r := range got[i] {
					if once[r] || i == 1 && leaf[r] == 2 {
						t.Fatalf("node %s: record %d twice or of another node: %v", n.ID, r, got[i])
					}
					once[r] = true
				}
			}
			if most == 4 {
				seen[got[0][0]]++
			}
			if got[2] != nil {
				t.Fatal("records of a leaf")
			}
		}
	}
	for r, c := range seen {
		if c < 140 || c > 260 { // 200, four and a half standard deviations
			t.Errorf("record %d is the first %d times of 2000", r, c)
		}
	}
}
