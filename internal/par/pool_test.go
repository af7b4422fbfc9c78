package par

import (
	"math"
	"testing"
)

// TestReduceIn demands the bits of the definition where lanes are added up
// early, also where fewer blocks come than were announced, and where memory is
// used again.
func TestReduceIn(t *testing.T) {
	const size = 17
	pool := new(Pool)
	for _, n := range []int{0, 1, 2, 3, 5, 13, 31, 32, 33, 64, 157} {
		list := blocks(n, size)
		want := inLanes(list, size)
		for _, announced := range []int{0, n, n + 1, n + 40} {
			for _, workers := range []int{1, 2, 8} {
				got, err := ReduceIn(t.Context(), pool, workers, size, announced, feed(list), func(state []float64, b [][]float64) error {
					for _, v := range b {
						for j, x := range v {
							state[j] += x
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				for j, w := range want {
					if math.Float64bits(got[j]) != math.Float64bits(w) {
						t.Fatalf("%d blocks, %d announced, %d workers: entry %d is %v, want %v", n, announced, workers, j, got[j], w)
					}
				}
			}
		}
	}
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
