package tree

import (
	"context"

	"github.com/moiety-go/moiety/internal/progress"
)

// grow splits leaves, best first, until the rule ends it; it reports whether the cap did.
func (g *builder) grow(ctx context.Context) (capped bool, err error) {
	most, isCap := g.s.mostLeaves()
	for {
		next := g.best()
		if next == nil {
			return false, nil
		}
		if len(g.open) >= most {
			return isCap, nil
		}
		progress.Report(ctx, progress.Event{Step: "splitting", Done: int64(len(g.open)), Total: int64(most), Unit: "groups"})
		if err := g.settle(ctx, next); err != nil {
			return false, err
		}
		g.expand(next)
	}
}

// settle looks for the splits of both sides of a branch, whose own may change by it.
func (g *builder) settle(ctx context.Context, b *branch) error {
	again, err := g.rethink(ctx, b)
	if err != nil || !again {
		return err
	}
	return g.considerSides(ctx, b)
}

// rethink looks for the splits of both sides of a branch, and splits it once more where a side
// outdoes it; it reports whether it did.
func (g *builder) rethink(ctx context.Context, b *branch) (again bool, err error) {
	if err := g.considerSides(ctx, b); err != nil {
		return false, err
	}
	worst := g.outdone(b)
	if worst < 0 {
		return false, nil
	}
	return true, g.reconsider(ctx, b, worst)
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

// expand makes two leaves of one.
func (g *builder) expand(b *branch) {
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
