package tree

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Model returns the mixture of the given nodes, a cut through the tree such as
// the leaves, in that order. Trees without a model give the means of the
// groups, for reading only.
func (t *Tree) Model(nodes []int) (*model.Model, error) {
	m := &model.Model{Spec: t.Spec, Vocab: t.Vocab, Provenance: t.Provenance}
	if t.Leaves != nil && len(nodes) == len(t.Leaf()) {
		f, err := t.Spec.Family(t.Vocab)
		if err != nil {
			return nil, err
		}
		at := make(map[int]int)
		for j, l := range t.Leaf() {
			at[l] = j
		}
		order := make([]int, len(nodes))
		whole := true
		for j, n := range nodes {
			var ok bool
			order[j], ok = at[n]
			whole = whole && ok
		}
		if whole {
			m.Params = f.Reorder(*t.Leaves, order)
			return m, nil
		}
	}
	m.Params = t.means(nodes)
	return m, nil
}

// means returns the means and shares of nodes.
func (t *Tree) means(nodes []int) mixture.Params {
	d := len(t.Nodes[0].Center)
	centers, weights, sum := mat.NewDense(d, len(nodes), nil), make([]float64, len(nodes)), 0.0
	for j, n := range nodes {
		centers.SetCol(j, t.Nodes[n].Center)
		weights[j] = t.Nodes[n].Share
		sum += weights[j]
	}
	for j := range weights {
		weights[j] /= math.Max(sum, math.SmallestNonzeroFloat64)
	}
	return mixture.New(centers, weights)
}

// CutLevel returns the nodes of a cut through the tree at a level: those at the
// level, and leaves above it, from left to right.
func (t *Tree) CutLevel(level int) []int {
	var out []int
	var down func(i int)
	down = func(i int) {
		if n := &t.Nodes[i]; n.IsLeaf() || n.Level >= level {
			out = append(out, i)
			return
		}
		for _, c := range t.Nodes[i].Children {
			down(c)
		}
	}
	down(0)
	return out
}

// CutGroups returns the cut of at most n nodes that keeps the splits of the
// largest gains, from left to right.
func (t *Tree) CutGroups(n int) []int {
	open := map[int]bool{0: true}
	for len(open) < n {
		best := -1
		for i := range t.Nodes { // in order of number, so ties are decided alike
			if !open[i] || t.Nodes[i].IsLeaf() {
				continue
			}
			if best < 0 || t.Nodes[i].Split.Gain > t.Nodes[best].Split.Gain {
				best = i
			}
		}
		if best < 0 {
			break
		}
		delete(open, best)
		for _, c := range t.Nodes[best].Children {
			open[c] = true
		}
	}
	var out []int
	t.walk(0, func(i int) {
		if open[i] {
			out = append(out, i)
		}
	})
	return out
}

// Under returns, for every node, the number of the cut's node it lies under or
// is, or -1.
func (t *Tree) Under(cut []int) []int {
	out := make([]int, len(t.Nodes))
	for i := range out {
		out[i] = -1
	}
	for j, n := range cut {
		t.walk(n, func(i int) { out[i] = j })
	}
	return out
}

// Place returns the leaf of every row of a block and how sure it is: the same
// leaves as in fitting. Sureness is the posterior of the leaf, the product of
// those of the splits on the way; a linear rule is sure of a record, but for those that it
// leaves open.
func (t *Tree) Place(f family.Family, rows sparse.Rows) (leaf []int32, sure []float32, err error) {
	n := rows.N()
	leaf, sure = make([]int32, n), make([]float32, n)
	if t.Leaves != nil {
		leaves, k := t.Leaf(), t.Leaves.K()
		post := make([]float64, n*k)
		if err := f.Posterior(*t.Leaves, pass.Block{Rows: rows}, post); err != nil {
			return nil, nil, err
		}
		for i := range n {
			best := 0
			for j, v := range post[i*k : (i+1)*k] {
				if v > post[i*k+best] {
					best = j
				}
			}
			leaf[i], sure[i] = int32(leaves[best]), float32(post[i*k+best])
		}
		return leaf, sure, nil
	}
	all := make([]int, n)
	for i := range all {
		all[i], sure[i] = i, 1
	}
	return leaf, sure, t.descend(f, rows, 0, all, leaf, sure)
}

// openSure is how sure a rule is of a record that it leaves open.
const openSure = 0.5

// descend places the listed rows below node i.
func (t *Tree) descend(f family.Family, rows sparse.Rows, node int, list []int, leaf []int32, sure []float32) error {
	nd := &t.Nodes[node]
	if nd.IsLeaf() || len(list) == 0 {
		for _, r := range list {
			leaf[r] = int32(node)
		}
		return nil
	}
	part := rows.Pick(list)
	var labels []int32
	if nd.Split.Rule != nil {
		sides := nd.Split.Rule.sides(part)
		for i, s := range sides {
			if s == tie {
				sure[list[i]] *= openSure
			}
		}
		sides.resolve(0)
		labels = sides.numbers()
	} else {
		post := make([]float64, 2*len(list))
		if err := f.Posterior(*nd.Split.Pair, pass.Block{Rows: part}, post); err != nil {
			return err
		}
		labels = make([]int32, len(list))
		for i := range labels {
			if post[2*i+1] > post[2*i] {
				labels[i] = 1
			}
			sure[list[i]] *= float32(post[2*i+int(labels[i])])
		}
	}
	var sides [2][]int
	for i, l := range labels {
		sides[l] = append(sides[l], list[i])
	}
	for j, c := range nd.Children {
		if err := t.descend(f, rows, c, sides[j], leaf, sure); err != nil {
			return err
		}
	}
	return nil
}

// Certainty returns how sure each row lies in its leaf.
func (t *Tree) Certainty(ctx context.Context, rows sparse.Rows, workers int) ([]float32, error) {
	f, err := t.Spec.Family(t.Vocab)
	if err != nil {
		return nil, err
	}
	out := make([]float32, rows.N())
	_, err = pass.NewLocal(rows, workers).Own(ctx, func(b pass.Block) error {
		_, sure, err := t.Place(f, b.Rows)
		copy(out[b.First:], sure)
		return err
	})
	return out, err
}
