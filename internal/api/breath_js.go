package api

import (
	"sync"
	"time"
)

// breathPause is the time between two breaths.
const breathPause = 100 * time.Millisecond

// breath lets the browser's worker, which has one thread, hear what the page says
// while it works: that the work is to be cancelled, for one.
type breath struct {
	mu   sync.Mutex
	last time.Time
}

// take waits for a moment, not more often than every breathPause.
func (b *breath) take(clock func() time.Time) {
	b.mu.Lock()
	now := clock()
	due := now.Sub(b.last) >= breathPause
	if due {
		b.last = now
	}
	b.mu.Unlock()
	if due {
		time.Sleep(time.Millisecond)
	}
}
