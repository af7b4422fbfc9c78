package par

import (
	"sync/atomic"
	"testing"
	"time"
)

// soon reports whether something comes true.
func soon(f func() bool) bool {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if f() {
			return true
		}
		time.Sleep(100 * time.Microsecond)
	}
	return false
}

// Share sees every thing once, and spare workers take part in it.
func TestShare(t *testing.T) {
	for _, n := range []int{0, 1, 6, 7, 8, 1000} {
		seen := make([]atomic.Int32, n)
		var together atomic.Int32
		err := Do(t.Context(), 4, 1, func(int) error {
			Share(n, 7, func(lo, hi int) {
				if n == 1000 { // enough for all four
					together.Add(1)
					if !soon(func() bool { return together.Load() >= 4 }) {
						t.Errorf("%d workers at work, want 4", together.Load())
					}
				}
				if hi-lo > 7 {
					t.Errorf("a stretch from %d to %d", lo, hi)
				}
				for i := lo; i < hi; i++ {
					seen[i].Add(1)
				}
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range seen {
			if v := seen[i].Load(); v != 1 {
				t.Errorf("%d things: %d was seen %d times", n, i, v)
			}
		}
		if Spare() {
			t.Fatal("a spare worker afterwards")
		}
	}
}

// A panic of a helper comes to who shares, and its worker is given back.
func TestSharePanics(t *testing.T) {
	caught := Catch(func() {
		_ = Do(t.Context(), 4, 1, func(int) error {
			var begun atomic.Int32
			Share(100, 1, func(int, int) { // the first call waits for another, which is a helper's or comes later
				if begun.Add(1) > 1 {
					panic("no")
				}
				soon(func() bool { return begun.Load() > 1 })
			})
			return nil
		})
	})
	if caught == nil || caught.Value != "no" {
		t.Errorf("caught %v", caught)
	}
	if Spare() {
		t.Error("a spare worker afterwards")
	}
}

// Add has the sums of a loop.
func TestAdd(t *testing.T) {
	const n = 3*shareNumbers + 5
	a, b := make([]float64, n+2), make([]float64, n)
	for i := range b {
		a[i], b[i] = float64(i), 1/float64(i+1)
	}
	_ = Do(t.Context(), 4, 1, func(int) error { Add(a, b); return nil })
	for i, v := range b {
		if a[i] != float64(i)+v {
			t.Fatalf("number %d is %v", i, a[i])
		}
	}
	if a[n] != 0 || a[n+1] != 0 {
		t.Error("more was added than there is")
	}
}

// Who waits for a turn in a lane is spare while it waits.
func TestAwaitIsSpare(t *testing.T) {
	lanes := Lanes(8)
	sum, err := Reduce(t.Context(), nil, 2, State{Size: 8}, lanes+1, func(state func() []float64, i int) error {
		if i == 0 && !soon(func() bool {
			if !Spare() {
				return false
			}
			Return()
			return true
		}) {
			t.Error("nobody is spare while block 0 takes long")
		}
		state()[0]++
		return nil
	})
	if err != nil || sum[0] != float64(lanes+1) {
		t.Errorf("%v, %v", sum, err)
	}
	if Spare() {
		t.Error("a spare worker afterwards")
	}
}
