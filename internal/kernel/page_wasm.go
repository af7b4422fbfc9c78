//go:build wasm && simd128 && !purego

package kernel

import "unsafe"

// The page's vector instructions: functions of a module of its own in the memory
// of this program (internal/kernel/simd). Whoever starts a program that is built with
// the tag simd128 puts the module beside it; where a browser has no such
// instructions it sets MOIETY_TIER to plain.

const onPage = true

//go:wasmimport kernel gather
//go:noescape
func gatherWasm(dst, ptr unsafe.Pointer, n int32, index, value, b unsafe.Pointer, l int32)

//go:wasmimport kernel scatter
//go:noescape
func scatterWasm(dst, ptr unsafe.Pointer, n int32, index, value, z unsafe.Pointer, l int32)

//go:wasmimport kernel softmax
//go:noescape
func softmaxWasm(x unsafe.Pointer, n, k int32, bias, logp, count, top unsafe.Pointer)

//go:wasmimport kernel exps
//go:noescape
func expsWasm(x unsafe.Pointer, n int32)

//go:wasmimport kernel logs
//go:noescape
func logsWasm(x unsafe.Pointer, n int32)

//go:wasmimport kernel rates
//go:noescape
func ratesWasm(x unsafe.Pointer, rows, k int32, product unsafe.Pointer)

//go:wasmimport kernel inside
//go:noescape
func insideWasm(ptr unsafe.Pointer, n int32, index unsafe.Pointer, entries, rows int32) int32

//go:wasmimport kernel gemm
//go:noescape
func gemmWasm(dst, a, b unsafe.Pointer, m, n, k, dstRow, aRow, aCol, bRow int32)

//go:wasmimport kernel curves
//go:noescape
func curvesWasm(grad, curve, sum, p unsafe.Pointer, rows, k int32, overall, prior unsafe.Pointer)

//go:wasmimport kernel shifts
//go:noescape
func shiftsWasm(dst, b unsafe.Pointer, features, groups int32, shift unsafe.Pointer, q, steep int32)

// at returns where a list is; 0 where there is none.
func at[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

// insidePage proves that the offsets rise inside the entries, and that all indices are
// below rows.
func insidePage(ptr []int, index []uint32, value []float32, rows int) bool {
	entries := len(index)
	if value != nil {
		entries = min(entries, len(value))
	}
	return insideWasm(at(ptr), int32(len(ptr)), at(index), int32(entries), int32(rows)) != 0
}

func gatherPage(dst []float64, ptr []int, index []uint32, value []float32, b []float64, l int) bool {
	n := len(ptr) - 1
	if n < 1 || l < 1 || len(dst)/l < n || !insidePage(ptr, index, value, len(b)/l) {
		return false
	}
	gatherWasm(at(dst), at(ptr), int32(n), at(index), at(value), at(b), int32(l))
	return true
}

func scatterPage(dst []float64, ptr []int, index []uint32, value []float32, z []float64, l int) bool {
	n := len(ptr) - 1
	if n < 1 || l < 1 || len(z)/l < n || !insidePage(ptr, index, value, len(dst)/l) {
		return false
	}
	scatterWasm(at(dst), at(ptr), int32(n), at(index), at(value), at(z), int32(l))
	return true
}

func softmaxPage(x []float64, k int, bias, logp, count []float64) bool {
	if k < 1 {
		return false
	}
	n := len(x) / k
	if bias != nil && len(bias) != k || count != nil && len(count) < k || logp != nil && len(logp) < n {
		return false
	}
	var tops [softmaxRows]float64
	for lo := 0; lo < n; lo += softmaxRows {
		rows := min(softmaxRows, n-lo)
		var log unsafe.Pointer
		if logp != nil {
			log = unsafe.Pointer(&logp[lo])
		}
		softmaxWasm(unsafe.Pointer(&x[lo*k]), int32(rows), int32(k), at(bias), log, at(count), unsafe.Pointer(&tops[0]))
	}
	return true
}

func expsPage(x []float64) bool {
	expsWasm(at(x), int32(len(x)))
	return true
}

func logsPage(x []float64) bool {
	logsWasm(at(x), int32(len(x)))
	return true
}

func ratesPage(x []float64, product []float64) bool {
	k := len(product)
	ratesWasm(at(x), int32(len(x)/k), int32(k), at(product))
	return true
}

// gemmPage adds A·B to dst, or AᵀB where trans says so.
func gemmPage(dst, a, b Matrix, trans bool) bool {
	if !dst.holds() || !a.holds() || !b.holds() {
		return false
	}
	rs, cs := a.Stride, 1
	if trans {
		rs, cs = 1, a.Stride
	}
	gemmWasm(at(dst.Data), at(a.Data), at(b.Data), int32(dst.Rows), int32(dst.Cols), int32(b.Rows), 8*int32(dst.Stride), 8*int32(rs), 8*int32(cs), 8*int32(b.Stride))
	return true
}

func curvesPage(grad, curve, sum, p, overall, prior []float64) bool {
	curvesWasm(at(grad), at(curve), at(sum), at(p), int32(len(overall)), int32(len(prior)/3), at(overall), at(prior))
	return true
}

func shiftsPage(dst, b, shift []float64, features, steep int) bool {
	shiftsWasm(at(dst), at(b), int32(features), int32(len(b)/features), at(shift), int32(len(shift)/features), int32(steep))
	return true
}
