package par

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWorkers(t *testing.T) {
	if Workers(3) != 3 || Workers(0) != runtime.GOMAXPROCS(0) || Workers(-1) != runtime.GOMAXPROCS(0) {
		t.Errorf("Workers(3, 0, -1) = %d, %d, %d", Workers(3), Workers(0), Workers(-1))
	}
}

func TestDoCallsEachOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, n := range []int{0, 1, 7, 1000} {
			calls := make([]atomic.Int32, n)
			if err := Do(t.Context(), workers, n, func(i int) error { calls[i].Add(1); return nil }); err != nil {
				t.Fatal(err)
			}
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Fatalf("%d workers: f(%d) called %d times", workers, i, c)
				}
			}
		}
	}
}

// The lowest failing call decides, however the calls are assigned: the error must
// not depend on the number of workers.
func TestDoReturnsLowestError(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for range 20 {
			err := Do(t.Context(), workers, 500, func(i int) error {
				if i == 40 {
					time.Sleep(time.Millisecond) // 41 and 42 fail first
				}
				if i >= 40 {
					return fmt.Errorf("call %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != "call 40" {
				t.Fatalf("%d workers: %v, want call 40", workers, err)
			}
		}
	}
}

// stopper cancels at its 50th call and counts the calls that began after that:
// at most the one that each worker had already drawn.
type stopper struct {
	calls, late atomic.Int32
	stopped     atomic.Bool
}

func (s *stopper) call(cancel func()) {
	if s.stopped.Load() {
		s.late.Add(1)
	}
	if s.calls.Add(1) == 50 {
		cancel()
		s.stopped.Store(true)
	}
}

func TestDoCancelled(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		ctx, cancel := context.WithCancel(t.Context())
		var s stopper
		err := Do(ctx, workers, 1_000_000, func(int) error { s.call(cancel); return nil })
		if !errors.Is(err, context.Canceled) || s.late.Load() > int32(workers) {
			t.Errorf("%d workers: %v, %d calls after the end", workers, err, s.late.Load())
		}
		cancel()
	}
}

// adversarial returns numbers whose sum depends on the order of addition: they
// span five powers of ten and cancel.
func adversarial(r *rand.Rand) float64 {
	v := math.Exp(11.5*r.Float64() - 5.75)
	if r.IntN(2) == 0 {
		return -v
	}
	return v
}

// blocks returns uneven blocks of vectors of the given size.
func blocks(n, size int) [][][]float64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([][][]float64, n)
	for b := range out {
		out[b] = make([][]float64, r.IntN(40)) // some are empty
		for i := range out[b] {
			out[b][i] = make([]float64, size)
			for j := range size {
				out[b][i][j] = adversarial(r)
			}
		}
	}
	return out
}

func feed[B any](list []B) func() (B, bool, error) {
	at := 0
	return func() (b B, ok bool, err error) {
		if at == len(list) {
			return b, false, nil
		}
		at++
		return list[at-1], true, nil
	}
}

func addAll(state func() []float64, block [][]float64) error {
	if len(block)%3 == 1 {
		time.Sleep(time.Duration(len(block)) * 10 * time.Microsecond) // before it needs the state
	}
	to := state()
	for _, v := range block {
		for j, x := range v {
			to[j] += x
		}
	}
	if len(block)%3 == 0 {
		time.Sleep(time.Duration(len(block)) * 10 * time.Microsecond) // blocks finish out of order
	}
	return nil
}

// inLanes is the definition: block b to lane b mod L, lanes added pairwise.
func inLanes(list [][][]float64, size int) []float64 {
	lanes := make([][]float64, Lanes(size))
	for l := range lanes {
		lanes[l] = make([]float64, size)
	}
	for b, block := range list {
		for _, v := range block {
			for j, x := range v {
				lanes[b%len(lanes)][j] += x
			}
		}
	}
	for len(lanes) > 1 {
		var half [][]float64
		for l := 0; l < len(lanes); l += 2 {
			for j, x := range lanes[l+1] {
				lanes[l][j] += x
			}
			half = append(half, lanes[l])
		}
		lanes = half
	}
	return lanes[0]
}

func TestReduceSameBits(t *testing.T) {
	const size = 17
	for _, n := range []int{0, 1, 5, 31, 63, 64, 65, 157} {
		list := blocks(n, size)
		want := inLanes(list, size)
		for _, workers := range []int{1, 2, 8, 100} {
			got, err := ReduceStream(t.Context(), nil, workers, State{Size: size}, 0, feed(list), addAll)
			if err != nil {
				t.Fatal(err)
			}
			for j := range want {
				if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
					t.Fatalf("%d blocks, %d workers: entry %d is %x, want %x", n, workers, j, got[j], want[j])
				}
			}
		}
	}
}

// The test above could not fail if the numbers were tame: adding the blocks in
// reverse order must give other bits.
func TestAdversarialNumbersAre(t *testing.T) {
	list := blocks(157, 17)
	a := inLanes(list, 17)
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	b := inLanes(list, 17)
	differ := 0
	for j := range a {
		if a[j] != b[j] {
			differ++
		}
	}
	if differ < 12 {
		t.Errorf("only %d of %d entries depend on the order", differ, len(a))
	}
}

func TestLanes(t *testing.T) {
	for size, want := range map[int]int{0: 64, 1 << 16: 64, 1<<16 + 1: 32, 1 << 17: 32, 1<<17 + 1: 16, 1 << 21: 16, 1<<21 + 1: 8, 1 << 23: 8, 1<<23 + 1: 4} {
		if got := Lanes(size); got != want {
			t.Errorf("Lanes(%d) = %d, want %d: the number of lanes is part of every result", size, got, want)
		}
	}
}

// More workers than lanes are at work where blocks ask late for the state, as many as memory is
// there for, and each waits for its turn.
func TestReduceLate(t *testing.T) {
	const size = 1<<23 + 1 // 64 MB: four lanes, and a gigabyte has room for twenty-two more workers
	lanes := Lanes(size)
	for asked, want := range map[int]int{1: 1, 4: 4, 5: 5, 16: 16, 24: 24, 100: 26} {
		if got := (State{Size: size, Late: true}).workers(asked); got != want {
			t.Errorf("%d of %d workers, want %d", got, asked, want)
		}
		if got := (State{Size: size}).workers(asked); got != min(asked, lanes) {
			t.Errorf("%d of %d workers where each needs a state, want %d", got, asked, lanes)
		}
	}
	if got := (State{Size: 1 << 28, Late: true}).workers(16); got != 4 {
		t.Errorf("%d workers for states of 2 GB, want 4", got)
	}
	before := debug.SetMemoryLimit(4 * 400_000_000)
	few, beside := (State{Size: size, Late: true}).workers(16), Beside(1<<20)
	if debug.SetMemoryLimit(before); few != 6 || beside != 2 {
		t.Errorf("where states may take 400 MB %d workers and %d sums of 16 times 8 MB, want 6 and 2", few, beside)
	}
	for size, want := range map[int]int{0: 1 << 21, 1 << 20: 8, 1 << 23: 2, 1 << 25: 1, 1 << 28: 1} {
		if got := Beside(size); got != want {
			t.Errorf("%d sums of %d numbers, want %d", got, size, want)
		}
	}
	state := State{Size: 1<<21 + 1, Late: true} // of which one page is touched
	lanes = Lanes(state.Size)
	workers, n := Workers(2*lanes), 6*lanes
	if workers <= lanes {
		t.Fatalf("%d workers for %d lanes", workers, lanes)
	}
	var all sync.WaitGroup
	all.Add(workers)
	order := make([][]int, lanes)
	got, err := Reduce(t.Context(), nil, workers, state, n, func(state func() []float64, i int) error {
		if i < workers { // more than one of some lanes
			all.Done()
			all.Wait()
		}
		to := state()
		to[0]++
		order[i%lanes] = append(order[i%lanes], i)
		return nil
	})
	if err != nil || got[0] != float64(n) {
		t.Fatalf("%v of %d blocks, %v", got[0], n, err)
	}
	for lane, list := range order {
		if len(list) != n/lanes || !slices.IsSorted(list) {
			t.Errorf("lane %d had the blocks %v", lane, list)
		}
	}
}

// A block that fails before its turn, and one that needs no state, leave the others theirs.
func TestReduceLateEnds(t *testing.T) {
	bad := errors.New("bad block")
	state := State{Size: 1<<21 + 1, Late: true}
	_, err := Reduce(t.Context(), nil, 16, state, 160, func(state func() []float64, i int) error {
		if i == 20 {
			return bad
		}
		time.Sleep(100 * time.Microsecond)
		state()[0]++
		return nil
	})
	if !errors.Is(err, bad) {
		t.Error(err)
	}
	got, err := Reduce(t.Context(), nil, 8, State{Size: 1}, 130, func(state func() []float64, i int) error {
		if i%64 != 0 {
			state()[0]++
		}
		return nil
	})
	if err != nil || got[0] != 127 {
		t.Errorf("%v of 127 blocks, %v", got, err)
	}
}

func TestReduceErrors(t *testing.T) {
	bad := errors.New("bad block")
	for _, workers := range []int{1, 2, 8} {
		list := make([]int, 100)
		for i := range list {
			list[i] = i
		}
		_, err := ReduceStream(t.Context(), nil, workers, State{Size: 1}, 0, feed(list), func(_ func() []float64, b int) error {
			if b == 20 {
				return bad
			}
			return nil
		})
		if !errors.Is(err, bad) {
			t.Errorf("%d workers, add fails: %v", workers, err)
		}
		next := feed(list)
		_, err = ReduceStream(t.Context(), nil, workers, State{Size: 1}, 0, func() (int, bool, error) {
			b, ok, _ := next()
			if b == 20 {
				return b, false, bad
			}
			return b, ok, nil
		}, func(func() []float64, int) error { return nil })
		if !errors.Is(err, bad) {
			t.Errorf("%d workers, next fails: %v", workers, err)
		}
	}
}

func TestReduceCancelled(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		ctx, cancel := context.WithCancel(t.Context())
		endless := func() (int, bool, error) { return 0, true, nil }
		var s stopper
		_, err := ReduceStream(ctx, nil, workers, State{Size: 1}, 0, endless, func(func() []float64, int) error { s.call(cancel); return nil })
		if !errors.Is(err, context.Canceled) || s.late.Load() > int32(workers) {
			t.Errorf("%d workers: %v, %d blocks after the end", workers, err, s.late.Load())
		}
		cancel()
	}
}

func BenchmarkReduce(b *testing.B) {
	list := make([]int, 1000)
	for b.Loop() {
		_, err := ReduceStream(b.Context(), nil, 0, State{Size: 64}, 0, feed(list), func(s func() []float64, _ int) error { s()[0]++; return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
}

// Functions that are called together are all called, and wait for each other where there are
// workers for them.
func TestTogether(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var called [3]bool
		Together(workers, func() { called[0] = true }, func() { called[1] = true }, func() { called[2] = true })
		if called != [3]bool{true, true, true} {
			t.Errorf("%d workers: called %v", workers, called)
		}
	}
	met := make(chan struct{})
	Together(2, func() { met <- struct{}{} }, func() { <-met }) // one after the other they would wait for ever
}

// Every thing has one place, and those that are treated at a time lie far apart.
func TestOrderApart(t *testing.T) {
	for n := range 70 {
		for workers := 1; workers < 20; workers++ {
			seen := make([]bool, n)
			last := -1
			for i := range n {
				at := apart(i, n, workers)
				if at < 0 || at >= n || seen[at] {
					t.Fatalf("%d things, %d workers: number %d is at %d", n, workers, i, at)
				}
				if i%workers > 0 && at-last < n/workers {
					t.Fatalf("%d things, %d workers: number %d is at %d, beside %d", n, workers, i, at, last)
				}
				seen[at], last = true, at
			}
		}
	}
}

// Every thing is done once in any order, and the error is that of the first that fails, also
// where others behind it failed before.
func TestApart(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		for _, bad := range [][]int{nil, {99}, {3, 50, 98}, {0, 99}} {
			done := make([]atomic.Int32, 100)
			err := Apart(t.Context(), workers, len(done), func(i int) error {
				done[i].Add(1)
				if slices.Contains(bad, i) {
					return fmt.Errorf("thing %d", i)
				}
				return nil
			})
			if bad != nil {
				if want := fmt.Sprintf("thing %d", bad[0]); err == nil || err.Error() != want {
					t.Errorf("%d workers: %v, want %q", workers, err, want)
				}
			} else if err != nil {
				t.Errorf("%d workers: %v", workers, err)
			}
			for i := range done {
				if n := done[i].Load(); n > 1 || n == 0 && bad == nil {
					t.Errorf("%d workers: thing %d was done %d times", workers, i, n)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Apart(ctx, 4, 100, func(int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
