package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/container"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

var ctx = context.Background()

// settings returns the settings of a model over d features.
func settings(t testing.TB, name string, d int) Settings {
	t.Helper()
	s := Settings{Spec: model.Spec{Model: name}, Vocab: vocab.Numbered(d)}
	var err error
	if s.Family, err = s.Spec.Family(s.Vocab); err != nil {
		t.Fatal(err)
	}
	return s
}

func grow(t testing.TB, rows sparse.Rows, s Settings) *Result {
	t.Helper()
	r, err := Grow(ctx, pass.NewLocal(rows, s.Workers), s)
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, r, rows)
	return r
}

// wellFormed checks what every tree promises: ids are paths, children come in
// pairs after their parent with the larger first, sizes add up, leaves hold the
// records they say.
func wellFormed(t testing.TB, r *Result, rows sparse.Rows) {
	t.Helper()
	tr := r.Tree
	in := make([]int, len(tr.Nodes))
	for _, l := range r.Leaf {
		if !tr.Nodes[l].IsLeaf() {
			t.Fatalf("a record lies in the inner node %s", tr.Nodes[l].ID)
		}
		in[l]++
	}
	for i := range tr.Nodes {
		n := &tr.Nodes[i]
		if i == 0 && (n.ID != "1" || n.Parent != -1 || n.N != rows.N() || n.Level != 0) {
			t.Errorf("root %+v", n)
		}
		if len(n.Center) != rows.Dim || n.Share != float64(n.N)/float64(rows.N()) {
			t.Errorf("node %s: %d centers, share %v of %d", n.ID, len(n.Center), n.Share, n.N)
		}
		if n.IsLeaf() {
			if in[i] != n.N {
				t.Errorf("leaf %s says %d records, holds %d", n.ID, n.N, in[i])
			}
			if n.Split != nil && n.Split.Refused == "" {
				t.Errorf("leaf %s has no word on why it was not split", n.ID)
			}
			continue
		}
		a, b := &tr.Nodes[n.Children[0]], &tr.Nodes[n.Children[1]]
		if a.N+b.N != n.N || a.N < b.N {
			t.Errorf("node %s of %d has children of %d and %d", n.ID, n.N, a.N, b.N)
		}
		if a.ID != n.ID+".1" || b.ID != n.ID+".2" || a.Parent != i || b.Parent != i || a.Level != n.Level+1 || n.Children[0] <= i {
			t.Errorf("node %s has children %s and %s", n.ID, a.ID, b.ID)
		}
		if n.Split == nil || n.Split.Refused != "" || n.Split.Sizes[0] < n.Split.Sizes[1] && tr.Leaves == nil {
			t.Errorf("inner node %s: %+v", n.ID, n.Split)
		}
	}
}

func TestGrowthRules(t *testing.T) {
	set := synth.HierarchicalBernoulli(1, 1500, 120, 1)
	s := settings(t, "bernoulli", 120)
	for _, leaves := range []int{1, 2, 5, 8} {
		s.Leaves = leaves
		if r := grow(t, set.Rows, s); len(r.Tree.Leaf()) != leaves || r.Tree.Capped {
			t.Errorf("%d leaves asked for, %d grown, capped %v", leaves, len(r.Tree.Leaf()), r.Tree.Capped)
		}
	}
	s.Leaves = 0
	for _, levels := range []int{1, 2, 3} {
		s.Levels = levels
		if r := grow(t, set.Rows, s); r.Tree.Depth() != levels || len(r.Tree.Leaf()) != 1<<levels {
			t.Errorf("%d levels asked for, %d leaves on %d", levels, len(r.Tree.Leaf()), r.Tree.Depth())
		}
	}
	s.Levels = 0
	free := grow(t, set.Rows, s)
	ari, err := agree.ARI(ints(free.Leaf), set.Labels)
	if n := len(free.Tree.Leaf()); err != nil || n < 6 || n > 10 || ari < .7 || free.Tree.Capped {
		t.Errorf("the evidence gives %d leaves, ARI %.3f, for 8 groups", n, ari)
	}
	for i := range free.Tree.Nodes {
		if n := &free.Tree.Nodes[i]; !n.IsLeaf() && n.Split.Gain <= n.Split.Penalty {
			t.Errorf("node %s was split for a gain of %v, penalty %v", n.ID, n.Split.Gain, n.Split.Penalty)
		}
	}
	s.Cautious = true
	if c := grow(t, set.Rows, s); len(c.Tree.Leaf()) > len(free.Tree.Leaf()) {
		t.Errorf("the cautious tree has %d leaves, the other %d", len(c.Tree.Leaf()), len(free.Tree.Leaf()))
	}
	s.Cautious, s.MaxLeaves = false, 3
	if c := grow(t, set.Rows, s); !c.Tree.Capped || len(c.Tree.Leaf()) != 3 {
		t.Errorf("capped %v at %d leaves", c.Tree.Capped, len(c.Tree.Leaf()))
	}
	s.MaxLeaves = 0
	for least, leaves := range map[int]int{1500: 2, 1501: 1} { // a node of exactly the least size is cut
		s.MinSize, s.Leaves = least, 2
		if r := grow(t, set.Rows, s); len(r.Tree.Leaf()) != leaves {
			t.Errorf("1500 records, at least %d a cut: %d leaves, want %d", least, len(r.Tree.Leaf()), leaves)
		}
	}
	s.Leaves, s.MinSize = 0, 600
	for _, n := range grow(t, set.Rows, s).Tree.Nodes {
		if !n.IsLeaf() && n.Split.Sizes[0]+n.Split.Sizes[1] < 600 {
			t.Errorf("a node of %v was split", n.Split.Sizes)
		}
	}
}

// count returns the numbers from 0 to n-1.
func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func ints(v []int32) []int {
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

func TestNullDataHaveOneLeaf(t *testing.T) {
	for seed := range uint64(3) {
		set := synth.Independent(seed, 800, 40)
		for _, splitter := range Splitters() {
			s := settings(t, "bernoulli", 40)
			s.Splitter = splitter
			r := grow(t, set.Rows, s)
			if len(r.Tree.Nodes) != 1 || r.Tree.Nodes[0].Split.Refused == "" {
				t.Errorf("seed %d, %s: %d nodes", seed, splitter, len(r.Tree.Nodes))
			}
		}
	}
}

// cases are records of several models; some rows are empty.
func cases(t testing.TB) map[string]sparse.Rows {
	out := map[string]sparse.Rows{
		"bernoulli":    emptied(synth.HierarchicalBernoulli(3, 300, 30, .5).Rows),
		"single-topic": synth.HierarchicalTopics(4, 300, 30, .1).Rows,
		"poisson":      emptied(synth.PoissonMixture(5, 300, 20, 4, 30).Rows),
	}
	r := stream.New(1, "tree/test/gaussian")
	dense := sparse.Rows{Dim: 5, Dense: make([]float64, 5*300)}
	for i := range dense.Dense {
		dense.Dense[i] = r.NormFloat64() + 6*float64((i/5%4)&(1<<(i%5%2)))
	}
	out["gaussian"] = dense
	return out
}

// emptied puts rows without any feature among the others.
func emptied(rows sparse.Rows) sparse.Rows {
	b := sparse.NewBuilder(rows.Dim, rows.IsBinary())
	for i := range rows.N() {
		index, value := rows.Row(i)
		if i%17 == 3 {
			index, value = nil, nil
		}
		if err := b.Add(index, value); err != nil {
			panic(err)
		}
	}
	return b.Rows()
}

// modes are the ways to grow: every splitter, with and without EM and polish.
func modes(t testing.TB, name string, d int) map[string]Settings {
	out := map[string]Settings{}
	for _, splitter := range Splitters() {
		for mode, set := range map[string]func(*Settings){
			"": func(*Settings) {}, " no polish": func(s *Settings) { s.NoRefine = true },
			" raw": func(s *Settings) { s.Steps = -1 }, " three steps": func(s *Settings) { s.Steps, s.NoRefine = 3, true },
		} {
			s := settings(t, name, d)
			s.Splitter, s.Leaves = splitter, 5
			set(&s)
			out[splitter+mode] = s
		}
	}
	return out
}

// New records that equal the fitted ones go where those went, also after the
// tree was written and read.
func TestPlaceAsInTheFit(t *testing.T) {
	dir := t.TempDir()
	for name, rows := range cases(t) {
		if testing.Short() && name != "bernoulli" && name != "gaussian" {
			continue
		}
		for mode, s := range modes(t, name, rows.Dim) {
			if s.Check() != nil {
				continue
			}
			r := grow(t, rows, s)
			path := filepath.Join(dir, "tree")
			if err := r.Tree.Save(path); err != nil {
				t.Fatal(err)
			}
			read, err := load(path)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(stripped(read), stripped(r.Tree)) {
				t.Errorf("%s, %s: the tree read differs from the one written", name, mode)
			}
			checkPlace(t, name+", "+mode, r, read, s.Family, rows)
			if linear := s.needsGroups() && s.steps() == 0; linear {
				for _, n := range r.Tree.Nodes {
					if n.Split != nil && n.Split.Pair != nil {
						t.Errorf("%s, %s: a model in a tree of linear rules", name, mode)
					}
				}
			}
		}
	}
}

func checkPlace(t *testing.T, name string, r *Result, tr *Tree, f family.Family, rows sparse.Rows) {
	t.Helper()
	leaf, sure, err := tr.Place(f, rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Leaf()) < 2 {
		t.Errorf("%s: one leaf only, the test tests nothing", name)
	}
	for i := range leaf {
		if leaf[i] != r.Leaf[i] {
			t.Errorf("%s: record %d goes to node %s, was in %s", name, i, tr.Nodes[leaf[i]].ID, tr.Nodes[r.Leaf[i]].ID)
			return
		}
		if !(sure[i] > 0 && sure[i] <= 1) {
			t.Errorf("%s: record %d is %v sure", name, i, sure[i])
		}
	}
}

// stripped leaves out what a file need not keep: nil against empty.
func stripped(tr *Tree) string {
	text := fmt.Sprintf("%+v %v %v", tr.Spec, tr.Vocab.Names, tr.Capped)
	if tr.Leaves != nil {
		text += fmt.Sprint(tr.Leaves.Weights, tr.Leaves.Centers.RawMatrix().Data)
	}
	for _, n := range tr.Nodes {
		text += fmt.Sprintf("|%s %d %v %d %d %v %v", n.ID, n.Parent, n.Children, n.Level, n.N, n.Share, n.Center)
		if s := n.Split; s != nil {
			text += fmt.Sprintf(" %v %v %v %v %v %v %v %v %q %v", s.Gain, s.Penalty, s.Spectrum, s.Gap, s.Separation, s.Sizes, s.Stability, s.Features, s.Refused, s.Second)
			if s.Pair != nil {
				text += fmt.Sprint(s.Pair.Weights, s.Pair.Centers.RawMatrix().Data)
			}
			if s.Rule != nil {
				text += fmt.Sprint(s.Rule.Vectors.RawMatrix().Data, s.Rule.Offset, s.Rule.Absolute)
			}
		}
	}
	return text
}

func TestDamagedFiles(t *testing.T) {
	s := settings(t, "bernoulli", 30)
	s.Leaves = 3
	r := grow(t, synth.HierarchicalBernoulli(3, 300, 30, 1).Rows, s)
	path := filepath.Join(t.TempDir(), "tree")
	if err := r.Tree.Save(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/200 {
		bent := slices.Clone(whole)
		bent[at] ^= 1
		if _, err := Read(bent); err == nil {
			t.Fatalf("a bent byte %d was not noticed", at)
		}
		if _, err := Read(whole[:at]); err == nil {
			t.Fatalf("%d bytes of %d were read as a tree", at, len(whole))
		}
	}
	for name, harm := range map[string]func(*Tree){
		"parent":      func(t *Tree) { t.Nodes[1].Parent = -3 },
		"second root": func(t *Tree) { t.Nodes[2].Parent = -1 },
		"one child":   func(t *Tree) { t.Nodes[0].Children = t.Nodes[0].Children[:1] },
		"own child":   func(t *Tree) { t.Nodes[0].Children = []int{0, 1} },
		"lost leaf":   func(t *Tree) { t.Leaves.Weights = t.Leaves.Weights[:2] },
		"short vocab": func(t *Tree) { t.Vocab = vocab.Numbered(29) },
	} {
		bad := *r.Tree
		bad.Nodes = slices.Clone(r.Tree.Nodes)
		leaves := *r.Tree.Leaves
		bad.Leaves = &leaves
		harm(&bad)
		if err := bad.Save(path); err != nil {
			t.Fatal(err)
		}
		if _, err := load(path); !errors.Is(err, container.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// load reads a tree file.
func load(path string) (*Tree, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(data)
}

func TestCuts(t *testing.T) {
	// 0 -> 1, 2; 1 -> 3, 4; 2 -> 5, 6; 5 -> 7, 8
	tr := &Tree{Nodes: []Node{
		{Parent: -1, Children: []int{1, 2}, Split: &Split{Gain: 9}},
		{Parent: 0, Level: 1, Children: []int{3, 4}, Split: &Split{Gain: 2}},
		{Parent: 0, Level: 1, Children: []int{5, 6}, Split: &Split{Gain: 3}},
		{Parent: 1, Level: 2},
		{Parent: 1, Level: 2},
		{Parent: 2, Level: 2, Children: []int{7, 8}, Split: &Split{Gain: 5}},
		{Parent: 2, Level: 2},
		{Parent: 5, Level: 3},
		{Parent: 5, Level: 3},
	}}
	for level, want := range [][]int{{0}, {1, 2}, {3, 4, 5, 6}, {3, 4, 7, 8, 6}, {3, 4, 7, 8, 6}} {
		if got := tr.CutLevel(level); !slices.Equal(got, want) {
			t.Errorf("level %d: %v, want %v", level, got, want)
		}
	}
	for n, want := range [][]int{{0}, {0}, {1, 2}, {1, 5, 6}, {1, 7, 8, 6}, {3, 4, 7, 8, 6}, {3, 4, 7, 8, 6}} {
		if got := tr.CutGroups(n); !slices.Equal(got, want) {
			t.Errorf("%d groups: %v, want %v", n, got, want)
		}
	}
	if got, want := tr.Under([]int{1, 5, 6}), []int{-1, 0, -1, 0, 0, 1, 2, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("under %v, want %v", got, want)
	}
	if tr.Depth() != 3 || !slices.Equal(tr.Leaf(), []int{3, 4, 7, 8, 6}) {
		t.Errorf("depth %d, leaves %v", tr.Depth(), tr.Leaf())
	}
}

func TestModelOfCuts(t *testing.T) {
	set := synth.HierarchicalBernoulli(2, 600, 30, 1)
	s := settings(t, "bernoulli", 30)
	s.Leaves = 4
	r := grow(t, set.Rows, s)
	leaves := r.Tree.Leaf()
	slices.Reverse(leaves)
	m, err := r.Tree.Model(leaves)
	if err != nil || m.Check() != nil || m.Params.Weights[0] != r.Tree.Leaves.Weights[3] {
		t.Errorf("the leaves in another order: %v, %v", err, m.Params.Weights)
	}
	m, err = r.Tree.Model(r.Tree.CutLevel(1))
	if err != nil || m.Params.K() != 2 || m.Params.Weights[0] != r.Tree.Nodes[1].Share || m.Params.Centers.At(3, 1) != r.Tree.Nodes[2].Center[3] {
		t.Errorf("upper level: %v", err)
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	rows := synth.HierarchicalBernoulli(5, 8500, 12, 1).Rows
	for _, splitter := range Splitters() {
		var first *Result
		for _, w := range []int{1, 2, 8} {
			s := settings(t, "bernoulli", 12)
			s.Splitter, s.Workers, s.Leaves = splitter, w, 4
			r := grow(t, rows, s)
			if first == nil {
				first = r
			} else if stripped(first.Tree) != stripped(r.Tree) || !slices.Equal(first.Leaf, r.Leaf) {
				t.Errorf("%s: %d workers give another tree", splitter, w)
			}
		}
	}
}

func TestHostileRecords(t *testing.T) {
	empty := func(n, d int) sparse.Rows { return sparse.Rows{Dim: d, Ptr: make([]int, n+1)} }
	half := sparse.NewBuilder(4, true)
	for i := range 60 {
		index := []uint32{0, 1}
		if i%3 == 0 {
			index = nil
		}
		if err := half.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, rows := range map[string]sparse.Rows{
		"no records":   empty(0, 4),
		"one record":   sparse.FromDense([][]float64{{1, 0, 1, 1}}, 4, true),
		"two records":  sparse.FromDense([][]float64{{1, 0, 1, 1}, {0, 1, 0, 1}}, 4, true),
		"all equal":    sparse.FromDense(slices.Repeat([][]float64{{1, 0, 1, 0}}, 50), 4, true),
		"all empty":    empty(50, 4),
		"half empty":   half.Rows(),
		"one feature":  sparse.FromDense(slices.Repeat([][]float64{{1}, {0}}, 30), 1, true),
		"two patterns": sparse.FromDense(slices.Repeat([][]float64{{1, 1, 0, 0}, {0, 0, 1, 1}}, 30), 4, true),
	} {
		for _, splitter := range Splitters() {
			for _, steps := range []int{0, -1} {
				s := settings(t, "bernoulli", rows.Dim)
				s.Splitter, s.Steps = splitter, steps
				r, err := Grow(ctx, pass.NewLocal(rows, s.Workers), s)
				if err != nil {
					if name == "half empty" || name == "two patterns" {
						t.Errorf("%s, %s: %v", name, splitter, err)
					}
					continue
				}
				wellFormed(t, r, rows)
				if _, _, err := r.Tree.Place(s.Family, rows); err != nil {
					t.Errorf("%s, %s: %v", name, splitter, err)
				}
				if n := len(r.Tree.Leaf()); name == "two patterns" && n != 2 {
					t.Errorf("%s, %s, steps %d: %d leaves", name, splitter, steps, n)
				}
			}
		}
	}
}

func TestSettingsRefused(t *testing.T) {
	good := settings(t, "bernoulli", 4)
	for name, harm := range map[string]func(*Settings){
		"no family": func(s *Settings) { s.Family = nil }, "splitter": func(s *Settings) { s.Splitter = "axe" },
		"negative": func(s *Settings) { s.Leaves = -1 }, "both": func(s *Settings) { s.Leaves, s.Levels = 2, 2 },
	} {
		s := good
		harm(&s)
		if s.Check() == nil {
			t.Errorf("%s accepted", name)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Grow(cancelled, pass.NewLocal(synth.Independent(1, 100, 4).Rows, 1), good); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Records without any feature tie under D-SIDIWO's rule. They go to the larger
// side, in the fit and after it, whichever side the rule names first.
func TestTiesArePlacedAsInTheFit(t *testing.T) {
	for _, many := range []int{10, 40} {
		table := slices.Repeat([][]float64{{1, 1, 0, 0}}, many)
		table = append(table, slices.Repeat([][]float64{{0, 0, 1, 1}}, 50-many)...)
		table = append(table, slices.Repeat([][]float64{{0, 0, 0, 0}}, 5)...)
		rows := sparse.FromDense(table, 4, true)
		s := settings(t, "bernoulli", 4)
		s.Splitter, s.Steps = DSidiwo, -1
		g := newBuilder(pass.NewLocal(rows, 1), s, &memory{})
		root, err := g.begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		rule := &Rule{Vectors: mat.NewDense(4, 2, []float64{1, 0, 1, 0, 0, 1, 0, 1}), Absolute: true}
		c, why, err := g.fromRule(ctx, root, rule, Split{}, nil)
		if err != nil || why != "" {
			t.Fatal(why, err)
		}
		later := c.split.Rule.sides(rows)
		later.resolve(0)
		if c.split.Sizes != [2]int{45, 10} || c.split.Open != 5 || !slices.Equal(c.labels, later) {
			t.Errorf("%d on the first side: sizes %v, the rule places otherwise than the fit", many, c.split.Sizes)
		}
	}
}
