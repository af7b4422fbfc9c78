package pages

import (
	"syscall"
	"testing"
	"unsafe"
)

// Once touched, memory is there: adding to it asks the system for nothing more. It is asked
// for in small pages here, where that would be seen, and begins in the middle of one.
func TestTouch(t *testing.T) {
	const noHugePage, size = 15, 1 << 10 * small
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(memory) }()
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, uintptr(unsafe.Pointer(unsafe.SliceData(memory))), size, noHugePage)
	list := memory[small/2 : size-small/2+1]
	Touch(list)
	before := faults(t)
	for i := range list {
		list[i]++
	}
	if more := faults(t) - before; more > 100 { // others of this process have some
		t.Errorf("%d faults while %d pages were added to", more, len(list)/small)
	}
}

func faults(t *testing.T) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return int64(usage.Minflt)
}

// The system is told of a step once, and of the next steps of a list that begins in one
// that it was told of.
func TestHint(t *testing.T) {
	const at = 1 << 30 // where nothing is: the system refuses, which changes nothing
	hint(at, 1)
	if n := uintptr(at / step); !told(n) || told(n+1) || told(n-1) {
		t.Fatalf("told of steps %t %t %t, want that in the middle", told(n-1), told(n), told(n+1))
	}
	hint(at+step-1, step+2)
	for i := range uintptr(3) {
		if !told(at/step + i) {
			t.Errorf("not told of step %d of a list in three", i)
		}
	}
	round := uintptr(len(hinted))
	if round *= step; round == 0 {
		return // all steps that there are have a place
	}
	hint(at+round, 1)
	if told(at/step) || !told((at+round)/step) {
		t.Error("a later step did not take the place")
	}
}
