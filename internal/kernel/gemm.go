package kernel

import "fmt"

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
