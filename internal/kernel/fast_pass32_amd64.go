//go:build !purego

package kernel

import (
	"unsafe"
)

// fusedVectors is the number of vectors of a row that one call works on.
const fusedVectors = 4

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
			if active == avx512 {
				fused512(hi-lo, &f.Ptr[lo], ind, val, b, 4*l, nv, z, 4*l, w, second, mixed)
			} else {
				fused256(hi-lo, &f.Ptr[lo], ind, val, b, 4*l, nv, z, 4*l, w, second, mixed)
			}
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
		if active == avx512 {
			widen512(&dst[lo], &x[lo], hi-lo)
		} else {
			widen256(&dst[lo], &x[lo], hi-lo)
		}
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
		if active == avx512 {
			rowTotals512(hi-lo, &ptr[lo], unsafe.SliceData(value), &dst[lo], &odd)
		} else {
			rowTotals256(hi-lo, &ptr[lo], unsafe.SliceData(value), &dst[lo], &odd)
		}
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
		if active == avx512 {
			firstOrders512(hi-lo, &ptr[lo], ind, val, &weights[4*lo], unsafe.SliceData(dst))
		} else {
			firstOrders256(hi-lo, &ptr[lo], ind, val, &weights[4*lo], unsafe.SliceData(dst))
		}
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

const (
	// cubeRows32 is the height of a tile, cubeColumns32 its width.
	cubeRows32, cubeColumns32 = 8, 48
)

// cube32Fast is for rows of whole vectors, four at most.
func cube32Fast(dst []float64, z, w []float32, l, ld int, room []float32) bool {
	if active != avx512 || ld%Lanes32 != 0 || ld > fusedVectors*Lanes32 {
		return false
	}
	if len(room) < Room32(ld) {
		room = make([]float32, Room32(ld))
	}
	scaled, own := room[:cubePanel32*ld+past32], room[cubePanel32*ld+past32:]
	n := len(w)
	for lo := 0; lo < n; lo += cubePanel32 {
		hi := min(lo+cubePanel32, n)
		rows := z[lo*ld:]
		if len(rows) < (hi-lo)*ld+past32 { // reading past the end of own does no harm
			copy(own, rows)
			rows = own
		}
		at := 0
		for a := range l {
			m := l - a
			scaled512(&scaled[0], &rows[a], 4*ld, hi-lo, &w[lo], (m+Lanes32-1)/Lanes32)
			triangle32(dst[at:at+m*(m+1)/2], scaled, rows[a:], hi-lo, m, ld)
			at += m * (m + 1) / 2
		}
	}
	return true
}

// triangle32 adds AᵀB of n rows to a packed triangle of m rows.
func triangle32(dst []float64, a, b []float32, n, m, ld int) {
	base := 0
	for r := 0; r < m; r += cubeRows32 {
		for c, width := r, 0; c < m; c += width {
			width = min(m-c, cubeColumns32)
			nv := (width + Lanes32 - 1) / Lanes32
			diag := 0
			if c == r {
				diag = 1
			}
			cubeTile512(n, &a[r], &b[c], 4*ld, &dst[base+c-r], 8*(m-r-1), nv, width-(nv-1)*Lanes32, diag)
		}
		for i := r; i < min(r+cubeRows32, m); i++ {
			base += m - i
		}
	}
}
