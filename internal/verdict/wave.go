package verdict

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/internal/stream"
)

// Over several places a step of EM is a round, and a round carries many fits as well as
// one. So fits are not led to their end one after the other: several numbers of groups
// begin from the same fit of fewer, by as many cuts, and then all of them go on together,
// in waves. In a wave every fit takes some steps, beside what its neighbours become with a
// group more or less, and the likeliest stays.
const (
	upFirst    = 4 // steps of every start of one group more, after which the likeliest goes on
	upNext     = 6 // steps of that one
	waveFirst  = 6 // steps of a fit in a wave, and of what its neighbours become
	waveNext   = 8 // steps of it and of the likeliest of these
	rivals     = 2 // that are taken to the end of a wave
	flatWaves  = 3
	kindWaves  = 1
	mostFlight = 2
)

// known reports that a fit was made, and that there is one.
func (p *path) known(c candidate) bool { return p.asked(c) && p.of(c) != nil }

// asked reports that a fit was made, or that there is none.
func (p *path) asked(c candidate) bool {
	_, asked := p.fits[c]
	_, made := p.made[c]
	return asked || made
}

// put keeps a fit in the place of another.
func (p *path) put(c candidate, m *model) {
	if _, asked := p.fits[c]; asked {
		p.fits[c] = m
	} else {
		p.made[c] = m
	}
}

func (p *path) draws(what string, c candidate) string {
	return fmt.Sprintf("verdict/%s/%s/%d/%d/%v", p.name, what, c.groups, c.kind.draw(), c.repeated)
}

// rows returns the records as a candidate sees them.
func (p *path) rows(c candidate) *sample {
	if c.repeated != noRepeats {
		return p.more[c.repeated]
	}
	return p.s
}

// quick takes a few steps from every start, and some more from the likeliest.
func (p *path) quick(c candidate, starts []*model) *model {
	if len(starts) == 0 {
		return nil
	}
	s := p.rows(c)
	if len(starts) > 1 {
		p.side(starts, s, upFirst)
	}
	return p.leaning(likeliest(starts), s, upNext, stream.New(p.seed, p.draws("lean", c)))
}

// flight is the number of groups that is reached at once from so many.
func flight(k int) int { return k + max(1, min(k/2, mostFlight)) }

// ascend fits up to so many groups without a continuum, in flights.
func (p *path) ascend(to int) {
	of := candidate{}
	if c := of.with(1); !p.asked(c) {
		r := stream.New(p.seed, p.draws("up", c))
		p.made[c] = p.quick(c, []*model{p.alone(none, noNodes(), r)})
	}
	from := 1
	for p.known(of.with(from + 1)) {
		from++
	}
	for from < to {
		next := min(flight(from), to)
		p.together(next-from, func(i int, q *path) {
			c, fewer := of.with(from+1+i), q.of(of.with(from))
			r := stream.New(p.seed, p.draws("up", c))
			starts := q.cuts(fewer, i+1, r)
			q.made[c] = q.quick(c, append(starts, q.scattered(c.groups, r)))
		})
		from = next
	}
}

// cuts returns starts of some groups more: those that differ most from what is
// expected of them cut in two, or those that do so most clearly.
func (p *path) cuts(m *model, more int, r *rand.Rand) []*model {
	if more == 1 {
		return p.splits(m, p.s, r)
	}
	res := p.residuals(m, p.s, r)
	largest, clearest := p.ranks(m, res)
	parts := make([]*parted, m.groups)
	p.places.each(m.groups, func(k int, own *strand) { parts[k] = p.cut(m, p.s, k, res, own) })
	var out []*model
	for _, order := range [][]int{largest, clearest} {
		var list []parted
		for _, k := range order {
			if parts[k] != nil && len(list) < more {
				list = append(list, *parts[k])
			}
		}
		if len(list) == more {
			out = append(out, p.divided(m, list...))
		}
	}
	return out
}

// ladder are candidates that differ in the number of groups alone.
type ladder struct {
	of     candidate
	lo, hi int
}

func (f ladder) list() (out []candidate) {
	for k := f.lo; k <= f.hi; k++ {
		out = append(out, f.of.with(k))
	}
	return out
}

// wide fits families side by side: each of their numbers of groups for itself, and then
// all in waves.
func (p *path) wide(list []ladder) {
	p.together(len(list), func(i int, q *path) {
		f := list[i]
		var fresh []candidate
		for _, c := range f.list() {
			if !q.asked(c) {
				fresh = append(fresh, c)
			}
		}
		q.together(len(fresh), func(i int, q *path) {
			if c := fresh[i]; !c.kind.climbs() {
				q.made[c] = q.fit(c)
			} else {
				q.made[c] = q.quick(c, q.begun(c))
			}
		})
		if f.of.kind.climbs() {
			q.waves(f, kindWaves)
		}
	})
}

// reachWide is reach over several places.
func (p *path) reachWide(c candidate) *model {
	if !p.asked(c) {
		p.ascend(c.groups)
		p.waves(ladder{candidate{}, 2, c.groups}, flatWaves)
		p.fitTogether(alones(noRepeats, amount, oneTrend))
		if c.repeated == inGroups && p.forest[inGroups] == nil {
			one := candidate{c.groups, c.kind, inOne}
			p.wide([]ladder{{one, c.groups, c.groups}})
			p.keepInside(one)
		}
		p.wide([]ladder{{c, c.groups, c.groups}})
	}
	return p.at(c)
}

// begun returns what a candidate with a continuum or repeated features begins with.
func (p *path) begun(c candidate) []*model {
	if c.repeated != noRepeats {
		plain := candidate{c.groups, c.kind, noRepeats}
		if !p.asked(plain) {
			p.made[plain] = p.quick(plain, p.starts(plain))
		}
		return p.startsRepeated(c)
	}
	return p.starts(c)
}

// waves lets the fits of a ladder go on, until no neighbour is better: all of them first,
// and then those beside which something has changed.
func (p *path) waves(f ladder, most int) {
	list := f.list()
	for n := 0; n < most && len(list) > 0; n++ {
		changed := p.wave(f, list, n)
		list = slices.DeleteFunc(f.list(), func(c candidate) bool {
			return !slices.ContainsFunc(changed, func(o candidate) bool { return o.groups-c.groups <= 1 && c.groups-o.groups <= 1 })
		})
	}
}

// wave returns the candidates whose place a neighbour has taken.
func (p *path) wave(f ladder, list []candidate, number int) []candidate {
	list = slices.DeleteFunc(list, func(c candidate) bool { return c.groups == 1 || !p.known(c) })
	changed := make([]bool, len(list))
	p.together(len(list), func(i int, q *path) { changed[i] = q.moved(list[i], fmt.Sprintf("%d/%d", f.hi, number)) })
	var out []candidate
	for i, c := range list {
		if changed[i] {
			out = append(out, c)
		}
	}
	return out
}

// moved takes the fit of a candidate through a wave.
func (p *path) moved(c candidate, wave string) (changed bool) {
	s, own := p.rows(c), p.of(c).copied()
	r := stream.New(p.seed, p.draws("wave"+wave, c))
	var other [2][]*model
	p.each(2, func(i int, t *trainer) {
		switch {
		case i == 0 && c.groups > 2 && p.known(c.less(1)):
			other[i] = t.splits(p.of(c.less(1)), s, r)
		case i == 1 && p.known(c.less(-1)):
			other[i] = append(other[i], t.without(p.of(c.less(-1)), s))
		}
	})
	others := append(other[0], other[1]...)
	if c.kind == none && c.repeated == noRepeats {
		others = append(others, p.scattered(c.groups, r))
	}
	list := []*model{own}
	p.side(append(list, others...), s, waveFirst)
	for range min(len(others), rivals) {
		best := likeliest(others)
		list = append(list, best)
		others = slices.DeleteFunc(others, func(m *model) bool { return m == best })
	}
	p.each(len(list), func(i int, t *trainer) {
		t.leaning(list[i], s, waveNext, stream.New(p.seed, p.draws(fmt.Sprintf("lean%s/%d", wave, i), c)))
	})
	if best := likeliest(list); best.loglik > own.loglik+better {
		own, changed = best, true
	}
	p.put(c, own)
	return changed
}

// each does things with the sample side by side.
func (t *trainer) each(n int, do func(i int, own *trainer)) {
	_ = t.places.beside(context.Background(), max(t.workers, 1), n, func(i int, places *strand) error { // nothing fails
		own := *t
		own.places, own.st = places, stats{}
		do(i, &own)
		return nil
	})
}

// with is the candidate with so many groups.
func (c candidate) with(groups int) candidate {
	c.groups = groups
	return c
}
