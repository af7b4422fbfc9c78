package kernel

import (
	"math"
)

// DenseMul sets dst (n×l) to X·B for dense rows x (n×d) and b (d×l). Zeros of
// x count for nothing, even beside infinities of b.
func DenseMul(dst, x []float64, d int, b []float64, l int) {
	clear(dst)
	if active == plain || !denseMulFast(dst, x, d, b, l) {
		denseMulPlain(dst, x, d, b, l)
	}
}

// DenseTransMul adds Xᵀ·Z to dst (d×l) for dense rows x (n×d) and z (n×l).
// Zeros of x count for nothing, even beside infinities of z.
func DenseTransMul(dst, x []float64, d int, z []float64, l int) {
	if active == plain || !denseTransMulFast(dst, x, d, z, l) {
		denseTransMulPlain(dst, x, d, z, l)
	}
}

func denseMulPlain(dst, x []float64, d int, b []float64, l int) {
	for i := 0; (i+1)*d <= len(x); i++ {
		z := dst[i*l : (i+1)*l]
		for h, v := range x[i*d : (i+1)*d] {
			if v == 0 {
				continue
			}
			row := b[h*l:][:len(z)]
			for a, w := range row {
				z[a] += v * w
			}
		}
	}
}

func denseTransMulPlain(dst, x []float64, d int, z []float64, l int) {
	for i := 0; (i+1)*d <= len(x); i++ {
		zi := z[i*l : (i+1)*l]
		for h, v := range x[i*d : (i+1)*d] {
			if v == 0 {
				continue
			}
			row := dst[h*l:][:len(zi)]
			for a, w := range zi {
				row[a] += v * w
			}
		}
	}
}

func denseMulFast(dst, x []float64, d int, b []float64, l int) bool {
	if !multiplies() || d < 1 || l < 1 || !finite(b) {
		return false
	}
	n := len(x) / d
	return gemmFast(Matrix{dst, n, l, l}, Matrix{x, n, d, d}, Matrix{b, d, l, l}, false)
}

func denseTransMulFast(dst, x []float64, d int, z []float64, l int) bool {
	if !multiplies() || d < 1 || l < 1 {
		return false
	}
	n := len(x) / d
	if len(z) < n*l || len(dst) < d*l {
		return false
	}
	if !finite(z[:n*l]) {
		if active == simd128 { // it does not fuse
			return false
		}
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

// multiplies reports that the tier has products of matrices.
func multiplies() bool { return active == simd128 || hasGemm() }

// finite reports whether all numbers are finite.
func finite(x []float64) bool {
	if active == simd128 {
		zero := 0.0 // a sum without a branch in it: Go has no vectors there
		for _, v := range x {
			zero += v - v
		}
		return zero == 0
	}
	var sum [8]float64
	for len(x) > 0 {
		n := min(len(x), 8*budget)
		callZeros(&sum[0], &x[0], n)
		for _, s := range sum {
			if s != s {
				return false
			}
		}
		x = x[n:]
	}
	return true
}
