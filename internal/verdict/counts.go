package verdict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/pass"
)

// mostCounted is the number of features of counts beyond which too much would have to
// travel between places: which zeros go together is a table of pairs of features.
const mostCounted = 1000

// Counts judges records of counts: events, genes, or copies of alleles, of which
// a feature has at most so many (trials; 0: counts without a limit, judged given
// the total of their record, so that an amount is no group).
//
// A split of records is claimed when records that did not find it fall into two
// heaps along the line that separates its sides, against the nearest density with
// one heap: a trend, counts that scatter more than chance and records that mix
// several patterns leave no gap.
func Counts(ctx context.Context, run pass.Runner, trials int, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, judging)
	s.heard.stage(2, 98)
	d, err := drawBag(ctx, run, trials, strandOf(ctx, run))
	if err != nil {
		return nil, err
	}
	if trials == 0 && d.cols > mostCounted && run.Can().Places > 1 {
		return nil, d.places.failed()
	}
	w, n := s.Words.filled(true), d.all()
	if d.cols < 2 || n < leastRecords {
		return d.little(w, n), d.places.failed()
	}
	d.asked()
	f, err := d.search(ctx, s, false)
	if err != nil {
		return nil, err
	}
	return f.verdict(w), d.places.failed()
}

func (d *drawnBag) little(w Words, n int) *Verdict {
	text := fmt.Sprintf("Too few %s to look for groups.", w.Records)
	if d.cols < 2 && n > 0 {
		text = fmt.Sprintf("No groups: no two %s differ in more than one of their %s.", w.Records, w.Features)
	}
	return &Verdict{Groups: 1, Range: [2]int{1, 1}, Reason: text, Continuum: none.word(), Components: 1, Repeat: 1, Records: n}
}

// bagFound is what was found in counts.
type bagFound struct {
	*drawnBag
	cuts
	mix        *bagMix
	components int
	path       int // components that all records were fitted with
	apart      int // groups that these were cut into
	group      []int
	halves     [2][]int
	counts     [2]int // groups that each half was cut into
	parts      [2]int // groups that each half would claim alone
	alone      [2][]int
	more       int // groups that all records were cut into, where halves show fewer
	repeat     float64
}

// search finds components and cuts them; quick takes a few, where the groups are
// a remark beside another claim.
func (d *drawnBag) search(ctx context.Context, s Settings, quick bool) (*bagFound, error) {
	if d.trials > 0 {
		d.unlinked()
		d.unrelated()
	}
	d.calm(d.overall(), pilotGroups, s.Seed)
	base := d.overall()
	k, scores := pilotGroups, map[int][]float64{}
	if !quick {
		var err error
		if k, scores, err = d.components(ctx, base, s); err != nil {
			return nil, err
		}
	}
	d.few = d.trials > 0 && d.all() < fewPath
	f := &bagFound{drawnBag: d, components: k, repeat: 1}
	if k == 1 && !f.few {
		f.mix, _ = d.fits(base, s.Seed, "all").fit(1)
		f.leaves = [][]int{{0}}
		return f, nil
	}
	s.heard.share(fitShare)
	f.mix, f.cuts = d.cutAt(k, base, s.Seed, "all")
	if more := nextSize(k); k > 1 && scores[more] != nil && !d.places.beyond(scores[k], scores[more]).clear() {
		// Groups that shade into others are cut more cleanly with one component to spare.
		if m, c := d.cutAt(more, base, s.Seed, "all"); len(c.leaves) > len(f.leaves) {
			f.mix, f.cuts, f.components = m, c, more
		}
	}
	f.path, f.apart = f.components, len(f.leaves)
	if f.few {
		f.mix, f.cuts = d.inside(f.mix, f.cuts, 0, s.Seed)
		f.components = f.mix.k
	}
	s.heard.share(cutShare)
	f.group = f.mix.grouped(&d.bag, f.leaves)
	if len(f.leaves) == 1 || quick {
		return f, nil
	}
	if err := f.again(ctx, base, s); err != nil {
		return nil, err
	}
	return f, f.asHalves(ctx, base, s)
}

// asHalves takes the number of groups that either half shows by itself, where that is one
// number, fewer than all records were cut into, and the halves agree about those and not
// about the others: a group more that neither half shows, and that halves place
// differently when they are made to, is no group yet.
func (f *bagFound) asHalves(ctx context.Context, base []float64, s Settings) error {
	fewer := f.parts[0]
	if f.few && f.places.smallest(f.group, len(f.leaves)) < 2*cutLeast {
		return nil // half of them would be too few to be cut off
	}
	if f.repeat >= steady || f.parts[1] != fewer || fewer < 2 || fewer >= len(f.leaves) {
		return nil
	}
	alike, err := f.places.agreement(f.alone, fewer)
	if err != nil || alike < steady {
		return err
	}
	f.more = len(f.leaves)
	m, share := f.fits(base, s.Seed, "all").fit(f.path)
	c := newCutter(&f.bag, m, f.crossed(share, m.k, base, s.Seed), s.Seed)
	f.mix, f.leaves = f.wholly(&f.bag, c, fewer, s.Seed)
	f.components = f.mix.k
	f.group = f.mix.grouped(&f.bag, f.leaves)
	slices.SortStableFunc(f.taken, func(a, b cut) int { return cmp.Compare(b.worth(), a.worth()) })
	f.taken = f.taken[:fewer-1]
	f.halves, f.counts, f.repeat = f.alone, f.parts, alike
	return nil
}

// cutAt fits k components to the records and cuts them.
func (b *bag) cutAt(k int, base []float64, seed uint64, name string) (*bagMix, cuts) {
	m, share := b.fits(base, seed, name).fit(k)
	joint := b.crossed(share, k, base, seed)
	return m, newCutter(b, m, joint, seed).down()
}

// grouped returns the group of every record: that with the most of its components.
func (m *bagMix) grouped(b *bag, leaves [][]int) []int {
	share, _ := m.shares(b)
	out := make([]int, b.n())
	for i := range out {
		best := -1.0
		for g, list := range leaves {
			s := 0.0
			for _, j := range list {
				s += share[i*m.k+j]
			}
			if s > best {
				best, out[i] = s, g
			}
		}
	}
	return out
}

// again fits the claim to each half of the records, and places all by both.
func (f *bagFound) again(ctx context.Context, base []float64, s Settings) error {
	parts := f.places.partition(f.n(), 2, s.Seed, "verdict/halves")
	groups := len(f.leaves)
	err := f.places.beside(ctx, s.Workers, 2, func(i int, own *strand) error {
		slices.Sort(parts[i])
		part := f.on(own).pick(parts[i])
		fits := part.fits(base, s.Seed, fmt.Sprintf("half%d", i))
		m, share := fits.fit(min(f.path, fits.all))
		c := newCutter(part, m, part.crossed(share, m.k, base, s.Seed), s.Seed)
		cut, leaves := f.wholly(part, c, groups, s.Seed)
		f.halves[i], f.counts[i] = cut.grouped(&f.bag, leaves), len(leaves)
		down := c.down()
		if f.few {
			m, down = part.inside(m, down, 0, s.Seed)
		}
		f.parts[i], f.alone[i] = len(down.leaves), m.grouped(&f.bag, down.leaves)
		return nil
	})
	if err != nil {
		return err
	}
	f.repeat, err = f.places.agreement(f.halves, max(f.counts[0], f.counts[1]))
	return err
}

// wholly cuts records into so many groups, whatever the cuts are worth: first as all
// records were, then groups by themselves.
func (f *bagFound) wholly(b *bag, c *cutter, groups int, seed uint64) (*bagMix, [][]int) {
	first := groups
	if f.few {
		first = min(groups, f.apart)
	}
	leaves := singly(c.mix.k)
	if c.mix.k > first {
		leaves = c.into(first)
	}
	if !f.few {
		return c.mix, leaves
	}
	m, further := b.inside(c.mix, cuts{leaves: leaves}, groups, seed)
	return m, further.leaves
}

// singly are groups of one component each.
func singly(k int) [][]int {
	out := make([][]int, k)
	for j := range out {
		out[j] = []int{j}
	}
	return out
}

// verdict puts what was found into words and numbers.
func (f *bagFound) verdict(w Words) *Verdict {
	g := len(f.leaves)
	v := &Verdict{Groups: g, Range: [2]int{g, g}, Continuum: none.word(), Components: f.components, Repeat: f.repeat, Records: f.all(), Calm: f.weights()}
	weakest := -1
	for i, c := range f.taken {
		if !c.sure() {
			v.Range[0]--
		}
		if weakest < 0 || c.worth() < f.taken[weakest].worth() {
			weakest = i
		}
	}
	shades := 0 // cuts that leave a doubt, whatever the records kept aside say
	for _, c := range f.refused {
		switch {
		case c.perhaps():
			v.Range[1]++
		case c.depth <= cutShades:
			shades++
		}
	}
	v.Range[1] = max(v.Range[1], f.more)
	overlap := shades > 0 && v.Range[0] == v.Range[1]
	v.Range[1] += shades
	switch {
	case g > 1:
		v.Evidence = f.taken[0].Evidence
		fewer := f.taken[weakest].Evidence
		v.Fewer = &fewer
		v.Found = f.found()
	case len(f.refused) > 0:
		v.Evidence = Evidence{-f.refused[0].Nats, f.refused[0].Error}
	}
	if f.components > 1 && (g == 1 || f.repeat < foundAgain) {
		v.Continuum = oneTrend.word()
	}
	lost := g > 1 && v.Repeat < foundAgain
	if g == 1 && f.sets != nil {
		v.Continuum = inSets.word()
	}
	if lost {
		v.Groups, v.Range[0], v.Fewer, v.Found = 1, 1, nil, nil
	}
	v.Plain = f.components == v.Groups
	v.Reason = f.reason(w, v)
	f.doubts(v, w, lost, overlap)
	v.Sure = v.Records >= sureRecords && v.Range[0] == v.Range[1] && !v.unsteady() && !v.doubted(ShortRecords)
	v.round()
	return v
}

// found are the groups as they place records.
func (f *bagFound) found() *Found {
	out := &Found{
		Plain: f.components == len(f.leaves), Records: f.record, groups: len(f.leaves), smallest: f.places.smallest(f.group, len(f.leaves)), places: f.places,
		by: bagPlacer{f.drawnBag, f.mix, f.leaves},
	}
	for i, labels := range f.halves {
		out.Halves[i] = f.places.matchedSome(labels, f.group, f.counts[i], len(f.leaves))
	}
	return out
}

// bagPlacer places records of counts.
type bagPlacer struct {
	*drawnBag
	mix    *bagMix
	leaves [][]int
}

func (p bagPlacer) place(b pass.Block, group []int32) {
	rows := &bag{trials: p.trials, cols: p.cols, ptr: []int{0}}
	for i := range b.Rows.N() {
		index, value, err := p.coded(b.Rows.Slice(i, i+1))
		if err != nil { // the family refuses such counts
			index, value = nil, nil
		}
		rows.add(index, value)
	}
	for i, g := range p.mix.grouped(rows, p.leaves) {
		group[i] = int32(g)
	}
}

// matchedSome gives labels, of other groups that may be more or fewer, the numbers
// of the groups that most of their records are in.
func (a *strand) matchedSome(labels, own []int, from, to int) []int {
	votes := make([]float64, from*to)
	for i, l := range labels {
		votes[l*to+own[i]]++
	}
	a.add(votes)
	out := make([]int, len(labels))
	for i, l := range labels {
		best := math.Inf(-1)
		for g, v := range votes[l*to:][:to] {
			if v > best {
				best, out[i] = v, g
			}
		}
	}
	return out
}
