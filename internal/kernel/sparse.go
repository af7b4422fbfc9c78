package kernel

import (
	"sort"
	"unsafe"
)

// Gather sets dst (n×l) to X·B. Row i of X has the entries ptr[i] to ptr[i+1];
// a nil value slice means ones; b is d×l.
func Gather(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) {
	if active == simd128 && gatherPage(dst, ptr, index, value, b, l) {
		return
	}
	if active == plain || !gatherFast(dst, ptr, index, value, b, l) {
		gatherPlain(dst, ptr, index, value, b, l)
	}
}

// Scatter adds Xᵀ·Z to dst (d×l); z is n×l.
func Scatter(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) {
	if active == simd128 && scatterPage(dst, ptr, index, value, z, l) {
		return
	}
	if active == plain || !scatterFast(dst, ptr, index, value, z, l) {
		scatterPlain(dst, ptr, index, value, z, l)
	}
}

func gatherPlain(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) {
	for i := range len(ptr) - 1 {
		z := dst[i*l : (i+1)*l]
		clear(z)
		lo, hi := ptr[i], ptr[i+1]
		if value == nil {
			for _, h := range index[lo:hi] {
				row := b[int(h)*l:][:len(z)]
				for a, v := range row {
					z[a] += v
				}
			}
			continue
		}
		vals := value[lo:hi]
		for e, h := range index[lo:hi] {
			x := float64(vals[e])
			row := b[int(h)*l:][:len(z)]
			for a, v := range row {
				z[a] += x * v
			}
		}
	}
}

func scatterPlain(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) {
	for i := range len(ptr) - 1 {
		zi := z[i*l : (i+1)*l]
		lo, hi := ptr[i], ptr[i+1]
		if value == nil {
			for _, h := range index[lo:hi] {
				row := dst[int(h)*l:][:len(zi)]
				for a, v := range zi {
					row[a] += v
				}
			}
			continue
		}
		vals := value[lo:hi]
		for e, h := range index[lo:hi] {
			x := float64(vals[e])
			row := dst[int(h)*l:][:len(zi)]
			for a, v := range zi {
				row[a] += x * v
			}
		}
	}
}

// budget is the number of vectors that a call may touch: well below a
// millisecond while they come from a cache. A single row may exceed it.
const budget = 1 << 17

func gatherFast(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) bool {
	n := len(ptr) - 1
	if !hasGather() || n < 1 || l < 1 || len(dst)/l < n || !inside(ptr, index, value, len(b)/l) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, l)
		for at, cols := 0, 0; at < l; at += cols {
			var nv, rem int
			cols, nv, rem = gatherBlock(l - at)
			callGather(&dst[lo*l+at], &ptr[lo], hi-lo, ind, val, from(b, at), 8*l, nv, rem)
		}
	}
	return true
}

func scatterFast(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) bool {
	n := len(ptr) - 1
	if !hasScatter() || n < 1 || l < 1 || len(z)/l < n || !inside(ptr, index, value, len(dst)/l) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, l)
		for at, cols := 0, 0; at < l; at += cols {
			var nv, rem int
			cols, nv, rem = scatterBlock(l - at)
			callScatter(from(dst, at), &ptr[lo], hi-lo, ind, val, &z[lo*l+at], 8*l, nv, rem)
		}
	}
	return true
}

// blockColumns is the most columns of a row that one call works on.
const blockColumns = 32

// gatherBlock returns how many of n columns the next call of gather takes, in how
// many vectors, and the lanes of the last. One vector to five, or eight, are what
// there is text for; NEON has no masks, and takes a last number by itself.
func gatherBlock(n int) (cols, nv, rem int) {
	const lanes = 4
	switch nv = (n + lanes - 1) / lanes; {
	case active == neon:
		return neonBlock(n, 8)
	case n >= blockColumns:
		return blockColumns, blockColumns / lanes, lanes
	case nv > 5:
		return 4 * lanes, 4, lanes
	}
	return n, nv, n - (nv-1)*lanes
}

// scatterBlock is the same for scatter: whole vectors (up to five, or eight)
// and the numbers behind them.
func scatterBlock(n int) (cols, nv, rem int) {
	const lanes = 4
	switch nv, rem = n/lanes, n%lanes; {
	case active == neon:
		return neonBlock(n, 8)
	case nv >= 8:
		return blockColumns, 8, 0
	case nv > 5:
		return 4 * lanes, 4, 0
	case nv > 2:
		return nv * lanes, nv, 0
	}
	return n, nv, rem
}

// neonBlock returns how many of n columns go next, in how many vectors: most of
// them or half as many and so on, or a single number.
func neonBlock(n, most int) (cols, nv, rem int) {
	if n == 1 {
		return 1, 1, 1
	}
	for nv = most; 2*nv > n; {
		nv /= 2
	}
	return 2 * nv, nv, 2
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
	nv := (min(l, blockColumns) + 3) / 4
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
		callMaxIndex(&lanes[0], &index[0], n)
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
