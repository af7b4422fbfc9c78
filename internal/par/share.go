package par

import "sync/atomic"

// Share calls f for stretches of n things that together are all of them, each once and in no
// order: here, and on workers that have nothing to do (Spare) while there are any. A stretch has
// at most size things; f writes to the places of its own alone, so that nothing depends on who
// had it. Long sums come one after the other at the end of a pass, when few have work left.
func Share(n, size int, f func(lo, hi int)) {
	if n <= size {
		f(0, n)
		return
	}
	var (
		begun   atomic.Int64
		helpers Group
	)
	take := func() bool {
		hi := int(begun.Add(int64(size)))
		if hi-size >= n {
			return false
		}
		f(hi-size, min(hi, n))
		return true
	}
	defer helpers.Wait()
	defer begun.Store(int64(n)) // after a panic no more is begun
	for {
		for more := 1; n-int(begun.Load()) > more*size && Spare(); more++ {
			helpers.Go(func() {
				defer Return()
				for take() {
				}
			})
		}
		if !take() {
			return
		}
	}
}

// shareNumbers is the length of a stretch of numbers that are only moved or added, half a
// megabyte: it takes some ten times as long as a goroutine takes to begin.
const shareNumbers = 1 << 16

// Add adds x to dst, which is at least as long, as Share does.
func Add(dst, x []float64) {
	Share(len(x), shareNumbers, func(lo, hi int) {
		to := dst[lo:hi]
		for i, v := range x[lo:hi] {
			to[i] += v
		}
	})
}
