package pages

import (
	"sync/atomic"
	"syscall"
)

const (
	// The collector asks the system for memory in steps of this size, a multiple of
	// the large pages of most machines.
	step     = 4 << 20
	hugePage = 14 // MADV_HUGEPAGE, the same on all processors but parisc
)

// hinted has steps that the system was told of, each at its place or a later one that took
// it: many lists of a few kilobytes lie in one step, and the collector gives none back for good.
var hinted [1 << 10]atomic.Uintptr

// hint covers all steps that the memory touches and the system was not told of: a large
// page must be asked for before any of it is used, and what lies beside belongs to this
// program as well. A system that has no large pages, or does not give them, returns an
// error, which changes nothing.
func hint(at, size uintptr) {
	from, to := at/step, (at+size-1)/step+1
	for told(from) {
		if from++; from == to {
			return
		}
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from*step, (to-from)*step, hugePage)
	for ; from < to; from++ {
		hinted[from%uintptr(len(hinted))].Store(from)
	}
}

func told(n uintptr) bool { return hinted[n%uintptr(len(hinted))].Load() == n }
