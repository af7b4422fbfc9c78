package delimited

import (
	"hash/maphash"
	"testing"
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
	other := newPart(maphash.MakeSeed(), p.room())
	other.reset()
	if f, ids := cap(other.feature), cap(other.ids.bytes); f < 100 || ids < 700 {
		t.Errorf("a new part has room for %d features and %d bytes of ids, want 100 and 700", f, ids)
	}
	if len(other.feature) > 0 || other.ids.len() > 0 {
		t.Error("a new part holds something")
	}
}
