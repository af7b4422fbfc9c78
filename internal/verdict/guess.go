package verdict

import (
	"maps"

	"github.com/moiety-go/moiety/internal/progress"
)

// What is tried next hangs on what the last candidate said, and most say the same: that they
// stay behind. So where cores are idle, the fits that are asked for in that case are begun
// before. One counts only where it would have come out the same when it is asked for: the bar
// is the one that it was fitted with, and all fits that it may begin from are those that were
// there.

// guess is a fit of one fold that may be asked for.
type guess struct {
	bar   *bar
	known map[candidate]*model
	done  chan struct{}
	fit   *model
	whole bool // it was not broken off
}

// expect begins the fits of a candidate in the first folds, which may be asked for below a bar.
func (j *judge) expect(c candidate, times float64, folds int) {
	if !j.idle() {
		return
	}
	bars := j.bars(times)
	for i, f := range j.folds[:folds] {
		if g := f.path.guesses[c]; bars != nil && !f.path.asked(c) && (g == nil || !g.bar.same(bars[i])) {
			f.path.expect(c, bars[i], j.pulse)
		}
	}
}

func (p *path) expect(c candidate, b *bar, beat *pulse) {
	g := &guess{bar: b, known: maps.Clone(p.fits), done: make(chan struct{})}
	q, ctx := p.starting(c), progress.With(beat.ctx, nil)
	q.bar, q.pulse = b, &pulse{ctx: ctx}
	p.guesses[c] = g
	beat.aside.Go(func() {
		defer close(g.done)
		g.fit = q.at(c)
		g.whole = ctx.Err() == nil
	})
}

// starting is a path apart from this one on which a candidate is fitted.
func (p *path) starting(c candidate) *path {
	if c.kind.fresh() {
		return p.bare()
	}
	return p.apart()
}

// fresh reports that fits begin from no other: groups with lines of their own, and sets.
func (c continuum) fresh() bool { return c.own() || c == inSets }

// guessed returns the fit of a candidate that was begun before, where it counts.
func (p *path) guessed(c candidate) (*model, bool) {
	g := p.guesses[c]
	delete(p.guesses, c)
	if g == nil || !g.bar.same(p.bar) || !g.startsOf(c, p.fits) {
		return nil, false
	}
	<-g.done
	return g.fit, g.whole
}

// same reports that two bars are one.
func (b *bar) same(o *bar) bool {
	return b != nil && o != nil && b.times == o.times && &b.score[0] == &o.score[0]
}

// startsOf reports that a candidate begins from the same fits: one population, those with as
// many groups, and those over the same continuum, none of them with other repeated features.
func (g *guess) startsOf(c candidate, fits map[candidate]*model) bool {
	if c.kind.fresh() {
		return true
	}
	for k, m := range fits {
		if k.repeated != noRepeats && k.repeated != c.repeated {
			continue
		}
		if (k.groups == 1 || k.groups == c.groups || k.kind == c.kind) && g.known[k] != m {
			return false
		}
	}
	return true
}
