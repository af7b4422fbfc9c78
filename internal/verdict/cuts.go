package verdict

import (
	"math"
	"slices"
)

// cut is a split of components into two sides, with what lies between them.
type cut struct {
	valley
	a, b    []int // components
	crowded bool  // of few people: more lie between than chance puts there
}

// Constants of a cut: three nats are odds of twenty to one; the others were
// chosen on seeds below 1000 of the experiment.
const (
	cutNats    = 3
	cutErrors  = .5
	cutDepth   = .5
	cutSure    = 2    // standard errors
	cutLeast   = 5    // records on either side
	cutLikely  = .5   // nats
	cutShades  = .8   // depth
	cutRecords = 2000 // records on a line that are looked at
)

// claimed reports that the two sides are two groups.
func (v valley) claimed() bool {
	return v.Nats >= cutNats && v.Nats >= cutErrors*v.Error && v.depth <= cutDepth
}

// sure reports that this is no chance.
func (v valley) sure() bool { return v.Nats >= cutSure*v.Error }

// perhaps reports that the sides may be two groups: too few records say so, or there is a
// gap where records kept aside are too few to bear witness, as for measurements.
func (v valley) perhaps() bool {
	return v.Nats >= cutLikely && v.depth <= cutShades || v.depth <= cutDepth && v.Nats > -v.Error-likelyNats
}

// worth orders cuts.
func (v valley) worth() float64 { return v.Nats - cutErrors*v.Error }

// cutter cuts components where records that did not find them leave a gap.
type cutter struct {
	bag   *bag
	mix   *bagMix
	joint []float64 // n×k, of fits that did not see the record
	top   []int     // best component of every record
	seed  uint64
}

func newCutter(b *bag, m *bagMix, joint []float64, seed uint64) *cutter {
	c := &cutter{bag: b, mix: m, joint: joint, top: make([]int, b.n()), seed: seed}
	for i := range c.top {
		row := joint[i*m.k:][:m.k]
		for j, v := range row {
			if v > row[c.top[i]] {
				c.top[i] = j
			}
		}
	}
	return c
}

// cuts are the groups: components that no gap divides, the cuts that were taken
// and the best one that was refused in every group.
type cuts struct {
	leaves  [][]int
	taken   []cut
	refused []cut
}

// down cuts from the top.
func (c *cutter) down() cuts {
	var out cuts
	edges := c.edges()
	all := make([]int, c.mix.k)
	for j := range all {
		all[j] = j
	}
	todo := [][]int{all}
	for len(todo) > 0 {
		node := todo[0]
		todo = todo[1:]
		best, found := c.best(node, edges, c.bag.places)
		switch {
		case found && best.claimed() && (!best.crowded || best.sure()):
			out.taken = append(out.taken, best)
			todo = append(todo, best.a, best.b)
		default:
			out.leaves = append(out.leaves, node)
			if found {
				out.refused = append(out.refused, best)
			}
		}
	}
	return out
}

// into cuts into so many groups, the clearest cut first, whatever it is worth.
func (c *cutter) into(groups int) [][]int {
	edges := c.edges()
	all := make([]int, c.mix.k)
	for j := range all {
		all[j] = j
	}
	leaves := [][]int{all}
	for len(leaves) < groups {
		at, worth := -1, math.Inf(-1)
		var next cut
		list, there := make([]cut, len(leaves)), make([]bool, len(leaves))
		c.bag.places.each(len(leaves), func(i int, own *strand) { list[i], there[i] = c.best(leaves[i], edges, own) })
		for i, b := range list {
			if there[i] && b.worth() > worth {
				at, worth, next = i, b.worth(), b
			}
		}
		if at < 0 {
			break
		}
		leaves[at] = next.a
		leaves = append(leaves, next.b)
	}
	return leaves
}

// best returns the cut of a node with the most evidence.
func (c *cutter) best(node []int, edges [][]int, own *strand) (best cut, found bool) {
	if len(node) == 1 {
		return best, false
	}
	inside := make([]bool, c.mix.k)
	for _, j := range node {
		inside[j] = true
	}
	var records []int
	for i, t := range c.top {
		if inside[t] {
			records = append(records, i)
		}
	}
	n, before := own.ranked(len(records))
	if every := n/cutRecords + 1; every > 1 {
		some := records[:0]
		for at, r := range records {
			if (before+at)%every == 0 {
				some = append(some, r)
			}
		}
		records = some
	}
	var list []cut
	seen := map[string]bool{}
	for _, e := range edges {
		var a, b []int
		for _, j := range node {
			if slices.Contains(e, j) {
				a = append(a, j)
			} else {
				b = append(b, j)
			}
		}
		if len(a) == 0 || len(b) == 0 || seen[setKey(a)] || seen[setKey(b)] {
			continue
		}
		seen[setKey(a)] = true
		list = append(list, cut{a: a, b: b})
	}
	there := make([]bool, len(list))
	own.each(len(list), func(i int, own *strand) {
		list[i], there[i] = c.between(records, list[i].a, list[i].b, own)
	})
	for i, v := range list {
		if there[i] && (!found || v.worth() > best.worth()) {
			best, found = v, true
		}
	}
	return best, found
}

func setKey(list []int) string {
	out := make([]byte, len(list))
	for i, v := range list {
		out[i] = byte(v)
	}
	return string(out)
}

// between measures the gap between two sides, along the log-odds of one against
// the other for every count of a record.
func (c *cutter) between(records, a, b []int, own *strand) (cut, bool) {
	at, upper := make([]float64, len(records)), make([]bool, len(records))
	counts := []float64{0}
	k := c.mix.k
	for r, i := range records {
		odds := logSum(c.joint[i*k:][:k], a) - logSum(c.joint[i*k:][:k], b)
		at[r], upper[r] = odds/max(c.bag.size[i], 1), odds > 0
		counts[0] += c.bag.size[i]
	}
	own.add(counts)
	at, upper = own.along(at, upper)
	if n := count(upper); min(n, len(at)-n) < cutLeast {
		return cut{}, false
	}
	floor := c.mix.scatter(c.bag, a, b) / math.Sqrt(counts[0]/float64(len(at)))
	v := acrossOver(at, upper, floor, c.seed)
	if c.bag.trials == 0 && v.depth <= cutShades && c.mix.lostCounts(c.bag, counts[0]/float64(len(at)), a, b) {
		v.depth = max(v.depth, cutShades)
	}
	return cut{v, a, b, c.bag.few && crowded(v, at, upper, floor)}, true
}

// asGoodAsNone is how many times as frequent a feature is on one side that is missing on the
// other.
const asGoodAsNone = 20

// lostCounts reports that one feature alone tells two sides apart, and is missing on one of
// them: the counts of a frequent feature that some records lost make two heaps. Without it
// a record of usual size does not say on which side it is.
func (m *bagMix) lostCounts(b *bag, size float64, sides ...[]int) bool {
	p := m.pooled(b, sides...)
	ratio := func(h int) float64 { return math.Log(p[0][h] / p[1][h]) }
	first := 0
	for h := range p[0] {
		if (p[0][h]-p[1][h])*ratio(h) > (p[0][first]-p[1][first])*ratio(first) {
			first = h
		}
	}
	if math.Abs(ratio(first)) < math.Log(asGoodAsNone) {
		return false
	}
	rest := [2]float64{1 - p[0][first], 1 - p[1][first]}
	apart := 0.0 // of the other features, in nats of one count
	for h := range p[0] {
		if h != first {
			x, y := p[0][h]/rest[0], p[1][h]/rest[1]
			apart += (x - y) * math.Log(x/y) / 2
		}
	}
	return size*min(rest[0], rest[1])*apart < cutNats
}

// pooled are the shares of the features on two sides.
func (m *bagMix) pooled(b *bag, sides ...[]int) (p [2][]float64) {
	for s, list := range sides {
		p[s] = make([]float64, b.cols)
		total := 0.0
		for _, j := range list {
			total += m.weight[j]
			for h := range p[s] {
				p[s][h] += m.weight[j] * m.prob[h*m.k+j]
			}
		}
		for h := range p[s] {
			p[s][h] /= total
		}
	}
	return p
}

// scatter returns the standard deviation of the log-odds of one count, inside the
// side where it is less: what chance alone spreads records by.
func (m *bagMix) scatter(b *bag, sides ...[]int) float64 {
	p := m.pooled(b, sides...)
	least := math.Inf(1)
	for s := range p {
		mean, square := 0.0, 0.0
		for h, v := range p[s] {
			l := math.Log(p[0][h] / p[1][h])
			if b.trials > 0 {
				l -= math.Log((1 - p[0][h]) / (1 - p[1][h]))
				square += v * (1 - v) * l * l / float64(b.cols)
				continue
			}
			mean += v * l
			square += v * l * l
		}
		least = min(least, square-mean*mean)
	}
	return math.Sqrt(max(least, 0))
}

// edges returns the parts of components that a tree over them has, joined by the
// mean log-odds of a count between them (average linkage).
func (c *cutter) edges() [][]int {
	k := c.mix.k
	type node struct{ of []int }
	apart := make([]float64, k*k)
	count := make([]float64, k)
	for i, t := range c.top {
		row := c.joint[i*k:][:k]
		count[t]++
		for j, v := range row {
			apart[t*k+j] += (row[t] - v) / max(c.bag.size[i], 1)
		}
	}
	c.bag.places.add(apart, count)
	dist := func(i, j int) float64 {
		return (apart[i*k+j]/max(count[i], 1) + apart[j*k+i]/max(count[j], 1)) / 2
	}
	var open []node
	var out [][]int
	for j := range k {
		open = append(open, node{[]int{j}})
	}
	for len(open) > 1 {
		least, x, y := math.Inf(1), 0, 1
		for i := range open {
			for j := i + 1; j < len(open); j++ {
				s := 0.0
				for _, p := range open[i].of {
					for _, q := range open[j].of {
						s += dist(p, q)
					}
				}
				if s /= float64(len(open[i].of) * len(open[j].of)); s < least {
					least, x, y = s, i, j
				}
			}
		}
		out = append(out, open[x].of, open[y].of)
		both := node{slices.Concat(open[x].of, open[y].of)}
		open = append(slices.Delete(open, y, y+1), both)
		open = slices.Delete(open, x, x+1)
	}
	return out
}
