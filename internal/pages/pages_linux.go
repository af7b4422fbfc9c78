package pages

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
)

const (
	// The collector asks the system for memory in steps of this size, a multiple of
	// the large pages of most machines.
	step     = 4 << 20
	hugePage = 14 // MADV_HUGEPAGE, the same on all processors but parisc
)

// hinted are the steps that were asked for already: their memory keeps the hint for as
// long as the program lives, and asking stops all cores that wait for memory. Addresses
// 256 GB apart share a place; of two of them one goes without the hint.
var hinted [1 << 16]atomic.Bool

var ready atomic.Bool

// hint covers all steps that the memory touches: a large page must be asked for
// before any of it is used, and what lies beside belongs to this program as well. A
// system that has no large pages, or does not give them, returns an error, which
// changes nothing.
func hint(at, size uintptr) {
	from, to := at/step, (at+size+step-1)/step
	for from < to && hinted[from%uintptr(len(hinted))].Swap(true) {
		from++
	}
	if from == to {
		return
	}
	for i := from; i < to; i++ {
		hinted[i%uintptr(len(hinted))].Store(true)
	}
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from*step, (to-from)*step, hugePage)
}

// Ready has the next so many bytes of a program that asked for Heap come in large
// pages, whatever they are asked for in: one list takes them, is hinted at and goes
// back unused, and the collector hands out their addresses first. Make alone reaches
// large lists; nine tenths of a fit's requests for memory came from the others. It must
// stay too small for large lists: they would be cleared by one core, as memory that was
// used, where fresh memory is clear. It works once: what lives later would have to be
// looked through.
func Ready(bytes uint64) {
	if asked.Load() == 0 || ready.Swap(true) {
		return
	}
	runtime.KeepAlive(Make[byte](int(bytes)))
	debug.FreeOSMemory()
}
