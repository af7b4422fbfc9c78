package verdict

import (
	"context"
	"slices"
)

// search tries candidates until the claim is settled: one population first,
// then groups without a continuum, then with one, near the best of those.
func (j *judge) search(ctx context.Context) error {
	for _, step := range []struct {
		do   func(context.Context) error
		from int64 // hundredths of the work that come before: those of 6,000 example patients
	}{
		{j.onePopulation, 5}, {j.flat, 26}, {j.totals, 37}, {j.nearBest, 37}, {j.early, 38}, {j.continua, 39}, {j.again, 55}, {j.bridges, 90}, {j.repeats, 95}, {j.inside, 97}, {j.packages, 98}, {j.scales, 98},
	} {
		j.pulse.reached(step.from)
		if err := step.do(ctx); err != nil {
			return err
		}
	}
	j.pulse.reached(99)
	return ctx.Err()
}

// onePopulation tries every continuum without groups, and repeated features with
// the plain ones and the two that do best.
func (j *judge) onePopulation(ctx context.Context) error {
	alone := func(r repeated, kinds ...continuum) error {
		for _, kind := range kinds {
			if _, err := j.try(ctx, candidate{1, kind, r}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := j.fitTogether(ctx, alones(noRepeats, none, amount, oneTrend, bentTrend)...); err != nil {
		return err
	}
	if err := alone(noRepeats, none, amount, oneTrend, bentTrend); err != nil {
		return err
	}
	if err := j.climb(ctx, candidate{}, firstClimb, 2); err != nil {
		return err
	}
	if j.places != nil { // where all of these are tried, whatever they say
		if err := j.fitTogether(ctx, alonesRepeated()...); err != nil {
			return err
		}
	}
	if err := alone(noRepeats, sameTotal); err != nil {
		return err
	}
	if err := alone(inOne, none, amount, oneTrend); err != nil {
		return err
	}
	if err := j.climbAhead(ctx); err != nil {
		return err
	}
	if err := j.lines(ctx); err != nil {
		return err
	}
	first, _ := j.best(func(c candidate) bool { return isAlone(c) && c.kind != sameTotal })
	second, _ := j.best(func(c candidate) bool { return isAlone(c) && c.kind != sameTotal && c != first })
	if j.places != nil { // these are made beside groups
		j.pending = alones(inOne, first.kind, second.kind)
	} else {
		if !j.repeatsInReach() {
			return nil
		}
		if err := j.barred(1, func() error { return alone(inOne, first.kind, second.kind) }); err != nil {
			return err
		}
	}
	if err := alone(inNone, none); err != nil {
		return err
	}
	return alone(inAmount, amount)
}

// repeatsInReach reports that repeated features may bring one population near the best of
// all. They have been tried with the plain continua by then; a richer one explains more
// of what goes together, and leaves less to them.
func (j *judge) repeatsInReach() bool {
	const times = 2
	most := 0.0
	for _, kind := range []continuum{none, amount, oneTrend} {
		if with := (candidate{1, kind, inOne}); j.scores[with] != nil {
			most = max(most, j.against(with, candidate{1, kind, noRepeats}).Nats+j.left(with))
		}
	}
	top, _ := j.best(func(candidate) bool { return true })
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	e := j.against(top, one)
	return e.Nats-times*most <= margin(e.Error)
}

// climbAhead climbs the path without a continuum to its end where groups are ahead of one
// population: how far it leads tells which lines are in reach.
func (j *judge) climbAhead(ctx context.Context) error {
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 && c.kind != sameTotal })
	many, _ := j.best(isFlat)
	if j.places != nil || !j.against(many, one).clear() {
		return nil
	}
	return j.climb(ctx, candidate{}, mostGroups, 2)
}

// isAlone says that a candidate is one population without repeated features.
func isAlone(c candidate) bool { return c.groups == 1 && c.repeated == noRepeats }

// lines tries two trends and three, while they may come near what groups say. They
// are costly (49 and 128 places), and two things tell that they cannot. Lines are
// found by how much they explain, so that each of those to come adds no more than the
// one before. And K groups are the best that groups can do where records differ along
// K−1 lines and no more, since a path of groups cuts every line into slices.
func (j *judge) lines(ctx context.Context) error {
	many, _ := j.best(isFlat)
	last, this := candidate{1, none, noRepeats}, candidate{1, oneTrend, noRepeats}
	kinds := []continuum{twoTrends, threeTrends}
	for at, next := range kinds {
		if many.groups <= at+2 {
			return nil
		}
		top, _ := j.best(func(candidate) bool { return true })
		one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
		left := j.left(this)
		more := float64(len(kinds)-at) * (max(j.against(this, last).Nats, 0) + left)
		if e := j.against(top, one); e.Nats-left-more > margin(e.Error) {
			return nil
		}
		last, this = this, candidate{1, next, noRepeats}
		if _, err := j.tryBelow(ctx, this, linesTimes); err != nil {
			return err
		}
	}
	return nil
}

// linesTimes is how many times what it may gain yet a line is behind when it is given up:
// more than others, so that little is left open of what the next line might add.
const linesTimes = 4

// climb adds groups until so many numbers in a row score worse than the best.
func (j *judge) climb(ctx context.Context, c candidate, to, patience int) error {
	worse := 0
	var best candidate
	for c.groups = 1; c.groups <= min(to, j.limit) && worse < patience; c.groups++ {
		if isFlat(c) {
			if err := j.widen(ctx, c.groups, min(to, j.limit)); err != nil {
				return err
			}
		}
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
	firstClimb = 8   // groups after which one population may end the matter
	fewGroups  = 4   // up to which lines may stand for groups
	mostGroups = 100 // no file of 4,000 records shows so many
)

// flat climbs the path without a continuum, and comes down again.
func (j *judge) flat(ctx context.Context) error {
	later := j.pending
	if err := j.climb(ctx, candidate{}, firstClimb, 2); err != nil {
		return err
	}
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 && c.kind != sameTotal })
	many, _ := j.best(isFlat)
	if !j.against(one, many).clear() {
		if err := j.climb(ctx, candidate{}, mostGroups, 2); err != nil {
			return err
		}
	}
	if err := j.sweep(ctx); err != nil {
		return err
	}
	if err := j.fitTogether(ctx, later...); err != nil {
		return err
	}
	for _, c := range later {
		if _, err := j.try(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func isFlat(c candidate) bool { return c.kind == none && c.repeated == noRepeats }

// sweep replaces flat fits by better ones that have lost or won a group.
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
	for low := j.lowest(); ; {
		if err := j.swept(ctx, none, low, top); err != nil || j.places != nil {
			return err
		}
		below := j.lowest()
		if below >= low {
			return nil
		}
		low = below
	}
}

// outOfReach is how many numbers of groups are bettered that are clearly worse than the
// best: a group more adds less than the one before, so that a fit that is not the best of
// its number hides little of those below.
const outOfReach = 3

// lowest is the smallest number of groups without a continuum that may come near the best.
func (j *judge) lowest() int {
	best, _ := j.best(isFlat)
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 && c.kind != sameTotal })
	if !j.against(best, one).clear() {
		return 2
	}
	k := best.groups
	for worse := 0; k > 2 && worse < outOfReach; {
		k--
		if j.against(best, candidate{groups: k}).clear() {
			worse++
		}
	}
	return max(k, 2)
}

// again climbs once more with the continuum of the claim: it was reached from
// groups without one, which are slices of the continuum in part.
func (j *judge) again(ctx context.Context) error {
	claim := j.decide()
	if claim.groups == 1 || claim.repeated != noRepeats || claim.kind != amount && claim.kind != oneTrend {
		return nil
	}
	flat, less := candidate{claim.groups, none, noRepeats}, claim.less(1)
	if err := j.wholly(ctx, less); err != nil {
		return err
	}
	if j.scores[flat] != nil && j.scores[less] != nil && j.against(claim, less).Nats > sliceTimes*max(j.against(claim, flat).Nats, clearNats) {
		return nil // no group is a slice of so little
	}
	return j.barred(1, func() error { return j.swept(ctx, claim.kind, 2, claim.groups+1) })
}

// sliceTimes is how many times what a continuum adds the least of the groups beside it is
// worth where none of them is a slice of it.
const sliceTimes = 4

// swept looks for better fits of some numbers of groups over a continuum, and scores
// what has changed.
func (j *judge) swept(ctx context.Context, kind continuum, low, top int) error {
	if j.places != nil {
		f := ladder{candidate{kind: kind}, 2, top}
		if kind != none {
			return j.wide(ctx, f)
		}
		alone := j.pending
		j.pending = nil
		return j.beside(ctx, f, alone, func(p *path) { p.waves(f, flatWaves) })
	}
	changed := make([][]int, len(j.folds))
	err := j.each(ctx, func(i int) { changed[i] = j.folds[i].path.sweep(kind, low, top) })
	if err != nil {
		return err
	}
	again := slices.Concat(changed...)
	slices.Sort(again)
	for _, k := range slices.Compact(again) {
		c := candidate{k, kind, noRepeats}
		j.forget(c)
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
	if claim := j.decide(); claim.groups > fewGroups && claim.kind <= amount {
		return nil // two or three groups along lines are out of reach
	}
	if j.scores[candidate{1, twoTrends, noRepeats}] != nil { // two lines are in reach
		two := ladder{candidate{kind: twoTrends}, 2, min(many.groups-2, 3)}
		if err := j.wide(ctx, two, ladder{candidate{kind: twoHeaps}, 2, 2}); err != nil {
			return err
		}
		if err := j.climb(ctx, two.of, two.hi, 1); err != nil {
			return err
		}
	}
	_, err := j.try(ctx, candidate{2, twoHeaps, noRepeats})
	return err
}

// down tries groups over a continuum from the number that is best without one:
// fewer while they are not clearly worse, then more while they are better.
func (j *judge) down(ctx context.Context, kind continuum, from int) error {
	best := candidate{from, kind, noRepeats}
	if ok, err := j.tryBelow(ctx, best, 1); err != nil || !ok {
		return err
	}
	for c := best.less(1); c.groups > 1; c = c.less(1) {
		if err := j.ready(ctx, c, c.groups-2); err != nil {
			return err
		}
		ok, err := j.tryFewer(ctx, c, best)
		if err != nil || !ok {
			return err
		}
		if j.scores[c] == nil {
			break
		}
		top, _ := j.best(func(candidate) bool { return true })
		if gain := j.total(c) - j.total(best); gain > 0 {
			best = c
			if e := j.against(top, c); e.Nats-gain*float64(c.groups-1) > margin(e.Error) {
				break // as much with every group less would not be enough
			}
			continue
		}
		if j.against(best, c).clear() || j.against(top, best).clear() {
			break
		}
	}
	if flat := (candidate{from, none, noRepeats}); best.groups == from && !j.against(best, flat).clear() {
		return nil // which makes no room for groups more
	}
	for c := (candidate{from + 1, kind, noRepeats}); c.groups <= j.limit; c = c.less(-1) {
		if top, _ := j.best(func(candidate) bool { return true }); best.groups != c.groups-1 || j.against(top, best).clear() {
			break
		}
		if err := j.ready(ctx, c, c.groups+2); err != nil {
			return err
		}
		if ok, err := j.tryBelow(ctx, c, 1); err != nil || !ok {
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
	one, _ := j.best(func(c candidate) bool { return c.groups == 1 })
	if one.repeated == noRepeats {
		return nil
	}
	many, _ := j.best(isFlat)
	if ok, err := j.repeatsHelp(ctx, many); err != nil || !ok {
		return err
	}
	return j.climbRepeats(ctx)
}

// repeatsHelp reports that repeated features describe the records better beside
// the groups of a candidate: where they do not, groups have explained them.
func (j *judge) repeatsHelp(ctx context.Context, c candidate) (bool, error) {
	with := candidate{c.groups, c.kind, inOne}
	if ok, err := j.try(ctx, with); err != nil || !ok {
		return false, err
	}
	return j.total(with) > j.total(c), nil
}

// repeats tries groups with repeated features, where groups are claimed and such
// features add to them.
func (j *judge) repeats(ctx context.Context) error {
	claim := j.decide()
	if claim.groups == 1 || claim.repeated != noRepeats || claim.kind == twoHeaps || j.scores[candidate{1, none, inOne}] == nil {
		return nil
	}
	if ok, err := j.repeatsHelp(ctx, claim); err != nil || !ok {
		return err
	}
	return j.climbRepeats(ctx)
}

// climbRepeats climbs with repeated features from one group on.
func (j *judge) climbRepeats(ctx context.Context) error {
	kinds, to := j.repeatedKinds()
	return j.climbAll(ctx, kinds, inOne, to)
}

// repeatedKinds are the continua that are tried with repeated features, and up to how
// many groups.
func (j *judge) repeatedKinds() ([]continuum, int) {
	claim := j.decide()
	many, _ := j.best(isFlat)
	kinds := []continuum{none, amount, claim.kind}
	switch {
	case claim.groups >= 10:
		kinds = []continuum{claim.kind}
	case claim.kind > oneTrend || claim.kind == twoHeaps:
		kinds = []continuum{none, amount, oneTrend}
	}
	return slices.Compact(kinds), max(claim.groups+1, min(many.groups, 10))
}

// inside looks again for repeated features, inside the groups of a claim that
// has such, and climbs with what it finds: features that were taken for others
// of their group would otherwise make groups of their own.
func (j *judge) inside(ctx context.Context) error {
	claim := j.decide()
	if claim.groups == 1 || claim.repeated != inOne {
		return nil
	}
	if err := j.each(ctx, func(i int) { j.folds[i].path.keepInside(claim) }); err != nil {
		return err
	}
	return j.climbAll(ctx, slices.Compact([]continuum{none, claim.kind}), inGroups, claim.groups+1)
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
	tried := j.tried() // by their numbers of groups
	for lo, hi := 0, 0; lo < len(tried) && tried[lo].groups <= mostGroups; lo = hi {
		c := tried[lo]
		for hi = lo + 1; hi < len(tried) && tried[hi].groups == c.groups; hi++ {
			if j.total(tried[hi]) > j.total(c) {
				c = tried[hi]
			}
		}
		if c.groups == top.groups || !j.against(top, c).clear() {
			out = append(out, j.plainest(c))
		}
	}
	return out
}

// leftErrors is how many standard errors groups must be worse than one population to be
// ruled out where features repeat others: one population is tried with them in every form,
// groups in few.
const leftErrors = 3

// mostLeft is the largest number of groups that the best one population leaves open.
func (j *judge) mostLeft(top candidate) int {
	most := 1
	for _, c := range j.tried() {
		if e := j.against(top, c); c.groups > most && e.Nats <= max(leftErrors*e.Error, clearNats) {
			most = c.groups
		}
	}
	return most
}

// besideLines is the number of groups that would be claimed without the explanations of one
// population by more lines than groups are tried with. Such lines describe classes whose
// questions go together in sets as well as classes do, and no classes with as many lines have
// been compared with them: they take nothing out of the range.
func (j *judge) besideLines(top candidate) int {
	fewer := func(c candidate) bool { return c.kind != threeTrends && c.kind != manyTrends }
	if fewer(top) {
		return top.groups
	}
	best, _ := j.best(fewer)
	for _, c := range j.tried() { // by their numbers of groups
		if fewer(c) && !j.against(best, c).clear() {
			return c.groups
		}
	}
	return best.groups
}

func (j *judge) plainest(best candidate) candidate {
	for _, c := range j.tried() {
		if c.groups == best.groups && !j.against(best, c).clear() {
			return c
		}
	}
	return best
}
