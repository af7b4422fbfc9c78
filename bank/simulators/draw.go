package simulators

import (
	"math"
	"math/rand/v2"
	"sort"
)

// uniform draws from the interval [lo, hi).
func uniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// between draws a whole number from lo to hi, both included.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// sign draws -1 or 1.
func sign(r *rand.Rand) float64 {
	if r.IntN(2) == 0 {
		return -1
	}
	return 1
}

func normal(r *rand.Rand, mean, sd float64) float64 { return mean + sd*r.NormFloat64() }

func logNormal(r *rand.Rand, meanLog, sdLog float64) float64 {
	return math.Exp(normal(r, meanLog, sdLog))
}

// gamma draws by the method of Marsaglia and Tsang (2000).
func gamma(r *rand.Rand, shape, scale float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1, scale) * math.Pow(r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v * scale
		}
	}
}

func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a, 1), gamma(r, b, 1)
	if x+y == 0 {
		return a / (a + b)
	}
	return x / (x + y)
}

// student draws from Student's t with unit scale.
func student(r *rand.Rand, df float64) float64 {
	return r.NormFloat64() / math.Sqrt(gamma(r, df/2, 2)/df)
}

// inverseGaussian draws by the method of Michael, Schucany and Haas (1976).
func inverseGaussian(r *rand.Rand, mean, shape float64) float64 {
	y := r.NormFloat64()
	y *= y
	x := mean + mean*mean*y/(2*shape) - mean/(2*shape)*math.Sqrt(4*mean*shape*y+mean*mean*y*y)
	if r.Float64() <= mean/(mean+x) {
		return x
	}
	return mean * mean / x
}

// poisson draws by Knuth's products, in pieces, and by a rounded normal above 400.
func poisson(r *rand.Rand, mean float64) int {
	if mean <= 0 {
		return 0
	}
	if mean > 400 {
		return max(0, int(math.Round(normal(r, mean, math.Sqrt(mean)))))
	}
	count := 0
	for mean > 0 {
		piece := math.Min(mean, 30)
		mean -= piece
		limit, product := math.Exp(-piece), r.Float64()
		for product > limit {
			count++
			product *= r.Float64()
		}
	}
	return count
}

// negBinomial draws a count with the given mean and variance mean + mean²/size.
func negBinomial(r *rand.Rand, mean, size float64) int {
	return poisson(r, gamma(r, size, mean/size))
}

func binomial(r *rand.Rand, trials int, p float64) int {
	count := 0
	for range trials {
		if r.Float64() < p {
			count++
		}
	}
	return count
}

func bernoulli(r *rand.Rand, p float64) bool { return r.Float64() < p }

// dirichlet draws proportions; where all gammas underflow, one part takes all.
func dirichlet(r *rand.Rand, alpha []float64) []float64 {
	p := make([]float64, len(alpha))
	sum := 0.0
	for i, a := range alpha {
		p[i] = gamma(r, a, 1)
		sum += p[i]
	}
	if sum <= 0 {
		p[categorical(r, alpha)] = 1
		return p
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// symmetric is the parameter of a symmetric Dirichlet distribution.
func symmetric(k int, alpha float64) []float64 {
	a := make([]float64, k)
	for i := range a {
		a[i] = alpha
	}
	return a
}

// categorical draws an index with a probability proportional to its weight.
func categorical(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := r.Float64() * sum
	for i, w := range weights {
		u -= w
		if u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// sampler draws from one categorical distribution many times.
type sampler []float64

func newSampler(weights []float64) sampler {
	cum := make(sampler, len(weights))
	sum := 0.0
	for i, w := range weights {
		sum += w
		cum[i] = sum
	}
	return cum
}

func (s sampler) draw(r *rand.Rand) int {
	u := r.Float64() * s[len(s)-1]
	return min(sort.SearchFloat64s(s, u), len(s)-1)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// normals draws p independent standard normals.
func normals(r *rand.Rand, p int) []float64 {
	z := make([]float64, p)
	for i := range z {
		z[i] = r.NormFloat64()
	}
	return z
}

// uniforms draws p independent numbers from [lo, hi).
func uniforms(r *rand.Rand, p int, lo, hi float64) []float64 {
	u := make([]float64, p)
	for i := range u {
		u[i] = uniform(r, lo, hi)
	}
	return u
}

// skewed draws from a gamma distribution, standardised to mean 0 and variance 1,
// with the given skewness.
func skewed(r *rand.Rand, skewness float64) float64 {
	shape := 4 / (skewness * skewness)
	return (gamma(r, shape, 1) - shape) / math.Sqrt(shape)
}

// zipf is the weights of v ranks by the law of Zipf and Mandelbrot.
func zipf(v int, exponent, shift float64) []float64 {
	w := make([]float64, v)
	for i := range w {
		w[i] = math.Pow(float64(i)+1+shift, -exponent)
	}
	return normalise(w)
}

func normalise(w []float64) []float64 {
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	out := make([]float64, len(w))
	for i, x := range w {
		out[i] = x / sum
	}
	return out
}

// even is the same share for each of k groups.
func even(k int) []float64 { return normalise(symmetric(k, 1)) }

// uneven draws the shares of k groups, none under a third of an even share.
func uneven(r *rand.Rand, k int) []float64 {
	p := dirichlet(r, symmetric(k, 2))
	for i := range p {
		p[i] = (p[i]*2 + 1/float64(k)) / 3
	}
	return p
}

// steep is the shares of one large, one small and one very small group.
func steep() []float64 { return []float64{0.90, 0.08, 0.02} }

// assign gives n records to groups of the given shares, in random order. Sizes
// follow the shares as closely as whole numbers do.
func assign(r *rand.Rand, n int, shares []float64) []int {
	group := make([]int, 0, n)
	shares = normalise(shares)
	for g, share := range shares {
		for range int(share * float64(n)) {
			group = append(group, g)
		}
	}
	for len(group) < n {
		group = append(group, categorical(r, shares))
	}
	r.Shuffle(n, func(i, j int) { group[i], group[j] = group[j], group[i] })
	return group
}

// subset draws k different indices below p.
func subset(r *rand.Rand, p, k int) []int { return r.Perm(p)[:min(k, p)] }

// quantiles are sorted numbers that stand for a distribution.
type quantiles []float64

func newQuantiles(x []float64) quantiles {
	sorted := append(quantiles(nil), x...)
	sort.Float64s(sorted)
	return sorted
}

// below is the part of the distribution under x, between its steps by a line.
func (q quantiles) below(x float64) float64 {
	i := sort.SearchFloat64s(q, x)
	if i == 0 {
		return x / math.Max(q[0], 1e-300) * 0.5 / float64(len(q))
	}
	if i == len(q) {
		return 1 - 0.5/float64(len(q))*q[len(q)-1]/x
	}
	step := (x - q[i-1]) / math.Max(q[i]-q[i-1], 1e-300)
	return (float64(i) - 0.5 + step) / float64(len(q))
}
