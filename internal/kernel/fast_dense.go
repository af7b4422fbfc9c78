//go:build (amd64 || arm64) && !purego

package kernel

import "math"

const (
	depth = 256 // of the products added to a tile in one call
	tall  = 256 // rows of a call: with the above half a megabyte of A, which stays in a second-level cache
)

func denseMulFast(dst, x []float64, d int, b []float64, l int) bool {
	if d < 1 || l < 1 || !finite(b) {
		return false
	}
	n := len(x) / d
	return gemmFast(Matrix{dst, n, l, l}, Matrix{x, n, d, d}, Matrix{b, d, l, l}, false)
}

func denseTransMulFast(dst, x []float64, d int, z []float64, l int) bool {
	if d < 1 || l < 1 {
		return false
	}
	n := len(x) / d
	if len(z) < n*l || len(dst) < d*l {
		return false
	}
	if !finite(z[:n*l]) {
		denseTransMulFused(dst, x, d, z, l)
		return true
	}
	return gemmFast(Matrix{dst, d, l, l}, Matrix{x, n, d, d}, Matrix{z, n, l, l}, true)
}

// denseTransMulFused gives the bits of the assembly, but leaves out the zeros
// of x.
func denseTransMulFused(dst, x []float64, d int, z []float64, l int) {
	for i := 0; (i+1)*d <= len(x); i++ {
		zi := z[i*l : (i+1)*l]
		for h, v := range x[i*d : (i+1)*d] {
			if v == 0 {
				continue
			}
			row := dst[h*l:][:len(zi)]
			for a, w := range zi {
				row[a] = math.FMA(v, w, row[a])
			}
		}
	}
}

// finite reports whether all numbers are finite.
func finite(x []float64) bool {
	var sum [8]float64
	for len(x) > 0 {
		n := min(len(x), 8*budget)
		active.zeros(&sum[0], &x[0], n)
		for _, s := range sum {
			if s != s {
				return false
			}
		}
		x = x[n:]
	}
	return true
}

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
	if !dst.holds() || !a.holds() || !b.holds() {
		return false
	}
	for p := 0; p < k; p += depth {
		for i := 0; i < m; i += tall {
			for j, width := 0, 0; j < dst.Cols; j += width {
				var nv, rem int
				width, nv, rem = active.tile(dst.Cols - j)
				mi, ki := min(tall, m-i), min(depth, k-p)
				ad, bd, cd := &a.Data[i*rs+p*cs], &b.Data[p*b.Stride+j], &dst.Data[i*dst.Stride+j]
				active.gemm(mi, ki, ad, 8*rs, 8*cs, bd, 8*b.Stride, cd, 8*dst.Stride, nv, rem)
			}
		}
	}
	return true
}
