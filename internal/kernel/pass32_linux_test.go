package kernel

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// guarded32 is guarded in single precision; n is even.
func guarded32(t *testing.T, n int) []float32 {
	t.Helper()
	x := guarded(t, n/2)
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), n)
}

// TestGuarded32 runs the kernels of single precision on slices that end at a
// forbidden page.
func TestGuarded32(t *testing.T) {
	const n, d = 10, 6
	for _, l := range []int{16, 32, 48, 64, 80} {
		r := rand.New(rand.NewPCG(uint64(l), 2))
		m := random(r, shape{n, d, l, 3}, false)
		m.index[len(m.index)-1] = d - 1
		value := guarded32(t, (len(m.value)+1)&^1)
		value = value[len(value)-len(m.value):]
		copy(value, m.value)
		f := &Fused{Ptr: m.ptr, Index: m.index, Value: value, B: guarded32(t, d*l), L: l}
		f.Z, f.Weights, f.Second, f.Mixed = guarded32(t, n*l), guarded32(t, 2*n), guarded32(t, d*l), guarded32(t, d*l)
		totals, weights, first := guarded(t, n), guarded(t, 4*n), guarded(t, 4*d)
		three, buffer := guarded(t, l*(l+1)*(l+2)/6), guarded32(t, Buffer32(l))
		eachTier(t, func(*testing.T) {
			Cube32(three, f.Z, f.Weights[:n], l, l, buffer)
			Cube32(guarded(t, 9*10*11/6), f.Z, f.Weights[:n], 9, l, nil)
			f.Run()
			Widen(guarded(t, d*l), f.Second)
			RowTotals(totals, m.ptr, value)
			FirstOrders(first, m.ptr, m.index, value, weights)
		})
	}
}
