package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/agree"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/stream"
	"github.com/moiety-go/moiety/vocab"
)

// amounts draws presences of k groups whose records differ in how many
// features they have.
func amounts(n, d, k int, sd float64) (Data, []int) {
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
	return Data{Run: pass.NewLocal(rows, 0), Rows: n, InMemory: &rows, Vocab: vocab.Numbered(d), Kind: record.Presence}, labels
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
	grown, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{MaxLeaves: 16}})
	if err != nil {
		t.Fatal(err)
	}
	if grown.K() < 2 || grown.Verdict != nil {
		t.Errorf("the rule before: %d groups", grown.K())
	}
}

// Groups and an amount: EM that knows no amount turns groups into amounts, even
// where it is told how many there are.
func TestTreeOfGroupsAndAmount(t *testing.T) {
	data, labels := amounts(1500, 30, 3, 1)
	out, err := Tree(t.Context(), data, Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	told, err := Flat(t.Context(), data, Settings{Seed: 1, K: 3})
	if err != nil {
		t.Fatal(err)
	}
	alone, flat := ari(t, out.Group, labels), ari(t, told.Group, labels)
	if out.K() != 3 || alone < .5 || alone < flat+.2 {
		t.Errorf("%d groups, ARI %.2f; a flat fit told the number has %.2f", out.K(), alone, flat)
	}
	if s := out.Tree.Nodes[0].Split.Stability; s < .5 || s > 1 {
		t.Errorf("stability of the first split %.2f", s)
	}
	if r, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Stability: "off"}}); err != nil || r.Tree.Nodes[0].Split.Stability != -1 {
		t.Errorf("stability was measured all the same (%v)", err)
	}
}

// What is asked for is done as before, and other kinds have no verdict yet.
func TestWhereTheVerdictDoesNotDecide(t *testing.T) {
	for _, s := range []Settings{
		{K: 2},
		{Tree: TreeShape{Leaves: 2}},
		{Tree: TreeShape{Levels: 1}},
		{Tree: TreeShape{MaxLeaves: 4}},
		{Tree: TreeShape{Cautious: true}},
		{Tree: TreeShape{Splitter: "sidiwo"}},
		{Tree: TreeShape{Free: true}},
	} {
		if s.decides() {
			t.Errorf("the verdict decides though %+v was asked for", s)
		}
	}
	data, _ := amounts(200, 10, 2, 0)
	for _, kind := range []record.Kind{record.Text, record.Mixed} {
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
			data := Data{Run: pass.NewLocal(rows, 1), Rows: n, InMemory: &rows, Vocab: vocab.Numbered(6), Kind: record.Counts}
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
