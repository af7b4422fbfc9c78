package verdict

import (
	"context"
	"maps"
	"slices"
)

// Candidates that are asked for together, and whose fits do not hang on each other, are fitted
// side by side: on one machine where it has more cores than folds, and over several places in the
// same rounds.

// fitTogether makes fits side by side, and scores them. They count when they are asked for, and
// not before: fits that nobody tries must not be starts of others.
func (j *judge) fitTogether(ctx context.Context, list ...candidate) error {
	if j.places == nil && j.share() <= 1 {
		return nil
	}
	if err := j.each(ctx, func(i int) { j.folds[i].path.fitTogether(list) }); err != nil {
		return err
	}
	return j.enter(ctx, list...)
}

func (p *path) fitTogether(list []candidate) {
	list = slices.DeleteFunc(slices.Clone(list), p.asked)
	p.together(len(list), func(i int, q *path) { q.at(list[i]) })
}

// together does things side by side, each on a path that knows what this one knows;
// what they learn is then known here.
func (p *path) together(n int, do func(i int, q *path)) {
	own := make([]*path, n)
	for i := range own {
		own[i] = p.apart()
	}
	_ = p.places.beside(context.Background(), max(p.workers, 1), n, func(i int, places *strand) error { // nothing fails
		own[i].places, own[i].workers = places, (p.workers+n-1)/n
		do(i, own[i])
		return nil
	})
	for _, q := range own {
		p.learn(q)
	}
}

// apart returns a path that knows what this one knows, and learns on its own. A model has
// room that it works in, so that each path has its own.
func (p *path) apart() *path {
	q := *p
	q.st, q.fits, q.made, q.twin = stats{}, map[candidate]*model{}, map[candidate]*model{}, map[candidate]*model{}
	q.normal, q.guide = map[continuum]*model{}, maps.Clone(p.guide)
	known := map[*model]*model{nil: nil}
	twin := func(m *model) *model {
		if _, ok := known[m]; !ok {
			known[m] = m.twin()
		}
		return known[m]
	}
	for c, m := range p.fits {
		q.fits[c], q.twin[c] = twin(m), twin(m)
	}
	for c, m := range p.made {
		q.made[c], q.twin[c] = twin(m), twin(m)
	}
	for kind, m := range p.normal {
		q.normal[kind] = twin(m)
	}
	return &q
}

// twin returns the same fit with room of its own.
func (m *model) twin() *model {
	out := m.copied()
	out.loglik, out.left, out.totals, out.lean = m.loglik, m.left, m.totals, m.lean
	return out
}

// learn takes over what another path has found that began apart from this one.
func (p *path) learn(q *path) {
	for _, list := range []map[candidate]*model{q.fits, q.made} {
		for c, m := range list {
			if old, ok := q.twin[c]; !ok && !p.asked(c) || ok && old != m {
				p.put(c, m)
			}
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
	var families []ladder
	list := alones(r, kinds...)
	for _, c := range list {
		if to = min(to, j.limit); !j.folds[0].path.asked(c.with(2)) {
			families = append(families, ladder{c, 2, to})
		}
	}
	if err := j.fitTogether(ctx, list...); err != nil {
		return err
	}
	if err := j.wide(ctx, families...); err != nil {
		return err
	}
	for _, kind := range kinds {
		if err := j.climb(ctx, candidate{kind: kind, repeated: r}, to, 1); err != nil {
			return err
		}
	}
	return nil
}
