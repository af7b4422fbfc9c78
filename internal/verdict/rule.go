package verdict

import (
	"context"
	"slices"
)

// search tries candidates until the claim is settled: one population first,
// then groups without a continuum, then with one, near the best of those.
func (j *judge) search(ctx context.Context) error {
	for _, step := range []func(context.Context) error{j.onePopulation, j.flat, j.early, j.continua, j.repeats} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// onePopulation tries every continuum without groups, and repeated features
// with the two that do best.
func (j *judge) onePopulation(ctx context.Context) error {
	for _, kind := range []continuum{none, amount, oneTrend, bentTrend, twoTrends, threeTrends} {
		if _, err := j.try(ctx, candidate{1, kind, false}); err != nil {
			return err
		}
	}
	first, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	second, _ := j.best(func(c candidate) bool { return c.groups == 1 && c != first })
	for _, kind := range []continuum{none, amount, oneTrend, first.kind, second.kind} {
		if _, err := j.try(ctx, candidate{1, kind, true}); err != nil {
			return err
		}
	}
	return nil
}

// climb adds groups until so many numbers in a row score worse than the best.
func (j *judge) climb(ctx context.Context, c candidate, to, patience int) error {
	worse := 0
	var best candidate
	for c.groups = 1; c.groups <= min(to, j.limit) && worse < patience; c.groups++ {
		ok, err := j.try(ctx, c)
		if err != nil || !ok {
			return err
		}
		if best.groups == 0 || j.total(c) > j.total(best) {
			best, worse = c, 0
		} else {
			worse++
		}
	}
	return nil
}

const (
	secondLook = 8   // groups after which one population may end the matter
	mostGroups = 100 // no file of 4,000 records shows so many
)

// flat climbs the path without a continuum, and comes down again.
func (j *judge) flat(ctx context.Context) error {
	if err := j.climb(ctx, candidate{}, secondLook, 2); err != nil {
		return err
	}
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	many, _ := j.best(isFlat)
	if !j.against(one, many).clear() {
		if err := j.climb(ctx, candidate{}, mostGroups, 2); err != nil {
			return err
		}
	}
	return j.sweep(ctx)
}

func isFlat(c candidate) bool { return c.kind == none && !c.repeated }

// sweep replaces flat fits by better ones that have lost a group.
func (j *judge) sweep(ctx context.Context) error {
	top := 0
	for _, c := range j.tried() {
		if isFlat(c) {
			top = max(top, c.groups)
		}
	}
	if top < 3 {
		return nil
	}
	var again []int
	for _, f := range j.folds {
		again = append(again, f.path.sweep(top)...)
	}
	slices.Sort(again)
	for _, k := range slices.Compact(again) {
		c := candidate{k, none, false}
		delete(j.scores, c)
		if _, err := j.try(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// continua tries groups over an amount, over one trend and over two.
func (j *judge) continua(ctx context.Context) error {
	many, _ := j.best(isFlat)
	for _, kind := range []continuum{amount, oneTrend} {
		if err := j.down(ctx, kind, many.groups); err != nil {
			return err
		}
	}
	if err := j.climb(ctx, candidate{kind: twoTrends}, min(many.groups, 3), 1); err != nil {
		return err
	}
	_, err := j.try(ctx, candidate{2, twoHeaps, false})
	return err
}

// down tries groups over a continuum from the number that is best without one:
// fewer while they are not clearly worse, then more while they are better.
func (j *judge) down(ctx context.Context, kind continuum, from int) error {
	best := candidate{from, kind, false}
	if ok, err := j.try(ctx, best); err != nil || !ok {
		return err
	}
	for c := best.less(1); c.groups > 1; c = c.less(1) {
		ok, err := j.try(ctx, c)
		if err != nil || !ok {
			return err
		}
		if j.total(c) > j.total(best) {
			best = c
			continue
		}
		top, _ := j.best(func(candidate) bool { return true })
		if j.against(best, c).clear() || j.against(top, best).clear() {
			break
		}
	}
	for c := (candidate{from + 1, kind, false}); c.groups <= j.limit; c = c.less(-1) {
		if best.groups != c.groups-1 {
			break
		}
		if ok, err := j.try(ctx, c); err != nil || !ok {
			return err
		}
		if j.total(c) > j.total(best) {
			best = c
		}
	}
	return nil
}

// early tries groups with repeated features before those with a continuum where
// one population has such features: they often end the matter.
func (j *judge) early(ctx context.Context) error {
	if one, _ := j.best(func(c candidate) bool { return c.groups == 1 }); one.repeated {
		return j.repeats(ctx)
	}
	return nil
}

// repeats tries groups with repeated features, where groups are claimed or one
// population has such features.
func (j *judge) repeats(ctx context.Context) error {
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	claim := j.decide()
	if claim.groups == 1 && !one.repeated || j.scores[candidate{1, none, true}] == nil {
		return nil
	}
	many, _ := j.best(isFlat)
	kinds := []continuum{none, amount, claim.kind}
	switch {
	case claim.groups >= 10:
		kinds = []continuum{claim.kind}
	case claim.kind == twoTrends || claim.kind == twoHeaps:
		kinds = []continuum{none, amount, oneTrend}
	}
	for _, kind := range slices.Compact(kinds) {
		to := max(claim.groups+1, min(many.groups, 10))
		if err := j.climb(ctx, candidate{kind: kind, repeated: true}, to, 1); err != nil {
			return err
		}
	}
	return nil
}

// decide returns the candidate of the smallest number of groups that is not
// clearly worse than the best of all, in its plainest form.
func (j *judge) decide() candidate {
	top, _ := j.best(func(candidate) bool { return true })
	list := j.defensible(top)
	return list[0]
}

// defensible returns, for each number of groups that is not clearly worse than
// the best of all, its best candidate, in the plainest form that is not clearly
// worse than that.
func (j *judge) defensible(top candidate) []candidate {
	var out []candidate
	for k := 1; k <= mostGroups; k++ {
		c, ok := j.best(func(c candidate) bool { return c.groups == k })
		if !ok || k != top.groups && j.against(top, c).clear() {
			continue
		}
		out = append(out, j.plainest(c))
	}
	return out
}

func (j *judge) plainest(best candidate) candidate {
	for _, c := range j.tried() {
		if c.groups == best.groups && !j.against(best, c).clear() {
			return c
		}
	}
	return best
}
