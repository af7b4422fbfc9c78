package tree

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Result is a grown tree with the leaf of every record.
type Result struct {
	Tree *Tree
	Leaf []int32 // number of the node that each record lies in
	// Sure is the posterior of each record's leaf, as Certainty returns it;
	// nil where the growth did not come by it.
	Sure []float32
	// Groups are, of a hierarchy over known groups, the numbers of the groups at
	// the leaves, from left to right.
	Groups []int
}

// branch is a node while the tree grows.
type branch struct {
	records
	model   mixture.Params // of its records as one component
	loglik  float64        // of its records under it
	cut     *cut           // the best split found, or nil
	refused string
	kids    []*branch
	level   int
}

// cut is a split of a branch.
type cut struct {
	split  Split
	labels sides   // of each own record of the branch
	open   []int32 // own numbers of the records that its rule leaves open
	sides  [2]*branch
}

// builder holds what does not change while the tree grows.
type builder struct {
	s     Settings
	run   pass.Runner    // over all records
	rows  *sparse.Rows   // all of them, where they are in memory here
	table *table         // of binary rows in memory under the Bernoulli model, or nil
	one   mixture.Params // a legal model of one component, the start of all others
	open  []*branch      // leaves, in order of their making
	*memory
}

// newBuilder returns a grower over the records of a runner.
func newBuilder(run pass.Runner, s Settings, m *memory) *builder {
	g := &builder{s: s, run: run, rows: run.Can().Rows, memory: m}
	if g.rows != nil && g.rows.IsBinary() && s.Family.Info().Tree.Binary {
		g.tabulate()
	}
	return g
}

// all returns all records.
func (g *builder) all() records {
	all := &scanned{g: g, n: g.run.Len(), first: g.run.Can().First}
	if g.table != nil {
		return &counted{scanned: all}
	}
	return all
}

// Grow grows a tree over the records of a runner, which may lie in memory, on disk or
// at several places. Binary records in memory take the least time.
func Grow(ctx context.Context, run pass.Runner, s Settings) (*Result, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if run.Len() == 0 {
		return nil, fmt.Errorf("tree: no records")
	}
	if can := run.Can(); can.Rows != nil {
		if err := can.Check(); err != nil {
			return nil, fmt.Errorf("tree: %w", err)
		}
	}
	if s.Vocab != nil && run.Dim() != s.Vocab.Len() {
		return nil, fmt.Errorf("tree: Settings.Vocab has %d names, and the rows %d features", s.Vocab.Len(), run.Dim())
	}
	if run.Len() > math.MaxInt32 {
		return nil, fmt.Errorf("tree: %d records, want at most %d", run.Len(), math.MaxInt32)
	}
	g := newBuilder(run, s, &memory{})
	root, err := g.begin(ctx)
	if err != nil {
		return nil, err
	}
	if err := g.consider(ctx, root); err != nil {
		return nil, err
	}
	g.open = []*branch{root}
	capped, err := g.grow(ctx)
	if err != nil {
		return nil, err
	}
	return g.finish(ctx, root, capped)
}

// begin returns the branch of all records.
func (g *builder) begin(ctx context.Context) (*branch, error) {
	all := g.all()
	var err error
	if g.one, err = all.start(ctx); err != nil {
		return nil, err
	}
	return newBranch(ctx, all)
}

func newBranch(ctx context.Context, r records) (*branch, error) {
	model, loglik, err := r.alone(ctx)
	return &branch{records: r, model: model, loglik: loglik}, err
}

// single finds a model of one component by its moments.
func (g *builder) single(ctx context.Context, run pass.Runner) (mixture.Params, error) {
	src, err := g.s.Family.Source(ctx, run, 1)
	if err != nil {
		return mixture.Params{}, err
	}
	raw, err := decompose.Auto(ctx, src, 1, decompose.Options{Seed: g.s.Seed, SkipRows: true})
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := g.s.Family.Normalise(ctx, src, raw.Params)
	return p, err
}

// abreast is the number of nodes that are looked at at the same time: one, where
// their passes read a file or go from place to place.
func (g *builder) abreast() int {
	if g.rows == nil {
		return 1
	}
	return g.s.Workers
}

// counted returns, where every place has so many records, how many there are in all
// and before this one.
func (g *builder) counted(ctx context.Context, own int) (all, before int, err error) {
	can := g.run.Can()
	if can.Places <= 1 {
		return own, 0, nil
	}
	x := make([]float64, can.Places)
	x[can.Place] = float64(own)
	if x, err = g.run.Total(ctx, x); err != nil {
		return 0, 0, err
	}
	for place, n := range x {
		all += int(n)
		if place < can.Place {
			before += int(n)
		}
	}
	return all, before, nil
}

// considerSides looks for the best splits of both sides of a branch's cut.
func (g *builder) considerSides(ctx context.Context, b *branch) error {
	if err := b.share(ctx, [2]records{b.cut.sides[0].records, b.cut.sides[1].records}); err != nil {
		return err
	}
	return par.Do(ctx, g.abreast(), 2, func(i int) error {
		return g.consider(ctx, b.cut.sides[i])
	})
}

// consider looks for the best split of a branch, once.
func (g *builder) consider(ctx context.Context, b *branch) error {
	if b.cut != nil || b.refused != "" {
		return nil
	}
	if b.Len() < g.s.minSize() {
		b.refused = fmt.Sprintf("only %d records", b.Len())
		return nil
	}
	var err error
	b.cut, b.refused, err = g.cut(ctx, b)
	b.rest()
	return err
}

// linear says that the tree is one of linear rules, without a model.
func (g *builder) linear() bool { return g.s.needsGroups() && g.s.steps() == 0 }

// outdoes reports whether the cut of a side gains more than that of its branch: one of the
// grandchildren may then have been the better first cut. A tree of linear rules has none: a
// union of grandchildren is no rule.
func (g *builder) outdoes(side, b *branch) bool {
	return !g.linear() && side.cut != nil && side.cut.split.Gain > b.cut.split.Gain
}

// outdone returns the side that outdoes a branch, by most; -1 where none does.
func (g *builder) outdone(b *branch) int {
	worst := -1
	for j, side := range b.cut.sides {
		if g.outdoes(side, b) && (worst < 0 || side.cut.split.Gain > b.cut.sides[worst].cut.split.Gain) {
			worst = j
		}
	}
	return worst
}

// reconsider looks at a split again that a side outdoes.
func (g *builder) reconsider(ctx context.Context, b *branch, worst int) error {
	was, step := b.cut, g.sampleStep(b.Len())
	places := b.base().drawn(step)
	below := was.below(worst, places)
	from := b.every(step)
	if _, err := from.base().runner(ctx); err != nil { // one for both
		return err
	}
	var found [2]*cut
	err := par.Do(ctx, g.abreast(), len(found), func(i int) (err error) {
		labels := make(sides, len(below))
		for j, l := range below {
			if int(l) == i {
				labels[j] = 1
			}
		}
		found[i], _, err = g.fromLabels(ctx, b, from, labels, Split{Second: true, Stability: -1})
		return err
	})
	if from != b.records {
		from.release()
	}
	if err != nil {
		return err
	}
	for _, c := range found {
		switch {
		case c == nil:
		case c.split.Gain > b.cut.split.Gain:
			c.split.Spectrum, c.split.Gap, c.split.Separation = b.cut.split.Spectrum, b.cut.split.Gap, b.cut.split.Separation
			g.discard(b.cut)
			b.cut = c
		default:
			g.discard(c)
		}
	}
	return nil
}

// below returns the sides of records under the cut of one side; ties for those that are not
// on it. Places rise.
func (c *cut) below(side int, places []int32) sides {
	inner, out := c.sides[side].cut.labels, make(sides, len(places))
	at, passed := 0, 0 // records, and those of the side: they are in the order of its branch
	for i, p := range places {
		passed += c.labels[at:p].count(uint8(side))
		at = int(p)
		out[i] = tie
		if int(c.labels[p]) == side {
			out[i] = inner[passed]
		}
	}
	return out
}

// discard gives back the memory of a cut that is not made.
func (g *builder) discard(c *cut) {
	if c == nil {
		return
	}
	g.labels.give(c.labels)
	for _, side := range c.sides {
		g.discard(side.cut)
		side.release()
	}
	c.labels, c.sides = nil, [2]*branch{}
}

// finish numbers the nodes, polishes the leaves and places the records.
func (g *builder) finish(ctx context.Context, root *branch, capped bool) (*Result, error) {
	t := &Tree{Spec: g.s.Spec, Vocab: g.s.Vocab, Capped: capped}
	res := &Result{Tree: t}
	var order []*branch
	var err error
	if f, ok := g.s.Family.(family.Grouped); ok && !g.s.NoRefine && g.s.steps() > 0 {
		order, err = g.refineAndAssign(ctx, f, root, t, res)
	} else {
		order = t.number(root)
		err = g.placedAsCut(ctx, t, order, res)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case g.table == nil:
		sum := leafSums{leaf: res.Leaf, nodes: len(t.Nodes), d: g.run.Dim(), values: !g.run.Can().Binary}
		state, err := pass.RunOne(ctx, g.run, sum)
		if err != nil {
			return nil, err
		}
		t.sized(sum.split(state))
	case t.Leaves == nil: // records lie as they were cut
		t.sized(g.countedAsCut(t, order))
	default:
		count, sums, err := g.countedLeaves(ctx, res.Leaf, len(t.Nodes))
		if err != nil {
			return nil, err
		}
		t.sized(count, sums, nil)
	}
	for _, b := range order {
		b.release()
	}
	if g.linear() {
		if res.Sure, err = g.sureOf(ctx, order, len(res.Leaf)); err != nil {
			return nil, err
		}
	}
	return res, t.largerFirst(ctx, g.s.Workers, g.s.Family, res.Leaf)
}

// sureOf returns how sure each of n records lies in its leaf, of linear rules: 1, and half of
// it for every rule on the way that leaves the record open.
func (g *builder) sureOf(ctx context.Context, order []*branch, n int) ([]float32, error) {
	sure := make([]float32, n)
	err := inBlocks(ctx, g.s.Workers, n, func(_, lo, n int) error {
		for i := range n {
			sure[lo+i] = 1
		}
		return nil
	})
	for _, b := range order {
		if len(b.kids) > 0 {
			for _, i := range b.cut.open {
				sure[i] *= openSure
			}
		}
	}
	return sure, err
}

// countedAsCut returns the records of every leaf, and how many of them have each feature, as they
// were counted while the tree grew.
func (g *builder) countedAsCut(t *Tree, order []*branch) (count []float64, sums, gone [][]float64) {
	count, sums = make([]float64, len(order)), make([][]float64, len(order))
	for i, b := range order {
		sums[i] = make([]float64, g.run.Dim())
		if t.Nodes[i].IsLeaf() {
			count[i] = float64(b.Len())
			copy(sums[i], b.records.(*counted).sums)
		}
	}
	return count, sums, nil
}

// countedLeaves returns what leafSums finds, of records that are counted: in whole numbers, so that
// every core may have a table of its own.
func (g *builder) countedLeaves(ctx context.Context, leaf []int32, nodes int) (count []float64, sums [][]float64, err error) {
	d, all := g.rows.Dim, &counted{scanned: &scanned{g: g, n: len(leaf)}}
	count, sums = make([]float64, nodes), make([][]float64, nodes)
	for l := range sums {
		sums[l] = make([]float64, d)
	}
	var mu sync.Mutex
	err = all.inParts(ctx, pairRecords, func(lo, n int) error {
		table := g.places.take(nodes * (d + 1))
		defer g.places.give(table)
		clear(table)
		for i := lo; i < lo+n; i++ {
			has := table[int(leaf[i])*(d+1):][:d+1]
			has[d]++
			for _, h := range g.rows.Index[g.rows.Ptr[i]:g.rows.Ptr[i+1]] {
				has[h]++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for l, sum := range sums {
			has := table[l*(d+1):][:d+1]
			count[l] += float64(has[d])
			for h := range sum {
				sum[h] += float64(has[h])
			}
		}
		return nil
	})
	return count, sums, err
}

// number lists the nodes, parents first, level by level below each other, and
// returns their branches.
func (t *Tree) number(root *branch) (order []*branch) {
	type item struct {
		b      *branch
		parent int
		level  int
		id     string
	}
	queue := []item{{root, -1, 0, "1"}}
	for len(queue) > 0 {
		it := queue[0]
		queue = queue[1:]
		i := len(t.Nodes)
		n := Node{ID: it.id, Parent: it.parent, Level: it.level}
		if it.b.cut != nil {
			s := it.b.cut.split
			if len(it.b.kids) == 0 {
				s.Refused = refusal(s)
			}
			n.Split = &s
		} else if it.b.refused != "" {
			n.Split = &Split{Refused: it.b.refused, Stability: -1}
		}
		t.Nodes = append(t.Nodes, n)
		order = append(order, it.b)
		if it.parent >= 0 {
			t.Nodes[it.parent].Children = append(t.Nodes[it.parent].Children, i)
		}
		for c, kid := range it.b.kids {
			queue = append(queue, item{kid, i, it.level + 1, childID(it.id, c)})
		}
	}
	return order
}

func refusal(s Split) string {
	if s.Gain <= s.Penalty {
		return "the records give no evidence of two groups"
	}
	return "the limit on the number of groups was reached"
}
