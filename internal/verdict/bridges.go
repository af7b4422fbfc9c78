package verdict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/stream"
)

// Groups that differ by degree in ways of their own, as classes of a survey do whose
// members lean to the middle or to the ends of every scale, are cut into slices by any
// line that all groups share. Slices leave no gap between them: records that were kept
// aside lie along the log-odds of one against the other in one heap. Such groups are
// joined, and each of those that are left is described as one population with lines of
// its own, which costs about as much as the slices do. Where that describes records kept
// aside not clearly worse, the slices were none; groups that only overlap stay, since
// lines do not describe them.

const (
	noGap      = .9 // density at the border over that of the lower heap from which there is no gap
	nearBorder = 1  // nats: records at the border
)

// bridges tries groups with lines of their own in the place of those without a gap
// between them, the fewest first. Every fold joins its own groups by the records kept
// aside from it: slices need not be the same ones in all. It looks at records one by one,
// and is left out where these lie at several places.
func (j *judge) bridges(ctx context.Context) error {
	claim := j.decide()
	if j.places != nil || claim.groups < 3 || claim.kind == twoHeaps || claim.repeated != noRepeats {
		return nil
	}
	all := make([]*borders, len(j.folds))
	if err := j.each(ctx, func(i int) { all[i] = j.folds[i].bordersBy(j.folds[i].path.at(claim).copied(), j.share()) }); err != nil {
		return err
	}
	fewest := fewestOf(all)
	for i, f := range j.folds {
		for k := fewest; k < claim.groups; k++ {
			f.path.guide[k] = all[i].joined(k)
		}
	}
	for k := fewest; k < claim.groups; k++ {
		for _, kind := range []continuum{ownLine, ownLines} {
			c := candidate{k, kind, noRepeats}
			if kind == ownLines && !j.secondInReach(k) {
				continue
			}
			if ok, err := j.tryNear(ctx, c, linesTimes); err != nil || !ok {
				return err
			}
			if top, _ := j.best(func(candidate) bool { return true }); j.scores[c] != nil && !j.against(top, c).clear() {
				return nil
			}
		}
	}
	return nil
}

// secondInReach reports that second lines of their own may bring groups near the best of
// all where first ones did not: lines are found by how much they explain, so that second
// ones add no more than the first did to groups without any.
func (j *judge) secondInReach(k int) bool {
	f, b := j.folds[0], j.bars(1)
	one, flat := f.path.fits[candidate{k, ownLine, noRepeats}], f.path.fits[candidate{k, none, noRepeats}]
	if b == nil || one == nil || flat == nil || j.scores[candidate{k, ownLine, noRepeats}] != nil {
		return true
	}
	gain, with, without := 0.0, one.score(f.test, &f.st), flat.score(f.test, &f.st)
	for i, v := range with {
		gain += f.test.count[i] * (v - without[i])
	}
	return b[0].above(with) <= one.left+max(gain+one.left, 0)
}

// borders are what lies between the groups of a fit.
type borders struct {
	groups int
	joins  [][2]int // groups in the order in which they are joined
	open   int      // how many of these have no gap between them
	rows   []int    // the group of every row that was fitted
}

// fewestOf is the number of groups that are left where those without a gap between them are
// joined, in the fold with the fewest.
func fewestOf(all []*borders) int {
	fewest := all[0].groups
	for _, b := range all {
		fewest = min(fewest, b.groups-b.open)
	}
	return max(fewest, 2)
}

// bordersBy looks at the borders between the groups of a model of its own: the records kept
// aside, along the log-odds of one group against another.
func (f *fold) bordersBy(m *model, w team) *borders {
	st, k := &stats{}, m.groups
	out := &borders{groups: k, rows: m.labels(f.path.s, st)}
	post, q := m.posterior(f.test, st), m.nodes.q()
	o := &odds{k: k, of: make([]float64, f.test.rows()*k), top: make([]int, f.test.rows()), count: f.test.count}
	for r := range o.top {
		row := o.of[r*k:][:k]
		for g := range row {
			sum := 0.0
			for _, v := range post[r*m.components()+g*q:][:q] {
				sum += v
			}
			row[g] = math.Log(sum + 1e-300)
		}
		o.top[r] = slices.Index(row, slices.Max(row))
	}
	out.joins, out.open = o.joins(f.path.seed, w)
	return out
}

// odds are the log shares of records in groups.
type odds struct {
	k     int
	of    []float64 // rows×k
	top   []int
	count []float64
}

// joins returns pairs of groups in the order in which they are joined, and how many of
// them have no gap between them: these first, those with the most records at their border
// before others. Pairs that are joined already through others are left out.
func (o *odds) joins(seed uint64, w team) (pairs [][2]int, open int) {
	type pair struct {
		of     [2]int
		bridge bool
		share  float64
	}
	var list []pair
	for g := range o.k {
		for h := range g {
			list = append(list, pair{of: [2]int{g, h}})
		}
	}
	w.parts(len(list), len(list)*len(o.top)*10, func(from, to int) {
		for i := from; i < to; i++ {
			p := &list[i]
			p.bridge, p.share = o.border(p.of[0], p.of[1], seed)
		}
	})
	slices.SortStableFunc(list, func(a, b pair) int {
		if a.bridge != b.bridge {
			return boolInt(b.bridge) - boolInt(a.bridge)
		}
		return cmp.Compare(b.share, a.share)
	})
	root := rootsOf(o.k)
	for _, p := range list {
		if a, b := root[p.of[0]], root[p.of[1]]; a != b {
			pairs = append(pairs, p.of)
			open += boolInt(p.bridge)
			root.join(a, b)
		}
	}
	return pairs, open
}

// border reports that there is no gap between two groups, and how many records lie at
// their border, over those of the smaller one.
func (o *odds) border(g, h int, seed uint64) (bridge bool, share float64) {
	var at []float64
	var upper []bool
	size, near := [2]float64{}, 0.0
	for r, top := range o.top {
		if top != g && top != h {
			continue
		}
		v := o.of[r*o.k+g] - o.of[r*o.k+h]
		size[boolInt(top == g)] += o.count[r]
		if math.Abs(v) < nearBorder {
			near += o.count[r]
		}
		for range int(o.count[r]) {
			at, upper = append(at, v), append(upper, top == g)
		}
	}
	if near == 0 || min(size[0], size[1]) == 0 {
		return false, 0
	}
	share = near / min(size[0], size[1])
	list := inOrder(at, upper)
	if lower, higher := list.sides(); fewNear*near < noGap*2*nearBorder*min(heapHeight(lower), heapHeight(higher)) {
		return false, share
	}
	return list.gapless(noGap, seed), share
}

// fewNear is how many times fewer records than between heaps without a gap lie at a border
// where there surely is one: of a dozen, three or less come once in two thousand times.
const fewNear = 4

// heapHeight is what the highest density of sorted places comes to at least: that of the
// middle half of them, if it were the same everywhere.
func heapHeight(at []float64) float64 {
	return .5 * float64(len(at)) / max(quantile(at, .75)-quantile(at, .25), math.SmallestNonzeroFloat64)
}

// roots are sets of groups that are joined.
type roots []int

func rootsOf(k int) roots {
	out := make(roots, k)
	for i := range out {
		out[i] = i
	}
	return out
}

func (r roots) join(a, b int) {
	for i := range r {
		if r[i] == a {
			r[i] = b
		}
	}
}

// joined returns the groups of the fitted rows, joined until so many are left.
func (b *borders) joined(k int) []int {
	root := rootsOf(b.groups)
	for _, p := range b.joins[:b.groups-k] {
		root.join(root[p[0]], root[p[1]])
	}
	kept := slices.Compact(slices.Sorted(slices.Values(root)))
	out := make([]int, len(b.rows))
	for i, g := range b.rows {
		out[i], _ = slices.BinarySearch(kept, root[g])
	}
	return out
}

// fitOwn fits groups with lines of their own: each begins as one population of the rows
// that it has by the guide.
func (p *path) fitOwn(c candidate) *model {
	labels := p.guide[c.groups]
	if labels == nil {
		return nil
	}
	one := oneTrend
	if c.kind == ownLines {
		one = twoTrends
	}
	n := shapesOf(c.kind)[0]
	m := newModel(p.lay, c.groups, c.kind, n, nil)
	width, few := n.dims*p.lay.cols, make([]bool, c.groups)
	_ = par.Do(context.Background(), max(p.workers, 1), c.groups, func(g int) error { // nothing fails
		part := p.s.only(func(i int) bool { return labels[i] == g })
		if few[g] = part.n < leastGroup; few[g] {
			return nil
		}
		t := &trainer{lay: p.lay, s: part, pr: prior{p.pr.alpha, p.lay.overall(part, nil)}, pulse: p.pulse}
		r := stream.New(p.seed, fmt.Sprintf("verdict/%s/own/%d/%d/%d", p.name, c.groups, c.kind.draw(), g))
		alone := t.em(t.alone(one, n, r), part, shortSteps, 0)
		copy(m.group(g), alone.b)
		copy(m.a[g*width:][:width], alone.a)
		m.pi[g] = part.n / p.s.n
		return nil
	})
	if slices.Contains(few, true) {
		return nil
	}
	return p.em(m, p.s, mostSteps, enough)
}

// only returns the rows that pass.
func (s *sample) only(pass func(i int) bool) *sample {
	out := &sample{ptr: []int{0}, cols: s.cols, equal: s.equal}
	for i, c := range s.count {
		if pass(i) {
			out.index = append(out.index, s.row(i)...)
			out.ptr, out.count, out.n = append(out.ptr, len(out.index)), append(out.count, c), out.n+c
		}
	}
	return out
}
