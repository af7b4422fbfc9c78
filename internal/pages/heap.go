package pages

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// asked is the least heap that the program asked for, 0 where it did not.
var asked atomic.Uint64

// Heap has the collector rest while all memory of the program is below so many bytes,
// and collect at twice what lives from there on, as it does by itself. A command
// that holds a few megabytes would else be collected at every fourth one: of a fit of
// ten records that was two fifths of the time. A GOGC that was set stands.
//
// It is for programs, not for rooms: it changes the collector of the whole process.
func Heap(least uint64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	asked.Store(least)
	rest(0, least)
	watch()
}

// Hold says that so many bytes are about to be made that stay: in a program that asked
// for Heap the next collection waits for them, those behind it come as before. Memory
// that grows from nothing is else collected at every doubling, and who makes it on
// many cores waits for the collector each time.
func Hold(more uint64) {
	least := asked.Load()
	if least == 0 {
		return
	}
	live, used := heap()
	// A collection may begin when seven tenths of what may be added were.
	rest(live, max(least, live+2*(max(used, live)-live+more)))
}

// heap returns what lived after the last collection, and what is used now.
func heap() (live, used uint64) {
	sizes := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sizes)
	return sizes[0].Value.Uint64(), sizes[1].Value.Uint64()
}

// rest has the next collection done at so many bytes, or at twice what lives.
func rest(live, least uint64) { debug.SetGCPercent(percent(live, least)) }

// collectorsLeast is the size below which the collector rests at 100 percent; it grows
// with the percentage.
const collectorsLeast = 4 << 20

// percent is what may be added to what lives before the next collection.
func percent(live, least uint64) int {
	if 2*live >= least {
		return 100
	}
	return int(min(100*(least-live)/max(live, 1), 100*least/collectorsLeast))
}

// watch looks at what lives after every collection: a finalizer runs then.
func watch() {
	type mark struct{ _ [16]byte }
	var after func(*mark)
	after = func(*mark) {
		live, _ := heap()
		rest(live, asked.Load())
		runtime.SetFinalizer(new(mark), after)
	}
	runtime.SetFinalizer(new(mark), after)
}
