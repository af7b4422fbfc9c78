package delimited

import (
	"hash/maphash"
	"slices"
	"testing"
	"unsafe"
)

// A new part has room for what another one held, and holds nothing.
func TestNewPart(t *testing.T) {
	p := newPart(maphash.MakeSeed(), nil)
	p.reset()
	for range 100 {
		p.entry(7, 1)
		p.ids.add([]byte("patient"))
	}
	p.takeFeatures()
	p.ids.take()
	other := newPart(maphash.MakeSeed(), p.size())
	other.reset()
	if f, ids := cap(other.feature), cap(other.ids.bytes); f < 100 || ids < 700 {
		t.Errorf("a new part has room for %d features and %d bytes of ids, want 100 and 700", f, ids)
	}
	if len(other.feature) > 0 || other.ids.len() > 0 {
		t.Error("a new part holds something")
	}
}

// Lists that are handed over lie one behind the other and end where they are filled: what is
// appended to one leaves the others alone.
func TestHandedOver(t *testing.T) {
	var all [][]int
	var list []int
	for i := range 40 {
		list = append(room(list, 4), i, i, i)
		all = append(all, taken(&list))
	}
	behind := 0
	for i, l := range all {
		if i > 0 && unsafe.Add(unsafe.Pointer(&all[i-1][2]), unsafe.Sizeof(0)) == unsafe.Pointer(&l[0]) {
			behind++
		}
	}
	for i, l := range all {
		if want := []int{i, i, i}; !slices.Equal(l, want) {
			t.Errorf("list %d is %v", i, l)
		}
		all[i] = append(l, -1)
	}
	if behind < 30 {
		t.Errorf("%d of %d lists lie behind the one before", behind, len(all)-1)
	}
	if big := room[byte](nil, 1<<20); cap(big) < 1<<20 || cap(big) > 2<<20 {
		t.Errorf("room for %d bytes, where a megabyte was asked for", cap(big))
	}
}
