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

// FeatureTree is what may be told of the tree of features: every number of it has
// passed the gate.
type FeatureTree struct {
	gate     explain.Gate
	Ring     report.Ring   `json:"ring,omitempty"`
	Limit    int           `json:"limit,omitempty" gate:"setting"`
	Rounded  int           `json:"rounded,omitempty" gate:"setting"`
	Records  report.Count  `json:"records"`
	Features int           `json:"features" gate:"features"` // in the tree
	Of       int           `json:"of" gate:"features"`       // in all
	Nodes    []FeatureNode `json:"nodes"`
	Alone    []string      `json:"alone"`
}

// FeatureNode is a feature, or a group of them.
type FeatureNode struct {
	ID      string       `json:"id"` // its path: "1.2" is the second member of group 1
	Parent  string       `json:"parent,omitempty"`
	Feature string       `json:"feature,omitempty"` // "" for a group
	Title   string       `json:"title,omitempty"`
	Members int          `json:"members,omitempty" gate:"features"`
	Count   report.Count `json:"count"` // records with the feature; of a group, with both of Pair
	// Pair are, in words, the two members that come together most clearly, and Times how many times
	// as often they do as by chance.
	Pair    []string      `json:"pair,omitempty"`
	Times   report.Number `json:"times"`
	Length  report.Number `json:"length"`            // −log of the correlation with the cause above
	Repeats bool          `json:"repeats,omitempty"` // both halves of the records show the group
}

// Words say for whom it is, "" where it is open.
func (x *FeatureTree) Words() string { return x.gate.Words() }

// Features reads the data of an order and finds which of its most frequent features
// come together: a tree of features ([T] conclusions).
func Features(ctx context.Context, o fit.Order, most int, share bool) (*FeatureTree, error) {
	p, err := fit.Prepare(ctx, o, "")
	if err != nil {
		return nil, err
	}
	defer p.Close()
	kind, sequences := p.Kind()
	if sequences || kind == record.Real || kind == record.Mixed {
		return nil, fmt.Errorf("a tree of features is of presences, counts, answers and words, which come together or not: these records are %s; cut measurements into a few answers first (low, middle, high) and read them with ‹format› categorical", kindWord(kind, sequences))
	}
	data := p.Data(o.Read.Workers)
	g := explain.NewGate(p.Health, o.SmallestCell(p.Health), share, p.Len())
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
func newFeatureTree(t *latent.Tree, v *vocab.Vocab, g explain.Gate, n int) *FeatureTree {
	x := &FeatureTree{
		gate: g, Ring: g.Ring, Limit: g.Limit, Rounded: g.Rounded(), Records: g.Size(t.Records), Features: n, Of: g.Features(v.Len()),
	}
	for i, root := range t.Roots {
		x.add(t, v, root, strconv.Itoa(i+1), "")
	}
	for _, h := range t.Alone {
		x.Alone = append(x.Alone, v.Names[h])
	}
	return x
}

func (x *FeatureTree) add(t *latent.Tree, v *vocab.Vocab, node int, id, parent string) {
	n := t.Nodes[node]
	out := FeatureNode{ID: id, Parent: parent}
	if x.gate.Rounded() == 0 {
		out.Length = report.NumberOf(n.Length)
	}
	if n.Feature >= 0 {
		out.Feature, out.Count = v.Names[n.Feature], x.gate.Count(n.Count)
		if title := v.Title(n.Feature); title != out.Feature {
			out.Title = title
		}
		x.Nodes = append(x.Nodes, out)
		return
	}
	out.Members, out.Repeats = len(t.Under(node)), n.Repeats
	out.Pair = []string{v.Title(n.Pair[0]), v.Title(n.Pair[1])}
	out.Count = x.gate.Count(n.Together)
	if _, told := out.Count.Value(); told && x.gate.Rounded() == 0 {
		out.Times = report.NumberOf(n.Times)
	}
	x.Nodes = append(x.Nodes, out)
	for i, c := range n.Children {
		x.add(t, v, c, id+"."+strconv.Itoa(i+1), id)
	}
}
