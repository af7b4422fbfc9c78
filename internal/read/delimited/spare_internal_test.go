package delimited

import (
	"hash/maphash"
	"runtime"
	"testing"
)

// Parts that are given back are there after collections, and a new one has room for what
// the last one held.
func TestSpareParts(t *testing.T) {
	s := spareParts{seed: maphash.MakeSeed()}
	p := s.take()
	p.reset()
	for range 100 {
		p.entry(7, 1)
		p.ids.add([]byte("patient"))
	}
	p.takeFeatures()
	p.ids.take()
	s.give(p)
	runtime.GC()
	runtime.GC()
	if s.take() != p {
		t.Fatal("a part that was given back is not there")
	}
	other := s.take()
	if other == p {
		t.Fatal("a part was handed out twice")
	}
	other.reset()
	if f, ids := cap(other.feature), cap(other.ids.bytes); f < 100 || ids < 700 {
		t.Errorf("a new part has room for %d features and %d bytes of ids, want 100 and 700", f, ids)
	}
	if len(other.feature) > 0 || other.ids.len() > 0 {
		t.Error("a new part holds something")
	}
}
