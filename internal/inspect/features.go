package inspect

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/latent"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// Features reads the data of an order and finds which of its most frequent features
// come together: a tree of features ([T] conclusions).
func Features(ctx context.Context, o fit.Order, most int, share bool) (*report.FeatureTree, error) {
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	kind, sequences := p.Kind()
	if sequences || kind == record.Real || kind == record.Mixed {
		return nil, fmt.Errorf("a tree of features is of presences, counts, answers and words, which come together or not: these records are %s; cut measurements into a few answers first (low, middle, high) and read them with ‹format› categorical", kindWord(kind, sequences))
	}
	data := p.Training(o.Read.Workers)
	g := explain.NewGate(p.Health, o.SmallestCell(p.Health), share, p.Len())
	if err := g.Cohort(p.Len()); err != nil {
		return nil, err
	}
	list, err := frequent(ctx, data.Run, most, g)
	if err != nil {
		return nil, err
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("%w: %d features are frequent enough for a tree, which takes two or more", fit.ErrTooLittle, len(list))
	}
	t, err := latent.Learn(ctx, data.Run, list)
	if err != nil {
		return nil, err
	}
	return newFeatureTree(t, p.Vocab(), g, len(list)), nil
}

func kindWord(kind record.Kind, sequences bool) string {
	if sequences {
		return "sequences"
	}
	if kind == record.Real {
		return "measurements"
	}
	return "columns of several kinds"
}

// frequent lists the features that most records have, rare ones left out behind the
// gate, in the order of the vocabulary.
func frequent(ctx context.Context, run pass.Runner, most int, g explain.Gate) ([]int, error) {
	counts, err := pass.RunOne(ctx, run, presenceSum{run.Dim()})
	if err != nil {
		return nil, err
	}
	var list []int
	for h, n := range counts {
		if _, ok := g.Count(int(n)).Value(); ok && n > 0 && int(n) < run.Len() {
			list = append(list, h)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return int(counts[b] - counts[a]) })
	list = list[:min(most, len(list))]
	slices.Sort(list)
	return list, nil
}

// presenceSum counts the records that have each feature.
type presenceSum struct{ d int }

func (s presenceSum) Len() int { return s.d }

func (s presenceSum) Add(state []float64, b pass.Block) error {
	for i := range b.Rows.N() {
		if b.Rows.IsDense() {
			for h, v := range b.Rows.DenseRow(i) {
				if v > 0 {
					state[h]++
				}
			}
			continue
		}
		index, value := b.Rows.Row(i)
		for e, h := range index {
			if value == nil || value[e] > 0 {
				state[h]++
			}
		}
	}
	return nil
}

// newFeatureTree lets a tree through the gate.
func newFeatureTree(t *latent.Tree, v *vocab.Vocab, g explain.Gate, n int) *report.FeatureTree {
	x := &gated{g: g, t: t, v: v, out: &report.FeatureTree{
		Ring: g.Ring, Limit: g.Limit, Rounded: g.Rounded(), Records: g.Size(t.Records), Features: n, Of: g.Features(v.Len()), For: g.Words(),
	}}
	for i, root := range t.Roots {
		x.add(root, strconv.Itoa(i+1), "")
	}
	for _, h := range t.Alone {
		x.out.Alone = append(x.out.Alone, v.Names[h])
	}
	return x.out
}

// gated is a tree on its way through the gate.
type gated struct {
	g   explain.Gate
	t   *latent.Tree
	v   *vocab.Vocab
	out *report.FeatureTree
}

func (x *gated) add(node int, id, parent string) {
	n := x.t.Nodes[node]
	out := report.FeatureNode{ID: id, Parent: parent}
	if x.g.Rounded() == 0 {
		out.Length = report.NumberOf(n.Length)
	}
	if n.Feature >= 0 {
		out.Feature, out.Count = x.v.Names[n.Feature], x.g.Count(n.Count)
		if title := x.v.Title(n.Feature); title != out.Feature {
			out.Title = title
		}
		x.out.Nodes = append(x.out.Nodes, out)
		return
	}
	out.Members, out.Repeats = len(x.t.Under(node)), n.Repeats
	out.Pair = []string{x.v.Title(n.Pair[0]), x.v.Title(n.Pair[1])}
	out.Count = x.g.Count(n.Together)
	if _, known := out.Count.Value(); known && x.g.Rounded() == 0 {
		out.Times = report.NumberOf(n.Times)
	}
	x.out.Nodes = append(x.out.Nodes, out)
	for i, c := range n.Children {
		x.add(c, id+"."+strconv.Itoa(i+1), id)
	}
}
