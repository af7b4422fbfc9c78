package par

import "sync/atomic"

// spare counts workers that were asked for and have nothing to do: there are fewer
// pieces than workers, or none is left while others still have theirs.
var spare atomic.Int64

// lent are the spare workers of one group of them. The zero value has none.
type lent struct{ n atomic.Int64 }

func (l *lent) add(n int) {
	l.n.Add(int64(n))
	spare.Add(int64(n))
}

// back ends the group: its workers are not to be had any more. Where somebody still
// has one, none is given out until it comes back.
func (l *lent) back() { spare.Add(-l.n.Swap(0)) }

// Spare takes a worker that has nothing to do, if there is one. Who has a long piece of
// work may begin a goroutine with it, and calls Return when that ends. What is worked
// out must not depend on it.
func Spare() bool {
	for n := spare.Load(); n > 0; n = spare.Load() {
		if spare.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

// Return gives back what Spare took.
func Return() { spare.Add(1) }
