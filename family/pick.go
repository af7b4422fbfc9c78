package family

import "math/rand/v2"

// Pick draws a component by its weight.
func Pick(r *rand.Rand, weights []float64) int {
	u := r.Float64()
	for j, w := range weights {
		if u -= w; u < 0 {
			return j
		}
	}
	return len(weights) - 1
}
