package par

import (
	"context"
	"sync/atomic"
)

// way says whether work still gives way to other work, and how many of eight workers it leaves.
type way struct {
	left int
	over atomic.Bool
}

type wayKey struct{}

// GivingWay returns a context whose work leaves so many of eight workers to a chain of short steps
// beside it, until over is called. A worker in the middle of a long piece lets nobody in, so that
// the steps of the chain would wait for it, one after the other, while those who wait for the
// chain wait longer than the work takes. What was begun before over ends as it began.
func GivingWay(ctx context.Context, left int) (giving context.Context, over func()) {
	w := &way{left: left}
	return context.WithValue(ctx, wayKey{}, w), func() { w.over.Store(true) }
}

// shared is Workers without those that the context leaves to others.
func shared(ctx context.Context, workers int) int {
	workers = Workers(workers)
	if w, ok := ctx.Value(wayKey{}).(*way); ok && !w.over.Load() {
		workers -= workers * w.left / 8
	}
	return workers
}
