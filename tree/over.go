package tree

import (
	"context"

	"github.com/moiety-go/moiety/family"
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
		leaves, err := (&grower{s: s}).polished(ctx, run, *t.Leaves)
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
	out := &Result{Tree: t, Leaf: make([]int32, run.Len()), Sure: make([]float32, run.Len())}
	sum := placing{t: t, f: f, d: run.Dim(), out: out}
	sums, err := pass.RunOne(ctx, run, sum)
	if err != nil {
		return nil, err
	}
	t.sized(out.Leaf, sum.split(sums))
	t.largerFirst(f, out.Leaf)
	return out, nil
}

// placing is the pass of over: it fills in the place of every record, and adds
// up the features of every leaf (nodes×d).
type placing struct {
	t   *Tree
	f   family.Family
	d   int
	out *Result
}

func (p placing) Len() int { return len(p.t.Nodes) * p.d }

func (p placing) Add(state []float64, b pass.Block) error {
	leaf, sure, err := p.t.Place(p.f, b.Rows)
	if err != nil {
		return err
	}
	copy(p.out.Leaf[b.First:], leaf)
	copy(p.out.Sure[b.First:], sure)
	for i, l := range leaf {
		addRow(state[int(l)*p.d:][:p.d], b.Rows, i)
	}
	return nil
}

func (p placing) split(state []float64) [][]float64 {
	out := make([][]float64, len(p.t.Nodes))
	for i := range out {
		out[i] = state[i*p.d : (i+1)*p.d : (i+1)*p.d]
	}
	return out
}
