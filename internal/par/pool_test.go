package par

import (
	"fmt"
	"math"
	"testing"
)

// TestReduce demands the bits of the definition where lanes are added up
// early, also where fewer blocks come than were announced, and where memory is
// used again.
func TestReduce(t *testing.T) {
	const size = 17
	pool := new(Pool)
	add := func(state func() []float64, b [][]float64) error {
		for _, v := range b {
			for j, x := range v {
				state()[j] += x
			}
		}
		return nil
	}
	for _, n := range []int{0, 1, 2, 3, 5, 13, 31, 63, 64, 65, 128, 157} {
		list := blocks(n, size)
		want := inLanes(list, size)
		for _, announced := range []int{0, n, n + 1, n + 40} {
			for _, workers := range []int{1, 2, 8} {
				got, err := ReduceStream(t.Context(), pool, workers, State{Size: size}, announced, feed(list), add)
				check(t, got, err, want, fmt.Sprintf("%d blocks, %d announced, %d workers", n, announced, workers))
				got, err = Reduce(t.Context(), pool, workers, State{Size: size}, n, func(state func() []float64, i int) error { return add(state, list[i]) })
				check(t, got, err, want, fmt.Sprintf("%d numbered blocks, %d workers", n, workers))
			}
		}
	}
}

func check(t *testing.T, got []float64, err error, want []float64, what string) {
	t.Helper()
	if err != nil {
		t.Fatal(what, err)
	}
	for j, w := range want {
		if math.Float64bits(got[j]) != math.Float64bits(w) {
			t.Fatalf("%s: entry %d is %v, want %v", what, j, got[j], w)
		}
	}
}

// TestReduceWaitsItsTurn adds to one lane blocks that are ready before those in front of them.
func TestReduceWaitsItsTurn(t *testing.T) {
	lanes := Lanes(1)
	ahead := make(chan struct{})
	got, err := Reduce(t.Context(), nil, 4, State{Size: 1}, lanes+1, func(state func() []float64, i int) error {
		switch i {
		case 0:
			<-ahead // all other lanes are done, and the next block of this one is drawn
			state()[0] = 1
		case lanes - 1:
			close(ahead)
		case lanes:
			state()[0] *= 10
		}
		return nil
	})
	check(t, got, err, []float64{10}, "a block before its turn")
}

func TestPoolIsClean(t *testing.T) {
	pool := new(Pool)
	pool.Keep([]float64{1, 2, 3})
	for _, size := range []int{2, 3, 5} {
		for _, v := range pool.Take(size) {
			if v != 0 {
				t.Fatalf("%v left in a state of %d", v, size)
			}
		}
		pool.Keep([]float64{1, 2, 3})
	}
	var none *Pool
	none.Keep(nil)
	if len(none.Take(4)) != 4 {
		t.Error("no pool gives no state")
	}
}
