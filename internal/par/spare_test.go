package par

import "testing"

// Workers without a piece are spare while the others work, and no longer.
func TestSpareWorkers(t *testing.T) {
	count := func() (n int) {
		for Spare() {
			n++
		}
		for range n {
			Return()
		}
		return n
	}
	for _, pieces := range []int{1, 3} {
		started := make(chan struct{}, pieces)
		err := Do(t.Context(), 4, pieces, func(i int) error {
			started <- struct{}{}
			if i > 0 {
				return nil
			}
			for len(started) < pieces || count() < 3 { // the others end
			}
			if n := count(); n != 3 {
				t.Errorf("%d pieces: %d spare workers of 4, want 3", pieces, n)
			}
			return nil
		})
		if n := count(); err != nil || n != 0 {
			t.Errorf("%d pieces: %d spare workers afterwards, %v", pieces, n, err)
		}
	}
	at := 0
	_, err := ReduceStream(t.Context(), nil, 4, State{Size: 8}, 0, func() (int, bool, error) { at++; return at, at < 2, nil }, func(func() []float64, int) error {
		for count() < 3 {
		}
		return nil
	})
	if n := count(); err != nil || n != 0 {
		t.Errorf("a sum leaves %d spare workers, %v", n, err)
	}
}
