package pages

import "syscall"

const (
	largePage = 2 << 20 // of most machines; where it is another, the hint covers less or more
	hugePage  = 14      // MADV_HUGEPAGE, the same on all processors but parisc
)

// hint covers all large pages that the memory touches: what lies beside it
// belongs to this program as well and loses nothing. A system that has no large
// pages, or does not give them, returns an error, which changes nothing.
func hint(at, size uintptr) {
	from := at &^ (largePage - 1)
	to := (at + size + largePage - 1) &^ (largePage - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, hugePage)
}
