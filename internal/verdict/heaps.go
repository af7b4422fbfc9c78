package verdict

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
)

// pieces are the components of the best description of the records, from which
// heaps are joined: a mixture alone says nothing of groups, since more
// components describe anything better that is not exactly of the family.
type pieces struct {
	k    int
	held []float64 // n×k: log(weight·density) by a fit that did not see the record
	post []float64 // n×k: shares by the fit of all records
	// lines are the places of all records along lines that tell the components
	// in a from those in b, found without the record.
	lines func(a, b []int) [][]float64
	// carried reports that a border rests on more than a few columns of few
	// values; nil where all have many.
	carried func(a, b []int) bool
	seed    uint64

	top     []int     // best component of every record, kept aside
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
	leastSide  = 5   // records on either side
	likelyNats = 1   // from which a shallower split is likely
	shallow    = .6  // depth of such a split, at most
	hinted     = .8  // depth below which a refused split leaves a doubt
	fewInNode  = 250 // records that cannot show a shallow valley
	bridgeMost = .6  // depth between two neighbours from which they are joined
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
	likely int // groups that likely splits inside would add
}

// heaps cuts the components, from all of them down, wherever records that were
// kept aside show a valley.
func (p *pieces) heaps(ctx context.Context, workers int) (*heap, error) {
	all := make([]int, p.k)
	for i := range all {
		all[i] = i
	}
	p.top = p.tops()
	return p.cut(ctx, all, p.joins(), workers, true)
}

// cut cuts a node; firm says that its own border is claimed and not only likely.
func (p *pieces) cut(ctx context.Context, node []int, edges [][]int, workers int, firm bool) (*heap, error) {
	h := &heap{of: node}
	best, err := p.best(ctx, node, edges, workers)
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
	for i, side := range best.sides {
		if h.kids[i], err = p.cut(ctx, side, edges, workers, claimed); err != nil {
			return nil, err
		}
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
	if h.split == nil {
		return [][]int{h.of}
	}
	return append(h.kids[0].groups(), h.kids[1].groups()...)
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
// returns the sets that were joined: where any of them could be cut off.
func (p *pieces) joins() [][]int {
	type set struct {
		of    []int
		share []float64
		sum   float64
	}
	n := len(p.post) / p.k
	open := make([]*set, p.k)
	for j := range open {
		s := &set{of: []int{j}, share: make([]float64, n)}
		for i := range n {
			s.share[i] = p.post[i*p.k+j]
			s.sum += s.share[i]
		}
		open[j] = s
	}
	p.overlap = make([]float64, p.k*p.k)
	for a := range open {
		for b := range a {
			both := 0.0
			for i, v := range open[a].share {
				both += v * open[b].share[i]
			}
			p.overlap[a*p.k+b] = both / max(1e-9, min(open[a].sum, open[b].sum))
			p.overlap[b*p.k+a] = p.overlap[a*p.k+b]
		}
	}
	var out [][]int
	for len(open) > 1 {
		most, a, b := math.Inf(-1), 0, 1
		for i := range open {
			for j := range i {
				both := 0.0
				for r, v := range open[i].share {
					both += v * open[j].share[r]
				}
				if o := both / max(1e-9, min(open[i].sum, open[j].sum)); o > most {
					most, a, b = o, j, i
				}
			}
		}
		x, y := open[a], open[b]
		out = append(out, x.of, y.of)
		joint := &set{of: append(slices.Clone(x.of), y.of...), share: make([]float64, n), sum: x.sum + y.sum}
		slices.Sort(joint.of)
		for i := range joint.share {
			joint.share[i] = x.share[i] + y.share[i]
		}
		open = append(slices.Delete(open, b, b+1), joint)
		open = slices.Delete(open, a, a+1)
	}
	return out
}

// best returns the split of a node with the most evidence, nil where it has none.
func (p *pieces) best(ctx context.Context, node []int, edges [][]int, workers int) (*parting, error) {
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
	err := par.Do(ctx, par.Workers(workers), len(list), func(c int) error {
		found[c] = p.part(list[c], rows)
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
func (p *pieces) part(split [2][]int, rows []int) *parting {
	odds, upper := make([]float64, len(rows)), make([]bool, len(rows))
	for i, r := range rows {
		row := p.held[r*p.k:][:p.k]
		odds[i] = logSum(row, split[0]) - logSum(row, split[1])
		upper[i] = odds[i] > 0
	}
	if up := count(upper); up < leastSide || len(upper)-up < leastSide {
		return nil
	}
	var best *parting
	strays := false
	for _, line := range append([][]float64{nil}, p.lines(split[0], split[1])...) {
		at := odds
		if line != nil {
			at = make([]float64, len(rows))
			for i, r := range rows {
				at[i] = line[r]
			}
			strays = strays || farStrays(at, upper)
		}
		found := &parting{valley: across(at, upper, p.seed), sides: split, n: len(rows)}
		if best == nil || found.score() > best.score() {
			best = found
		}
	}
	best.strays = strays
	if best.likely() && len(split[0])+len(split[1]) > 2 {
		best.depth = max(best.depth, p.bridge(split))
	}
	if best.likely() && p.carried != nil && !p.carried(split[0], split[1]) {
		best.depth = 1
	}
	return best
}

// farStrays reports that one side is few records far from the other side, in units
// of the spread inside the sides: too few to be seen as a heap, too far to be the
// end of one.
func farStrays(at []float64, upper []bool) bool {
	lower, higher := sides(at, upper)
	return min(len(lower), len(higher)) < fewStrays && quantile(higher, .5)-quantile(lower, .5) > farOff
}

// bridge returns how full the way from one side to the other is where it is
// fullest: a bent population looks like two heaps from afar, but the two
// components where its parts meet have no valley between them. It is 0 where no
// two are close enough to be joined.
func (p *pieces) bridge(split [2][]int) float64 {
	const pairs, share = 2, 1e-3
	var found [][2]int
	for range pairs {
		most, next := share, [2]int{-1, -1}
		for _, a := range split[0] {
			for _, b := range split[1] {
				if o := p.overlap[a*p.k+b]; o > most && !slices.Contains(found, [2]int{a, b}) {
					most, next = o, [2]int{a, b}
				}
			}
		}
		if next[0] < 0 {
			break
		}
		found = append(found, next)
	}
	deepest := 0.0
	for _, pair := range found {
		if d := p.between(pair); d > bridgeMost {
			deepest = max(deepest, d)
		}
	}
	return deepest
}

// between returns the depth of the valley between two components, on the
// records that are theirs.
func (p *pieces) between(pair [2]int) float64 {
	p.mu.Lock()
	d, ok := p.near[pair]
	p.mu.Unlock()
	if ok {
		return d
	}
	var rows []int
	for i, j := range p.top {
		if j == pair[0] || j == pair[1] {
			rows = append(rows, i)
		}
	}
	d = 0 // too few to be a bridge
	if found := p.part([2][]int{{pair[0]}, {pair[1]}}, rows); found != nil {
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
