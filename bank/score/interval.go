package score

import "math"

// Wilson returns the 95 % interval of a share, hits of n (Wilson 1927). It treats the
// draws as independent.
func Wilson(hits, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	size, p := float64(n), float64(hits)/float64(n)
	middle := (p + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return max(0, middle-half), min(1, middle+half)
}
