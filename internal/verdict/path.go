package verdict

import (
	"fmt"
	"math"
	"slices"

	"github.com/moiety-go/moiety/internal/stream"
)

// The fits that the verdict compares, each made when it is first asked for:
//
//	path.at      the fit of a candidate (groups, continuum, repeated features), kept
//	path.fit     which way it is fitted: one population, groups from warm starts, own lines …
//	path.starts  starts from fits with one group more or less, and without the continuum

// candidate is an explanation of the records.
type candidate struct {
	groups   int
	kind     continuum
	repeated repeated
}

// plain reports that nothing but the groups tells the records apart.
func (c candidate) plain() bool {
	return (c.kind == none || c.kind == sameTotal) && c.repeated == noRepeats
}

// repeated says which features repeat others: none; those that go together
// beyond what a model of one population explains; those that do inside groups.
type repeated int

const (
	noRepeats repeated = iota
	inNone             // beyond their frequencies
	inAmount           // beyond an amount
	inOne              // beyond the best plain model of one population
	inGroups
)

// path holds the fits of one sample, made when they are asked for: warm starts
// come from fits with one group more or less, and from those without a
// continuum.
type path struct {
	trainer
	seed   uint64
	name   string
	fits   map[candidate]*model
	made   map[candidate]*model // before they were asked for
	twin   map[candidate]*model // of a path apart: what it began with
	normal map[continuum]*model // one group over a normal continuum
	forest [inGroups + 1]*forest
	more   [inGroups + 1]*sample // the records with the columns of a forest
	guide  map[int][]int         // of so many groups: that of every row, to begin with
}

func newPath(lay *layout, s *sample, alpha float64, seed uint64, name string, places *strand) *path {
	p := &path{
		trainer: trainer{lay: lay, s: s, pr: prior{alpha, lay.overall(s, places)}, places: places}, seed: seed, name: name,
		fits: map[candidate]*model{}, made: map[candidate]*model{}, normal: map[continuum]*model{}, guide: map[int][]int{},
	}
	return p
}

// at returns the fit of a candidate, nil where there is none.
func (p *path) at(c candidate) *model {
	if m, ok := p.fits[c]; ok {
		return m
	}
	m, ok := p.made[c]
	if !ok {
		m = p.fit(c)
	}
	p.fits[c] = m
	return m
}

// of returns a fit that was made, whether it was asked for or not; else it makes it.
func (p *path) of(c candidate) *model {
	if _, ok := p.fits[c]; !ok {
		if m, ok := p.made[c]; ok {
			return m
		}
	}
	return p.at(c)
}

func (p *path) fit(c candidate) *model {
	if c.repeated != noRepeats {
		return p.fitRepeated(c)
	}
	switch {
	case c.kind == sameTotal:
		return p.byTotals(c.groups)
	case c.kind == twoHeaps:
		return p.fitHeaps()
	case c.kind == inSets:
		return p.fitSets()
	case c.kind.own():
		return p.fitOwn(c)
	case c.groups == 1:
		return p.fitAlone(c.kind)
	}
	return p.best(p.starts(c), p.s)
}

// fitAlone fits one population; of a line, in the shape that suits it best.
func (p *path) fitAlone(kind continuum) *model {
	shapes := shapesOf(kind)
	r := stream.New(p.seed, fmt.Sprintf("verdict/%s/alone/%d", p.name, kind.draw()))
	first := p.alone(kind, shapes[0], r)
	m := p.best(first.turned(), p.s)
	if fine := fineShapes(kind); fine != nil && m.told() {
		shapes = fine
		m = p.em(m.over(kind, fine[0], m.a, 1), p.s, mostSteps, enough)
	}
	p.normal[kind] = m
	if len(shapes) == 1 {
		return m
	}
	list := []*model{m}
	for _, n := range shapes[1:] {
		list = append(list, m.over(kind, n, m.a, 1))
	}
	p.side(list[1:], p.s, shapeSteps)
	if best := likeliest(list); best != m {
		return p.em(best, p.s, mostSteps, enough)
	}
	return m
}

// fitHeaps fits one trend whose positions have two heaps.
func (p *path) fitHeaps() *model {
	line := p.at(candidate{1, oneTrend, noRepeats})
	var list []*model
	for _, n := range shapesOf(twoHeaps) {
		list = append(list, line.over(twoHeaps, n, line.a, 1))
	}
	p.side(list, p.s, heapSteps)
	return p.em(likeliest(list), p.s, mostSteps, enough)
}

// starts returns what EM begins with for several groups.
func (p *path) starts(c candidate) []*model {
	var out []*model
	r := stream.New(p.seed, fmt.Sprintf("verdict/%s/%d/%d/%v", p.name, c.groups, c.kind.draw(), c.repeated))
	if fewer := p.fits[c.less(1)]; fewer != nil {
		out = append(out, p.splits(fewer, p.s, r)...)
	}
	if more := p.fits[c.less(-1)]; more != nil {
		out = append(out, p.without(more, p.s))
	}
	if c.kind == none {
		return append(out, p.scattered(c.groups, r))
	}
	if flat := p.at(candidate{c.groups, none, noRepeats}); flat != nil {
		one := p.at(candidate{1, c.kind, noRepeats})
		out = append(out, flat.over(c.kind, one.nodes, one.a, lifted))
		if normal := p.normal[c.kind]; normal != one {
			out = append(out, flat.over(c.kind, normal.nodes, normal.a, lifted))
		}
	}
	if c.kind == oneTrend {
		if even := p.fits[candidate{c.groups, amount, noRepeats}]; even != nil {
			out = append(out, even.over(oneTrend, even.nodes, even.a, 1))
		}
	}
	return out
}

// lifted is what is left of the slopes of one group when groups take their part.
const lifted = .6

func (c candidate) less(n int) candidate {
	c.groups -= n
	return c
}

// fitRepeated fits a candidate with repeated features, from the fit without
// them and from one group less.
func (p *path) fitRepeated(c candidate) *model {
	starts := p.startsRepeated(c)
	if len(starts) == 0 {
		return nil
	}
	return p.best(starts, p.more[c.repeated])
}

// startsRepeated returns what EM begins with; nothing where there are no such features.
func (p *path) startsRepeated(c candidate) []*model {
	if !p.lay.presence || c.kind.own() {
		return nil
	}
	switch c.repeated {
	case inOne:
		p.findForest()
	case inNone:
		p.keep(inNone, p.newForest(p.at(candidate{1, none, noRepeats})))
	case inAmount:
		p.keep(inAmount, p.newForest(p.at(candidate{1, amount, noRepeats})))
	}
	plain := p.at(candidate{c.groups, c.kind, noRepeats})
	if plain == nil || p.forest[c.repeated].children() == 0 {
		return nil
	}
	starts := []*model{plain.repeated(p.forest[c.repeated])}
	if fewer := p.fits[c.less(1)]; fewer != nil {
		r := stream.New(p.seed, fmt.Sprintf("verdict/%s/%d/%d/%v", p.name, c.groups, c.kind.draw(), c.repeated))
		starts = append(p.splits(fewer, p.more[c.repeated], r), starts...)
	}
	return starts
}

// findForest looks for repeated features under the best of the plain models of
// one population.
func (p *path) findForest() {
	if p.forest[inOne] == nil {
		var best *model
		top := math.Inf(-1)
		for _, kind := range []continuum{none, amount, oneTrend} {
			m := p.at(candidate{1, kind, noRepeats})
			free := map[continuum]int{none: 0, amount: 1, oneTrend: p.lay.cols}[kind]
			if v := m.loglik - float64(free)/2*math.Log(p.s.n); v > top {
				best, top = m, v
			}
		}
		p.keep(inOne, p.newForest(best))
	}
}

// keepInside finds features that still go together inside the groups of a
// candidate, where those of one population are mixed up with what the groups
// share.
func (p *path) keepInside(c candidate) {
	m := p.at(c)
	if m == nil {
		return
	}
	s := p.s
	if c.repeated != noRepeats {
		s = p.more[c.repeated]
	}
	p.keep(inGroups, p.insideForest(m, s))
}

func (p *path) keep(r repeated, f *forest) {
	p.forest[r], p.more[r] = f, f.with(p.s, p.lay.cols)
}

// sweep goes from the largest number of groups down to the lowest, where the model less
// one group takes the place of a worse one, and up again, where a better model with
// one group more does: both until nothing changes. It returns the numbers that
// changed.
func (p *path) sweep(kind continuum, low, top int) []int {
	var changed, down []int
	if kind != none { // its fits were not climbed to
		changed = p.up(kind, top, []int{1})
	}
	from := map[int]*model{}
	for range sweeps {
		down = p.down(kind, low, top, from)
		up := p.up(kind, top, down)
		changed = append(append(changed, down...), up...)
		if len(up) == 0 {
			break
		}
	}
	return changed
}

// sweeps is the number of ways down and up again; more of them change nothing
// that a reader would see.
const sweeps = 2

// Better fits of the same number of groups replace others by so many nats.
const better = .5

// down lets every number of groups begin from the fit of one more, less a group, unless it
// began from that fit before: it would come to the same.
func (p *path) down(kind continuum, low, top int, from map[int]*model) []int {
	var changed []int
	for k := top - 1; k >= low; k-- {
		c := candidate{k, kind, noRepeats}
		more, m := p.fits[c.less(-1)], p.fits[c]
		if more == nil || m == nil || from[k] == more {
			continue
		}
		from[k] = more
		goal := p.goal(m)
		if less := p.towards(p.without(more, p.s), p.s, mostSteps, enough, goal); less.loglik > goal {
			p.fits[c] = less
			changed = append(changed, k)
		}
	}
	return changed
}

// up goes up from the numbers that have changed; fits that nobody asked for
// before are made on the way.
func (p *path) up(kind continuum, top int, from []int) []int {
	var changed []int
	for k := 1; k < top; k++ {
		c := candidate{k, kind, noRepeats}
		m := p.fits[c]
		if m == nil || !slices.Contains(from, k) && !slices.Contains(changed, k) {
			continue
		}
		goal := p.goal(p.fits[c.less(-1)])
		r := stream.New(p.seed, fmt.Sprintf("verdict/%s/up/%d/%d", p.name, kind.draw(), k))
		if next := p.bestTowards(p.splits(m, p.s, r), p.s, goal); next != nil && next.loglik > goal {
			p.fits[c.less(-1)] = next
			changed = append(changed, k+1)
		}
	}
	return changed
}

// goal is what a fit must come to that takes the place of another, or of none.
func (p *path) goal(m *model) float64 {
	if m == nil {
		return math.Inf(-1)
	}
	return m.loglik + better
}
