package kernel

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n numbers that end where a page begins that nobody may
// touch, and begin behind such a page as closely as alignment allows.
func guarded(t *testing.T, n int) []float64 {
	t.Helper()
	page := syscall.Getpagesize()
	pages := max(1, (8*n+page-1)/page)
	mem, err := syscall.Mmap(-1, 0, (pages+1)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no memory map: ", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(mem) })
	if err := syscall.Mprotect(mem[pages*page:], syscall.PROT_NONE); err != nil {
		t.Skip("no page protection: ", err)
	}
	all := unsafe.Slice((*float64)(unsafe.Pointer(&mem[0])), pages*page/8)
	return all[len(all)-n:]
}

// TestGuarded runs every kernel on slices that end at a forbidden page: a read
// past a slice would end the test.
func TestGuarded(t *testing.T) {
	for _, l := range []int{1, 2, 3, 5, 7, 8, 9, 12, 13, 17, 25, 33, 63} {
		t.Run(fmt.Sprint(l), func(t *testing.T) {
			const n, d = 9, 6
			r := rand.New(rand.NewPCG(uint64(l), 2))
			m := random(r, shape{n, d, l, 3}, false)
			m.index[len(m.index)-1] = d - 1
			m.ptr, m.index, m.value = guardedAs(t, m.ptr), guardedAs(t, m.index), guardedAs(t, m.value)
			text, words := guardedAs(t, make([]byte, 64*l+l)), guardedAs(t, make([]uint64, l+(l+63)/64))
			table, rows, dense, v := guarded(t, d*l), guarded(t, n*l), guarded(t, n*d), guarded(t, n)
			copy(dense, m.dense)
			two, three := guarded(t, l*(l+1)/2), guarded(t, l*(l+1)*(l+2)/6)
			bias, count := guarded(t, l), guarded(t, l)
			eachTier(t, func(*testing.T) {
				for _, value := range [][]float32{m.value, nil} {
					Gather(rows, m.ptr, m.index, value, table, l)
					Scatter(table, m.ptr, m.index, value, rows, l)
				}
				DenseMul(rows, dense, d, table, l)
				DenseTransMul(table, dense, d, rows, l)
				for _, i := range []int{1, n} {
					Outer(two, rows[(n-i)*l:], v[n-i:], l)
					Cube(three, rows[(n-i)*l:], v[n-i:], l)
				}
				Softmax(rows, l, bias, v, count)
				Exps(rows[:l])
				Exps(rows[(n-1)*l:])
				Logs(rows[(n-1)*l:])
				Rotate(bias, count, 0.6, 0.8)
				Axpy(bias, 2, count)
				Marks(words, text, [4]byte{',', '\n', '"', '\r'})
			})
		})
	}
}
