// Package passtest is the battery for every Runner: whoever holds records in a
// new place puts its Runner through it. It compares with a plain fold written
// here that shares no code with package pass.
package passtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Battery describes a Runner under test.
type Battery struct {
	// Open returns a Runner over the rows; steps is nil where each row is a
	// record, else record i is rows steps[i] to steps[i+1].
	Open func(t testing.TB, rows sparse.Rows, steps []int, workers int) pass.Runner
	// NoSequences leaves out the tests of sequences.
	NoSequences bool
}

// records makes more than 50 blocks and an uneven last one.
const records = 52*pass.BlockRecords + 1234

// cores are the numbers of workers that are tried: under -short one and many.
func cores() []int {
	if testing.Short() {
		return []int{1, 8}
	}
	return []int{1, 2, 8}
}

// dim is the number of features of the rows of the battery.
const dim = 6

// tolerance is what a Runner that does not promise the bits of the lanes may be
// off by, relative to the sum of the sizes added.
const tolerance = 1e-12

// promptly is the time within which a cancelled pass must end.
const promptly = 100 * time.Millisecond

// Run runs the battery.
func Run(t *testing.T, b Battery) {
	rows := Rows(records)
	t.Run("sums", func(t *testing.T) { b.sums(t, rows, nil) })
	t.Run("sizes", b.sizes)
	t.Run("several sums in one scan", func(t *testing.T) { b.several(t, rows) })
	t.Run("ability", func(t *testing.T) { b.ability(t, rows) })
	t.Run("own records", func(t *testing.T) { b.own(t, rows) })
	t.Run("own records and sums", func(t *testing.T) { b.ownAndSums(t, rows) })
	t.Run("error of a sum", func(t *testing.T) { b.fails(t, rows) })
	t.Run("error of a visit", func(t *testing.T) { b.visitFails(t, rows) })
	t.Run("cancel", func(t *testing.T) { b.cancels(t, rows) })
	t.Run("cancelled before", func(t *testing.T) { b.cancelledBefore(t, rows) })
	if !b.NoSequences {
		long, steps := Sequences(5*pass.BlockRecords + 77)
		t.Run("sequences", func(t *testing.T) { b.sequences(t, long, steps) })
	}
}

// compare checks a sum of r against the reference, by bits where it promises
// them.
func compare(t *testing.T, name string, r pass.Runner, got, want, sizes []float64) {
	t.Helper()
	if r.Can().Exact {
		numtest.SameBits(t, name, got, want)
		return
	}
	for j := range want {
		if !(math.Abs(got[j]-want[j]) <= tolerance*sizes[j]) {
			t.Errorf("%s: entry %d is %v, want %v within %g", name, j, got[j], want[j], tolerance*sizes[j])
		}
	}
}

// sums: 1, 2 and 8 workers give the reference.
func (b Battery) sums(t *testing.T, rows sparse.Rows, steps []int) {
	want, sizes := reference(rows, steps, 2*dim)
	for _, workers := range cores() {
		r := b.Open(t, rows, steps, workers)
		for range 2 { // a Runner can be run again
			got, err := pass.RunOne(t.Context(), r, shares{})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprintf("%d workers", workers), r, got, want, sizes)
		}
	}
}

// sizes: Dim and Len, and sums at the edges of blocks.
func (b Battery) sizes(t *testing.T) {
	for _, n := range []int{0, 1, pass.BlockRecords - 1, pass.BlockRecords, pass.BlockRecords + 1, 3 * pass.BlockRecords} {
		rows := Rows(n)
		r := b.Open(t, rows, nil, 2)
		if r.Len() != n || r.Dim() != dim {
			t.Errorf("Len %d, Dim %d, want %d, %d", r.Len(), r.Dim(), n, dim)
		}
		want, sizes := reference(rows, nil, 2*dim)
		got, err := pass.RunOne(t.Context(), r, shares{})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d records", n), r, got, want, sizes)
	}
}

// several: the states come back in order, none for no sums.
func (b Battery) several(t *testing.T, rows sparse.Rows) {
	r := b.Open(t, rows, nil, 2)
	states, err := r.Run(t.Context(), shares{}, counter{}, shares{})
	if err != nil {
		t.Fatal(err)
	}
	if len(states) != 3 || len(states[1]) != 1 || states[1][0] != float64(rows.N()) {
		t.Fatalf("%d states, the second %v; want 3 and the number of records, %d", len(states), states[1], rows.N())
	}
	want, sizes := reference(rows, nil, 4*dim+1)
	compare(t, "first sum", r, states[0], want, sizes)
	compare(t, "third sum", r, states[2], want, sizes)
	if states, err := r.Run(t.Context()); err != nil || len(states) != 0 {
		t.Errorf("no sums: %v, %v", states, err)
	}
}

// counter counts records.
type counter struct{}

// Len implements pass.Sum.
func (counter) Len() int { return 1 }

// Add implements pass.Sum.
func (counter) Add(state []float64, b pass.Block) error {
	state[0] += float64(b.N())
	return nil
}

// ability: all records are here, and what is said of rows and blocks holds.
func (b Battery) ability(t *testing.T, rows sparse.Rows) {
	r := b.Open(t, rows, nil, 2)
	can := r.Can()
	if can.Own != r.Len() || can.First != 0 || can.Place != 0 || can.Places != 1 || can.Workers != 2 {
		t.Errorf("%d of %d records from %d on, place %d of %d, %d workers", can.Own, r.Len(), can.First, can.Place, can.Places, can.Workers)
	}
	if can.Binary {
		t.Error("rows with values are called binary")
	}
	x := []float64{1, -2.5, math.Pi}
	if got, err := r.Total(t.Context(), slices.Clone(x)); err != nil || !slices.Equal(got, x) {
		t.Errorf("the total of %v is %v, %v", x, got, err)
	}
}

// ownAndSums: a visit sees the blocks that the sums see, and before they do, and the
// sums are those of Run.
func (b Battery) ownAndSums(t *testing.T, rows sparse.Rows) {
	want, sizes := reference(rows, nil, 2*dim+1)
	for _, workers := range cores() {
		r := b.Open(t, rows, nil, workers)
		seen, visited := make([]bool, rows.N()), new(sync.Map)
		states, err := r.Own(t.Context(), func(block pass.Block) error {
			for i := range block.N() {
				seen[block.First+i] = true
			}
			visited.Store(block.First, block.N())
			return nil
		}, shares{}, seenSum{seen, visited})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%d workers", workers), r, states[0], want, sizes)
		if states[1][0] != float64(rows.N()) {
			t.Errorf("%d workers: sums saw %v of %d records before the visit did, or in other blocks", workers, float64(rows.N())-states[1][0], rows.N())
		}
	}
	none, err := b.Open(t, rows, nil, 2).Own(t.Context(), func(pass.Block) error { return errBattery }, shares{})
	if !errors.Is(err, errBattery) || none != nil {
		t.Errorf("a visit that fails: %v, %d states", err, len(none))
	}
}

// seenSum counts the records of which something is known already, and of their block.
type seenSum struct {
	seen    []bool
	visited *sync.Map // how many records each block had, by the number of its first
}

// Len implements pass.Sum.
func (seenSum) Len() int { return 1 }

// Add implements pass.Sum.
func (s seenSum) Add(state []float64, b pass.Block) error {
	if n, _ := s.visited.Load(b.First); n != b.N() {
		return nil
	}
	for i := range b.N() {
		if s.seen[b.First+i] {
			state[0]++
		}
	}
	return nil
}

// own: every record is seen once, in its place.
func (b Battery) own(t *testing.T, rows sparse.Rows) {
	for _, workers := range cores() {
		seen := make([]int32, rows.N())
		var mu sync.Mutex
		bad := ""
		_, err := b.Open(t, rows, nil, workers).Own(t.Context(), func(block pass.Block) error {
			for i := range block.N() {
				at := block.First + i
				if at >= len(seen) || !sameRow(block.Rows, i, rows, at) {
					mu.Lock()
					bad = fmt.Sprintf("record %d of the block at %d", i, block.First)
					mu.Unlock()
					return nil
				}
				atomic.AddInt32(&seen[at], 1)
			}
			return nil
		})
		if err != nil || bad != "" {
			t.Fatalf("%d workers: %v; %s is not the record of that number", workers, err, bad)
		}
		if i := slices.IndexFunc(seen, func(n int32) bool { return n != 1 }); i >= 0 {
			t.Fatalf("%d workers: record %d seen %d times", workers, i, seen[i])
		}
	}
}

func sameRow(a sparse.Rows, i int, b sparse.Rows, j int) bool {
	ai, av := a.Row(i)
	bi, bv := b.Row(j)
	return slices.Equal(ai, bi) && slices.Equal(av, bv)
}

var errBattery = errors.New("error of the battery")

// fails: the error of a Sum stops the scan and comes back.
func (b Battery) fails(t *testing.T, rows sparse.Rows) {
	for _, workers := range cores() {
		for _, at := range []int{0, records / 2, records - 1} {
			states, err := b.Open(t, rows, nil, workers).Run(t.Context(), counter{}, shares{fail: errBattery, at: at})
			if !errors.Is(err, errBattery) || states != nil {
				t.Errorf("%d workers, record %d fails: %v and %d states, want the sum's error", workers, at, err, len(states))
			}
		}
	}
}

// visitFails: the error of f comes back.
func (b Battery) visitFails(t *testing.T, rows sparse.Rows) {
	for _, workers := range cores() {
		_, err := b.Open(t, rows, nil, workers).Own(t.Context(), func(block pass.Block) error {
			if block.First > records/2 {
				return errBattery
			}
			return nil
		})
		if !errors.Is(err, errBattery) {
			t.Errorf("%d workers: %v, want the error of f", workers, err)
		}
	}
}

// cancels: a pass whose blocks take 10 ms each, half a second in all for one
// worker, ends promptly. The best of three tries counts, since another program
// may hold the machine.
func (b Battery) cancels(t *testing.T, rows sparse.Rows) {
	for name, scan := range map[string]func(context.Context, pass.Runner, func()) error{
		"Run": func(ctx context.Context, r pass.Runner, call func()) error {
			_, err := r.Run(ctx, shares{call: call})
			return err
		},
		"Own": func(ctx context.Context, r pass.Runner, call func()) error {
			_, err := r.Own(ctx, func(pass.Block) error { call(); return nil })
			return err
		},
	} {
		for _, workers := range cores() {
			best := time.Hour
			for range 3 {
				took := cancelOnce(t, name, b.Open(t, rows, nil, workers), scan)
				best = min(best, took)
				if best < promptly {
					break
				}
			}
			if best >= promptly {
				t.Errorf("%s, %d workers: ended %v after the cancel, want less than %v", name, workers, best, promptly)
			}
		}
	}
}

// cancelOnce cancels at the second block and returns the time to the end.
func cancelOnce(t *testing.T, name string, r pass.Runner, scan func(context.Context, pass.Runner, func()) error) time.Duration {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls atomic.Int32
	var at time.Time
	err := scan(ctx, r, func() {
		if calls.Add(1) == 2 {
			at = time.Now()
			cancel()
		}
		time.Sleep(10 * time.Millisecond)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%s: cancelled in the second block, got %v", name, err)
	}
	return time.Since(at)
}

// cancelledBefore: nothing is summed for a context that is over.
func (b Battery) cancelledBefore(t *testing.T, rows sparse.Rows) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := b.Open(t, rows, nil, 2)
	if _, err := r.Run(ctx, shares{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	if _, err := r.Own(ctx, func(pass.Block) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("Own: %v", err)
	}
}

// sequences: sums are right, and blocks hold whole sequences.
func (b Battery) sequences(t *testing.T, rows sparse.Rows, steps []int) {
	b.sums(t, rows, steps)
	r := b.Open(t, rows, steps, 2)
	if r.Len() != len(steps)-1 {
		t.Errorf("Len = %d, want %d sequences", r.Len(), len(steps)-1)
	}
	seen := make([]int32, len(steps)-1)
	_, err := r.Own(t.Context(), func(block pass.Block) error {
		for i := range block.N() {
			at := block.First + i
			seq := block.Sequence(i)
			if seq.N() != steps[at+1]-steps[at] {
				return fmt.Errorf("sequence %d has %d rows, want %d", at, seq.N(), steps[at+1]-steps[at])
			}
			for j := range seq.N() {
				if !sameRow(seq, j, rows, steps[at]+j) {
					return fmt.Errorf("row %d of sequence %d is another one's", j, at)
				}
			}
			atomic.AddInt32(&seen[at], 1)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(seen, func(n int32) bool { return n != 1 }); i >= 0 {
		t.Errorf("sequence %d seen %d times", i, seen[i])
	}
}
