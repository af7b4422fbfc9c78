package kernel

// Axpy adds f·x to dst.
func Axpy(dst []float64, f float64, x []float64) {
	if active == plain || !axpyFast(dst, f, x) {
		axpyPlain(dst, f, x)
	}
}

// Rotate turns the pairs (x_r, y_r) into (c·x_r + s·y_r, c·y_r − s·x_r).
func Rotate(x, y []float64, c, s float64) {
	if active == plain || !rotateFast(x, y, c, s) {
		rotatePlain(x, y, c, s)
	}
}

func axpyPlain(dst []float64, f float64, x []float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] += f * v
	}
}

func rotatePlain(x, y []float64, c, s float64) {
	y = y[:len(x)]
	for r, xr := range x {
		yr := y[r]
		x[r], y[r] = c*xr+s*yr, c*yr-s*xr
	}
}
