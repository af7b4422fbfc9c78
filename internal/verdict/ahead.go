package verdict

import (
	"context"
	"maps"
	"slices"
)

// Over several places a round carries many fits as well as one. So fits that will be
// asked for, and that do not hang on each other, are made side by side before they are:
// what comes of it is the same, in fewer rounds. One machine, to which rounds cost
// nothing, waits until it is asked.

// ahead makes fits side by side. They count when they are asked for, and not before: fits
// that nobody tries must not be starts of others.
func (j *judge) ahead(ctx context.Context, list ...candidate) error {
	if j.places == nil || len(list) < 2 {
		return nil
	}
	return j.each(ctx, func(i int) { j.folds[i].path.ahead(list) })
}

func (p *path) ahead(list []candidate) {
	own := make([]*path, len(list))
	p.places.each(len(list), func(i int, places *strand) {
		own[i] = p.apart(places)
		own[i].at(list[i])
	})
	for _, q := range own {
		for c, m := range q.fits {
			if _, ok := p.fits[c]; !ok {
				p.made[c] = m
			}
		}
		for kind, m := range q.normal {
			if p.normal[kind] == nil {
				p.normal[kind] = m
			}
		}
		for r, f := range q.forest {
			if p.forest[r] == nil && f != nil {
				p.forest[r], p.more[r] = f, q.more[r]
			}
		}
		if p.pairs == nil {
			p.pairs = q.pairs
		}
	}
}

// apart returns a path that knows what this one knows, and learns on its own. A model has
// room that it works in, so that each path has its own.
func (p *path) apart(places *strand) *path {
	q := *p
	q.places, q.st = places, stats{}
	q.fits, q.normal, q.guide = map[candidate]*model{}, map[continuum]*model{}, maps.Clone(p.guide)
	q.made = map[candidate]*model{}
	known := map[*model]*model{nil: nil}
	twin := func(m *model) *model {
		if _, ok := known[m]; !ok {
			known[m] = m.copied()
			known[m].loglik, known[m].totals = m.loglik, m.totals
		}
		return known[m]
	}
	for c, m := range p.fits {
		q.fits[c] = twin(m)
	}
	for kind, m := range p.normal {
		q.normal[kind] = twin(m)
	}
	return &q
}

// alones are candidates of one population.
func alones(r repeated, kinds ...continuum) (out []candidate) {
	for _, kind := range kinds {
		out = append(out, candidate{1, kind, r})
	}
	return out
}

// climbAll climbs over several continua with repeated features, as climb does over each
// with a patience of one; over several places side by side.
func (j *judge) climbAll(ctx context.Context, kinds []continuum, r repeated, to int) error {
	if j.places == nil {
		for _, kind := range kinds {
			if err := j.climb(ctx, candidate{kind: kind, repeated: r}, to, 1); err != nil {
				return err
			}
		}
		return nil
	}
	list := alones(r, kinds...)
	for k := 1; k <= min(to, j.limit) && len(list) > 0; k++ {
		if err := j.ahead(ctx, list...); err != nil {
			return err
		}
		var on []candidate
		for _, c := range list {
			ok, err := j.try(ctx, c)
			if err != nil {
				return err
			}
			if ok && (k == 1 || j.total(c) > j.total(c.less(1))) {
				on = append(on, c.less(-1))
			}
		}
		list = on
	}
	return nil
}

// neighbour is a model, and what came of it with a group more or less, which was to come
// to a goal.
type neighbour struct {
	of, made *model
	goal     float64
}

// fewerOf fits a model less one group, as far as it may come to a goal.
func (p *path) fewerOf(m *model, goal float64) neighbour {
	return neighbour{m, p.towards(p.without(m, p.s), p.s, mostSteps, enough, goal), goal}
}

// lessOne takes one group from every fit of a kind, side by side: what comes of it by the
// number of groups that it has then.
func (p *path) lessOne(kind continuum, top int) map[int]neighbour {
	return p.neighbours(kind, func(yield func(k, of int)) {
		for k := top - 1; k > 1; k-- {
			if p.fits[candidate{k, kind, noRepeats}] != nil {
				yield(k, k+1)
			}
		}
	}, func(q *path, k int, m *model) neighbour {
		return q.fewerOf(m, q.goal(q.fits[candidate{k, kind, noRepeats}]))
	})
}

// oneMore cuts a group of fits of a kind in two, side by side: what comes of it by the
// number of groups that it had before.
func (p *path) oneMore(kind continuum, top int, from []int) map[int]neighbour {
	return p.neighbours(kind, func(yield func(k, of int)) {
		for k := 1; k < top; k++ {
			if slices.Contains(from, k) {
				yield(k, k)
			}
		}
	}, func(q *path, k int, m *model) neighbour {
		return q.moreOf(m, q.goal(q.fits[candidate{k + 1, kind, noRepeats}]))
	})
}

func (p *path) neighbours(kind continuum, each func(yield func(k, of int)), fitted func(q *path, k int, m *model) neighbour) map[int]neighbour {
	if p.places == nil {
		return nil
	}
	type asked struct{ k, of int }
	var list []asked
	each(func(k, of int) {
		if p.fits[candidate{of, kind, noRepeats}] != nil {
			list = append(list, asked{k, of})
		}
	})
	found := make([]neighbour, len(list))
	p.places.each(len(list), func(i int, places *strand) {
		c, q := candidate{list[i].of, kind, noRepeats}, p.apart(places)
		found[i] = fitted(q, list[i].k, q.fits[c])
		found[i].of = p.fits[c]
	})
	out := map[int]neighbour{}
	for i, a := range list {
		out[a.k] = found[i]
	}
	return out
}
