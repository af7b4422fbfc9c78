package tree_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// fourGroups are two families of two groups each, in the order a, c, b, d of
// the families {a, b} and {c, d}, and records of them: 100, 60, 80 and 40.
func fourGroups() (mixture.Params, sparse.Rows, []int) {
	const d = 24
	size := []int{100, 60, 80, 40}
	family := []int{0, 1, 0, 1}
	centers, weights := mat.NewDense(d, 4, nil), make([]float64, 4)
	for g := range 4 {
		weights[g] = float64(size[g]) / 280
		for h := range d {
			p := .1
			if h/8 == family[g] || h >= 16 && h/2%4 == g {
				p = .9
			}
			centers.Set(h, g, p)
		}
	}
	r := stream.New(1, "test")
	b := sparse.NewBuilder(d, true)
	var labels []int
	for g, n := range size {
		for range n {
			var row []uint32
			for h := range d {
				if r.Float64() < centers.At(h, g) {
					row = append(row, uint32(h))
				}
			}
			if err := b.Add(row, nil); err != nil {
				panic(err)
			}
			labels = append(labels, g)
		}
	}
	return mixture.New(centers, weights), b.Rows(), labels
}

func joinedSettings(d int) tree.Settings {
	return tree.Settings{Family: bernoulli.New(bernoulli.Options{}), Spec: model.Spec{Model: "bernoulli"}, Vocab: vocab.Numbered(d)}
}

func TestJoined(t *testing.T) {
	p, rows, labels := fourGroups()
	all := make([]int, rows.N())
	for i := range all {
		all[i] = i
	}
	again := tree.Again{Records: all, Group: [2][]int{labels, slices.Clone(labels)}}
	for i := range labels { // the second half confuses the two of one family
		if labels[i] == 2 && i%2 == 0 {
			again.Group[1][i] = 0
		}
	}
	r, err := tree.Joined(context.Background(), pass.NewLocal(rows, 2), joinedSettings(rows.Dim), p, again)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, n := range r.Tree.Nodes {
		ids = append(ids, n.ID)
	}
	if want := []string{"1", "1.1", "1.2", "1.1.1", "1.1.2", "1.2.1", "1.2.2"}; !slices.Equal(ids, want) {
		t.Fatalf("nodes %v, want %v", ids, want)
	}
	got := make([]int, len(labels))
	for i, l := range r.Leaf {
		got[i] = int(l)
	}
	if ari, _ := agree.ARI(got, labels); ari < .85 {
		t.Errorf("ARI %.2f with the groups", ari)
	}
	for i, n := range r.Tree.Nodes {
		if n.IsLeaf() {
			continue
		}
		a, b := &r.Tree.Nodes[n.Children[0]], &r.Tree.Nodes[n.Children[1]]
		if a.N < b.N || a.N+b.N != n.N || n.Split.Sizes != [2]int{a.N, b.N} {
			t.Errorf("node %s of %d records has children of %d and %d, split %v", n.ID, n.N, a.N, b.N, n.Split.Sizes)
		}
		if n.Split.Gain <= n.Split.Penalty || len(n.Split.Features) == 0 {
			t.Errorf("node %s: gain %.1f of %.1f asked for, features %v", n.ID, n.Split.Gain, n.Split.Penalty, n.Split.Features)
		}
		if i == 0 && n.Split.Stability < .9 || n.ID == "1.1" && (n.Split.Stability > .6 || n.Split.Stability < 0) || n.ID == "1.2" && n.Split.Stability < .9 {
			t.Errorf("node %s: stability %.2f", n.ID, n.Split.Stability)
		}
	}
	if top := r.Tree.Nodes[1]; top.N < 170 || top.N > 190 { // families, not single groups
		t.Errorf("the first child holds %d records, want about 180", top.N)
	}
	path := filepath.Join(t.TempDir(), "t")
	if err := r.Tree.Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(data); err != nil {
		t.Error(err)
	}
}

// A group that holds nobody is left out, and the others keep their numbers: in the result, and
// where two halves have numbered records by them.
func TestJoinedLeavesEmptyGroupsOut(t *testing.T) {
	p, rows, labels := fourGroups()
	centers, weights := mat.NewDense(rows.Dim, 5, nil), append([]float64{0}, p.Weights...)
	centers.Slice(0, rows.Dim, 1, 5).(*mat.Dense).Copy(p.Centers)
	for h := range rows.Dim {
		centers.Set(h, 0, .999)
	}
	for j := range weights {
		weights[j] = (weights[j] + 1e-9) / (1 + 5e-9)
	}
	again := tree.Again{Group: [2][]int{slices.Clone(labels), slices.Clone(labels)}}
	for i := range labels {
		again.Records = append(again.Records, i)
		again.Group[0][i]++
		again.Group[1][i]++
	}
	again.Group[0][0], again.Group[1][1] = 0, 0 // one record each in the group that holds nobody
	r, err := tree.Joined(context.Background(), pass.NewLocal(rows, 1), joinedSettings(rows.Dim), mixture.New(centers, weights), again)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Tree.Leaf()); n != 4 || r.Tree.Leaves.K() != 4 {
		t.Errorf("%d leaves", n)
	}
	if got := slices.Sorted(slices.Values(r.Groups)); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("groups %v at the leaves", r.Groups)
	}
	for i, n := range r.Tree.Nodes {
		if !n.IsLeaf() && n.Split.Stability < .9 {
			t.Errorf("node %d: stability %v of the same groups in both halves", i, n.Split.Stability)
		}
	}
}

func TestJoinedOne(t *testing.T) {
	p, rows, _ := fourGroups()
	one := bernoulli.New(bernoulli.Options{}).Reorder(p, []int{0})
	one.Weights[0] = 1
	r, err := tree.Joined(context.Background(), pass.NewLocal(rows, 1), joinedSettings(rows.Dim), one, tree.Again{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tree.Nodes) != 1 || r.Tree.Nodes[0].ID != "1" || r.Tree.Nodes[0].N != rows.N() {
		t.Errorf("nodes %+v", r.Tree.Nodes)
	}
}

// Where weights say another order than records do, that of the records stands, and every
// record keeps its group.
func TestJoinedByRecords(t *testing.T) {
	p, rows, _ := fourGroups()
	same, err := tree.Joined(context.Background(), pass.NewLocal(rows, 1), joinedSettings(rows.Dim), p, tree.Again{})
	if err != nil {
		t.Fatal(err)
	}
	turned := mixture.New(mat.DenseCopyOf(p.Centers), slices.Clone(p.Weights))
	slices.Sort(turned.Weights)
	if slices.IsSortedFunc(p.Weights, func(a, b float64) int { return cmp.Compare(a, b) }) {
		slices.Reverse(turned.Weights)
	}
	r, err := tree.Joined(context.Background(), pass.NewLocal(rows, 1), joinedSettings(rows.Dim), turned, tree.Again{})
	if err != nil {
		t.Fatal(err)
	}
	group := func(r *tree.Result, i int) int {
		return r.Groups[slices.Index(r.Tree.Leaf(), int(r.Leaf[i]))]
	}
	moved := 0
	for i := range r.Leaf {
		if group(r, i) != group(same, i) {
			moved++
		}
	}
	if moved > rows.N()/5 {
		t.Errorf("%d of %d records have another group", moved, rows.N())
	}
	for _, n := range r.Tree.Nodes {
		if !n.IsLeaf() && r.Tree.Nodes[n.Children[0]].N < r.Tree.Nodes[n.Children[1]].N {
			t.Errorf("node %s: the smaller child comes first", n.ID)
		}
	}
}

// An outline has the nodes, the sizes and the places of the tree, and no means.
func TestOutline(t *testing.T) {
	p, rows, _ := fourGroups()
	var made [2]*tree.Result
	for i := range made {
		s := joinedSettings(rows.Dim)
		s.Outline = i == 1
		r, err := tree.Joined(t.Context(), pass.NewLocal(rows, 2), s, p, tree.Again{})
		if err != nil {
			t.Fatal(err)
		}
		made[i] = r
	}
	whole, outline := made[0], made[1]
	if !slices.Equal(whole.Leaf, outline.Leaf) || !slices.Equal(whole.Groups, outline.Groups) {
		t.Error("an outline places records otherwise")
	}
	for i, n := range outline.Tree.Nodes {
		if want := whole.Tree.Nodes[i]; n.N != want.N || n.Level != want.Level || len(n.Center) > 0 || len(want.Center) == 0 {
			t.Errorf("node %d: %d records at level %d, %d means; want %d at %d", i, n.N, n.Level, len(n.Center), want.N, want.Level)
		}
	}
}
