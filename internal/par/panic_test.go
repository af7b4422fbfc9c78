package par_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/par"
)

// boom is a place that a stack can name.
func boom(i int) { panic(fmt.Sprintf("boom %d", i)) }

// A panic of a worker comes out where somebody waits for it, with the stack of
// the worker, and nothing hangs.
func TestPanicReachesTheCaller(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		caught := par.Catch(func() {
			_ = par.Do(t.Context(), workers, 100, func(i int) error {
				if i == 7 {
					boom(i)
				}
				return nil
			})
		})
		check(t, caught, "boom 7")
		at := 0
		caught = par.Catch(func() {
			_, _ = par.ReduceStream(t.Context(), nil, workers, par.State{Size: 4}, 0, func() (int, bool, error) { at++; return at, at < 1000, nil },
				func(_ func() []float64, b int) error {
					if b == 200 {
						boom(b)
					}
					return nil
				})
		})
		check(t, caught, "boom 200")
	}
}

func check(t *testing.T, p *par.Panic, want string) {
	t.Helper()
	if p == nil || !strings.Contains(p.Error(), want) || !strings.Contains(string(p.Stack), "boom") {
		t.Fatalf("caught %v, want %q and its stack", p, want)
	}
}

// What panics inside the panicking of another keeps the first stack.
func TestCatchKeepsTheStack(t *testing.T) {
	inner := par.Catch(func() { boom(1) })
	outer := par.Catch(func() { panic(inner) })
	if outer != inner {
		t.Errorf("a panic that was carried on became another one")
	}
	if par.Catch(func() {}) != nil {
		t.Error("caught a panic where there was none")
	}
}

// Any number of workers is allowed; few are started.
func TestWorkersAreCapped(t *testing.T) {
	if got := par.Workers(1_000_000_000); got != par.Most() || got > 4096 {
		t.Errorf("%d workers for a milliard", got)
	}
	for _, w := range []int{1, 2, 8, 16} {
		if got := par.Workers(w); got != w {
			t.Errorf("%d workers where %d were asked for", got, w)
		}
	}
	n := 0
	if err := par.Do(context.Background(), 1_000_000_000, 1, func(int) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("%d calls, %v", n, err)
	}
}
