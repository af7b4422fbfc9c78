package verdict

import (
	"context"
	"fmt"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
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
func Sequences(ctx context.Context, run pass.Runner, fam family.Family, find StateFit, s Settings) (*Verdict, error) {
	s.heard = newGauge(ctx, "judging how many states there are")
	w, seen, err := drawWalks(ctx, run)
	if err != nil {
		return nil, err
	}
	j := newWalkJudge(w, fam, find, s)
	if w.n() < leastRecords {
		return j.little(seen), nil
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
	s.heard.stage(80, 98)
	return j.verdict(ctx, seen)
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
	scores  map[course][]float64
	highest int // most states that were tried
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
	j := &walkJudge{w: w, fam: fam, find: find, s: s, kind: w.kind(), scores: map[course][]float64{}}
	j.things = w.things()
	parts := 2
	if w.n() < twoFolds {
		parts = manyFolds
	}
	lists := partition(w.n(), min(parts, max(w.n(), 1)), s.Seed, "verdict/sequences")
	for at := range lists {
		var train []int
		for other, list := range lists {
			if other != at {
				train = append(train, list...)
			}
		}
		slices.Sort(train)
		slices.Sort(lists[at])
		j.folds = append(j.folds, &walkFold{w.pick(train), w.pick(lists[at]), map[course]held{}})
	}
	return j
}

// things lists the features that occur.
func (w *walks) things() []int {
	seen := make([]bool, w.rows.Dim)
	for i := 0; i < w.rows.N() && !w.rows.IsDense(); i++ {
		index, _ := w.rows.Row(i)
		for _, h := range index {
			seen[h] = true
		}
	}
	var out []int
	for h, yes := range seen {
		if yes || w.rows.IsDense() {
			out = append(out, h)
		}
	}
	return out
}

func (j *walkJudge) tried(c course) bool { return j.scores[c] != nil }

// onFolds scores something on the part kept aside of every fold.
func (j *walkJudge) onFolds(ctx context.Context, score func(f *walkFold) (map[course][]float64, error)) error {
	parts := make([]map[course][]float64, len(j.folds))
	err := par.Do(ctx, par.Workers(j.s.Workers), len(j.folds), func(i int) (err error) {
		parts[i], err = score(j.folds[i])
		return err
	})
	if err != nil {
		return err
	}
	for c := range parts[0] {
		var all []float64
		for _, p := range parts {
			if p[c] == nil {
				all = nil
				break
			}
			all = append(all, p[c]...)
		}
		if all != nil {
			j.scores[c] = all
		}
	}
	return nil
}

// rivals scores the explanations without states.
func (j *walkJudge) rivals(ctx context.Context) error {
	score := map[stepKind]func(train, test *walks) map[memory][]float64{symbols: symbolRivals, sets: setRivals, measured: measuredRivals}[j.kind]
	if score == nil {
		return nil
	}
	return j.onFolds(ctx, func(f *walkFold) (map[course][]float64, error) {
		out := map[course][]float64{}
		for m, v := range score(f.train, f.test) {
			out[course{1, m}] = v
		}
		return out, nil
	})
}

// climb tries more and more states while that describes sequences better.
func (j *walkJudge) climb(ctx context.Context) error {
	limit := min(mostStates, max(2, j.w.rows.N()/stateSteps), max(len(j.things), 1)+boolInt(j.kind == measured))
	best, worse := course{1, hidden}, 0
	for k := 1; k <= limit && worse < worseInARow && !j.hopeless(k); k++ {
		if err := j.try(ctx, k); err != nil {
			return err
		}
		top, ok := j.of(k)
		if !ok {
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

// try fits and scores k states: that move, that are kept, and that do not follow
// each other.
func (j *walkJudge) try(ctx context.Context, k int) error {
	return j.onFolds(ctx, func(f *walkFold) (map[course][]float64, error) {
		out := map[course][]float64{}
		p, err := j.find(ctx, f.train.runner(), k)
		if err != nil {
			return out, ctx.Err() // what so few sequences cannot tell apart is not tried
		}
		h := held{j.fam, p}
		for _, m := range []memory{hidden, unmoved, forgetful} {
			if m != hidden && (k == 1 || m == forgetful && j.kind == symbols || j.left(k, m)) {
				continue
			}
			of := h
			if m != hidden {
				if of, err = h.bound(ctx, f.train, m); err != nil {
					return nil, err
				}
			}
			c := course{k, m}
			f.fits[c] = of
			if out[c], err = of.scores(f.test); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
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

// ordered lists explanations by number and memory.
func (j *walkJudge) ordered(ask func(course) bool) []course {
	var list []course
	for c := range j.scores {
		if ask(c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b course) int {
		if a.states != b.states {
			return a.states - b.states
		}
		return int(a.memory - b.memory)
	})
	return list
}

// best returns the best of the explanations that were asked for; of equals the
// first by number and memory.
func (j *walkJudge) best(ask func(course) bool) (course, bool) { return j.bestIn(0, j.w.n(), ask) }

// bestIn is best on the sequences from one number to another.
func (j *walkJudge) bestIn(from, to int, ask func(course) bool) (course, bool) {
	list := j.ordered(ask)
	if len(list) == 0 {
		return course{}, false
	}
	top := list[0]
	for _, c := range list {
		if sum(j.scores[c][from:to]) > sum(j.scores[top][from:to]) {
			top = c
		}
	}
	return top, true
}

func (j *walkJudge) against(a, b course) Evidence { return difference(j.scores[a], j.scores[b]) }

// claim returns the smallest number of states of which an explanation is not
// clearly worse than the best of all, judged by the sequences from one number to
// another, and the best number.
func (j *walkJudge) claim(from, to int) (least, best int) {
	top, _ := j.bestIn(from, to, func(course) bool { return true })
	best = j.claims(top)
	for k := 1; k < best; k++ {
		c, ok := j.bestIn(from, to, func(c course) bool { return j.claims(c) == k })
		if ok && !difference(j.scores[top][from:to], j.scores[c][from:to]).clear() {
			return k, best
		}
	}
	return best, best
}

// plainest returns the plainest explanation with k states that is not clearly
// worse than the best of them.
func (j *walkJudge) plainest(k int) course {
	among := func(c course) bool { return j.claims(c) == k }
	top, _ := j.best(among)
	out := top
	for _, c := range j.ordered(among) {
		if c.plainer(out) && !j.against(top, c).clear() {
			out = c
		}
	}
	return out
}

// plainer compares two explanations of the same number of states: what is seen
// before what is hidden, what is kept before what moves.
func (c course) plainer(o course) bool {
	order := [...]memory{loose, ownLevel, drifting, visible, unmoved, hidden, forgetful, longer, kindred, habits, seasons}
	return slices.Index(order[:], c.memory) < slices.Index(order[:], o.memory)
}

// halves returns the agreement of the states of two halves of the sequences on all
// steps, and the sequences that pass through the smallest.
func (j *walkJudge) halves(ctx context.Context, k int, shown bool) (repeat float64, smallest int, err error) {
	if k == 1 {
		return 1, j.w.n(), nil
	}
	if shown {
		return 1, j.rarest(), nil
	}
	lists := partition(j.w.n(), 2, j.s.Seed, "verdict/sequences/halves")
	var labels [3][]int
	err = par.Do(ctx, par.Workers(j.s.Workers), 3, func(i int) error {
		part := j.w
		if i < 2 {
			slices.Sort(lists[i])
			part = j.w.pick(lists[i])
		}
		p, err := j.find(ctx, part.runner(), k)
		if err != nil {
			return ctx.Err()
		}
		a, err := assign.All(ctx, j.fam, p, j.w.runner())
		if err == nil {
			labels[i] = a.Labels()
		}
		return err
	})
	if err != nil || labels[0] == nil || labels[1] == nil || labels[2] == nil {
		return 0, 0, err
	}
	if repeat, err = agree.ARI(labels[0], labels[1]); err != nil {
		return 0, 0, err
	}
	through := make([]int, k)
	for i := range j.w.n() {
		in := make([]bool, k)
		for t := j.w.steps[i]; t < j.w.steps[i+1]; t++ {
			in[labels[2][t]] = true
		}
		for g, yes := range in {
			through[g] += boolInt(yes)
		}
	}
	return repeat, slices.Min(through), nil
}

// rarest is the number of sequences with the rarest of the things that steps hold.
func (j *walkJudge) rarest() int {
	through := make([]int, j.w.rows.Dim)
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
	least := j.w.n()
	for _, h := range j.things {
		least = min(least, through[h])
	}
	return least
}

func (j *walkJudge) little(seen []int) *Verdict {
	return &Verdict{
		Groups: 1, Range: [2]int{1, 1}, Reason: "Too few sequences to look for states.", Continuum: none.word(), Components: 1, Repeat: 1,
		Records: j.w.n(), Seen: seen, Against: []Doubt{{TooFew, fmt.Sprintf("Only %d sequences, or none of three steps in a row.", j.w.n())}},
	}
}
