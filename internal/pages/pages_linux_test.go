package pages

import (
	"testing"
	"unsafe"
)

// Memory that was made ready is handed out first, and it has the hint.
func TestReady(t *testing.T) {
	const mb, most = 1 << 20, 256
	asked.Store(1)
	ready.Store(false)
	defer asked.Store(0)
	Ready(2 * most * mb)
	lists, large := make([][]byte, most), 0
	for i := range lists {
		lists[i] = make([]byte, mb)
		at := uintptr(unsafe.Pointer(unsafe.SliceData(lists[i])))
		if hinted[at/step%uintptr(len(hinted))].Load() {
			large++
		}
	}
	if large < most/2 {
		t.Errorf("%d of %d lists lie in large pages", large, most)
	}
}
