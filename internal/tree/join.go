package tree

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Again are two other groupings of some of the records, each by the numbers of
// the groups: what is found again of them tells how steady each split is.
type Again struct {
	Records []int
	Group   [2][]int
}

// Joined builds the hierarchy over known groups from below: of all pairs the one
// is joined that loses least, the log-likelihood of its records being that
// under one center instead of two. Groups that were cut from others (see
// Settings.Cut) are joined with these first, the last one cut first, and their
// splits are marked as finer. Records are placed by the mixture of the groups.
// Groups of binary records, answers, counts, copies, words or measurements.
func Joined(ctx context.Context, run pass.Runner, s Settings, groups mixture.Params, again Again) (*Result, error) {
	h, err := Join(ctx, run, s, groups)
	if err != nil {
		return nil, err
	}
	return h.Steadied(ctx, run, again)
}

// Hierarchy is what Joined builds before it is asked how steady the splits are.
type Hierarchy struct{ result *Result }

// Join builds the hierarchy over known groups and places the records.
func Join(ctx context.Context, run pass.Runner, s Settings, groups mixture.Params) (*Hierarchy, error) {
	var size []int
	var err error
	if run.Can().Places == 1 {
		// The weights tell how large groups are, but for near equals and for groups that
		// hold nobody: records are placed again only where they told it wrong.
		var out *Result
		if out, size, err = joinedBy(ctx, run, s, groups, nil, groups.Weights); err != nil || size == nil {
			return &Hierarchy{result: out}, err
		}
	} else if size, err = sizes(ctx, run, s.Family, groups); err != nil {
		return nil, err
	}
	var kept []int
	if len(s.Cut) == 0 {
		groups, size, kept = filled(s.Family, groups, size)
	}
	out, _, err := joinedBy(ctx, run, s, groups, kept, size)
	return &Hierarchy{out}, err
}

// Steadied returns the hierarchy with the stability of every split.
func (h *Hierarchy) Steadied(ctx context.Context, run pass.Runner, again Again) (*Result, error) {
	return h.result, h.result.steadied(ctx, run, again)
}

// joinedBy joins groups, whose numbers are kept or nil for all, and places the records, the
// child that is larger by some measure of the groups first. Where the records say otherwise, or leave a group empty, it returns
// how many each group has.
func joinedBy[N int | float64](ctx context.Context, run pass.Runner, s Settings, groups mixture.Params, kept []int, size []N) (*Result, []int, error) {
	own := lawOf(s.Family, groups)
	var root *joint
	var room places
	par.Together(s.Workers,
		func() { root = join(groups, s.Cut, own, s.Workers) },
		func() { room = newPlaces(run) })
	largerFirst(root, size)
	t := &Tree{Spec: s.Spec, Vocab: s.Vocab}
	order, finer := t.numberJoined(root)
	leaves := s.Family.Reorder(groups, order)
	t.Leaves = &leaves
	for i := range t.Nodes {
		if !t.Nodes[i].IsLeaf() {
			t.Nodes[i].Split = &Split{Stability: -1, Pair: t.pair(i), Finer: finer[i]}
		}
	}
	numbers := order
	if kept != nil {
		numbers = make([]int, len(order))
		for j, g := range order {
			numbers[j] = kept[g]
		}
	}
	out, err := t.placedJoined(ctx, run, s, room, numbers)
	if err != nil {
		return nil, nil, err
	}
	if !s.Outline {
		err = par.Do(ctx, s.Workers, len(t.Nodes), func(i int) error {
			if !t.Nodes[i].IsLeaf() {
				t.measure(i, s.Family, own)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	out.Groups = numbers
	found, empty := make([]int, groups.K()), false
	for j, l := range t.Leaf() {
		found[order[j]] = t.Nodes[l].N
		empty = empty || t.Nodes[l].N == 0
	}
	if _, swapped := largerFirst(root, found); swapped || empty && len(s.Cut) == 0 {
		return out, found, nil
	}
	return out, nil, nil
}

// placedJoined places the records by what was known of them before, or by the groups.
func (t *Tree) placedJoined(ctx context.Context, run pass.Runner, s Settings, room places, groups []int) (*Result, error) {
	if s.Known != nil {
		return t.placed(ctx, run, t.placedBefore(s.Known, groups), room, s.Outline)
	}
	place, err := t.placer(s.Family)
	if err != nil {
		return nil, err
	}
	return t.placed(ctx, run, place, room, s.Outline)
}

// sizes counts the records of every group, wherever they are.
func sizes(ctx context.Context, run pass.Runner, f family.Family, groups mixture.Params) ([]int, error) {
	placed, err := assign.All(ctx, f, groups, run)
	if err != nil {
		return nil, err
	}
	own := make([]float64, groups.K())
	for _, g := range placed.Group {
		own[g]++
	}
	all, err := run.Total(ctx, own)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(all))
	for g, n := range all {
		out[g] = int(n)
	}
	return out, nil
}

// filled leaves out groups that hold nobody, and returns the numbers of those that are left; nil
// where all are.
func filled(f family.Family, p mixture.Params, size []int) (mixture.Params, []int, []int) {
	var keep, sizes []int
	for g, n := range size {
		if n > 0 {
			keep, sizes = append(keep, g), append(sizes, n)
		}
	}
	if len(keep) == p.K() || len(keep) == 0 {
		return p, size, nil
	}
	q := f.Reorder(p, keep)
	total := 0.0
	for _, w := range q.Weights {
		total += w
	}
	for j := range q.Weights {
		q.Weights[j] /= total
	}
	return q, sizes, keep
}

// joint is a group, or two that were joined.
type joint struct {
	group  int // −1 where two were joined
	finer  bool
	kids   [2]*joint
	weight float64
	center []float64
	spread float64 // weight times entropy
}

// join joins groups until one is left; cut names, for the last groups, the one
// that each was cut from.
func join(p mixture.Params, cut []int, own law, workers int) *joint {
	open, loss := single(p, own), newLosses(own)
	whole := len(open) - len(cut)
	for i := len(cut) - 1; i >= 0; i-- {
		both := loss.joined(open[cut[i]], open[whole+i])
		both.finer = true
		open[cut[i]] = both
	}
	open = open[:whole]
	loss.ofAll(open, workers)
	for len(open) > 1 {
		least, a, b := math.Inf(1), 0, 1
		for i := range open {
			for j := i + 1; j < len(open); j++ {
				if l := loss.of(open[i], open[j]); l < least {
					least, a, b = l, i, j
				}
			}
		}
		both := loss.joined(open[a], open[b])
		open = append(slices.Delete(slices.Clone(open), b, b+1), both)
		open = slices.Delete(open, a, a+1)
	}
	return open[0]
}

// single are groups that were not joined yet.
func single(p mixture.Params, own law) []*joint {
	out := make([]*joint, p.K())
	for j := range out {
		out[j] = &joint{group: j, weight: max(p.Weights[j], math.SmallestNonzeroFloat64), center: mat.Col(nil, j, p.Centers)}
		out[j].spread = out[j].weight * own.entropy(out[j].center)
	}
	return out
}

// largerFirst puts the larger child first, and returns the size of all, and whether
// children have changed places.
func largerFirst[N int | float64](j *joint, size []N) (all N, swapped bool) {
	if j.group >= 0 {
		return size[j.group], false
	}
	a, first := largerFirst(j.kids[0], size)
	b, second := largerFirst(j.kids[1], size)
	if b > a {
		j.kids[0], j.kids[1] = j.kids[1], j.kids[0]
	}
	return a + b, first || second || b > a
}

// losses tells what joining two groups costs, each pair looked at once: which two lose least is
// asked again after every joining, and only pairs with what was joined are new then.
type losses struct {
	own   law
	known map[[2]*joint]float64
}

func newLosses(own law) *losses { return &losses{own: own, known: map[[2]*joint]float64{}} }

// of is the loss of two groups, in nats for each record of all.
func (l *losses) of(a, b *joint) float64 {
	pair := [2]*joint{a, b}
	v, ok := l.known[pair]
	if !ok {
		v = l.fresh(a, b)
		l.known[pair] = v
	}
	return v
}

// fresh is of without a look at what is known.
func (l *losses) fresh(a, b *joint) float64 {
	center := make([]float64, len(a.center))
	weight := middle(center, a, b)
	return weight*l.own.entropy(center) - a.spread - b.spread
}

// ofAll looks at all pairs of groups side by side: two logarithms for every feature of each.
func (l *losses) ofAll(open []*joint, workers int) {
	var pairs [][2]*joint
	for i, a := range open {
		for _, b := range open[i+1:] {
			pairs = append(pairs, [2]*joint{a, b})
		}
	}
	out := make([]float64, len(pairs))
	_ = par.Do(context.Background(), workers, len(pairs), func(i int) error { // nothing fails
		out[i] = l.fresh(pairs[i][0], pairs[i][1])
		return nil
	})
	for i, pair := range pairs {
		l.known[pair] = out[i]
	}
}

func (l *losses) joined(a, b *joint) *joint {
	out := &joint{group: -1, kids: [2]*joint{a, b}, center: make([]float64, len(a.center))}
	out.weight = middle(out.center, a, b)
	out.spread = out.weight * l.own.entropy(out.center)
	return out
}

// middle sets center to that of two groups, and returns their weight.
func middle(center []float64, a, b *joint) float64 {
	weight := a.weight + b.weight
	for h := range center {
		center[h] = (a.weight*a.center[h] + b.weight*b.center[h]) / weight
	}
	return weight
}

// numberJoined lists the nodes level by level, as number does, and returns the
// groups of the leaves from left to right.
func (t *Tree) numberJoined(root *joint) (groups []int, finer []bool) {
	type item struct {
		*joint
		parent, level int
		id            string
	}
	of := map[int]int{} // of every leaf: its group
	queue := []item{{root, -1, 0, "1"}}
	for len(queue) > 0 {
		it := queue[0]
		queue = queue[1:]
		i := len(t.Nodes)
		t.Nodes = append(t.Nodes, Node{ID: it.id, Parent: it.parent, Level: it.level})
		finer = append(finer, it.finer)
		if it.parent >= 0 {
			t.Nodes[it.parent].Children = append(t.Nodes[it.parent].Children, i)
		}
		if it.group >= 0 {
			of[i] = it.group
			continue
		}
		for c, kid := range it.kids {
			queue = append(queue, item{kid, i, it.level + 1, childID(it.id, c)})
		}
	}
	for _, l := range t.Leaf() {
		groups = append(groups, of[l])
	}
	return groups, finer
}

// pair returns the mixture of the two sides of a node.
func (t *Tree) pair(node int) *mixture.Params {
	at := map[int]int{}
	for j, l := range t.Leaf() {
		at[l] = j
	}
	d := t.Leaves.Dim()
	centers, weights := mat.NewDense(d, 2, nil), make([]float64, 2)
	for side, child := range t.Nodes[node].Children {
		sum := make([]float64, d)
		t.walk(child, func(i int) {
			if j, ok := at[i]; ok {
				w := max(t.Leaves.Weights[j], math.SmallestNonzeroFloat64)
				weights[side] += w
				for h := range sum {
					sum[h] += w * t.Leaves.Centers.At(h, j)
				}
			}
		})
		for h := range sum {
			centers.Set(h, side, sum[h]/weights[side])
		}
	}
	total := weights[0] + weights[1]
	p := mixture.New(centers, []float64{weights[0] / total, weights[1] / total})
	return &p
}

// measure sets the evidence of a split from the records of its sides.
func (t *Tree) measure(node int, f family.Family, own law) {
	n := &t.Nodes[node]
	s := *n.Split
	var columns [2]columnStats
	size := float64(n.N)
	s.Gain = size * own.entropy(n.Center)
	for side, child := range n.Children {
		kid := &t.Nodes[child]
		k := float64(kid.N)
		s.Sizes[side] = kid.N
		s.Gain -= k * own.entropy(kid.Center)
		if kid.N > 0 {
			s.Gain += k * math.Log(k/size)
		}
		columns[side] = columnStats{kid.Center, make([]float64, len(kid.Center))}
		for h, p := range kid.Center {
			columns[side].variance[h] = own.variance(h, p)
		}
	}
	s.Features = differences(s.Sizes, columns)
	s.Penalty = float64(f.FreeParameters(f.Reorder(*t.Leaves, []int{0})) + 1)
	n.Split = &s
}

// steadied sets the stability of every split: the agreement of the sides of its
// records by the two other groupings, wherever the records are.
func (r *Result) steadied(ctx context.Context, run pass.Runner, again Again) error {
	if again.Group[0] == nil || again.Group[1] == nil {
		return nil
	}
	const sides = 3 // neither, first, second
	t := r.Tree
	leaf := slices.Repeat([]int{-1}, slices.Max(r.Groups)+1) // of every group that holds somebody
	for at, l := range t.Leaf() {
		leaf[r.Groups[at]] = l
	}
	counts := make([]float64, len(t.Nodes)*sides*sides)
	for i := range t.Nodes {
		if t.Nodes[i].IsLeaf() || t.Nodes[i].Split.Finer {
			continue
		}
		under := t.Under(t.Nodes[i].Children) // 0, 1, or −1 for other nodes
		for at, rec := range again.Records {
			if under[r.Leaf[rec]] < 0 {
				continue
			}
			var side [2]int
			for h := range side {
				if g := again.Group[h][at]; g >= 0 && g < len(leaf) && leaf[g] >= 0 {
					side[h] = under[leaf[g]] + 1
				}
			}
			counts[(i*sides+side[0])*sides+side[1]]++
		}
	}
	counts, err := run.Total(ctx, counts)
	if err != nil {
		return err
	}
	for i := range t.Nodes {
		table, n := make([][]int, sides), 0
		for at, v := range counts[i*sides*sides:][:sides*sides] {
			table[at/sides] = append(table[at/sides], int(v))
			n += int(v)
		}
		if n >= leastShared {
			split := *t.Nodes[i].Split
			split.Stability = agree.Counted(table).ARI()
			t.Nodes[i].Split = &split
		}
	}
	return nil
}
