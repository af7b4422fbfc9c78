package kernel

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestMixGuarded runs the fixed point on slices that end at a forbidden page.
func TestMixGuarded(t *testing.T) {
	room := func(n int) []float32 {
		all := guarded(t, (n+1)/2)
		return unsafe.Slice((*float32)(unsafe.Pointer(&all[0])), 2*len(all))[2*len(all)-n:]
	}
	for _, k := range []int{1, 7, 10, 13, 30} {
		m := mixOf(rand.New(rand.NewPCG(uint64(k), 3)), 37, k, room)
		eachTier(t, func(*testing.T) { m.Rounds(3, 0) })
		table, dst := room(7*k), room(16*k)
		at, column := make([]int32, 16), make([]int32, k)
		for j := range column {
			column[j] = int32(j)
		}
		at[15] = int32(6 * k)
		eachTier(t, func(*testing.T) { MixPanel(dst, table, at, column) })
	}
}
