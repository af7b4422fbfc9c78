package verdict

import (
	"context"
	"slices"
)

// stopAt is the number of groups up to which the path is climbed at once.
func stopAt(k int) int {
	if k <= pilot {
		return pilot
	}
	at := firstClimb
	for at < k {
		at += max(2, at/2)
	}
	return at
}

// widen makes the fits without a continuum up to a number of groups, and some beyond, and
// scores them. Those of one population are made beside them.
func (j *judge) widen(ctx context.Context, k, to int) error {
	if j.places == nil || j.folds[0].path.asked(candidate{k, none, noRepeats}) {
		return nil
	}
	f := ladder{candidate{}, 2, min(stopAt(k), to)}
	if k > pilot {
		f.lo = k - 1
	}
	var alone []candidate
	switch {
	case k <= pilot:
		alone = alones(noRepeats, amount, oneTrend, bentTrend)
	case k <= firstClimb:
		alone = append(alones(noRepeats, twoTrends, threeTrends, sameTotal), alonesRepeated()...)
	default:
		alone, j.pending = j.pending, nil
	}
	return j.beside(ctx, f, alone, func(p *path) {
		p.ascend(f.hi)
		p.waves(f, 1)
	})
}

// beside does something with a ladder, and makes fits of one population in the same
// exchanges; all are scored then.
func (j *judge) beside(ctx context.Context, f ladder, alone []candidate, do func(p *path)) error {
	err := j.each(ctx, func(i int) {
		j.folds[i].path.together(1+len(alone), func(i int, q *path) {
			if i == 0 {
				do(q)
			} else {
				q.at(alone[i-1])
			}
		})
	})
	if err != nil {
		return err
	}
	list := slices.Concat(f.list(), alone)
	if one := f.of.with(1); f.lo == 2 && one.plain() {
		list = append(list, one)
	}
	return j.anew(ctx, list)
}

// alonesRepeated are the candidates of one population with repeated features that are
// tried whatever comes.
func alonesRepeated() []candidate {
	return append(alones(inOne, none, amount, oneTrend), candidate{1, none, inNone}, candidate{1, amount, inAmount})
}

// anew scores candidates, those again whose fits may have changed.
func (j *judge) anew(ctx context.Context, list []candidate) error {
	var tried []candidate
	for _, c := range list {
		if j.scores[c] != nil {
			tried = append(tried, c)
		}
		j.forget(c)
	}
	if err := j.enter(ctx, list...); err != nil {
		return err
	}
	for _, c := range tried {
		j.scores[c], _ = j.table.Scores(c)
	}
	return nil
}

// wide makes and scores the fits of families side by side, over several places.
func (j *judge) wide(ctx context.Context, list ...ladder) error {
	if j.places == nil || len(list) == 0 {
		return nil
	}
	if err := j.each(ctx, func(i int) { j.folds[i].path.wide(list) }); err != nil {
		return err
	}
	var all []candidate
	for _, f := range list {
		all = append(all, f.list()...)
	}
	return j.anew(ctx, all)
}

// ready makes a candidate before it is tried, and the next ones of its family down to a
// number of groups or up to it.
func (j *judge) ready(ctx context.Context, c candidate, to int) error {
	if j.places == nil || j.folds[0].path.asked(c) {
		return nil
	}
	return j.wide(ctx, ladder{c, max(min(c.groups, to), 2), min(max(c.groups, to), j.limit)})
}

// nearBest makes fits of the families of continua and repeated features near the best groups without
// either.
func (j *judge) nearBest(ctx context.Context) error {
	if j.places == nil {
		return nil
	}
	many, _ := j.best(isFlat)
	if many.groups < 2 {
		return nil
	}
	var list []ladder
	for _, kind := range []continuum{amount, oneTrend} {
		list = append(list, ladder{candidate{kind: kind}, max(many.groups-2, 2), min(many.groups+1, j.limit)})
	}
	if one, _ := j.best(func(c candidate) bool { return c.groups == 1 }); one.repeated != noRepeats {
		kinds, to := j.repeatedKinds()
		if to < many.groups {
			list = append(list, ladder{candidate{repeated: inOne}, many.groups, many.groups})
		}
		for _, kind := range kinds {
			list = append(list, ladder{candidate{kind: kind, repeated: inOne}, 2, min(to, j.limit)})
		}
	}
	return j.wide(ctx, list...)
}
