package kernel

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestGuardedPairs runs the kernels of pairs on tables that end at a forbidden
// page.
func TestGuardedPairs(t *testing.T) {
	for _, d := range []int{1, 2, 3, 4, 5, 8, 9, 12, 13, 17, 33} {
		r := rand.New(rand.NewPCG(uint64(d), 5))
		ptr, index := presences(r, 30, d, d)
		index = append(index, uint32(d-1)) // the last place of the table
		ptr = append(ptr, len(index))
		size := d * (d + 1) / 2
		real := guarded(t, size)
		buffer := guarded(t, (size+1)/2)
		packed := unsafe.Slice((*int32)(unsafe.Pointer(&buffer[0])), 2*len(buffer))[2*len(buffer)-size:]
		x, y := guarded(t, d), guarded(t, d)
		ptr, index = guardedAs(t, ptr), guardedAs(t, index)
		last := guardedAs(t, []int32{int32(len(ptr) - 2), 0, int32(len(ptr) - 2)})
		sums := guarded(t, len(last))
		eachTier(t, func(*testing.T) {
			Pairs(packed, ptr, index, d)
			RealPairs(real, ptr, index, d)
			PackedMul(y, packed, x)
			PackedMul2([2][]float64{y, y}, packed, [2][]float64{x, x}, guardedAs(t, make([]float32, PackedBuffer(d))))
			p := NewBinaryRows(ptr, index, d, nil)
			p.Sums(sums, x, last, 0, len(last))
			p.Sums(guarded(t, 2*len(last)), guarded(t, 2*d), last, 0, len(last))
			p.Count(packed[size-d:], nil, 0, len(ptr)-1)
		})
	}
}
