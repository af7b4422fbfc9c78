//go:build !purego

package kernel

// The calls of group base. There is one set of instructions.

func (tier) gather(dst *float64, ptr *int, n int, index *uint32, value *float32, b *float64, stride, nv, rem int) {
	gather128(dst, ptr, n, index, value, b, stride, nv, rem)
}

func (tier) scatter(dst *float64, ptr *int, n int, index *uint32, value *float32, z *float64, stride, nv, rem int) {
	scatter128(dst, ptr, n, index, value, z, stride, nv, rem)
}

func (tier) maxIndex(top, index *uint32, n int) {
	maxIndex128(top, index, n)
}

func (tier) gemm(m, k int, a *float64, rs, cs int, b *float64, ldb int, c *float64, ldc, nv, rem int) {
	gemm128(m, k, a, rs, cs, b, ldb, c, ldc, nv, rem)
}

func (tier) zeros(sum, x *float64, n int) {
	zeros128(sum, x, n)
}

func (tier) scale(dst *float64, ldd int, z *float64, ldz, n int, col, v *float64, nv, rem int) {
	scale128(dst, ldd, z, ldz, n, col, v, nv, rem)
}

func (tier) triangle(k int, a *float64, lda int, b *float64, ldb int, c *float64, ldc, nv, rem, diag int) {
	triangle128(k, a, lda, b, ldb, c, ldc, nv, rem, diag)
}

func (tier) softmax(x *float64, n, k int, bias, count, sum, top *float64, share float64) {
	softmax128(x, n, k, bias, count, sum, top, share)
}

func (tier) logSum(x, top *float64, n int) {
	logSum128(x, top, n)
}

func (tier) marks(dst *uint64, text *byte, n int, set *byte) {
	marks128(dst, text, n, set)
}

// Calls on a few numbers cost no more than they must: these prove their bounds
// beside the assembly.

func axpyFast(dst []float64, f float64, x []float64) bool {
	if len(dst) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		n := min(4*budget, len(x)-lo)
		axpy128(&dst[lo], &x[lo], n, f)
	}
	return true
}

func rotateFast(x, y []float64, c, s float64) bool {
	if len(y) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		n := min(4*budget, len(x)-lo)
		rotate128(&x[lo], &y[lo], n, c, s)
	}
	return true
}

// packedRow adds f·z⊗z to a packed triangle.
func packedRow(dst, z []float64, f float64) {
	switch {
	case len(z) > longRow:
		packedLong(dst, z, f)
	default:
		packedRow128(&dst[0], &z[0], len(z), f)
	}
}

// The calls of group joint.

func (tier) angleSums(sums, x, y, z *float64, m int) {
	angleSums128(sums, x, y, z, m)
}

func (tier) rotateRows(a *float64, x, y *int, n, m int, c, s float64) {
	rotateRows128(a, x, y, n, m, c, s)
}

func (tier) turnPair(x, y, z *float64, m int, c2, s2, cs float64) {
	turnPair128(x, y, z, m, c2, s2, cs)
}

// The calls of group pass32.

func (tier) fused(n int, ptr *int, index *uint32, value, b *float32, stride, nv int, z *float32, ldz int, weights, second, mixed *float32) {
	fused128(n, ptr, index, value, b, stride, nv, z, ldz, weights, second, mixed)
}

func (tier) widen(dst *float64, x *float32, n int) {
	widen128(dst, x, n)
}

func (tier) rowTotals(n int, ptr *int, value *float32, dst *float64, odd *int) {
	rowTotals128(n, ptr, value, dst, odd)
}

func (tier) firstOrders(n int, ptr *int, index *uint32, value *float32, weights, dst *float64) {
	firstOrders128(n, ptr, index, value, weights, dst)
}
