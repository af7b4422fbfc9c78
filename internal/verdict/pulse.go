package verdict

import (
	"context"
	"sync/atomic"

	"github.com/moiety-go/moiety/internal/progress"
)

// pulse says how far a verdict is, and hears that nobody wants it any more, every few
// rounds of EM: a verdict is thousands of them, and one fit of many records takes
// long. A nil pulse is silent.
type pulse struct {
	ctx    context.Context
	rounds atomic.Int64
	done   atomic.Int64 // hundredths of the work, as stages count
}

const judging = "judging how many groups there are"

// everyRounds is the number of rounds between two reports.
const everyRounds = 16

// beat counts a round of EM, and reports whether to go on.
func (p *pulse) beat() bool {
	if p == nil {
		return true
	}
	if p.rounds.Add(1)%everyRounds == 0 {
		p.report()
	}
	return p.ctx.Err() == nil
}

// reached says that so many hundredths of the work are done.
func (p *pulse) reached(done int64) {
	if p != nil {
		p.done.Store(done)
		p.report()
	}
}

func (p *pulse) report() {
	progress.Report(p.ctx, progress.Event{Step: judging, Done: p.done.Load(), Total: 100, Unit: "%"})
}

// listen lets the fits of a judge be heard.
func (j *judge) listen(p *pulse) {
	j.pulse = p
	for _, f := range j.folds {
		f.path.pulse = p
	}
}

// gauge says how far a verdict is that tries one number of groups after the other: how
// many it will try is not known before, so that the rest is reported as if no better number
// came. A nil gauge is silent.
type gauge struct {
	ctx      context.Context
	step     string
	from, to int64 // hundredths of the work that the stage at work covers
	percent  int64
}

func newGauge(ctx context.Context, step string) *gauge {
	g := &gauge{ctx: ctx, step: step, to: 100}
	g.report()
	return g
}

// stage begins a part of the work.
func (g *gauge) stage(from, to int64) {
	if g != nil {
		g.from, g.to = from, to
		g.share(0)
	}
}

// share says which part of the stage is done. What was reported before is not taken back.
func (g *gauge) share(part float64) {
	if g == nil {
		return
	}
	if at := g.from + int64(part*float64(g.to-g.from)); at > g.percent {
		g.percent = at
		g.report()
	}
}

// climbed says that all sizes up to an index were tried, and that the search ends at
// another if no better one comes; a fit costs as much as it has groups, and all of them a
// part of the stage.
func (g *gauge) climbed(sizes []int, at, end int, part float64) {
	done, all := 0, 0
	for i, k := range sizes[:min(max(end, at)+1, len(sizes))] {
		if all += k; i <= at {
			done += k
		}
	}
	g.share(part * float64(done) / float64(max(all, 1)))
}

// last returns a context whose progress counts as the last of this work: another verdict that
// is asked on the way would begin anew.
func (g *gauge) last(ctx context.Context) context.Context {
	if g == nil {
		return ctx
	}
	return progress.With(ctx, func(progress.Event) { g.report() })
}

func (g *gauge) report() {
	progress.Report(g.ctx, progress.Event{Step: g.step, Done: g.percent, Total: 100, Unit: "%"})
}

// upTo lists the numbers from 1 to k.
func upTo(k int) []int {
	out := make([]int, max(k, 0))
	for i := range out {
		out[i] = i + 1
	}
	return out
}
