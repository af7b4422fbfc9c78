package par_test

import (
	"context"
	"errors"
	"io"
	"slices"
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

// A panic before the line ends the wait of all others for the rest.
func TestInOrderPanicBefore(t *testing.T) {
	caught := par.Catch(func() {
		_ = par.InOrder(t.Context(), 4, func() (int, error) { return 0, io.EOF },
			func(i int) (int, error) { return i, nil }, func(int) error { return nil },
			func() { panic("before") }, func() {})
	})
	if caught == nil || caught.Value != "before" {
		t.Errorf("caught %v", caught)
	}
}

// Pieces that give nothing are not merged, and do not end the line.
func TestInOrderNothing(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		at, got := 0, []int{}
		err := par.InOrder(t.Context(), workers,
			func() (int, error) {
				if at == 100 {
					return 0, io.EOF
				}
				at++
				return at, nil
			},
			func(i int) (int, error) {
				if i%3 != 0 {
					return 0, par.ErrNothing
				}
				return i, nil
			},
			func(i int) error {
				got = append(got, i)
				return nil
			})
		if err != nil || len(got) != 33 || got[0] != 3 || got[32] != 99 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

// later is a piece that is fetched by who works on it.
type later struct {
	n      int
	loaded bool
	simple func(n int) bool
}

func (p *later) Load() error {
	if p.loaded = true; p.n%7 == 0 {
		return par.ErrNothing
	}
	return nil
}

func (p *later) Stands() bool { return p.simple(p.n) }

// What came of a piece that does not stand is neither merged nor an error; pieces are
// loaded before anybody works on them, and asked in their order.
func TestInOrderStands(t *testing.T) {
	wrong := errors.New("of a piece that does not stand")
	for _, workers := range []int{1, 2, 8} {
		at, asked, got := 0, 0, []int(nil)
		simple := func(n int) bool {
			if asked++; n != asked {
				t.Errorf("%d workers: piece %d is asked about as number %d", workers, n, asked)
			}
			return n <= 50
		}
		err := par.InOrder(t.Context(), workers,
			func() (later, error) {
				if at == 100 {
					return later{}, io.EOF
				}
				at++
				return later{n: at, simple: simple}, nil
			},
			func(p later) (int, error) {
				if !p.loaded {
					t.Errorf("%d workers: piece %d is not loaded", workers, p.n)
				}
				if p.n > 50 {
					return 0, wrong
				}
				return p.n, nil
			},
			func(n int) error {
				got = append(got, n)
				return nil
			})
		if err != nil || len(got) != 43 || !slices.IsSorted(got) || got[42] != 50 {
			t.Errorf("%d workers: %v, %v", workers, got, err)
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

// What stands before is done once by several workers, before a piece is drawn; one worker
// leaves it out.
func TestInOrderBefore(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		var done [100]atomic.Int64
		var before []func()
		for i := range done {
			before = append(before, func() { done[i].Add(1) })
		}
		at := 0
		err := par.InOrder(t.Context(), workers,
			func() (int, error) {
				if at == 50 {
					return 0, io.EOF
				}
				at++
				return at, nil
			},
			func(i int) (int, error) {
				begun := 0
				for i := range done {
					begun += int(done[i].Load())
				}
				if workers > 1 && begun < len(done) {
					t.Errorf("%d workers: piece %d is treated when %d of %d are done", workers, i, begun, len(done))
				}
				return i, nil
			},
			func(int) error { return nil }, before...)
		if err != nil {
			t.Error(err)
		}
		for i := range done {
			if n := done[i].Load(); n != min(1, int64(workers)-1) {
				t.Errorf("%d workers: number %d is done %d times", workers, i, n)
			}
		}
	}
}
