package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// amounts draws presences of k groups whose records differ in how many
// features they have.
func amounts(n, d, k int, sd float64) (Training, []int) {
	r := stream.New(1, "test")
	center := make([]float64, k*d)
	for j := range d {
		base := -1 + r.NormFloat64()
		for g := range k {
			center[g*d+j] = base + 1.3*r.NormFloat64()
		}
	}
	b := sparse.NewBuilder(d, true)
	labels := make([]int, n)
	for i := range n {
		g, t := r.IntN(k), sd*r.NormFloat64()
		labels[i] = g
		var row []uint32
		for j := range d {
			if r.Float64() < 1/(1+math.Exp(-center[g*d+j]-t)) {
				row = append(row, uint32(j))
			}
		}
		if err := b.Add(row, nil); err != nil {
			panic(err)
		}
	}
	rows := b.Rows()
	return Training{Run: pass.NewLocal(rows, 0), Vocab: vocab.Numbered(d), Kind: record.Presence}, labels
}

func ari(t *testing.T, group []int32, labels []int) float64 {
	t.Helper()
	got := make([]int, len(group))
	for i, g := range group {
		got[i] = int(g)
	}
	v, err := agree.ARI(got, labels)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Records that differ only in how many features they have are one group.
func TestTreeOfOnePopulation(t *testing.T) {
	data, _ := amounts(1000, 20, 1, 1.2)
	out, err := Tree(t.Context(), data, Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict == nil || out.Verdict.Continuum != "amount" || out.K() != 1 || len(out.Tree.Nodes) != 1 || out.Tree.Nodes[0].ID != "1" {
		t.Errorf("%d groups, verdict %+v", out.K(), out.Verdict)
	}
	if why := out.Tree.Nodes[0].Split; why == nil || why.Refused == "" || why.Pair == nil {
		t.Errorf("the split that was not made: %+v", why)
	}
	more, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Leaves: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if more.K() != 3 || more.Verdict.Groups != 1 {
		t.Errorf("%d groups asked for 3, verdict %+v", more.K(), more.Verdict)
	}
	for _, n := range more.Tree.Nodes {
		if !n.IsLeaf() && (!n.Split.Finer || n.Split.Doubt == "") {
			t.Errorf("node %s is split beyond the claim without a word: %+v", n.ID, n.Split)
		}
	}
}

// A size that is asked for cuts the tree of the verdict or extends it: the
// upper splits are the same, and those beyond the claim are marked.
func TestOneTreeOfManySizes(t *testing.T) {
	numtest.NotShort(t)
	data, labels := amounts(1500, 40, 4, 0)
	at := func(shape TreeShape) *Outcome {
		out, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: shape})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range out.Tree.Nodes {
			if n.N == 0 {
				t.Errorf("%+v: node %s is empty", shape, n.ID)
			}
		}
		return out
	}
	whole := at(TreeShape{})
	if whole.K() != 4 || ari(t, whole.Group, labels) < .85 {
		t.Fatalf("%d groups, ARI %.2f", whole.K(), ari(t, whole.Group, labels))
	}
	for _, n := range whole.Tree.Nodes {
		if s := n.Split; s.Nats <= 0 && !n.IsLeaf() || s.Finer || n.IsLeaf() != (s.Refused != "") {
			t.Errorf("node %s: %+v", n.ID, s)
		}
	}
	shapes := []TreeShape{{Leaves: 3}, {Leaves: 6}, {Levels: 4}, {Leaves: 2}, {Levels: 1}, {MaxLeaves: 3}, {MaxLeaves: 9}}
	if testing.Short() {
		shapes = shapes[:3]
	}
	for _, shape := range shapes {
		out := at(shape)
		finer := 0
		for _, n := range out.Tree.Nodes {
			if !n.IsLeaf() && n.Split.Finer {
				finer++
			}
		}
		want := shape.Leaves
		switch {
		case shape.MaxLeaves > 0:
			want = min(4, shape.MaxLeaves)
		case shape.Levels > 0:
			if d := out.Tree.Depth(); d != shape.Levels {
				t.Errorf("%+v: %d levels", shape, d)
			}
			want = out.K()
		}
		if out.K() != want || finer != max(0, out.K()-4) && shape.Levels == 0 {
			t.Errorf("%+v: %d groups, %d finer splits", shape, out.K(), finer)
		}
		// Records that the smaller tree tells apart the larger one does too.
		pairs := map[[2]int32]int{}
		for i, g := range out.Group {
			pairs[[2]int32{g, whole.Group[i]}]++
		}
		moved := len(out.Group)
		for side := range 2 {
			best, sum := map[int32]int{}, 0
			for p, n := range pairs {
				best[p[side]] = max(best[p[side]], n)
			}
			for _, n := range best {
				sum += n
			}
			moved = min(moved, len(out.Group)-sum)
		}
		if moved > len(out.Group)/50 {
			t.Errorf("%+v: %d of %d records lie across the groups of the claim", shape, moved, len(out.Group))
		}
	}
}

// Groups and an amount: told the number or left alone, a fit finds the groups. EM that
// knows no amount would turn them into amounts.
func TestTreeOfGroupsAndAmount(t *testing.T) {
	numtest.NotShort(t)
	data, labels := amounts(1500, 30, 3, 1)
	out, err := Tree(t.Context(), data, Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	known, err := Flat(t.Context(), data, Settings{Seed: 1, K: 3})
	if err != nil {
		t.Fatal(err)
	}
	alone, flat := ari(t, out.Group, labels), ari(t, known.Group, labels)
	if out.K() != 3 || alone < .5 || flat < .5 {
		t.Errorf("%d groups, ARI %.2f; a flat fit told the number has %.2f", out.K(), alone, flat)
	}
	if s := out.Tree.Nodes[0].Split.Stability; s < .5 || s > 1 {
		t.Errorf("stability of the first split %.2f", s)
	}
	if r, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Stability: "off"}}); err != nil || r.Tree.Nodes[0].Split.Stability != -1 {
		t.Errorf("stability was measured all the same (%v)", err)
	}
}

// A way to split records that is asked for is done, and other kinds have no
// verdict yet.
func TestWhereTheVerdictDoesNotDecide(t *testing.T) {
	for _, s := range []Settings{
		{K: 2},
		{Tree: TreeShape{Splitter: "sidiwo"}},
		{Tree: TreeShape{Free: true}},
	} {
		if s.decides() {
			t.Errorf("the verdict decides though %+v was asked for", s)
		}
	}
	data, _ := amounts(200, 10, 2, 0)
	for _, kind := range []record.Kind{record.Text} {
		other := data
		other.Kind = kind
		if v, err := Judge(t.Context(), other, Settings{}); v != nil || err != nil {
			t.Errorf("kind %v: %+v, %v", kind, v, err)
		}
	}
}

// Counts and copies of alleles are judged too: from two records on no group is
// empty and nothing panics.
func TestCountsAreJudged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 40; n += 1 + n/4 {
		for _, system := range []string{"", vocab.Genotypes} {
			b := sparse.NewBuilder(6, false)
			for range n {
				var index []uint32
				var value []float32
				for j := range uint32(6) {
					if v := r.IntN(3); v > 0 {
						index, value = append(index, j), append(value, float32(v))
					}
				}
				if err := b.Add(index, value); err != nil {
					t.Fatal(err)
				}
			}
			rows := b.Rows()
			data := Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(6), Kind: record.Counts}
			data.Vocab.System = system
			out, err := Tree(t.Context(), data, Settings{Seed: 1})
			if err != nil {
				t.Fatalf("%d records, %q: %v", n, system, err)
			}
			if out.Verdict == nil || out.K() != out.Verdict.Groups {
				t.Errorf("%d records, %q: %d groups by %+v", n, system, out.K(), out.Verdict)
			}
			held := make([]int, out.K())
			for _, g := range out.Group {
				held[g]++
			}
			if slices.Contains(held, 0) {
				t.Errorf("%d records, %q: groups of %v records", n, system, held)
			}
		}
	}
}

// A tree is extended beyond the claim where halves of the records found no groups
// to compare.
func TestExtendedWithoutHalves(t *testing.T) {
	h := &hierarchy{v: &verdict.Verdict{Found: &verdict.Found{Records: []int{0, 1, 2}}}}
	if again := h.again(map[int]int{0: 1}); again.Group[0] != nil || again.Group[1] != nil {
		t.Errorf("groups of halves that found none: %v", again.Group)
	}
	h.v.Found.Halves = [2][]int{{0, 1, 0}, {1, 1, 2}}
	again := h.again(map[int]int{0: 5, 1: 6})
	if !slices.Equal(again.Group[0], []int{5, 6, 5}) || !slices.Equal(again.Group[1], []int{6, 6, -1}) {
		t.Errorf("the groups of halves are %v", again.Group)
	}
}

// Few measurements are one group, from two records on, whatever size is asked for.
func TestFewMeasurements(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for _, n := range []int{2, 3, 5, 9, 12, 20} {
		for _, shape := range []TreeShape{{}, {Leaves: 2}, {Levels: 2}} {
			rows := sparse.Rows{Dim: 3, Dense: make([]float64, 3*n)}
			for i := range rows.Dense {
				rows.Dense[i] = r.NormFloat64()
			}
			data := Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(3), Kind: record.Real}
			out, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: shape})
			if err != nil {
				t.Fatalf("%d records, %+v: %v", n, shape, err)
			}
			if shape == (TreeShape{}) && out.K() != 1 {
				t.Errorf("%d records of one law: %d groups", n, out.K())
			}
			held := make([]int, out.K())
			for _, g := range out.Group {
				held[g]++
			}
			if slices.Contains(held, 0) {
				t.Errorf("%d records, %+v: groups of %v records", n, shape, held)
			}
		}
	}
}

// A group that nobody is put into is not counted.
func TestNoGroupIsEmpty(t *testing.T) {
	data, _ := amounts(60, 8, 2, 0)
	out, err := Flat(t.Context(), data, Settings{K: 7, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	held := make([]int, out.K())
	for _, g := range out.Group {
		held[g]++
	}
	if slices.Contains(held, 0) || out.K() == 7 {
		t.Errorf("groups of %v records", held)
	}
	sum := 0.0
	for _, w := range out.Model.Params.Weights {
		sum += w
	}
	if numtest.Off(sum, 1, 1e-12) || !slices.ContainsFunc(out.Model.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "fewer-groups" }) {
		t.Errorf("weights add up to %v; %+v", sum, out.Model.Provenance.Warnings)
	}
}
