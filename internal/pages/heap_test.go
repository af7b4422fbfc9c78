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

// What is about to be held puts off one collection of a program that asked for Heap.
func TestHold(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer func() {
		debug.SetGCPercent(before)
		asked.Store(0)
	}()
	asked.Store(0)
	if Hold(1 << 30); debug.SetGCPercent(100) != 100 {
		t.Fatal("a room changes the collector of a program that did not ask for it")
	}
	Heap(4 << 20)
	if Hold(1 << 30); debug.SetGCPercent(1000) < 1000 {
		t.Fatal("the collector does not wait for what is held")
	}
	for range 200 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if debug.SetGCPercent(1000) < 1000 {
			return
		}
	}
	t.Fatal("the collector goes on to wait after a collection")
}
