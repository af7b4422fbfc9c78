// Package latent finds a tree of features: which of them come together, and which of
// these groups belong together in turn ([T] conclusions, latent trees). It is recursive
// grouping on pair counts (Choi, Tan, Anandkumar and Willsky 2011): if features are the
// leaves of a tree of hidden causes, minus the logarithm of the correlation of two adds
// up along the path between them, and a tree can be read from the distances of pairs.
// Siblings are chosen by neighbour joining, which looks at all other features at once and
// so bears sampling errors better than tests of single triples.
//
// Steps before: encode. Only what comes together is looked at; features that come
// together with no other, by chance, stay alone.
package latent

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/pass"
)

// Tree is a forest over features.
type Tree struct {
	Records int
	Nodes   []Node
	Roots   []int // of the trees with more than one feature, the largest first
	Alone   []int // features that come together with no other
}

// Node is a feature or a hidden cause.
type Node struct {
	Feature  int   // -1 for a hidden cause
	Parent   int   // -1 for a root
	Children []int // of a hidden cause, the more frequent first
	// Length is the distance to the parent, −log of a correlation: 0 for a feature that
	// stands for its group, large for one that hardly belongs.
	Length float64
	// Pair are the two features below whose correlation is the strongest, Together how
	// many records have both, and Times how many times as many as by chance; of hidden
	// causes alone.
	Pair     [2]int
	Together int
	Times    float64
	Count    int // records with the feature, or with the more frequent of Pair
	// Repeats says that both halves of the records show the group, up to a fifth of its
	// features. Only roots may fail it: what is below and does not repeat is dissolved.
	Repeats bool
}

const (
	// MostFeatures is the largest number of features that a tree is made of.
	MostFeatures = 400
	// leastZ is how many standard errors a correlation must be above 0 to join two
	// features: one in ten thousand pairs of independent ones is.
	leastZ = 4
)

// Learn makes the tree of the listed features.
func Learn(ctx context.Context, run pass.Runner, features []int) (*Tree, error) {
	switch {
	case len(features) < 2:
		return nil, fmt.Errorf("latent: %d features, want two or more", len(features))
	case len(features) > MostFeatures:
		return nil, fmt.Errorf("latent: %d features, want at most %d: the most frequent ones tell most", len(features), MostFeatures)
	}
	sum := newPairSum(features, run.Dim(), run.Can().First)
	state, err := pass.RunOne(ctx, run, sum)
	if err != nil {
		return nil, err
	}
	even, odd := sum.counts(state, 0), sum.counts(state, 1)
	all := even.plus(odd)
	t := all.tree(features)
	t.repeats(even.tree(features), odd.tree(features))
	return t.kept(), nil
}

// pairs are how many of n records have each pair of m features.
type pairs struct {
	n, m  int
	count []float64 // m×m: the counts of a pair are the sum of its two entries
}

func (p pairs) at(i, j int) float64 {
	n := p.count[i*p.m+j]
	if i != j {
		n += p.count[j*p.m+i]
	}
	return n
}

func (p pairs) plus(q pairs) pairs {
	out := pairs{p.n + q.n, p.m, slices.Clone(p.count)}
	for i, v := range q.count {
		out.count[i] += v
	}
	return out
}

// correlation of two features, 0 where one is constant.
func (p pairs) correlation(i, j int) float64 {
	n, a, b := float64(p.n), p.at(i, i), p.at(j, j)
	spread := a * (n - a) * b * (n - b)
	if !(spread > 0) {
		return 0
	}
	return (n*p.at(i, j) - a*b) / math.Sqrt(spread)
}

// linked lists the features that correlate, directly or through others, in sets.
func (p pairs) linked() [][]int {
	of := make([]int, p.m)
	for i := range of {
		of[i] = -1
	}
	var sets [][]int
	for i := range p.m {
		if of[i] >= 0 {
			continue
		}
		set := []int{i}
		of[i] = len(sets)
		for at := 0; at < len(set); at++ {
			for j := range p.m {
				if of[j] < 0 && p.correlation(set[at], j)*math.Sqrt(float64(p.n)) > leastZ {
					of[j] = len(sets)
					set = append(set, j)
				}
			}
		}
		slices.Sort(set)
		sets = append(sets, set)
	}
	return sets
}

// tree makes the forest.
func (p pairs) tree(features []int) *Tree {
	t := &Tree{Records: p.n}
	for _, set := range p.linked() {
		if len(set) == 1 {
			t.Alone = append(t.Alone, features[set[0]])
			continue
		}
		root := p.join(t, set, features)
		t.Roots = append(t.Roots, root)
	}
	for i := range t.Nodes {
		if t.Nodes[i].Feature < 0 {
			p.strongest(t, i, features)
		}
	}
	slices.SortStableFunc(t.Roots, func(a, b int) int { return len(t.Under(b)) - len(t.Under(a)) })
	return t
}

// Under returns the features below a node.
func (t *Tree) Under(node int) []int {
	if t.Nodes[node].Feature >= 0 {
		return []int{t.Nodes[node].Feature}
	}
	var out []int
	for _, c := range t.Nodes[node].Children {
		out = append(out, t.Under(c)...)
	}
	return out
}

// strongest notes the strongest pair below a node and orders its children.
func (p pairs) strongest(t *Tree, node int, features []int) {
	place := map[int]int{}
	for i, f := range features {
		place[f] = i
	}
	under := t.Under(node)
	x, best := &t.Nodes[node], math.Inf(-1)
	for a, f := range under {
		for _, g := range under[:a] {
			i, j := place[f], place[g]
			if c := p.correlation(i, j); c > best {
				if p.at(i, i) < p.at(j, j) {
					i, j = j, i
				}
				best, x.Pair = c, [2]int{features[i], features[j]}
				x.Together, x.Count = int(p.at(i, j)), int(p.at(i, i))
				x.Times = p.at(i, j) * float64(p.n) / (p.at(i, i) * p.at(j, j))
			}
		}
	}
	slices.SortStableFunc(x.Children, func(a, b int) int { return t.Nodes[b].Count - t.Nodes[a].Count })
}

// repeats marks the groups that both halves show.
func (t *Tree) repeats(halves ...*Tree) {
	for i := range t.Nodes {
		if t.Nodes[i].Feature >= 0 {
			continue
		}
		under := t.Under(i)
		found := true
		for _, h := range halves {
			found = found && h.shows(under)
		}
		t.Nodes[i].Repeats = found
	}
}

// kept returns the tree without the groups that do not repeat: their members belong to
// the group above.
func (t *Tree) kept() *Tree {
	out := &Tree{Records: t.Records, Alone: t.Alone}
	for _, root := range t.Roots {
		out.Roots = append(out.Roots, out.copy(t, root, -1, 0))
	}
	for i := range out.Nodes {
		slices.SortStableFunc(out.Nodes[i].Children, func(a, b int) int { return out.Nodes[b].Count - out.Nodes[a].Count })
	}
	return out
}

func (t *Tree) copy(from *Tree, node, parent int, more float64) int {
	n := from.Nodes[node]
	n.Parent, n.Length = parent, n.Length+more
	children := n.Children
	n.Children = nil
	t.Nodes = append(t.Nodes, n)
	at := len(t.Nodes) - 1
	t.members(from, children, at, 0)
	return at
}

// members adds nodes below a group, those of dissolved ones in their place.
func (t *Tree) members(from *Tree, list []int, group int, more float64) {
	for _, c := range list {
		if n := from.Nodes[c]; n.Feature < 0 && !n.Repeats {
			t.members(from, n.Children, group, more+n.Length)
			continue
		}
		child := t.copy(from, c, group, more)
		t.Nodes[group].Children = append(t.Nodes[group].Children, child)
	}
}

// sameGroup is the share of features that two groups must have in common, of all
// features of either, to be the same.
const sameGroup = 0.8

func (t *Tree) shows(group []int) bool {
	in := map[int]bool{}
	for _, f := range group {
		in[f] = true
	}
	for i, n := range t.Nodes {
		if n.Feature >= 0 {
			continue
		}
		both, under := 0, t.Under(i)
		for _, f := range under {
			if in[f] {
				both++
			}
		}
		if float64(both) >= sameGroup*float64(len(group)+len(under)-both) {
			return true
		}
	}
	return false
}
