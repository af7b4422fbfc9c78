//go:build (amd64 || arm64) && !purego

package kernel

import (
	"sort"
	"unsafe"
)

// budget is the number of vectors that a call may touch: well below a
// millisecond while they come from a cache. A single row may exceed it.
const budget = 1 << 17

func gatherFast(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) bool {
	n := len(ptr) - 1
	if n < 1 || l < 1 || len(dst)/l < n || !inside(ptr, index, value, len(b)/l) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	width := active.widthOf(l)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, l)
		for at := 0; at < l; at += width.block() {
			nv, rem := width.vectors(min(l-at, width.block()))
			width.gather(&dst[lo*l+at], &ptr[lo], hi-lo, ind, val, from(b, at), 8*l, nv, rem)
		}
	}
	return true
}

func scatterFast(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) bool {
	n := len(ptr) - 1
	if n < 1 || l < 1 || len(z)/l < n || !inside(ptr, index, value, len(dst)/l) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	width := active.widthOf(l)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, l)
		for at := 0; at < l; at += width.block() {
			nv, rem := width.vectors(min(l-at, width.block()))
			width.scatter(from(dst, at), &ptr[lo], hi-lo, ind, val, &z[lo*l+at], 8*l, nv, rem)
		}
	}
	return true
}

// block is the number of columns of a row that one call works on.
func (t tier) block() int { return blockVectors * t.lanes() }

// vectors returns how many vectors n ≥ 1 numbers take, and how many of them
// stand in the last.
func (t tier) vectors(n int) (nv, rem int) {
	nv = (n + t.lanes() - 1) / t.lanes()
	return nv, n - (nv-1)*t.lanes()
}

// from returns the address of x[at]; x may be empty, when nobody reads it.
func from(x []float64, at int) *float64 {
	if at < len(x) {
		return &x[at]
	}
	return unsafe.SliceData(x)
}

// cut returns where to end a call that begins at row lo of l columns.
func cut(ptr []int, lo, l int) int {
	n := len(ptr) - 1
	nv, _ := active.vectors(min(l, active.block()))
	work := func(hi int) int { return (ptr[hi] - ptr[lo] + hi - lo) * nv }
	if work(n) <= budget {
		return n
	}
	return lo + max(1, sort.Search(n-lo, func(i int) bool { return work(lo+i+1) > budget }))
}

// inside proves that the offsets rise inside the entries, and that all indices
// are below rows.
func inside(ptr []int, index []uint32, value []float32, rows int) bool {
	last := ptr[0]
	if last < 0 {
		return false
	}
	for _, p := range ptr {
		if p < last {
			return false
		}
		last = p
	}
	if last > len(index) || value != nil && last > len(value) {
		return false
	}
	entries := index[ptr[0]:last]
	return len(entries) == 0 || int64(largest(entries)) < int64(rows)
}

// largest returns the largest of a number of indices.
func largest(index []uint32) uint32 {
	const piece = 16 * budget
	var lanes [16]uint32
	for len(index) >= 16 {
		n := min(len(index), piece) &^ 15
		active.maxIndex(&lanes[0], &index[0], n)
		index = index[n:]
	}
	top := uint32(0)
	for _, h := range index {
		top = max(top, h)
	}
	for _, h := range lanes {
		top = max(top, h)
	}
	return top
}
