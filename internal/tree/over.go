package tree

import (
	"context"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
)

// Spread carries a tree that was grown on part of the records over to all of
// them, which may lie on disk: the mixture of the leaves takes its steps on all,
// every record is placed, and sizes and means are those of all. The splits and
// their evidence stay those of the part.
func (r *Result) Spread(ctx context.Context, run pass.Runner, s Settings) (*Result, error) {
	t := r.Tree.copied()
	if t.Leaves != nil && t.Leaves.K() > 1 {
		leaves, err := (&builder{s: s}).refinedLeaves(ctx, run, *t.Leaves)
		if err != nil {
			return nil, err
		}
		t.Leaves = &leaves
	}
	return t.over(ctx, run, s.Family)
}

// Remodel gives the leaves of a grown tree another model, by which every record
// is placed anew: the topics of a tree that was split by whole documents become
// those of documents that mix several. The splits stay; a node is still the
// union of its leaves.
func (r *Result) Remodel(ctx context.Context, run pass.Runner, spec model.Spec, f family.Family, leaves mixture.Params) (*Result, error) {
	t := r.Tree.copied()
	t.Spec, t.Leaves = spec, &leaves
	return t.over(ctx, run, f)
}

// copied returns a tree whose nodes can be changed.
func (t *Tree) copied() *Tree {
	c := *t
	c.Nodes = append([]Node(nil), t.Nodes...)
	return &c
}

// over places every record by the tree, in one scan, and sets sizes and means
// from them.
func (t *Tree) over(ctx context.Context, run pass.Runner, f family.Family) (*Result, error) {
	place, err := t.placer(f)
	if err != nil {
		return nil, err
	}
	out, err := t.placed(ctx, run, place, newPlaces(run), false)
	if err != nil {
		return nil, err
	}
	return out, t.largerFirst(ctx, run.Can().Workers, f, out.Leaf)
}

// places has room for the leaf of every own record and how sure it is.
type places struct {
	leaf []int32
	sure []float32
}

// newPlaces makes room for records of millions side by side: memory that was used before is
// cleared, by one core each.
func newPlaces(run pass.Runner) (p places) {
	can := run.Can()
	par.Together(can.Workers,
		func() { p.leaf = pages.Make[int32](can.Own) },
		func() { p.sure = pages.Make[float32](can.Own) })
	return p
}

// placed is over without a look at the order of children; of an outline without means.
func (t *Tree) placed(ctx context.Context, run pass.Runner, place placing, to places, outline bool) (*Result, error) {
	out := &Result{Tree: t, Leaf: to.leaf, Sure: to.sure}
	sum := leafSums{leaf: out.Leaf, nodes: len(t.Nodes), d: run.Dim(), values: !run.Can().Binary}
	if outline {
		sum.d, sum.values = 0, false
	}
	states, err := run.Own(ctx, func(b pass.Block) error {
		return place(b, out.Leaf[b.First:][:b.N()], out.Sure[b.First:][:b.N()])
	}, sum)
	if err != nil {
		return nil, err
	}
	t.sized(sum.split(states[0]))
	return out, nil
}

// placing sets the leaf of every record of a block and how sure it is.
type placing func(b pass.Block, leaf []int32, sure []float32) error

// placedBefore is the placing of records whose groups are known; groups are those of the leaves.
func (t *Tree) placedBefore(known *Known, groups []int) placing {
	leaves, to := t.Leaf(), make([]int32, len(known.Number))
	for g, number := range known.Number {
		to[g] = int32(leaves[slices.Index(groups, number)])
	}
	return func(b pass.Block, leaf []int32, sure []float32) error {
		copy(sure, known.Sure[b.First:])
		for i, g := range known.Group[b.First:][:len(leaf)] {
			leaf[i] = to[g]
		}
		return nil
	}
}

// placer returns Place for many blocks, with the parameters made ready once where the family
// has that.
func (t *Tree) placer(f family.Family) (placing, error) {
	ready, ok := f.(family.Placer)
	if !ok || t.Leaves == nil {
		return func(b pass.Block, leaf []int32, sure []float32) error {
			l, s, err := t.Place(f, b.Rows)
			copy(leaf, l)
			copy(sure, s)
			return err
		}, nil
	}
	places, err := ready.Places(*t.Leaves)
	if err != nil {
		return nil, err
	}
	leaves := t.Leaf()
	return func(b pass.Block, leaf []int32, sure []float32) error {
		if err := places(b, leaf, sure); err != nil {
			return err
		}
		for i, g := range leaf {
			leaf[i] = int32(leaves[g])
		}
		return nil
	}, nil
}

// leafSums counts the records of every leaf, and adds up their features
// (nodes, then nodes×d), and where they have values counts those that are missing
// (nodes×d).
type leafSums struct {
	leaf     []int32 // of the own records
	nodes, d int     // d is 0 where no features are added up
	values   bool
}

func (s leafSums) Len() int {
	if s.values {
		return s.nodes * (1 + 2*s.d)
	}
	return s.nodes * (1 + s.d)
}

func (s leafSums) Add(state []float64, b pass.Block) error {
	count, sums := state[:s.nodes], state[s.nodes:]
	for i := range b.Rows.N() {
		l := int(s.leaf[b.First+i])
		count[l]++
		if s.d == 0 {
			continue
		}
		addRow(sums[l*s.d:][:s.d], b.Rows, i)
		if s.values {
			addGone(sums[(s.nodes+l)*s.d:][:s.d], b.Rows, i)
		}
	}
	return nil
}

func (s leafSums) split(state []float64) (count []float64, sums, gone [][]float64) {
	count, state = state[:s.nodes], state[s.nodes:]
	rows := func(from int) (out [][]float64) {
		for i := from; i < from+s.nodes; i++ {
			out = append(out, state[i*s.d:(i+1)*s.d:(i+1)*s.d])
		}
		return out
	}
	if s.values {
		gone = rows(s.nodes)
	}
	return count, rows(0), gone
}
