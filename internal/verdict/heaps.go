package verdict

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
)

// pieces are the components of the best description of the records, from which
// heaps are joined: a mixture alone says nothing of groups, since more
// components describe anything better that is not exactly of the family.
type pieces struct {
	k    int
	held []float64 // n×k: log(weight·density) by a fit that did not see the record
	// of every component: its share of the records, and how wide it is
	weight, width []float64
	dims          int       // columns
	post          []float64 // n×k: shares by the fit of all records
	// line is the place of all records along the line that tells the components in a from
	// those in b, found without the record; some columns may be left out of it.
	line func(a, b []int, without []bool) []float64
	// rests says whether a border rests on a few columns of few values, and if so, whether
	// on them alone; nil where all have many.
	rests func(a, b []int) (few, alone bool)
	few   []bool // columns of few values
	// alike reports that two components differ in one column of few values alone: no
	// cut goes between them. nil where all have many.
	alike  func(a, b int) bool
	seed   uint64
	places *strand // nil where all records are here

	top     []int     // best component of every record, kept aside
	edges   [][]int   // sets of components that joins made
	overlap []float64 // k×k: what two components share, over the smaller
	mu      sync.Mutex
	near    map[[2]int]float64 // depth of the valley between two components
}

// parting is a split of components into two sides, as the records see it.
type parting struct {
	valley
	sides  [2][]int
	n      int  // records of the node
	strays bool // few records far from the others, which no valley can show
}

// When a split is claimed, and when it is only likely.
const (
	leastNats  = 3   // odds of 20 to 1
	halfError  = .5  // standard errors, at least
	deepest    = .5  // density at the border over that of the lower top, at most
	halfDeep   = .25 // depth above which a claimed split without clear evidence may be none
	leastSide  = 5   // records on either side
	likelyNats = 1   // from which a shallower split is likely
	shallow    = .6  // depth of such a split, at most
	hinted     = .8  // depth below which a refused split leaves a doubt
	fewInNode  = 250 // records that cannot show a shallow valley
	bridgeMost = .6  // depth between two neighbours from which they are joined
	veilMost   = .9  // the same below which they may be two groups that overlap
	fewStrays  = 20  // records that are too few for a heap of their own
	farOff     = 5   // deviations along the line that tells the sides apart
)

func (p *parting) score() float64 { return p.Nats - halfError*p.Error }

func (p *parting) claimed() bool {
	return p.Nats >= leastNats && p.score() > 0 && p.depth <= deepest
}

// likely reports a split that more records may show.
func (p *parting) likely() bool {
	few := p.n < fewInNode && p.depth <= hinted
	return (p.depth <= deepest || few) && p.Nats > -p.Error-likelyNats || p.depth <= shallow && p.Nats >= likelyNats
}

// better prefers a split that is claimed to one that is likely, that to any
// other, and the one with more evidence among equals.
func (p *parting) better(o *parting) bool {
	switch a, b := p.claimed(), o.claimed(); {
	case a != b:
		return a
	case !a && p.likely() != o.likely():
		return p.likely()
	}
	return p.score() > o.score()
}

// sure reports evidence of two standard errors.
func (p *parting) sure() bool { return p.claimed() && p.Nats >= clearErrors*p.Error }

// heap is a node of the tree of claimed splits.
type heap struct {
	of     []int    // components
	split  *parting // claimed, nil for a group
	rest   *parting // the best split that was refused, nil where there was none
	kids   [2]*heap
	likely int     // groups that likely splits inside would add
	by     *pieces // of the uppermost node
}

// heaps cuts the components, from all of them down, wherever records that were
// kept aside show a valley.
func (p *pieces) heaps(ctx context.Context, workers int) (*heap, error) {
	all := make([]int, p.k)
	for i := range all {
		all[i] = i
	}
	p.top, p.edges = p.tops(), p.joins()
	h, err := p.cut(ctx, all, p.edges, workers, true, p.places)
	if h != nil {
		h.by = p
	}
	return h, errors.Join(err, p.places.failed())
}

// upTo returns the number of groups that can be defended: those of the claim, those that
// likely splits would add, and those that overlap. A refused split leaves a doubt where its
// valley is no fuller than hinted; and on the line that tells all of one side from all of the
// other a third cloud may fill the valley, so that a group is also looked at between clouds
// that meet. A bent, skewed or flat population shows no valley there.
func (h *heap) upTo() int {
	p := h.by
	var leaves []*heap
	h.each(func(leaf *heap) { leaves = append(leaves, leaf) })
	depth := func(pair [2]int) float64 { return p.between(pair, nil) }
	if p.places != nil { // all at once, in step with the other places
		var list [][2]int
		for _, leaf := range leaves {
			list = append(list, p.meeting(leaf.of)...)
		}
		known := make([]float64, len(list))
		p.places.each(len(list), func(i int, own *strand) { known[i] = p.between(list[i], own) })
		depth = func(pair [2]int) float64 { return known[slices.Index(list, pair)] }
	}
	total := 0
	for _, leaf := range leaves {
		n := 0
		if r := leaf.rest; r != nil && (r.depth <= hinted || r.likely()) {
			n = p.veiled(r.sides[0], depth) + p.veiled(r.sides[1], depth)
		} else {
			n = p.veiled(leaf.of, depth)
		}
		total += max(n, 1+leaf.likely)
	}
	return total
}

// veiled returns the number of groups that may overlap in a node: it falls into two sides
// that have a valley, be it a shallow one, wherever they meet, and so do the sides. Of
// several splits the one whose fullest valley is the emptiest is taken.
func (p *pieces) veiled(node []int, depth func(pair [2]int) float64) int {
	least, best := veilMost, [2][]int{}
	for _, split := range candidates(node, p.edges) {
		near := p.neighbours(split)
		fullest := 0.0
		for _, pair := range near {
			if pair[0] > pair[1] {
				pair = [2]int{pair[1], pair[0]}
			}
			fullest = max(fullest, depth(pair))
		}
		if len(near) > 0 && (fullest < least || best[0] == nil && fullest <= least) {
			least, best = fullest, split
		}
	}
	if best[0] == nil {
		return 1
	}
	return p.veiled(best[0], depth) + p.veiled(best[1], depth)
}

// each visits the groups.
func (h *heap) each(visit func(leaf *heap)) {
	if h.split == nil {
		visit(h)
		return
	}
	for _, k := range h.kids {
		k.each(visit)
	}
}

// cut cuts a node; firm says that its own border is claimed and not only likely.
func (p *pieces) cut(ctx context.Context, node []int, edges [][]int, workers int, firm bool, own *strand) (*heap, error) {
	h := &heap{of: node}
	best, err := p.best(ctx, node, edges, workers, own)
	if err != nil || best == nil {
		return h, err
	}
	claimed := firm && best.claimed()
	if !claimed && !best.likely() {
		h.rest = best
		if best.strays {
			h.likely = 1
		}
		return h, nil
	}
	var failed [2]error
	own.each(len(best.sides), func(i int, own *strand) {
		h.kids[i], failed[i] = p.cut(ctx, best.sides[i], edges, workers, claimed, own)
	})
	if err := errors.Join(failed[:]...); err != nil {
		return nil, err
	}
	if claimed {
		h.split = best
		h.likely = h.kids[0].likely + h.kids[1].likely
		return h, nil
	}
	h.rest, h.likely = best, 1+h.kids[0].likely+h.kids[1].likely
	h.kids = [2]*heap{}
	return h, nil
}

// groups returns the components of every group.
func (h *heap) groups() [][]int {
	var out [][]int
	h.each(func(leaf *heap) { out = append(out, leaf.of) })
	return out
}

// splits lists the claimed splits from the top, then the best refused ones.
func (h *heap) splits() (claimed, refused []*parting) {
	if h.split == nil {
		if h.rest != nil {
			refused = append(refused, h.rest)
		}
		return nil, refused
	}
	claimed = append(claimed, h.split)
	for _, k := range h.kids {
		c, r := k.splits()
		claimed, refused = append(claimed, c...), append(refused, r...)
	}
	return claimed, refused
}

// tops returns the best component of every record, kept aside.
func (p *pieces) tops() []int {
	out := make([]int, len(p.held)/p.k)
	for i := range out {
		row := p.held[i*p.k:][:p.k]
		for j, v := range row {
			if v > row[out[i]] {
				out[i] = j
			}
		}
	}
	return out
}

// joins joins the two components, again and again, that overlap most, and
// returns the sets that were joined: where any of them could be cut off. What two of
// them share is a sum of products of shares.
func (p *pieces) joins() [][]int {
	k := p.k
	both, size := make([]float64, k*k), make([]float64, k)
	for post := p.post; len(post) > 0; post = post[k:] {
		for a, v := range post[:k] {
			size[a] += v
			if v == 0 {
				continue
			}
			for b, w := range post[:a] {
				both[a*k+b] += v * w
			}
		}
	}
	p.places.add(both, size)
	for a := range k {
		for b := range a {
			both[b*k+a] = both[a*k+b]
		}
	}
	p.overlap = make([]float64, k*k)
	for i, v := range both {
		p.overlap[i] = v / max(1e-9, min(size[i/k], size[i%k]))
	}
	type set struct {
		of  []int
		sum float64
	}
	var open []set
	for j := range k {
		own := set{[]int{j}, size[j]}
		open = slices.DeleteFunc(open, func(s set) bool {
			same := p.alike != nil && slices.ContainsFunc(s.of, func(other int) bool { return p.alike(other, j) })
			if same {
				own = set{append(own.of, s.of...), own.sum + s.sum}
			}
			return same
		})
		slices.Sort(own.of)
		open = append(open, own)
	}
	shared := func(x, y set) float64 {
		sum := 0.0
		for _, a := range x.of {
			for _, b := range y.of {
				sum += both[a*k+b]
			}
		}
		return sum / max(1e-9, min(x.sum, y.sum))
	}
	var out [][]int
	for len(open) > 1 {
		most, a, b := math.Inf(-1), 0, 1
		for i := range open {
			for j := range i {
				if o := shared(open[i], open[j]); o > most {
					most, a, b = o, j, i
				}
			}
		}
		x, y := open[a], open[b]
		out = append(out, x.of, y.of)
		joint := set{append(slices.Clone(x.of), y.of...), x.sum + y.sum}
		slices.Sort(joint.of)
		open = append(slices.Delete(open, b, b+1), joint)
		open = slices.Delete(open, a, a+1)
	}
	return out
}

// best returns the split of a node with the most evidence, nil where it has none.
func (p *pieces) best(ctx context.Context, node []int, edges [][]int, workers int, own *strand) (*parting, error) {
	if len(node) < 2 {
		return nil, nil
	}
	list := candidates(node, edges)
	found := make([]*parting, len(list))
	var rows []int
	for i, j := range p.top {
		if slices.Contains(node, j) {
			rows = append(rows, i)
		}
	}
	err := own.beside(ctx, workers, len(list), func(c int, own *strand) error {
		found[c] = p.part(list[c], rows, own)
		return nil
	})
	var best *parting
	for _, f := range found {
		if f != nil && (best == nil || f.better(best)) {
			best = f
		}
	}
	return best, err
}

// candidates returns the ways in which the joins cut a node, each once.
func candidates(node []int, edges [][]int) [][2][]int {
	var out [][2][]int
	for _, e := range edges {
		var in, rest []int
		for _, j := range node {
			if slices.Contains(e, j) {
				in = append(in, j)
			} else {
				rest = append(rest, j)
			}
		}
		if len(in) == 0 || len(rest) == 0 {
			continue
		}
		if rest[0] < in[0] {
			in, rest = rest, in
		}
		if !slices.ContainsFunc(out, func(o [2][]int) bool { return slices.Equal(o[0], in) }) {
			out = append(out, [2][]int{in, rest})
		}
	}
	return out
}

// part looks at one split on the records of its node; nil where a side holds
// next to nobody. Of several lines the one with the most evidence speaks.
func (p *pieces) part(split [2][]int, rows []int, own *strand) *parting {
	odds, upper := make([]float64, len(rows)), make([]bool, len(rows))
	for i, r := range rows {
		row := p.held[r*p.k:][:p.k]
		odds[i] = logSum(row, split[0]) - logSum(row, split[1])
		upper[i] = odds[i] > 0
	}
	list := [][]float64{odds, picked(p.line(split[0], split[1], nil), rows)}
	found, strays := make([]*parting, len(list)), false
	own.each(len(list), func(i int, own *strand) {
		at, upper := own.along(list[i], upper)
		if up := count(upper); up < leastSide || len(upper)-up < leastSide {
			return
		}
		if i > 0 && farStrays(at, upper) {
			strays = true
		}
		found[i] = &parting{valley: across(at, upper, p.seed), sides: split, n: len(at)}
	})
	best := found[0]
	if best == nil {
		return nil
	}
	for _, f := range found[1:] {
		if f.score() > best.score() {
			best = f
		}
	}
	best.strays = strays
	if best.likely() && len(split[0])+len(split[1]) > 2 {
		best.depth = max(best.depth, p.bridge(split, own))
	}
	if best.likely() && p.rests != nil {
		switch few, alone := p.rests(split[0], split[1]); {
		case alone:
			best.depth = 1
		case few:
			at, upper := own.along(picked(p.line(split[0], split[1], p.few), rows), upper)
			best.depth = max(best.depth, across(at, upper, p.seed).depth)
		}
	}
	return best
}

// picked are some of the values.
func picked(values []float64, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = values[r]
	}
	return out
}

// farStrays reports that one side is few records far from the other side, in units
// of the spread inside the sides: too few to be seen as a heap, too far to be the
// end of one.
func farStrays(at []float64, upper []bool) bool {
	up := count(upper)
	if min(up, len(upper)-up) >= fewStrays {
		return false
	}
	lower, higher := inOrder(at, upper).sides()
	return quantile(higher, .5)-quantile(lower, .5) > farOff
}

// bridge returns how full the way from one side to the other is where it is
// fullest: a bent population looks like two heaps from afar, but the two
// components where its parts meet have no valley between them. It is 0 where no
// two are close enough to be joined.
func (p *pieces) bridge(split [2][]int, own *strand) float64 {
	near := p.neighbours(split)
	depths, deepest := make([]float64, len(near)), 0.0
	own.each(len(near), func(i int, own *strand) { depths[i] = p.between(near[i], own) })
	for _, d := range depths {
		if d > bridgeMost {
			deepest = max(deepest, d)
		}
	}
	return deepest
}

// leastShare is what two components that meet share of the smaller.
const leastShare = 1e-3

// neighbours returns the components on either side that overlap most, if they do.
func (p *pieces) neighbours(split [2][]int) [][2]int {
	const pairs = 2
	var found [][2]int
	for range pairs {
		most, next := leastShare, [2]int{-1, -1}
		for _, a := range split[0] {
			for _, b := range split[1] {
				if o := p.overlap[a*p.k+b]; o > most && !slices.Contains(found, [2]int{a, b}) && !p.scatter(a, split) && !p.scatter(b, split) {
					most, next = o, [2]int{a, b}
				}
			}
		}
		if next[0] < 0 {
			break
		}
		found = append(found, next)
	}
	return found
}

// meeting returns all pairs of components of a group that meet, the lower first.
func (p *pieces) meeting(group []int) [][2]int {
	var out [][2]int
	for _, a := range group {
		for _, b := range group {
			if a < b && p.overlap[a*p.k+b] > leastShare {
				out = append(out, [2]int{a, b})
			}
		}
	}
	return out
}

// between returns the depth of the valley between two components, on the
// records that are theirs. Over several places nothing is kept: which strand comes
// first may be another at each.
func (p *pieces) between(pair [2]int, own *strand) float64 {
	p.mu.Lock()
	d, ok := p.near[pair]
	p.mu.Unlock()
	if ok && own == nil {
		return d
	}
	var rows []int
	for i, j := range p.top {
		if j == pair[0] || j == pair[1] {
			rows = append(rows, i)
		}
	}
	d = 0 // too few to be a bridge
	if found := p.part([2][]int{{pair[0]}, {pair[1]}}, rows, own); found != nil {
		d = found.depth
	}
	p.mu.Lock()
	if p.near == nil {
		p.near = map[[2]int]float64{}
	}
	p.near[pair] = d
	p.mu.Unlock()
	return d
}

// logSum is the logarithm of the sum of the exponentials of the named entries.
func logSum(row []float64, list []int) float64 {
	top := math.Inf(-1)
	for _, j := range list {
		top = max(top, row[j])
	}
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, j := range list {
		sum += math.Exp(row[j] - top)
	}
	return top + math.Log(sum)
}
