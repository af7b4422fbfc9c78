package simplex

import "math"

// KL returns the Kullback-Leibler divergence Σ p_i log(p_i/q_i) in nats; it is
// infinite where q is zero and p is not.
func KL(p, q []float64) float64 {
	sum := 0.0
	for i, x := range p {
		switch {
		case x == 0:
		case q[i] == 0:
			return math.Inf(1)
		default:
			sum += x * math.Log(x/q[i])
		}
	}
	return sum
}

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

// Hellinger returns the Hellinger distance sqrt(Σ (√p_i − √q_i)² / 2), between
// 0 and 1.
func Hellinger(p, q []float64) float64 {
	sum := 0.0
	for i, x := range p {
		d := math.Sqrt(x) - math.Sqrt(q[i])
		sum += d * d
	}
	return math.Sqrt(sum / 2)
}
