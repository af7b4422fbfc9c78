package kernel

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
