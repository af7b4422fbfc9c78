package explain_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

const limit = 11

// world is a random small fit with everything known.
type world struct {
	o      *fit.Outcome
	d      *dataset.Dataset
	leaves [][]int // of every group of the report: its leaves, by number
}

// randomWorld draws records of rare and common features in groups of uneven
// size, flat or in a random tree.
func randomWorld(r *rand.Rand, asTree bool) world {
	k, dim := 2+r.IntN(4), 4
	size := make([]float64, k)
	rate := make([][]float64, k)
	for j := range size {
		size[j] = math.Pow(r.Float64(), 2)
		rate[j] = make([]float64, dim)
		for f := range rate[j] {
			rate[j][f] = []float64{0, .03, .1, .5, .95, 1}[r.IntN(6)]
		}
	}
	n := 20 + r.IntN(200)
	group := make([]int32, n)
	rows := sparse.Rows{Dim: dim, Ptr: []int{0}}
	sum := 0.0
	for _, v := range size {
		sum += v
	}
	for i := range group {
		u := r.Float64() * sum
		for j, v := range size {
			if u -= v; u < 0 {
				group[i] = int32(j)
				break
			}
		}
		for f, p := range rate[group[i]] {
			if r.Float64() < p {
				rows.Index = append(rows.Index, uint32(f))
			}
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	d := &dataset.Dataset{Kind: record.Presence, Rows: rows, Vocab: vocab.Numbered(dim)}
	return build(r, d, group, k, asTree)
}

// build puts a model, and a tree, around records of known groups.
func build(r *rand.Rand, d *dataset.Dataset, group []int32, k int, asTree bool) world {
	order := bySize(group, k)
	for i, g := range group {
		group[i] = int32(order[g])
	}
	centers, weights := mat.NewDense(d.Rows.Dim, k, nil), make([]float64, k)
	for i, g := range group {
		weights[g]++
		for f := range d.Rows.Dim {
			centers.Set(f, int(g), centers.At(f, int(g))+d.Rows.At(i, f))
		}
	}
	for j := range weights {
		for f := range d.Rows.Dim {
			centers.Set(f, j, centers.At(f, j)/math.Max(weights[j], 1))
		}
		weights[j] /= float64(len(group))
	}
	w := world{d: d, o: &fit.Outcome{
		Model: &model.Model{Spec: model.Spec{Model: "bernoulli"}, Params: mixture.New(centers, weights), Vocab: d.Vocab},
		Group: group, Probability: make([]float32, len(group)),
	}}
	for i := range group {
		w.o.Probability[i] = []float32{.3, .7, .95, .99}[r.IntN(4)]
	}
	if !asTree {
		for j := range k {
			w.leaves = append(w.leaves, []int{j})
		}
		return w
	}
	w.o.Tree, w.o.Leaves, w.leaves = randomTree(r, w.o, k)
	return w
}

// bySize returns the number of every group by falling size.
func bySize(group []int32, k int) []int {
	n := make([]int, k)
	for _, g := range group {
		n[g]++
	}
	rank := make([]int, k)
	for a := range n {
		for b := range n {
			if n[b] > n[a] || n[b] == n[a] && b < a {
				rank[a]++
			}
		}
	}
	return rank
}

// randomTree splits the groups in two, again and again.
func randomTree(r *rand.Rand, o *fit.Outcome, k int) (*tree.Tree, []int, [][]int) {
	t := &tree.Tree{Spec: o.Model.Spec, Vocab: o.Model.Vocab}
	leaves, under := make([]int, k), [][]int{r.Perm(k)}
	t.Nodes = []tree.Node{{ID: "1", Parent: -1}}
	for i := 0; i < len(t.Nodes); i++ {
		if len(under[i]) == 1 {
			leaves[under[i][0]] = i
			t.Nodes[i].Split = &tree.Split{Refused: "only 3 records", Stability: -1}
			continue
		}
		cut := 1 + r.IntN(len(under[i])-1)
		s := &tree.Split{Gain: 20, Penalty: 5, Stability: -1}
		for f := range o.Model.Vocab.Len() {
			s.Features = append(s.Features, tree.Difference{Feature: f, Z: 1})
		}
		t.Nodes[i].Split = s
		for c, part := range [][]int{under[i][:cut], under[i][cut:]} {
			t.Nodes[i].Children = append(t.Nodes[i].Children, len(t.Nodes))
			t.Nodes = append(t.Nodes, tree.Node{ID: t.Nodes[i].ID + "." + string(rune('1'+c)), Parent: i, Level: t.Nodes[i].Level + 1})
			under = append(under, part)
		}
	}
	return t, leaves, under
}

// knowledge is what a reader can add and subtract: rows over the atoms (leaf,
// class), class 0 being records with the feature and 1 those without.
type knowledge struct {
	k    int
	rows [][]float64
}

func (a *knowledge) add(leaves []int, classes ...int) {
	row := make([]float64, a.k*2)
	for _, l := range leaves {
		for _, c := range classes {
			row[2*l+c] = 1
		}
	}
	a.rows = append(a.rows, row)
}

// discloses reports whether the sum over some leaves of a class can be worked out.
func (a *knowledge) discloses(leaves []int, class int) bool {
	if len(a.rows) == 0 {
		return false
	}
	target := make([]float64, a.k*2)
	for _, l := range leaves {
		target[2*l+class] = 1
	}
	return rank(append(a.rows[:len(a.rows):len(a.rows)], target)) == rank(a.rows)
}

// rank by elimination; entries are small whole numbers.
func rank(rows [][]float64) int {
	m := make([][]float64, len(rows))
	for i := range rows {
		m[i] = append([]float64(nil), rows[i]...)
	}
	r := 0
	for c := 0; c < len(m[0]) && r < len(m); c++ {
		p := r
		for i := r; i < len(m); i++ {
			if numtest.Off(m[i][c], 0, math.Abs(m[p][c])) {
				p = i
			}
		}
		if math.Abs(m[p][c]) < 1e-9 {
			continue
		}
		m[r], m[p] = m[p], m[r]
		for i := r + 1; i < len(m); i++ {
			f := m[i][c] / m[r][c]
			for j := range m[i] {
				m[i][j] -= f * m[r][j]
			}
		}
		r++
	}
	return r
}

// TestNoSmallCount plays the curious reader on random reports: whatever sums of
// records can be worked out from all numbers of a report, none is 1 to 10.
func TestNoSmallCount(t *testing.T) {
	worlds := 400
	if testing.Short() {
		worlds = 150
	}
	shown := 0
	for seed := range worlds {
		r := stream.New(uint64(seed), "test/mask")
		w := randomWorld(r, seed%2 == 0)
		rep := explained(t, w.o, w.d, report.Settings{Health: true})
		all := make([]int, w.o.K())
		for j := range all {
			all[j] = j
		}
		for f := range w.d.Rows.Dim {
			a := readAll(t, rep, w, f, all)
			shown += len(a.rows)
			for set := 1; set < 1<<w.o.K(); set++ {
				leaves := members(set, w.o.K())
				for class, n := range w.truth(f, leaves) {
					if n > 0 && n < limit && a.discloses(leaves, class) {
						t.Fatalf("seed %d: feature %d: the %d records of class %d in leaves %v can be worked out", seed, f, n, class, leaves)
					}
				}
			}
		}
	}
	if shown < worlds*4*3 {
		t.Errorf("only %d numbers shown in %d reports: masking everything is not masking", shown, worlds)
	}
}

func members(set, k int) []int {
	var out []int
	for j := range k {
		if set>>j&1 == 1 {
			out = append(out, j)
		}
	}
	return out
}

// truth returns the records of some leaves with and without a feature.
func (w world) truth(f int, leaves []int) (n [2]int) {
	in := make(map[int32]bool)
	for _, l := range leaves {
		in[int32(l)] = true
	}
	for i, g := range w.o.Group {
		switch {
		case !in[g]:
		case w.d.Rows.At(i, f) != 0:
			n[0]++
		default:
			n[1]++
		}
	}
	return n
}

// readAll gathers the numbers of a report about one feature, and checks that
// they are true and that nothing is reported beside a masked count.
func readAll(t *testing.T, rep *report.Report, w world, f int, all []int) *knowledge {
	t.Helper()
	a := &knowledge{k: w.o.K()}
	see := func(leaves []int, share report.Number) {
		if v, ok := share.Value(); ok {
			n := w.truth(f, leaves)
			if got := v * float64(n[0]+n[1]); numtest.Off(got, float64(n[0]), 1e-6) {
				t.Fatalf("share of feature %d in leaves %v is %v, want %d of %d", f, leaves, v, n[0], n[0]+n[1])
			}
			a.add(leaves, 0)
			a.add(leaves, 0, 1)
		}
	}
	if _, ok := rep.Data.Records.Value(); ok {
		a.add(all, 0, 1)
	}
	dim := w.d.Rows.Dim
	see(all, wide(rep, rep.Table.Overall, dim)[f])
	for g := range rep.Groups {
		group := &rep.Groups[g]
		if n, ok := group.N.Value(); ok {
			a.add(w.leaves[g], 0, 1)
			if got := w.truth(f, w.leaves[g]); got[0]+got[1] != n {
				t.Fatalf("group %s has %d records, want %v", group.ID, n, got)
			}
		} else if !group.Share.Masked() {
			t.Fatalf("group %s tells its share though its size is masked", group.ID)
		}
		see(w.leaves[g], wide(rep, rep.Table.Shares[g], dim)[f])
		if group.IsLeaf() {
			checkCenter(t, wide(rep, rep.Table.Centers[group.Number-1], dim)[f], group, f)
		}
		for _, list := range [][]report.Feature{group.Typical, group.Frequent, group.Rare} {
			for _, x := range list {
				if numberOf(rep, x.Index) == f {
					checkFeature(t, x, wide(rep, rep.Table.Shares[g], dim)[f])
				}
			}
		}
		if group.Split != nil {
			for _, x := range group.Split.Separates {
				if numberOf(rep, x.Index) == f && (x.Share[0].Masked() || x.Share[1].Masked()) {
					t.Fatalf("group %s: a separator without shares", group.ID)
				}
			}
		}
	}
	return a
}

func checkCenter(t *testing.T, center report.Number, g *report.Group, f int) {
	t.Helper()
	p, ok := center.Value()
	if !ok {
		return
	}
	n, known := g.N.Value()
	if !known || p*float64(n) < limit {
		t.Fatalf("group %s: center %v of feature %d with n %v known %v", g.ID, p, f, n, known)
	}
}

// checkFeature makes sure that a masked count has no shadow.
func checkFeature(t *testing.T, x report.Feature, share report.Number) {
	t.Helper()
	if share.Masked() {
		for name, v := range map[string]report.Number{"share": x.Share, "ratio": x.Ratio, "low": x.Low, "high": x.High, "relevance": x.Relevance} {
			if !v.Masked() {
				t.Fatalf("feature %s tells its %s though its count is masked", x.Name, name)
			}
		}
		if !x.Count.Masked() || !x.NearlyAll {
			t.Fatalf("feature %s: %+v though its count is masked", x.Name, x)
		}
		return
	}
	if n, _ := x.Count.Value(); n > 0 && n < limit {
		t.Fatalf("feature %s has the count %d", x.Name, n)
	}
}
