package par_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/par"
)

// Work that gives way leaves so many of eight workers to others, until it need not any more.
func TestGivingWay(t *testing.T) {
	const workers, most = 8, 5
	ctx, over := par.GivingWay(context.Background(), workers-most)
	if got := atATime(t, ctx, workers, 100*time.Millisecond); got > most {
		t.Errorf("%d of %d workers at a time, not %d at most", got, workers, most)
	}
	over()
	if got := atATime(t, ctx, workers, time.Minute); got != workers {
		t.Errorf("%d of %d workers at a time when there is nobody to give way to", got, workers)
	}
}

// atATime is the largest number of pieces at a time. Every piece waits until all have begun, or
// so long.
func atATime(t *testing.T, ctx context.Context, workers int, patience time.Duration) (most int) {
	var mu sync.Mutex
	running, all := 0, make(chan struct{})
	err := par.Do(ctx, workers, workers, func(int) error {
		mu.Lock()
		if running++; running == workers {
			close(all)
		}
		most = max(most, running)
		mu.Unlock()
		select {
		case <-all:
		case <-time.After(patience):
		}
		mu.Lock()
		running--
		mu.Unlock()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return most
}
