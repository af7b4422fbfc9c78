package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestGuardedMixture runs steps of EM on rows that end at a forbidden page.
func TestGuardedMixture(t *testing.T) {
	for _, k := range []int{1, 4, 5, 8, 9, 16, 17, 32, 48, 64} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			const d = 7
			r := rand.New(rand.NewPCG(uint64(k), 2))
			m := mixtureRows(r, 70, d, 5, false)
			m.index[len(m.index)-1] = d - 1
			ptr, index, value := guardedAs(t, m.ptr), guardedAs(t, m.index), guardedAs(t, m.value)
			count, sum := guarded(t, k), guarded(t, d*k)
			eachTier(t, func(*testing.T) {
				for _, v := range [][]float32{value, nil} {
					s := NewMixture(d, k, make([]float64, k), make([]float64, d*k)).NewSums()
					s.Add(ptr, index, v)
					s.Flush(70, count, sum)
				}
			})
		})
	}
}

// guardedAs returns a copy of x that ends where a forbidden page begins.
func guardedAs[T any](t *testing.T, x []T) []T {
	size := int(unsafe.Sizeof(x[0])) * len(x)
	buffer := guarded(t, (size+7)/8)
	at := unsafe.Add(unsafe.Pointer(unsafe.SliceData(buffer)), 8*len(buffer)-size)
	out := unsafe.Slice((*T)(at), len(x))
	copy(out, x)
	return out
}
