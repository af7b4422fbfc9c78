package verdict

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/verdict/scores"
	"github.com/moiety-go/moiety/pass"
)

// Sequences judges how many hidden states sequences pass through.
//
// K states compete, on sequences kept aside, with explanations that have none:
// steps by themselves, steps that drift with time, sequences that each have a level
// of their own, steps that follow from those before, which are seen. States that
// nobody leaves, and kinds of steps that do not follow each other, are told apart
// from states that do. The claim is the smallest number of states that is not
// clearly worse than the best explanation of all.
//
// Where sequences lie at several places, explanations are learned from sums and compared
// by sums.
func Sequences(ctx context.Context, run pass.Runner, fam family.Family, find StateFit, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, "judging how many states there are")
	w, seen, err := drawWalks(ctx, run)
	if err != nil {
		return nil, err
	}
	j := newWalkJudge(w, fam, find, s)
	if err := w.places.failed(); err != nil {
		return nil, err
	}
	if w.many() < leastRecords {
		return j.little(seen), nil
	}
	if w.places != nil && j.kind == symbols && run.Dim() > mostSymbols {
		return nil, fmt.Errorf("verdict: steps hold one of %d things each, and what follows what is counted over several places for %d at most: "+
			"leave out rare ones, or ask for a number of states with ‹groups›", run.Dim(), mostSymbols)
	}
	if err := j.rivals(ctx); err != nil {
		return nil, err
	}
	s.heard.stage(10, 80)
	if err := j.climb(ctx); err != nil {
		return nil, err
	}
	if !j.tried(course{1, hidden}) {
		return j.little(seen), nil
	}
	if err := j.fewer(ctx); err != nil {
		return nil, err
	}
	s.heard.stage(80, 98)
	v, err := j.verdict(ctx, seen)
	return v, errors.Join(err, w.places.failed())
}

// walkFold is one part of the sequences, kept aside, and the fits of the others.
type walkFold struct {
	train, test *walks
	fits        map[course]held
}

// walkJudge compares explanations of sequences.
type walkJudge struct {
	w       *walks
	fam     family.Family
	find    StateFit
	s       Settings
	kind    stepKind
	things  []int // features that steps hold
	folds   []*walkFold
	table   *scores.Table[course] // on the sequences kept aside, by halves
	highest int                   // most states that were tried
	untold  bool                  // steps cannot tell more states apart, and might if they could
}

const (
	mostStates   = 24 // that are tried
	stateSteps   = 50 // steps a state, on average, below which no more are tried
	twoFolds     = 200
	mostVisible  = 12 // different things up to which each may be a state
	worseInARow  = 2  // numbers of states that add nothing, after which the search ends
	leastOfState = 20 // sequences that pass through the smallest state, for a claim to be sure
)

func newWalkJudge(w *walks, fam family.Family, find StateFit, s Settings) *walkJudge {
	j := &walkJudge{w: w, fam: fam, find: find, s: s, kind: w.kind()}
	if j.kind == symbols && !fam.Info().Symbols { // states count things that come one at a time: so must their rivals
		j.kind = counted
	}
	j.things = w.things()
	parts := 2
	if w.many() < twoFolds {
		parts = manyFolds
	}
	all, before := w.places.ranked(w.n())
	lists := partition(all, min(parts, max(all, 1)), s.Seed, "verdict/sequences")
	var half []int
	at := 0
	for i, list := range lists {
		slices.Sort(list)
		var test, train []int
		for _, number := range list {
			if here := number - before; here >= 0 && here < w.n() {
				test = append(test, here)
				half = append(half, boolInt(at >= all/2))
			}
			at++
		}
		for here := range w.n() {
			if _, aside := slices.BinarySearch(list, before+here); !aside {
				train = append(train, here)
			}
		}
		j.folds = append(j.folds, &walkFold{w.pick(train, all-len(list)), w.pick(test, len(lists[i])), map[course]held{}})
	}
	j.table = scores.New(scores.Records{Part: half, Size: []float64{float64(all / 2), float64(all - all/2)}, Add: w.places.add}, course.compare)
	return j
}

// things lists the features that occur.
func (w *walks) things() []int {
	seen := make([]float64, w.rows.Dim)
	for i := range w.rows.N() {
		if w.rows.IsDense() {
			fill(seen, 1)
			break
		}
		index, _ := w.rows.Row(i)
		for _, h := range index {
			seen[h] = 1
		}
	}
	w.places.add(seen)
	var out []int
	for h, n := range seen {
		if n > 0 {
			out = append(out, h)
		}
	}
	return out
}

func (j *walkJudge) tried(c course) bool {
	v, _ := j.table.Scores(c)
	return v != nil
}

// best returns the best of the explanations that pass; of equals the first by number and
// memory.
func (j *walkJudge) best(pass func(course) bool) (course, bool) { return j.table.Best(0, 2, pass) }

// against is how much better x is than y, with the standard error over sequences.
func (j *walkJudge) against(x, y course) Evidence { return j.againstIn(x, y, 0, 2) }

// againstIn is against on the halves from one to before another.
func (j *walkJudge) againstIn(x, y course, from, to int) Evidence {
	nats, err := j.table.Against(x, y, from, to)
	return Evidence{nats, err}
}

// onFolds scores something on the part kept aside of every fold.
func (j *walkJudge) onFolds(ctx context.Context, score func(f *walkFold, own *strand) (map[course][]float64, error)) error {
	parts := make([]map[course][]float64, len(j.folds))
	err := j.w.places.beside(ctx, j.s.Workers, len(j.folds), func(i int, own *strand) (err error) {
		parts[i], err = score(j.folds[i], own)
		return err
	})
	if err != nil {
		return err
	}
	var list []course
	var values [][]float64
	for _, c := range slices.SortedFunc(maps.Keys(parts[0]), course.compare) {
		all := make([]float64, 0, j.w.n())
		for _, p := range parts {
			if p[c] == nil {
				all = nil
				break
			}
			all = append(all, p[c]...)
		}
		if all != nil {
			list, values = append(list, c), append(values, all)
		}
	}
	if len(list) > 0 {
		j.table.Enter(list, values)
	}
	return j.w.places.failed()
}

// rivals scores the explanations without states.
func (j *walkJudge) rivals(ctx context.Context) error {
	score := map[stepKind]func(train, test *walks) map[memory][]float64{symbols: symbolRivals, sets: setRivals, measured: measuredRivals}[j.kind]
	return j.onFolds(ctx, func(f *walkFold, own *strand) (map[course][]float64, error) {
		out := map[course][]float64{}
		var scores [2]map[memory][]float64
		own.each(2, func(i int, own *strand) {
			switch train := f.train.on(own); {
			case i == 1:
				scores[i] = lineRivals(train, f.test, j.kind)
			case score != nil:
				scores[i] = score(train, f.test)
			}
		})
		for _, list := range scores {
			for m, v := range list {
				out[course{1, m}] = v
			}
		}
		return out, nil
	})
}

// climb tries more and more states while that describes sequences better.
func (j *walkJudge) climb(ctx context.Context) error {
	rows := int(j.w.places.one(float64(j.w.rows.N())))
	limit := min(mostStates, max(2, rows/stateSteps))
	if j.kind != measured {
		limit = min(limit, max(len(j.things), 1))
	}
	best, worse := course{1, hidden}, 0
	for k := 1; k <= limit && worse < worseInARow && !j.hopeless(k); k++ {
		if err := j.tryUpTo(ctx, k, limit); err != nil {
			return err
		}
		top, ok := j.of(k)
		if !ok {
			j.untold = true
			return nil
		}
		j.highest = k
		j.s.heard.climbed(upTo(limit), k-1, best.states-1+worseInARow, 1)
		if k == 1 {
			continue
		}
		if j.against(top, best).Nats > 0 {
			best, worse = top, 0
		} else {
			worse++
		}
	}
	return nil
}

// tryUpTo tries k states. The first three numbers are tried whatever they show: over several
// places in the same exchanges.
func (j *walkJudge) tryUpTo(ctx context.Context, k, limit int) error {
	switch {
	case j.w.places == nil || k > 1+worseInARow:
		return j.try(ctx, k)
	case k > 1: // tried with one
		return nil
	}
	return j.try(ctx, upTo(min(1+worseInARow, limit))...)
}

// fewer tries fewer states than are claimed, each lasting for a time of its own, or in
// sequences with levels of their own, while these describe sequences as well.
func (j *walkJudge) fewer(ctx context.Context) error {
	k, _ := j.claim(0, 2)
	open := []memory{staying}
	if j.kind == sets || j.kind == counted {
		open = append(open, levelled)
	}
	for k--; k > 1 && len(open) > 0; k-- {
		if err := j.richer(ctx, k, open); err != nil {
			return err
		}
		top, _ := j.best(func(course) bool { return true })
		open = slices.DeleteFunc(open, func(m memory) bool {
			c := course{k, m}
			return !j.tried(c) || j.against(top, c).clear()
		})
	}
	return nil
}

// richer scores k states with stays, with levels.
func (j *walkJudge) richer(ctx context.Context, k int, with []memory) error {
	return j.onFolds(ctx, func(f *walkFold, own *strand) (map[course][]float64, error) {
		out := map[course][]float64{}
		h, ok := f.fits[course{k, hidden}]
		if !ok {
			return out, nil
		}
		scores, errs := make([][]float64, len(with)), make([]error, len(with))
		own.each(len(with), func(i int, own *strand) {
			if with[i] == levelled {
				from := newLined(f.train, j.kind, nil, nil).toLearn(own)
				scores[i] = learnLevelStates(from, h).scores(newLined(f.test, j.kind, nil, nil))
				return
			}
			var s held
			if s, errs[i] = h.staged(ctx, f.train.on(own)); errs[i] == nil {
				scores[i], errs[i] = s.scores(f.test)
			}
		})
		for i, m := range with {
			out[course{k, m}] = scores[i]
		}
		return out, errors.Join(errs...)
	})
}

// hopeless reports that k states would not come near an explanation without any:
// the way to it is many times the last gain, and gains shrink.
func (j *walkJudge) hopeless(k int) bool {
	const times, least = 5, 4
	now, ok := j.of(k - 1)
	before, also := j.of(k - 2)
	rival, any := j.best(func(c course) bool { return c.memory > forgetful })
	if !ok || !also || !any || k < least {
		return false
	}
	far := j.against(rival, now)
	return far.clear() && far.Nats > times*j.against(now, before).Nats
}

// left reports that states whose moves are held fell clearly behind those that
// move: with more of them they stay there.
func (j *walkJudge) left(k int, m memory) bool {
	return k > 3 && j.tried(course{k - 1, m}) && j.against(course{k - 1, hidden}, course{k - 1, m}).clear() || k > 4 && !j.tried(course{k - 1, m})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// try fits and scores so many states: that move, that are kept, and that do not follow
// each other.
func (j *walkJudge) try(ctx context.Context, numbers ...int) error {
	return j.onFolds(ctx, func(f *walkFold, own *strand) (map[course][]float64, error) {
		out := map[course][]float64{}
		var mu sync.Mutex
		errs := make([]error, len(numbers))
		own.each(len(numbers), func(i int, own *strand) {
			errs[i] = j.tryOn(ctx, f, own, numbers[i], func(c course, of held, scores []float64) {
				mu.Lock()
				defer mu.Unlock()
				f.fits[c], out[c] = of, scores
			})
		})
		return out, errors.Join(errs...)
	})
}

// tryOn fits k states to the sequences of a fold.
func (j *walkJudge) tryOn(ctx context.Context, f *walkFold, own *strand, k int, keep func(course, held, []float64)) error {
	p, err := j.find(ctx, f.train.on(own).runner(), k)
	if err != nil || p.Centers == nil { // what so few sequences cannot tell apart is not tried
		return err
	}
	h, kinds := held{fam: j.fam, p: p}, []memory{hidden}
	if j.kind == measured {
		if h, err = h.turned(ctx, f.train.on(own)); err != nil {
			return err
		}
	}
	for _, m := range []memory{unmoved, forgetful} {
		if k > 1 && !(m == forgetful && j.kind == symbols) && !j.left(k, m) {
			kinds = append(kinds, m)
		}
	}
	errs := make([]error, len(kinds))
	own.each(len(kinds), func(i int, own *strand) {
		of, m := h, kinds[i]
		if m != hidden {
			if of, errs[i] = h.bound(ctx, f.train.on(own), m); errs[i] != nil {
				return
			}
		}
		var scores []float64
		if scores, errs[i] = of.scores(f.test); errs[i] == nil {
			keep(course{k, m}, of, scores)
		}
	})
	return errors.Join(errs...)
}

// of returns the best of k states that follow each other or are kept.
func (j *walkJudge) of(k int) (course, bool) {
	return j.best(func(c course) bool { return c.states == k && j.claims(c) == k })
}

// claims is the number of states that an explanation claims: kinds of steps that
// do not follow each other are no states, and where the step before decides, and
// is seen, the things that steps hold are the states themselves.
func (j *walkJudge) claims(c course) int {
	switch {
	case c.memory == forgetful:
		return 1
	case c.memory >= visible && j.kind == symbols && len(j.things) <= mostVisible:
		return len(j.things)
	}
	return c.states
}

// fewStates have no more to learn than a line with its curves.
const fewStates = 3

// plausible tells which explanations count: a line with its curves bends itself to two or
// three states, which say the same with less, where these are not clearly worse.
func (j *walkJudge) plausible() func(course) bool {
	isLine := func(c course) bool { return c.memory == onward || c.memory == astray || c.memory == rounds }
	line, ok := j.best(isLine)
	few, also := j.best(func(c course) bool { return c.memory == hidden && c.states > 1 && c.states <= fewStates })
	if ok && also && !j.against(line, few).clear() {
		return func(c course) bool { return !isLine(c) }
	}
	return func(course) bool { return true }
}

// claim returns the smallest number of states of which an explanation is not
// clearly worse than the best of all, judged by the halves of the sequences from one to
// another, and the best number.
func (j *walkJudge) claim(from, to int) (least, best int) {
	among := j.plausible()
	top, _ := j.table.Best(from, to, among)
	best = j.claims(top)
	for k := 1; k < best; k++ {
		c, ok := j.table.Best(from, to, func(c course) bool { return j.claims(c) == k && among(c) })
		if ok && !j.againstIn(top, c, from, to).clear() {
			return k, best
		}
	}
	return best, best
}

// plainest returns the plainest explanation with k states that is not clearly
// worse than the best of them.
func (j *walkJudge) plainest(k int) course {
	count := j.plausible()
	among := func(c course) bool { return j.claims(c) == k && count(c) }
	top, _ := j.best(among)
	out := top
	for _, c := range j.table.Sorted(among) {
		if c.plainer(out) && !j.against(top, c).clear() {
			out = c
		}
	}
	return out
}

// plainer compares two explanations of the same number of states: what is seen
// before what is hidden, what is kept before what moves.
func (c course) plainer(o course) bool {
	order := [...]memory{loose, ownLevel, drifting, onward, astray, rounds, uneven, visible, unmoved, hidden, staying, levelled, forgetful, longer, dwelling, kindred, habits, seasons}
	return slices.Index(order[:], c.memory) < slices.Index(order[:], o.memory)
}

// halves returns the agreement of the states of two halves of the sequences on all
// steps, and the sequences that pass through the smallest.
func (j *walkJudge) halves(ctx context.Context, k int, shown bool) (repeat float64, smallest int, err error) {
	if k == 1 {
		return 1, j.w.many(), nil
	}
	if shown {
		return 1, j.rarest(), nil
	}
	all, before := j.w.places.ranked(j.w.n())
	lists := partitionHere(all, before, j.w.n(), 2, j.s.Seed, "verdict/sequences/halves")
	var labels [3][]int
	err = j.w.places.beside(ctx, j.s.Workers, 3, func(i int, own *strand) error {
		part := j.w
		if i < 2 {
			slices.Sort(lists[i])
			part = j.w.pick(lists[i], (all+1-i)/2)
		}
		p, err := j.find(ctx, part.on(own).runner(), k)
		if err != nil || p.Centers == nil {
			return err
		}
		a, err := assign.All(ctx, j.fam, p, j.w.here())
		if err == nil {
			labels[i] = append([]int{}, a.Labels()...)
		}
		return err
	})
	if err != nil || labels[0] == nil || labels[1] == nil || labels[2] == nil {
		return 0, 0, err
	}
	if repeat, err = j.w.places.agreement([2][]int(labels[:2]), k); err != nil {
		return 0, 0, err
	}
	through := make([]float64, k)
	for i := range j.w.n() {
		in := make([]bool, k)
		for t := j.w.steps[i]; t < j.w.steps[i+1]; t++ {
			in[labels[2][t]] = true
		}
		for g, yes := range in {
			through[g] += boolean(yes)
		}
	}
	j.w.places.add(through)
	return repeat, int(slices.Min(through)), nil
}

// rarest is the number of sequences with the rarest of the things that steps hold.
func (j *walkJudge) rarest() int {
	through := make([]float64, j.w.rows.Dim)
	symbol := j.w.symbols()
	for i := range j.w.n() {
		in := map[int]bool{}
		for t := j.w.steps[i]; t < j.w.steps[i+1]; t++ {
			if s := symbol[t]; s >= 0 && !in[s] {
				in[s] = true
				through[s]++
			}
		}
	}
	j.w.places.add(through)
	least := float64(j.w.many())
	for _, h := range j.things {
		least = min(least, through[h])
	}
	return int(least)
}

func (j *walkJudge) little(seen []int) *Verdict {
	return &Verdict{
		Groups: 1, Range: [2]int{1, 1}, Reason: "Too few sequences to look for states.", Continuum: none.word(), Components: 1, Repeat: 1,
		Records: j.w.many(), Seen: seen, Against: []Doubt{{TooFew, fmt.Sprintf("Only %d sequences, or none of three steps in a row.", j.w.many())}},
	}
}
