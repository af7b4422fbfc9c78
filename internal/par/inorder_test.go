package par_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/par"
)

// A panic in any stage of the line comes out where the line was started.
func TestInOrderPanics(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, where := range []string{"next", "work", "merge"} {
			at := 0
			caught := par.Catch(func() {
				_ = par.InOrder(t.Context(), workers,
					func() (int, error) {
						at++
						if at == 50 && where == "next" {
							panic(where)
						}
						if at > 100 {
							return 0, io.EOF
						}
						return at, nil
					},
					func(i int) (int, error) {
						if i == 50 && where == "work" {
							panic(where)
						}
						return i, nil
					},
					func(i int) error {
						if i == 50 && where == "merge" {
							panic(where)
						}
						return nil
					})
			})
			if caught == nil || caught.Value != where {
				t.Errorf("%d workers, panic in %s: caught %v", workers, where, caught)
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		i, got := 0, []int(nil)
		err := par.InOrder(context.Background(), workers,
			func() (int, error) {
				if i == 100 {
					return 0, io.EOF
				}
				i++
				return i, nil
			},
			func(i int) (int, error) { return i * i, nil },
			func(x int) error { got = append(got, x); return nil })
		if err != nil || len(got) != 100 {
			t.Fatalf("%d workers: %d results, %v", workers, len(got), err)
		}
		for i, x := range got {
			if x != (i+1)*(i+1) {
				t.Fatalf("%d workers: result %d is %d", workers, i, x)
			}
		}
	}
}

func TestInOrderErrors(t *testing.T) {
	boom := errors.New("boom")
	count := func() func() (int, error) {
		i := 0
		return func() (int, error) { i++; return i, nil }
	}
	same := func(i int) (int, error) { return i, nil }
	for _, workers := range []int{1, 4} {
		if err := par.InOrder(context.Background(), workers, count(), same, func(i int) error {
			if i == 7 {
				return boom
			}
			return nil
		}); err != boom {
			t.Errorf("merge: got %v", err)
		}
		if err := par.InOrder(context.Background(), workers, count(), func(i int) (int, error) {
			if i >= 7 {
				return 0, boom
			}
			return i, nil
		}, func(int) error { return nil }); err != boom {
			t.Errorf("work: got %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if err := par.InOrder(ctx, workers, count(), same, func(i int) error {
			if i == 5 {
				cancel()
			}
			return nil
		}); err != context.Canceled {
			t.Errorf("cancel: got %v", err)
		}
	}
}

// No more than two pieces a worker are under way, also while the first one takes its time.
func TestInOrderBounded(t *testing.T) {
	const workers = 4
	var drawn atomic.Int64
	first := make(chan struct{})
	err := par.InOrder(t.Context(), workers,
		func() (int, error) {
			if drawn.Load() == 100 {
				return 0, io.EOF
			}
			return int(drawn.Add(1)), nil
		},
		func(i int) (int, error) {
			switch {
			case i == 1:
				<-first
			case i == 2*workers:
				time.Sleep(20 * time.Millisecond) // for others to draw what they can
				if n := drawn.Load(); n != 2*workers {
					t.Errorf("%d pieces are under way, want %d", n, 2*workers)
				}
				close(first)
			}
			return i, nil
		},
		func(int) error { return nil })
	if err != nil {
		t.Error(err)
	}
}
