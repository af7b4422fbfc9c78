//go:build (amd64 || arm64) && !purego

package kernel

import "unsafe"

func fusedFast(f *Fused) bool {
	n, l := len(f.Ptr)-1, f.L
	if !f.Proved && !inside(f.Ptr, f.Index, f.Value, len(f.B)/l) {
		return false
	}
	lanes := 2 * active.lanes()
	ind, val := unsafe.SliceData(f.Index), unsafe.SliceData(f.Value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(f.Ptr, lo, 2*l)
		for at := 0; at < l; at += fusedVectors * lanes {
			nv := min(fusedVectors, (l-at)/lanes)
			z, w := f.rest(f.Z, lo*l+at), f.rest(f.Weights, 2*lo)
			b, second, mixed := f.rest(f.B, at), f.rest(f.Second, at), f.rest(f.Mixed, at)
			active.fused(hi-lo, &f.Ptr[lo], ind, val, b, 4*l, nv, z, 4*l, w, second, mixed)
		}
	}
	return true
}

// rest returns the address of x[at], nil for a slice that is not there.
func (*Fused) rest(x []float32, at int) *float32 {
	if at >= len(x) {
		return unsafe.SliceData(x)
	}
	return &x[at]
}

func widenFast(dst []float64, x []float32) int {
	n := len(x) &^ 15
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+2*budget, n)
		active.widen(&dst[lo], &x[lo], hi-lo)
	}
	return n
}

func rowTotalsFast(dst []float64, ptr []int, value []float32) (whole, ok bool) {
	if !rising(ptr, len(value)) {
		return false, false
	}
	n := len(ptr) - 1
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, 1)
		var odd int
		active.rowTotals(hi-lo, &ptr[lo], unsafe.SliceData(value), &dst[lo], &odd)
		if odd != 0 {
			return false, true
		}
	}
	return true, true
}

func firstOrdersFast(dst []float64, ptr []int, index []uint32, value []float32, weights []float64) bool {
	n := len(ptr) - 1
	if n < 1 || len(weights) < 4*n || !inside(ptr, index, value, len(dst)/4) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, 4)
		active.firstOrders(hi-lo, &ptr[lo], ind, val, &weights[4*lo], unsafe.SliceData(dst))
	}
	return true
}

// rising proves that the offsets rise inside n entries.
func rising(ptr []int, n int) bool {
	last := 0
	for _, p := range ptr {
		if p < last {
			return false
		}
		last = p
	}
	return last <= n
}
