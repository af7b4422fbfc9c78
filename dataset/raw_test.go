package dataset

import (
	"encoding/binary"
	"slices"
	"testing"
)

// On machines that keep numbers the other way round the bytes of a list are
// turned on the way to the file and back.
func TestTurn(t *testing.T) {
	list := []uint32{1, 0x01020304, 7 << 24}
	b := slices.Clone(view(list))
	turn(b, 4)
	for i, v := range list {
		got := binary.BigEndian.Uint32(b[4*i:])
		if !isLittle() {
			got = binary.LittleEndian.Uint32(b[4*i:])
		}
		if got != v {
			t.Errorf("number %d is %#x, want %#x", i, got, v)
		}
	}
	if got := binary.LittleEndian.Uint32(stored(list)[4:]); got != list[1] {
		t.Errorf("the file holds %#x, want %#x", got, list[1])
	}
	if view([]float64{}) != nil || text(nil) != "" {
		t.Error("empty lists have bytes")
	}
}
