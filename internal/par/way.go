package par

import (
	"context"
	"sync"
)

// way says whether work still gives way to other work, and how many of eight workers it leaves.
type way struct {
	left int

	mu   sync.Mutex
	over bool
	late map[*crew]func() // has the others join a loop that is under way
}

type wayKey struct{}

// GivingWay returns a context whose work leaves so many of eight workers to a chain of short steps
// beside it, until over is called: then they join what is under way. A worker in the middle of a
// long piece lets nobody in, so that the steps of the chain would wait for it, one after the
// other, while those who wait for the chain wait longer than the work takes.
func GivingWay(ctx context.Context, left int) (giving context.Context, over func()) {
	w := &way{left: left, late: map[*crew]func(){}}
	return context.WithValue(ctx, wayKey{}, w), func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = true
		for _, join := range w.late {
			join()
		}
		clear(w.late)
	}
}

// crew are the workers of a loop.
type crew struct {
	lent        // those that have nothing to do
	group, late Group
}

// work has workers do some work, as many as of makes of those that the context leaves, and waits
// for them. Work must end at once where nothing is left to do.
func (c *crew) work(ctx context.Context, workers int, of func(asked int) int, work func()) {
	defer c.back()
	asked := Workers(workers)
	w, gives := ctx.Value(wayKey{}).(*way)
	if gives {
		w.mu.Lock()
		if gives = !w.over; gives {
			all := of(asked)
			asked -= asked * w.left / 8
			w.late[c] = func() {
				for range all - max(1, of(asked)) {
					c.late.Go(func() {
						defer c.add(1)
						work()
					})
				}
			}
		}
		w.mu.Unlock()
	}
	if gives {
		defer c.late.Wait()
		defer func() { // nobody joins any more
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.late, c)
		}()
	}
	n := max(1, of(asked))
	c.add(asked - n)
	if n == 1 {
		work()
		return
	}
	for range n {
		c.group.Go(func() {
			defer c.add(1)
			work()
		})
	}
	c.group.Wait()
}
