package tree

import (
	"context"
	"errors"
	"sync"

	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
)

// ahead is a leaf as it will be once it is split. That does not depend on when it is
// found out: on several cores it is begun before the leaf's turn comes.
type ahead struct {
	then branch
	done chan struct{} // closed when it is found out
	err  error
}

// growth splits leaves, and looks ahead of their turns.
type growth struct {
	*builder
	most  int // leaves
	group par.Group

	mu          sync.Mutex
	begun, busy int       // leaves that were, and are, looked into
	likely      []*branch // those to come, of which nothing was begun
}

// grow splits leaves until the rule ends it; it reports whether the cap did.
func (g *builder) grow(ctx context.Context) (capped bool, err error) {
	most, isCap := g.s.mostLeaves()
	w := &growth{builder: g, most: most}
	defer w.group.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end() // what nobody waits for
	for {
		next := g.best()
		if next == nil {
			return false, nil
		}
		if len(g.open) >= most {
			return isCap, nil
		}
		progress.Report(ctx, progress.Event{Step: "splitting", Done: int64(len(g.open)), Total: int64(most), Unit: "groups"})
		a := w.ahead(ctx, next)
		if <-a.done; a.err != nil {
			return false, a.err
		}
		g.expand(next)
	}
}

// ahead returns what a leaf will be, which it begins to find out where nobody did.
func (w *growth) ahead(ctx context.Context, b *branch) *ahead {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b.ahead == nil {
		w.begin(ctx, b)
	}
	return b.ahead
}

var errUnfinished = errors.New("tree: a split was not finished")

func (w *growth) begin(ctx context.Context, b *branch) {
	w.forget(b)
	w.begun++
	w.busy++
	a := &ahead{then: *b, done: make(chan struct{}), err: errUnfinished} // unless look returns
	b.ahead = a
	w.group.Go(func() {
		defer close(a.done)
		a.err = w.look(ctx, &a.then)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.busy--
		w.more(ctx)
	})
}

// look finds out what a branch will be once it is split. As soon as the split of one side
// is found, that side may be looked into.
func (w *growth) look(ctx context.Context, b *branch) error {
	if err := w.considerSides(ctx, b, func(side *branch) {
		if !w.outdoes(side, b) { // which would change the cut, and the side with it
			w.expect(ctx, b, side)
		}
	}); err != nil {
		return err
	}
	worst := w.outdone(b)
	if worst < 0 {
		return nil
	}
	for _, side := range b.cut.sides {
		w.settle(side)
	}
	if err := w.reconsider(ctx, b, worst); err != nil {
		return err
	}
	return w.considerSides(ctx, b, func(side *branch) { w.expect(ctx, b, side) })
}

// likelyGain is the share of its parent's gain from which on a leaf is likely to be split:
// what is left of a group that was found whole gains far less.
const likelyGain = 1.0 / 32

// expect begins to look into a side that is likely to be split, now or later. The last
// split to come is left to the best leaf.
func (w *growth) expect(ctx context.Context, b, side *branch) {
	if !w.mayBeSplit(side) || side.cut.split.Gain <= max(side.cut.split.Penalty, likelyGain*b.cut.split.Gain) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget(side)
	if side.ahead == nil {
		w.likely = append(w.likely, side)
		w.more(ctx)
	}
}

// more begins as much as is worth it beside what is under way.
func (w *growth) more(ctx context.Context) {
	workers := par.Workers(w.abreast())
	for w.busy < min(workers, max(2, workers/coresAhead)) && w.begun < w.most-2 && len(w.likely) > 0 {
		next := w.likely[0]
		for _, b := range w.likely {
			if b.cut.split.Gain > next.cut.split.Gain {
				next = b
			}
		}
		w.begin(ctx, next)
	}
}

// forget expects a branch no more.
func (w *growth) forget(b *branch) {
	for i, other := range w.likely {
		if other == b {
			w.likely = append(w.likely[:i], w.likely[i+1:]...)
			return
		}
	}
}

// coresAhead are the cores for each leaf that is looked into.
const coresAhead = 4

// settle has nothing under way in a branch or below it.
func (w *growth) settle(b *branch) {
	w.mu.Lock()
	w.forget(b)
	a := b.ahead
	w.mu.Unlock()
	if a == nil {
		return
	}
	<-a.done
	for _, side := range a.then.cut.sides {
		w.settle(side)
	}
}

// mayBeSplit reports whether a leaf has a cut that the rules allow.
func (g *builder) mayBeSplit(b *branch) bool {
	return b.cut != nil && !(g.s.byItself() && b.cut.split.Gain <= b.cut.split.Penalty) && !(g.s.Levels > 0 && b.level >= g.s.Levels)
}

// best returns the open leaf whose split gains most, or nil when none may be split.
func (g *builder) best() *branch {
	var best *branch
	for _, b := range g.open {
		if g.mayBeSplit(b) && (best == nil || b.cut.split.Gain > best.cut.split.Gain) {
			best = b
		}
	}
	return best
}

// expand turns a leaf into what it is once it is split.
func (g *builder) expand(b *branch) {
	*b = b.ahead.then
	larger, smaller := b.cut.sides[0], b.cut.sides[1]
	b.kids = []*branch{larger, smaller}
	b.release()
	g.labels.give(b.cut.labels)
	b.cut.labels = nil
	for i, o := range g.open {
		if o == b {
			g.open[i] = larger
			break
		}
	}
	g.open = append(g.open, smaller)
}
