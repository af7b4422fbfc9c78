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

// Calls on a few numbers cost no more than they must.

func axpyFast(dst []float64, f float64, x []float64) bool {
	if !hasAxpy() || len(dst) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		callAxpy(&dst[lo], &x[lo], min(4*budget, len(x)-lo), f)
	}
	return true
}

func rotateFast(x, y []float64, c, s float64) bool {
	if !hasRotate() || len(y) < len(x) {
		return false
	}
	for lo := 0; lo < len(x); lo += 4 * budget {
		callRotate(&x[lo], &y[lo], min(4*budget, len(x)-lo), c, s)
	}
	return true
}
