package simplex

import "math"

// JS returns the Jensen-Shannon divergence of p and q in nats: the mean of
// their divergences from (p+q)/2, between 0 and log 2.
func JS(p, q []float64) float64 {
	sum := 0.0
	for i, x := range p {
		y, a, b := q[i], 0.0, 0.0
		if x > 0 {
			a = x * math.Log(2*x/(x+y))
		}
		if y > 0 {
			b = y * math.Log(2*y/(x+y))
		}
		sum += a + b // in one step: the same bits when p and q change places
	}
	return max(sum/2, 0) // rounding may leave -1e-17 for equal p and q
}
