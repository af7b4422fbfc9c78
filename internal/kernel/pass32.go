package kernel

import (
	"fmt"
	"unsafe"
)

// Lanes32 is the number of columns that tables in single precision come in
// multiples of: a row is whole vectors in every tier.
const Lanes32 = 16

// Fused is one look at compressed rows X through a table B in single precision:
// Z = X·B and, without a panel in between, Second += Xᵀ·diag(u)·Z and
// Mixed += Xᵀ·diag(v)·Z. A nil Z is not kept; nil sums are not made, and Mixed is
// only made together with Second. Sums over many rows lose digits: Widen them
// every few thousand rows.
type Fused struct {
	Ptr           []int
	Index         []uint32
	Value         []float32 // nil means ones
	B             []float32 // d×L
	L             int       // a multiple of Lanes32
	Z             []float32 // n×L, or nil
	Weights       []float32 // n×2: u and v of each row
	Second, Mixed []float32 // d×L, or nil
	// Proved says that offsets are known to rise inside Index and Value and
	// indices to lie inside B: another look, or FirstOrders, has seen the rows.
	Proved bool
}

// Run does the work; it panics where the slices do not fit.
func (f *Fused) Run() {
	n := len(f.Ptr) - 1
	if n < 1 {
		return
	}
	if f.L < 1 || f.L%Lanes32 != 0 || f.Z != nil && len(f.Z) < n*f.L || f.Second == nil && f.Mixed != nil {
		panic(fmt.Sprintf("kernel: a look at %d rows of %d columns", n, f.L))
	}
	if f.Second != nil && (len(f.Weights) < 2*n || len(f.Second) < len(f.B)) || f.Mixed != nil && len(f.Mixed) < len(f.B) {
		panic(fmt.Sprintf("kernel: sums and weights do not fit %d rows", n))
	}
	if active == plain || !fusedFast(f) {
		fusedPlain(f)
	}
}

func fusedPlain(f *Fused) {
	l := f.L
	z := make([]float32, l)
	for i := range len(f.Ptr) - 1 {
		clear(z)
		lo, hi := f.Ptr[i], f.Ptr[i+1]
		index := f.Index[lo:hi]
		for e, h := range index {
			addScaled32(z, value32(f.Value, lo+e), f.B[int(h)*l:][:l])
		}
		if f.Z != nil {
			copy(f.Z[i*l:][:l], z)
		}
		if f.Second == nil {
			continue
		}
		u, v := f.Weights[2*i], f.Weights[2*i+1]
		for e, h := range index {
			x := value32(f.Value, lo+e)
			addScaled32(f.Second[int(h)*l:][:l], x*u, z)
			if f.Mixed != nil {
				addScaled32(f.Mixed[int(h)*l:][:l], x*v, z)
			}
		}
	}
}

func value32(value []float32, e int) float32 {
	if value == nil {
		return 1
	}
	return value[e]
}

// addScaled32 adds f·x to dst, eight numbers at a time.
func addScaled32(dst []float32, f float32, x []float32) {
	for len(x) >= 8 && len(dst) >= 8 {
		d, s := (*[8]float32)(dst), (*[8]float32)(x)
		d[0] += f * s[0]
		d[1] += f * s[1]
		d[2] += f * s[2]
		d[3] += f * s[3]
		d[4] += f * s[4]
		d[5] += f * s[5]
		d[6] += f * s[6]
		d[7] += f * s[7]
		dst, x = dst[8:], x[8:]
	}
	for i, v := range x {
		dst[i] += f * v
	}
}

// Widen adds x to dst, which is as long, and sets x to zero.
func Widen(dst []float64, x []float32) {
	dst = dst[:len(x)]
	n := 0
	if active != plain {
		n = widenFast(dst, x)
	}
	for i, v := range x[n:] {
		dst[n+i] += float64(v)
	}
	clear(x[n:])
}

// RowTotals sets dst to the sum of every row's values. It reports whether all
// of them are whole numbers from 1 to 65535 and no row has more than 25,000;
// where that is false dst means nothing.
func RowTotals(dst []float64, ptr []int, value []float32) (whole bool) {
	n := len(ptr) - 1
	if n < 1 {
		return true
	}
	dst = dst[:n]
	for i := range n {
		if ptr[i+1]-ptr[i] > longest {
			return false
		}
	}
	if active != plain {
		if whole, ok := rowTotalsFast(dst, ptr, value); ok {
			return whole
		}
	}
	for i := range dst {
		t := 0.0
		for _, x := range value[ptr[i]:ptr[i+1]] {
			if !(x >= 1 && x <= 65535) || x != float32(int32(x)) {
				return false
			}
			t += float64(x)
		}
		dst[i] = t
	}
	return true
}

// longest is the number of entries of a row up to which the sum of such values
// fits in 31 bits.
const longest = 25_000

// FirstOrders adds x·(w0,w1,w2,0) + (0,0,0,1) to the four numbers in dst (d×4)
// of every entry; weights holds w0, w1, w2 and 0 for each row.
func FirstOrders(dst []float64, ptr []int, index []uint32, value []float32, weights []float64) {
	if active != plain && firstOrdersFast(dst, ptr, index, value, weights) {
		return
	}
	for i := range len(ptr) - 1 {
		w := weights[4*i : 4*i+4]
		for e := ptr[i]; e < ptr[i+1]; e++ {
			x, out := float64(value32(value, e)), dst[4*int(index[e]):][:4]
			out[0] += x * w[0]
			out[1] += x * w[1]
			out[2] += x * w[2]
			out[3]++
		}
	}
}

func fusedFast(f *Fused) bool {
	n, l := len(f.Ptr)-1, f.L
	if !hasFused() {
		return false
	}
	if !f.Proved && !inside(f.Ptr, f.Index, f.Value, len(f.B)/l) {
		return false
	}
	lanes := 2 * active.lanes()
	ind, val := unsafe.SliceData(f.Index), unsafe.SliceData(f.Value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(f.Ptr, lo, 2*l)
		for at, nv := 0, 0; at < l; at += nv * lanes {
			nv = fusedBlock((l - at) / lanes)
			z, w := f.rest(f.Z, lo*l+at), f.rest(f.Weights, 2*lo)
			b, second, mixed := f.rest(f.B, at), f.rest(f.Second, at), f.rest(f.Mixed, at)
			callFused(hi-lo, &f.Ptr[lo], ind, val, b, 4*l, nv, z, 4*l, w, second, mixed)
		}
	}
	return true
}

// fusedBlock returns how many of n vectors the next call takes: four, two or one.
func fusedBlock(n int) int {
	switch {
	case n >= 4:
		return 4
	case n >= 2:
		return 2
	}
	return 1
}

// rest returns the address of x[at], nil for a slice that is not there.
func (*Fused) rest(x []float32, at int) *float32 {
	if at >= len(x) {
		return unsafe.SliceData(x)
	}
	return &x[at]
}

func widenFast(dst []float64, x []float32) int {
	if !hasWiden() {
		return 0
	}
	n := len(x) &^ 15
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = min(lo+2*budget, n)
		callWiden(&dst[lo], &x[lo], hi-lo)
	}
	return n
}

func rowTotalsFast(dst []float64, ptr []int, value []float32) (whole, ok bool) {
	if !hasRowTotals() || !rising(ptr, len(value)) {
		return false, false
	}
	n := len(ptr) - 1
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, 1)
		var odd int
		callRowTotals(hi-lo, &ptr[lo], unsafe.SliceData(value), &dst[lo], &odd)
		if odd != 0 {
			return false, true
		}
	}
	return true, true
}

func firstOrdersFast(dst []float64, ptr []int, index []uint32, value []float32, weights []float64) bool {
	n := len(ptr) - 1
	if !hasFirstOrders() || n < 1 || len(weights) < 4*n || !inside(ptr, index, value, len(dst)/4) {
		return false
	}
	ind, val := unsafe.SliceData(index), unsafe.SliceData(value)
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = cut(ptr, lo, 4)
		callFirstOrders(hi-lo, &ptr[lo], ind, val, &weights[4*lo], unsafe.SliceData(dst))
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
