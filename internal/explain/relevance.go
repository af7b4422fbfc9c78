package explain

import "math"

// Relevance returns the relevance of a feature for a group ([T] eq. 3.8 and
// 4.12, after Sievert and Shirley 2014):
//
//	λ·log p + (1−λ)·log(p/overall)
//
// p is the feature's probability in the group and overall that among all
// records. It is −Inf where p is 0. Averages of counts are taken for p as far as
// they are below 1, so that they can stand beside shares.
func Relevance(lambda, p, overall float64) float64 {
	if p <= 0 {
		return math.Inf(-1)
	}
	return lambda*math.Log(math.Min(p, 1)) + (1-lambda)*math.Log(p/overall)
}

// z95 is the 0.975 quantile of the standard normal distribution.
const z95 = 1.959963984540054

// Wilson returns the 95 % interval of a probability of which count of n trials
// were seen (Wilson 1927). It stays inside 0 to 1 and is honest for small n.
func Wilson(count, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	p, z2 := count/n, z95*z95
	mid := (p + z2/(2*n)) / (1 + z2/n)
	half := z95 / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	low, high = math.Max(mid-half, 0), math.Min(mid+half, 1)
	if count <= 0 {
		low = 0
	}
	if count >= n {
		high = 1
	}
	return low, high
}
