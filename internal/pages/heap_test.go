package pages

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// What lives and what may be added to it are least together, or twice what lives.
func TestPercent(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		live uint64
		want int
	}{{0, 800}, {mb, 800}, {8 * mb, 300}, {16 * mb, 100}, {500 * mb, 100}} {
		if got := percent(c.live, 32*mb); got != c.want {
			t.Errorf("%d bytes that live: %d percent, want %d", c.live, got, c.want)
		}
	}
}

// The collector rests, and is told so again after every collection.
func TestHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	Heap(1 << 30)
	for range 200 {
		debug.SetGCPercent(100)
		runtime.GC()
		time.Sleep(time.Millisecond) // finalizers have a goroutine of their own
		if debug.SetGCPercent(100) > 1000 {
			return
		}
	}
	t.Fatal("little lives, and the collector does not rest")
}
