//go:build !purego

package kernel

// The calls of group base, in the instructions of a tier.

func (t tier) gather(dst *float64, ptr *int, n int, index *uint32, value *float32, b *float64, stride, nv, rem int) {
	if t == avx512 {
		gather512(dst, ptr, n, index, value, b, stride, nv, rem)
	} else {
		gather256(dst, ptr, n, index, value, b, stride, nv, rem)
	}
}

func (t tier) scatter(dst *float64, ptr *int, n int, index *uint32, value *float32, z *float64, stride, nv, rem int) {
	if t == avx512 {
		scatter512(dst, ptr, n, index, value, z, stride, nv, rem)
	} else {
		scatter256(dst, ptr, n, index, value, z, stride, nv, rem)
	}
}

func (t tier) maxIndex(top, index *uint32, n int) {
	if t == avx512 {
		maxIndex512(top, index, n)
	} else {
		maxIndex256(top, index, n)
	}
}

func (t tier) gemm(m, k int, a *float64, rs, cs int, b *float64, ldb int, c *float64, ldc, nv, rem int) {
	if t == avx512 {
		gemm512(m, k, a, rs, cs, b, ldb, c, ldc, nv, rem)
	} else {
		gemm256(m, k, a, rs, cs, b, ldb, c, ldc, nv, rem)
	}
}

func (t tier) zeros(sum, x *float64, n int) {
	if t == avx512 {
		zeros512(sum, x, n)
	} else {
		zeros256(sum, x, n)
	}
}

func (t tier) scale(dst *float64, ldd int, z *float64, ldz, n int, col, v *float64, nv, rem int) {
	if t == avx512 {
		scale512(dst, ldd, z, ldz, n, col, v, nv, rem)
	} else {
		scale256(dst, ldd, z, ldz, n, col, v, nv, rem)
	}
}

func (t tier) triangle(k int, a *float64, lda int, b *float64, ldb int, c *float64, ldc, nv, rem, diag int) {
	if t == avx512 {
		triangle512(k, a, lda, b, ldb, c, ldc, nv, rem, diag)
	} else {
		triangle256(k, a, lda, b, ldb, c, ldc, nv, rem, diag)
	}
}

func (t tier) softmax(x *float64, n, k int, bias, count, sum, top *float64, share float64) {
	if t == avx512 {
		softmax512(x, n, k, bias, count, sum, top, share)
	} else {
		softmax256(x, n, k, bias, count, sum, top, share)
	}
}

func (t tier) logSum(x, top *float64, n int) {
	if t == avx512 {
		logSum512(x, top, n)
	} else {
		logSum256(x, top, n)
	}
}

func (t tier) marks(dst *uint64, text *byte, n int, set *byte) {
	if t == avx512 {
		marks512(dst, text, n, set)
	} else {
		marks256(dst, text, n, set)
	}
}

// Calls on a few numbers cost no more than they must: these prove their bounds
// beside the assembly.

func axpyFast(dst []float64, f float64, x []float64) bool {
	if len(dst) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		n := min(4*budget, len(x)-lo)
		if active == avx512 {
			axpy512(&dst[lo], &x[lo], n, f)
		} else {
			axpy256(&dst[lo], &x[lo], n, f)
		}
	}
	return true
}

func rotateFast(x, y []float64, c, s float64) bool {
	if len(y) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		n := min(4*budget, len(x)-lo)
		if active == avx512 {
			rotate512(&x[lo], &y[lo], n, c, s)
		} else {
			rotate256(&x[lo], &y[lo], n, c, s)
		}
	}
	return true
}

// packedRow adds f·z⊗z to a packed triangle.
func packedRow(dst, z []float64, f float64) {
	switch {
	case len(z) > longRow:
		packedLong(dst, z, f)
	case active == avx512:
		packedRow512(&dst[0], &z[0], len(z), f)
	default:
		packedRow256(&dst[0], &z[0], len(z), f)
	}
}

// The calls of group joint.

func (t tier) angleSums(sums, x, y, z *float64, m int) {
	if t == avx512 {
		angleSums512(sums, x, y, z, m)
	} else {
		angleSums256(sums, x, y, z, m)
	}
}

func (t tier) rotateRows(a *float64, x, y *int, n, m int, c, s float64) {
	if t == avx512 {
		rotateRows512(a, x, y, n, m, c, s)
	} else {
		rotateRows256(a, x, y, n, m, c, s)
	}
}

func (t tier) turnPair(x, y, z *float64, m int, c2, s2, cs float64) {
	if t == avx512 {
		turnPair512(x, y, z, m, c2, s2, cs)
	} else {
		turnPair256(x, y, z, m, c2, s2, cs)
	}
}

// The calls of group pass32.

func (t tier) fused(n int, ptr *int, index *uint32, value, b *float32, stride, nv int, z *float32, ldz int, weights, second, mixed *float32) {
	if t == avx512 {
		fused512(n, ptr, index, value, b, stride, nv, z, ldz, weights, second, mixed)
	} else {
		fused256(n, ptr, index, value, b, stride, nv, z, ldz, weights, second, mixed)
	}
}

func (t tier) widen(dst *float64, x *float32, n int) {
	if t == avx512 {
		widen512(dst, x, n)
	} else {
		widen256(dst, x, n)
	}
}

func (t tier) rowTotals(n int, ptr *int, value *float32, dst *float64, odd *int) {
	if t == avx512 {
		rowTotals512(n, ptr, value, dst, odd)
	} else {
		rowTotals256(n, ptr, value, dst, odd)
	}
}

func (t tier) firstOrders(n int, ptr *int, index *uint32, value *float32, weights, dst *float64) {
	if t == avx512 {
		firstOrders512(n, ptr, index, value, weights, dst)
	} else {
		firstOrders256(n, ptr, index, value, weights, dst)
	}
}
