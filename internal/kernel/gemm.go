package kernel

import (
	"fmt"
)

// Matrix is a Rows×Cols matrix whose rows stand Stride numbers apart.
type Matrix struct {
	Data               []float64
	Rows, Cols, Stride int
}

// Gemm adds A·B to dst, which shares no memory with them. Shapes that do not fit
// panic.
func Gemm(dst, a, b Matrix) {
	check(dst, a.Rows, a.Cols, b)
	if active == plain || !gemmFast(dst, a, b, false) {
		gemmPlain(dst, a.Data, a.Stride, 1, a.Cols, b)
	}
}

// GemmTrans adds Aᵀ·B to dst, which shares no memory with them. Shapes that do
// not fit panic.
func GemmTrans(dst, a, b Matrix) {
	check(dst, a.Cols, a.Rows, b)
	if active == plain || !gemmFast(dst, a, b, true) {
		gemmPlain(dst, a.Data, 1, a.Stride, a.Rows, b)
	}
}

// check panics where dst is not m×n for B k×n.
func check(dst Matrix, m, k int, b Matrix) {
	if dst.Rows != m || b.Rows != k || dst.Cols != b.Cols {
		panic(fmt.Sprintf("kernel: %d×%d is not the product of %d×%d and %d×%d", dst.Rows, dst.Cols, m, k, b.Rows, b.Cols))
	}
}

// gemmPlain adds A·B for A with entry (r,p) at rs·r + cs·p, p < k. Four rows of
// b at a time spare three of four trips to dst; the sums keep their order.
func gemmPlain(dst Matrix, a []float64, rs, cs, k int, b Matrix) {
	for r := range dst.Rows {
		c := dst.Data[r*dst.Stride:][:dst.Cols]
		p := 0
		for ; p+4 <= k; p += 4 {
			at := r*rs + p*cs
			a0, a1, a2, a3 := a[at], a[at+cs], a[at+2*cs], a[at+3*cs]
			b0, b1 := b.Data[p*b.Stride:][:len(c)], b.Data[(p+1)*b.Stride:][:len(c)]
			b2, b3 := b.Data[(p+2)*b.Stride:][:len(c)], b.Data[(p+3)*b.Stride:][:len(c)]
			for j, v := range c {
				c[j] = v + a0*b0[j] + a1*b1[j] + a2*b2[j] + a3*b3[j]
			}
		}
		for ; p < k; p++ {
			f, row := a[r*rs+p*cs], b.Data[p*b.Stride:][:len(c)]
			for j, v := range row {
				c[j] += f * v
			}
		}
	}
}

const (
	depth = 256 // of the products added to a tile in one call
	tall  = 256 // rows of a call: with the above half a megabyte of A, which stays in a second-level cache
)

// holds reports whether the numbers of the matrix lie in its slice.
func (m Matrix) holds() bool {
	return m.Rows >= 1 && m.Cols >= 1 && m.Stride >= m.Cols && len(m.Data) >= (m.Rows-1)*m.Stride+m.Cols
}

// gemmFast adds A·B, or AᵀB where trans says so.
func gemmFast(dst, a, b Matrix, trans bool) bool {
	m, k, rs, cs := a.Rows, a.Cols, a.Stride, 1
	if trans {
		m, k, rs, cs = a.Cols, a.Rows, 1, a.Stride
	}
	if active == simd128 {
		return gemmPage(dst, a, b, trans)
	}
	if !hasGemm() || !dst.holds() || !a.holds() || !b.holds() {
		return false
	}
	for p := 0; p < k; p += depth {
		for i := 0; i < m; i += tall {
			for j, width := 0, 0; j < dst.Cols; j += width {
				var nv, rem int
				width, nv, rem = active.tile(dst.Cols - j)
				mi, ki := min(tall, m-i), min(depth, k-p)
				ad, bd, cd := &a.Data[i*rs+p*cs], &b.Data[p*b.Stride+j], &dst.Data[i*dst.Stride+j]
				callGemm(mi, ki, ad, 8*rs, 8*cs, bd, 8*b.Stride, cd, 8*dst.Stride, nv, rem)
			}
		}
	}
	return true
}

// tile returns how many of n columns the next tile takes, in how many vectors,
// and the lanes of the last. In AVX2 a tile of three vectors has no register
// left for a mask, and must be full.
func (t tier) tile(n int) (width, nv, rem int) {
	lanes := t.lanes()
	full := 3 * lanes
	switch {
	case t == neon && n >= 12:
		return 12, 6, 2
	case t == neon:
		return neonBlock(n, 4)
	case n >= full:
		width = full
	case t == avx2:
		width = min(n, 2*lanes)
	default:
		width = n
	}
	nv = (width + lanes - 1) / lanes
	return width, nv, width - (nv-1)*lanes
}
