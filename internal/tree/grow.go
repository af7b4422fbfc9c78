package tree

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
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
	ahead   *branch // as it will be once it is split, where that is known
}

// cut is a split of a branch.
type cut struct {
	split  Split
	labels sides // of each own record of the branch
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
	if rows := run.Can().Rows; rows != nil {
		if err := rows.Check(); err != nil {
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

// grow splits leaves until the rule ends it; it reports whether the cap did.
func (g *builder) grow(ctx context.Context) (capped bool, err error) {
	most, isCap := g.s.mostLeaves()
	for {
		next := g.best(nil)
		if next == nil {
			return false, nil
		}
		if len(g.open) >= most {
			return isCap, nil
		}
		progress.Report(ctx, progress.Event{Step: "splitting", Done: int64(len(g.open)), Total: int64(most), Unit: "groups"})
		if err := g.prepare(ctx, next, most-len(g.open)); err != nil {
			return false, err
		}
		g.expand(next)
	}
}

// prepare finds out what the next leaf, and on several cores the one behind it,
// will be once they are split. left is the number of splits to come: the second
// is split as well, sooner or later, if there is evidence for it, unless the
// children of the first use them up. What it will be does not depend on when
// that is found out.
func (g *builder) prepare(ctx context.Context, next *branch, left int) error {
	if next.ahead != nil {
		return nil
	}
	list := []*branch{next}
	if par.Workers(g.abreast()) > 1 && left > surelySplit {
		if b := g.best(next); b != nil && b.ahead == nil && b.cut.split.Gain > b.cut.split.Penalty {
			list = append(list, b)
		}
	}
	return par.Do(ctx, g.abreast(), len(list), func(i int) error {
		b := list[i]
		then := *b
		if err := g.considerSides(ctx, &then); err != nil {
			return err
		}
		if err := g.reconsider(ctx, &then); err != nil {
			return err
		}
		b.ahead = &then
		return g.considerSides(ctx, &then)
	})
}

// surelySplit is the number of splits to come above which the second leaf is
// prepared together with the first.
const surelySplit = 2

// best returns the open leaf, another than the one given, whose split gains
// most, or nil when none may be split.
func (g *builder) best(but *branch) *branch {
	var best *branch
	for _, b := range g.open {
		if b == but || b.cut == nil || (g.s.byItself() && b.cut.split.Gain <= b.cut.split.Penalty) {
			continue
		}
		if g.s.Levels > 0 && b.level >= g.s.Levels {
			continue
		}
		if best == nil || b.cut.split.Gain > best.cut.split.Gain {
			best = b
		}
	}
	return best
}

// expand turns a leaf that was prepared into an inner node.
func (g *builder) expand(b *branch) {
	*b = *b.ahead
	larger, smaller := b.cut.sides[0], b.cut.sides[1]
	b.kids = []*branch{larger, smaller}
	for _, k := range b.kids {
		k.level = b.level + 1
	}
	b.release()
	g.labels.give(b.cut.labels)
	b.cut.labels = nil
	for i, o := range g.open {
		if o == b {
			g.open[i] = larger
			break
		}
	}
	g.open = append(g.open, smaller)
}

// considerSides looks for the best splits of both sides of a branch's cut.
func (g *builder) considerSides(ctx context.Context, b *branch) error {
	if err := b.share(ctx, [2]records{b.cut.sides[0].records, b.cut.sides[1].records}); err != nil {
		return err
	}
	return par.Do(ctx, g.abreast(), 2, func(i int) error { return g.consider(ctx, b.cut.sides[i]) })
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

// reconsider looks at a split again after its children were split: where a
// child gains more than its parent did, one of the grandchildren may have been
// the better first cut. A tree of linear rules has none: a union of
// grandchildren is no rule.
func (g *builder) reconsider(ctx context.Context, b *branch) error {
	if g.linear() {
		return nil
	}
	worst := -1
	for j, side := range b.cut.sides {
		if side.cut != nil && side.cut.split.Gain > b.cut.split.Gain && (worst < 0 || side.cut.split.Gain > b.cut.sides[worst].cut.split.Gain) {
			worst = j
		}
	}
	if worst < 0 {
		return nil
	}
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
	res := &Result{Tree: t, Leaf: make([]int32, g.run.Can().Own)}
	var order []*branch
	var err error
	if f, ok := g.s.Family.(family.Grouped); ok && !g.s.NoRefine && g.s.steps() > 0 {
		order, err = g.refineAndAssign(ctx, f, root, t, res)
	} else {
		order, err = g.placedAsCut(ctx, root, t, res)
	}
	if err != nil {
		return nil, err
	}
	if !g.sizedAsCut(t, order) {
		sum := leafSums{leaf: res.Leaf, nodes: len(t.Nodes), d: g.run.Dim(), values: !g.run.Can().Binary}
		state, err := pass.RunOne(ctx, g.run, sum)
		if err != nil {
			return nil, err
		}
		t.sized(sum.split(state))
	}
	for _, b := range order {
		b.release()
	}
	if g.linear() {
		res.Sure = make([]float32, len(res.Leaf))
		if err := inBlocks(ctx, g.s.Workers, len(res.Sure), func(_, lo, n int) error {
			for i := range n {
				res.Sure[lo+i] = 1
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return res, t.largerFirst(ctx, g.s.Workers, g.s.Family, res.Leaf)
}

// sizedAsCut sets sizes and centers by what was counted while the tree grew, where the records
// lie as they were cut; it reports whether they do.
func (g *builder) sizedAsCut(t *Tree, order []*branch) bool {
	if g.table == nil || t.Leaves != nil {
		return false
	}
	count, sums := make([]float64, len(order)), make([][]float64, len(order))
	for i, b := range order {
		sums[i] = make([]float64, g.run.Dim())
		if t.Nodes[i].IsLeaf() {
			count[i] = float64(b.Len())
			copy(sums[i], b.records.(*counted).sums)
		}
	}
	t.sized(count, sums, nil)
	return true
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
