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

// Who need not give way any more takes all workers at once, in the middle of a loop and of a sum.
func TestGivingWayOver(t *testing.T) {
	const workers, left = 8, 3
	for _, what := range []string{"loop", "sum"} {
		ctx, over := par.GivingWay(context.Background(), left)
		var mu sync.Mutex
		running, all := 0, make(chan struct{})
		piece := func(int) error {
			mu.Lock()
			if running++; running == workers-left {
				over()
			}
			if running == workers {
				close(all)
			}
			mu.Unlock()
			select {
			case <-all:
			case <-time.After(time.Minute):
				t.Errorf("%s: not all workers came", what)
			}
			return nil
		}
		var err error
		if what == "loop" {
			err = par.Do(ctx, workers, workers, piece)
		} else {
			_, err = par.Reduce(ctx, &par.Pool{}, workers, par.State{Size: 1}, workers, func(_ func() []float64, i int) error { return piece(i) })
		}
		if err != nil {
			t.Fatal(err)
		}
		if par.Spare() {
			t.Errorf("%s: a worker is spare when all is done", what)
		}
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
