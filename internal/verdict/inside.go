package verdict

import "slices"

// Few people, many loci. How often a population has an allele is poorly known of a few
// people; drawn to the frequencies of all people it lies in the wrong place where
// populations parted again and again, as those of a continent from each other. So every
// group of few people is looked at once more by itself, as two populations whose
// frequencies are drawn to those of the group, as strongly as populations drift from
// common ancestors that are as far apart (Balding and Nichols 1995; Falush, Stephens and
// Pritchard 2003). It is cut where people kept aside leave a gap, as everywhere.

const (
	leastDrift = .005
	mostDrift  = .5

	// People along a coast, where frequencies wander from place to place, lie along a cosine
	// in the first direction (Novembre and Stephens 2008): they are many times as dense at
	// its ends as in its middle. Where loci are so many that chance alone would leave nobody
	// between two populations (so many deviations), few may be there.
	emptyFrom  = 5.4
	emptyDepth = .05 // two normal heaps so far apart
)

// crowded reports that more people lie between two sides than chance alone puts there;
// chance is the deviation of people of one population along the line.
func crowded(v valley, at []float64, upper []bool, chance float64) bool {
	lower, higher := inOrder(at, upper).sides()
	return v.depth > emptyDepth && quantile(higher, .5)-quantile(lower, .5) > emptyFrom*chance
}

// inner is a group with its records and the best way to cut it in two.
type inner struct {
	of    []int // components
	list  []int // records
	mix   *bagMix
	sides []int // of the records
	cut   cut
	found bool
	tried bool
	rest  *cut // of its components, which was refused
}

// doubt is the cut that was refused and says most, nil where there is none.
func (o inner) doubt() *cut {
	if o.found && o.cut.perhaps() && (o.rest == nil || o.cut.worth() > o.rest.worth()) {
		return &o.cut
	}
	return o.rest
}

// inside cuts groups by themselves: where there is a gap, or, where a number is wanted, into
// as many, the clearest cut first.
func (b *bag) inside(m *bagMix, c cuts, wanted int, seed uint64) (*bagMix, cuts) {
	open := make([]inner, len(c.leaves))
	for i, g := range m.grouped(b, c.leaves) {
		open[g].list = append(open[g].list, i)
	}
	for g := range open {
		open[g].of = c.leaves[g]
		for i, r := range c.refused {
			if slices.Contains(open[g].of, r.a[0]) {
				open[g].rest = &c.refused[i]
			}
		}
	}
	for {
		best := -1
		b.halveAll(open, seed)
		for g, o := range open {
			take := o.found && (len(open) < wanted || wanted == 0 && o.cut.claimed() && !o.cut.crowded)
			if take && (best < 0 || o.cut.worth() > open[best].cut.worth()) {
				best = g
			}
		}
		if best < 0 {
			break
		}
		m = m.within(b, open, best)
		c.taken = append(c.taken, open[best].cut)
		open = slices.Concat(open[:best], open[best].parts(m.k), open[best+1:])
	}
	out := cuts{taken: c.taken}
	for _, o := range open {
		out.leaves = append(out.leaves, o.of)
		if d := o.doubt(); d != nil {
			out.refused = append(out.refused, *d)
		}
	}
	return m, out
}

// halveAll halves the groups that were not tried yet.
func (b *bag) halveAll(open []inner, seed uint64) {
	var list []*inner
	for g := range open {
		if !open[g].tried {
			list = append(list, &open[g])
		}
	}
	b.places.each(len(list), func(i int, own *strand) { b.on(own).halve(list[i], seed) })
}

// halve looks for the gap between two populations of a group.
func (b *bag) halve(o *inner, seed uint64) {
	o.tried = true
	part := b.pick(o.list)
	if part.all() < 2*cutLeast {
		return
	}
	base := part.overall()
	m, share := part.fits(base, seed, "inside").fit(2)
	part.drawn = m.drawnBy(part)
	o.mix, share = part.em(share, 2, bagSteps, base)
	c := newCutter(part, o.mix, part.crossed(share, 2, base, seed), seed)
	all := make([]int, part.n())
	for i := range all {
		all[i] = i
	}
	o.cut, o.found = c.between(all, []int{0}, []int{1}, b.places)
	o.sides = o.mix.grouped(part, singly(2))
}

// drawnBy is the number of people, at the frequencies of all, that two populations as far
// apart as these are drawn by: from the share of the variance that lies between them
// (Hudson, Slatkin and Maddison 1992).
func (m *bagMix) drawnBy(b *bag) float64 {
	trials := float64(b.trials)
	between, all := 0.0, 0.0
	chance := func(p float64, c int) float64 { return p * (1 - p) / max(trials*m.weight[c]*m.n-1, 1) }
	for j := range b.cols {
		p, q := m.prob[2*j], m.prob[2*j+1]
		between += (p-q)*(p-q) - chance(p, 0) - chance(q, 1)
		all += p*(1-q) + q*(1-p)
	}
	drift := min(max(between/max(all, tiny), leastDrift), mostDrift)
	return (1 - drift) / (drift * trials)
}

// within returns the mixture with the two populations of a group in place of its components,
// and renumbers the components of all groups.
func (m *bagMix) within(b *bag, open []inner, at int) *bagMix {
	var keep []int
	weight := 0.0
	for c := range m.k {
		if slices.Contains(open[at].of, c) {
			weight += m.weight[c]
		} else {
			keep = append(keep, c)
		}
	}
	out := &bagMix{k: len(keep) + 2, n: m.n, loglik: m.loglik}
	for _, c := range keep {
		out.weight = append(out.weight, m.weight[c])
	}
	two := open[at].mix
	out.weight = append(out.weight, weight*two.weight[0], weight*two.weight[1])
	for j := range b.cols {
		for _, c := range keep {
			out.prob = append(out.prob, m.prob[j*m.k+c])
		}
		out.prob = append(out.prob, two.prob[2*j], two.prob[2*j+1])
	}
	out.ready(b)
	for g := range open {
		if g != at {
			of := slices.Clone(open[g].of)
			for i, c := range of {
				of[i], _ = slices.BinarySearch(keep, c)
			}
			open[g].of = of
		}
	}
	return out
}

// parts are the two sides of a group, which are the last two of k components.
func (o inner) parts(k int) []inner {
	out := []inner{{of: []int{k - 2}}, {of: []int{k - 1}}}
	for at, i := range o.list {
		out[o.sides[at]].list = append(out[o.sides[at]].list, i)
	}
	return out
}
