package pages

import "syscall"

const (
	// The collector asks the system for memory in steps of this size, a multiple of
	// the large pages of most machines.
	step     = 4 << 20
	hugePage = 14 // MADV_HUGEPAGE, the same on all processors but parisc
)

// hint covers all steps that the memory touches: a large page must be asked for
// before any of it is used, and what lies beside belongs to this program as well. A system that has no large
// pages, or does not give them, returns an error, which changes nothing.
func hint(at, size uintptr) {
	from := at &^ (step - 1)
	to := (at + size + step - 1) &^ (step - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, hugePage)
}
