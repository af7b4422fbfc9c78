package kernel

import "math"

// Exps replaces numbers, none of them above 660, by their exponentials.
func Exps(x []float64) {
	if active == simd128 && expsPage(x) {
		return
	}
	for i, v := range x {
		x[i] = math.Exp(v)
	}
}
