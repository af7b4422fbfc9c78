package kernel

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestMixGuarded runs the fixed point on slices that end at a forbidden page.
func TestMixGuarded(t *testing.T) {
	buffer := func(n int) []float32 {
		all := guarded(t, (n+1)/2)
		return unsafe.Slice((*float32)(unsafe.Pointer(&all[0])), 2*len(all))[2*len(all)-n:]
	}
	for _, k := range []int{1, 7, 10, 13, 30} {
		m := mixOf(rand.New(rand.NewPCG(uint64(k), 3)), 37, k, buffer)
		m.Most = 3
		eachTier(t, func(*testing.T) {
			MixRounds([]*Mix{m})
			MixLogs(m.X, m.P)
		})
		k = (k + MixRows - 1) / MixRows * MixRows
		table, dst := buffer(7*k), buffer(16*k)
		index := make([]uint32, 16)
		index[15] = 6
		eachTier(t, func(*testing.T) { MixPanel(dst, table, k, listOf(index)) })
		eachTier(t, func(*testing.T) { MixKeep(dst, buffer(16*k), 16, []int32{0, int32(k - 1)}) })
	}
	eachTier(t, func(t *testing.T) {
		x := guarded(t, 8)
		for i := range x {
			x[i] = 1
		}
		Gammas(guarded(t, 8), guarded(t, 8), x)
	})
	for _, k := range []int{16, 80} {
		table, x, index := buffer(7*k), buffer(16), make([]uint32, 16)
		index[15] = 6
		eachTier(t, func(*testing.T) { MixSpread(table, listOf(index), 16, x, buffer(k)) })
		eachTier(t, func(t *testing.T) { MixWords(x, listOf(index), guarded(t, 7)) })
	}
}
