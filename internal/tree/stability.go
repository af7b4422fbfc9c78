package tree

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// How stability is measured.
const (
	StabilityOff    = "off"
	StabilitySample = "sample" // on at most StabilityRecords records a node; also ""
	StabilityFull   = "full"   // on all records of each node
)

// StabilityRecords is the number of records of a node on which its stability is
// measured by default: the larger nodes then cost less than their fit did.
const StabilityRecords = 20_000

const (
	sharedShare = 0.8 // of the records in both samples; the rest is halved ([T] Section 6.4.1)
	leastShared = 4   // records in both samples below which agreement means nothing
)

// Stabilised returns the tree with the stability of every split: the split of a
// node is found again on two samples of its records that share 80 % and have
// 10 % each of their own, and the sides of the shared records are compared by
// ARI ([T] Section 6.4.1, split by split). A sample that shows no split at all
// counts as 0. rows and leaf are those of the growth, s its settings.
func (t *Tree) Stabilised(ctx context.Context, rows sparse.Rows, leaf []int32, s Settings, mode string) (*Tree, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	most := StabilityRecords
	switch mode {
	case StabilityOff:
		return t, nil
	case StabilitySample, "":
	case StabilityFull:
		most = math.MaxInt
	default:
		return nil, fmt.Errorf("tree: stability %q, want off, sample or full", mode)
	}
	if rows.N() != len(leaf) {
		return nil, fmt.Errorf("tree: %d records but the leaves of %d", rows.N(), len(leaf))
	}
	g := newBuilder(pass.NewLocal(rows, s.Workers), s, &memory{})
	if _, err := g.begin(ctx); err != nil {
		return nil, err
	}
	out := *t
	out.Nodes = slices.Clone(t.Nodes)
	order := t.shuffled(leaf, s.Seed, most)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		if n.IsLeaf() {
			continue
		}
		progress.Report(ctx, progress.Event{Step: "checking splits", Done: int64(i), Total: int64(len(out.Nodes)), Unit: "nodes"})
		split := *n.Split
		var err error
		if split.Stability, err = g.steadiness(ctx, rows, order[i], n); err != nil {
			return nil, err
		}
		n.Split = &split
	}
	return &out, nil
}

// shuffled returns records of every inner node in random order, all or the given
// number at the most. It keeps no list of all the others.
func (t *Tree) shuffled(leaf []int32, seed uint64, most int) [][]int {
	out := make([][]int, len(t.Nodes))
	next := make([]ordinals, len(t.Nodes))
	for i, n := range t.Nodes {
		if !n.IsLeaf() {
			out[i] = draw(stream.New(seed, "tree/stability/"+n.ID), n.N, most)
			next[i] = newOrdinals(out[i])
		}
	}
	for r, l := range leaf {
		for i := t.Nodes[l].Parent; i >= 0; i = t.Nodes[i].Parent {
			if at, ok := next[i].take(); ok {
				out[i][at] = r
			}
		}
	}
	return out
}

// draw returns up to most different numbers below n, in random order.
func draw(r *rand.Rand, n, most int) []int {
	if n <= most {
		return r.Perm(n)
	}
	out := make([]int, most)
	moved := make(map[int]int, most) // of a list 0, 1, …, what does not stand in its place
	at := func(i int) int {
		if v, ok := moved[i]; ok {
			return v
		}
		return i
	}
	for i := range out {
		j := i + r.IntN(n-i)
		out[i] = at(j)
		moved[j] = at(i)
	}
	return out
}

// ordinals finds, while the records of a node go by, those that were drawn.
type ordinals struct {
	keys []uint64 // number of a record within the node, and its place among the drawn ones
	seen int      // records that went by
}

func newOrdinals(drawn []int) ordinals {
	keys := make([]uint64, len(drawn)) // numbers of records fit in 31 bits
	for i, r := range drawn {
		keys[i] = uint64(r)<<32 | uint64(i)
	}
	slices.Sort(keys)
	return ordinals{keys: keys}
}

// take lets a record go by and returns its place among the drawn ones.
func (o *ordinals) take() (at int, ok bool) {
	o.seen++
	if len(o.keys) == 0 || int(o.keys[0]>>32) != o.seen-1 {
		return 0, false
	}
	at, o.keys = int(uint32(o.keys[0])), o.keys[1:]
	return at, true
}

// steadiness measures one node from its records in random order; -1 where
// they are too few.
func (g *builder) steadiness(ctx context.Context, rows sparse.Rows, order []int, n *Node) (float64, error) {
	samples, shared := overlapping(order)
	if shared < leastShared {
		return -1, nil
	}
	var sides [2][]int
	err := par.Do(ctx, g.s.Workers, 2, func(i int) error {
		labels, err := g.again(ctx, rows, samples[i], n.Split.Second)
		if labels != nil {
			sides[i] = labels[:shared]
		}
		return err
	})
	if err != nil {
		return -1, err
	}
	if sides[0] == nil || sides[1] == nil {
		return 0, nil
	}
	return agree.ARI(sides[0], sides[1])
}

// overlapping cuts order records into two samples that begin with the same
// records, whose number it returns.
func overlapping(order []int) (samples [2][]int, shared int) {
	shared = int(math.Round(sharedShare * float64(len(order))))
	own := (len(order) - shared) / 2
	for i := range samples {
		samples[i] = slices.Concat(order[:shared], order[shared+i*own:shared+(i+1)*own])
	}
	return samples, shared
}

// again splits a sample as the growth would; nil where it would not. The order
// of the records is that of the sample.
func (g *builder) again(ctx context.Context, rows sparse.Rows, sample []int, second bool) ([]int, error) {
	part := newBuilder(pass.NewLocal(rows.Pick(sample), g.s.Workers), g.s, g.memory)
	part.one = g.one
	b, err := newBranch(ctx, part.all())
	if err != nil {
		return nil, err
	}
	defer b.release()
	if b.cut, _, err = part.cut(ctx, b); err != nil || b.cut == nil {
		return nil, err
	}
	if second {
		if _, err := part.rethink(ctx, b); err != nil {
			return nil, err
		}
	}
	labels := make([]int, len(sample))
	for i, l := range b.cut.labels {
		labels[i] = int(l)
	}
	part.discard(b.cut)
	return labels, nil
}
