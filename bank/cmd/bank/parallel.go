package main

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// parallel calls do for every number below n, some at a time, until all are done, one
// fails or the context ends. It writes to w how far it is.
func parallel(ctx context.Context, w io.Writer, workers, n int, do func(ctx context.Context, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan int)
	var all sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for range max(1, workers) {
		all.Go(func() {
			for i := range next {
				if err := do(ctx, i); err != nil {
					stop(err)
				}
				lock.Lock()
				if done++; done%20 == 0 || done == n {
					fmt.Fprintf(w, "%d of %d\n", done, n)
				}
				lock.Unlock()
			}
		})
	}
	feed(ctx, next, n)
	all.Wait()
	return context.Cause(ctx)
}

// feed sends the numbers below n until the context ends.
func feed(ctx context.Context, next chan<- int, n int) {
	defer close(next)
	for i := range n {
		if ctx.Err() != nil {
			return
		}
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}
