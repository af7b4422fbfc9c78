// Package par adds up blocks of work on all cores so that the result has the
// same bits for any number of cores.
//
// Floating-point addition is not associative, so the order of additions must
// never depend on which core happened to be free. Reduce therefore assigns block
// b to lane b mod L, where the number of lanes L depends on the problem alone;
// each lane adds its blocks in order, and the lanes are added in a fixed tree.
//
// Step in the flow: below everything. It must not know what a block holds.
package par

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Most returns the largest number of workers that are ever started: four for
// each usable core, and sixteen on small machines. More of them do nothing but
// take memory.
func Most() int { return max(16, 4*runtime.GOMAXPROCS(0)) }

// Workers returns w, but no more than Most, when it is positive and the number
// of usable cores otherwise.
func Workers(w int) int {
	if w > 0 {
		return min(w, Most())
	}
	return runtime.GOMAXPROCS(0)
}

// Blocks calls f for every block of so many of n things, with its number and where it
// begins and ends, as Apart does.
func Blocks(ctx context.Context, workers, n, size int, f func(i, lo, hi int) error) error {
	return Apart(ctx, workers, (n+size-1)/size, func(i int) error { return f(i, i*size, min((i+1)*size, n)) })
}

// Apart is Do in another order: workers are each in a stretch of their own. What they write is
// often fresh memory, and of those who begin a large page together each clears one, and all but
// one are thrown away.
func Apart(ctx context.Context, workers, n int, f func(i int) error) error {
	if workers = min(Workers(workers), n); workers <= 1 {
		return Do(ctx, 1, n, f)
	}
	var (
		mu    sync.Mutex
		first error
		last  atomic.Int64 // behind it nothing is begun any more
	)
	last.Store(int64(n))
	err := Do(ctx, workers, n, func(i int) error {
		if i = apart(i, n, workers); i >= int(last.Load()) {
			return nil
		}
		err := f(i)
		if err == nil {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if i < int(last.Load()) {
			first = err
			last.Store(int64(i))
		}
		return nil
	})
	return cmp.Or(first, err)
}

// apart is the thing whose turn it is as number i of n.
func apart(i, n, workers int) int {
	stretch, at := i%workers, i/workers
	return stretch*(n/workers) + min(stretch, n%workers) + at
}

// Together calls functions side by side on at most workers goroutines.
func Together(workers int, f ...func()) {
	_ = Do(context.Background(), workers, len(f), func(i int) error { // nothing fails
		f[i]()
		return nil
	})
}

// Do calls f(i) for every i in [0, n) on at most workers goroutines and
// returns the error of the lowest i that failed, or the context's error. The
// order of the calls is not fixed: f must write only to places owned by i.
func Do(ctx context.Context, workers, n int, f func(i int) error) error {
	var (
		next   atomic.Int64
		mu     sync.Mutex
		first  error
		firstI = n
	)
	abreast(min(Workers(workers), n), func() {
		defer next.Store(int64(n)) // after an error, or a panic, no more is begun
		for {
			i := int(next.Add(1)) - 1
			if i >= n || ctx.Err() != nil {
				return
			}
			if err := f(i); err != nil {
				mu.Lock()
				if i < firstI {
					first, firstI = err, i
				}
				mu.Unlock()
				return
			}
		}
	})
	if first != nil {
		return first
	}
	return ctx.Err()
}

// abreast has so many goroutines do some work, and waits for them; the one of one is who asks.
// Work must end at once where nothing is left to do.
func abreast(n int, work func()) {
	if n <= 1 {
		work()
		return
	}
	var group Group
	for range n {
		group.Go(work)
	}
	group.Wait()
}
