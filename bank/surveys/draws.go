package surveys

import (
	"math"
	"math/rand/v2"
)

// uniform draws a number between lo and hi.
func uniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// between draws a whole number from lo to hi, both included.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// normal draws from the normal distribution.
func normal(r *rand.Rand, mean, sd float64) float64 { return mean + sd*r.NormFloat64() }

// normals draws k independent standard normal numbers.
func normals(r *rand.Rand, k int) []float64 {
	x := make([]float64, k)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// uniforms draws k independent numbers between lo and hi.
func uniforms(r *rand.Rand, k int, lo, hi float64) []float64 {
	x := make([]float64, k)
	for i := range x {
		x[i] = uniform(r, lo, hi)
	}
	return x
}

// sigmoid turns a logit into a probability.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logit turns a probability into its log odds.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// logisticNoise draws from the standard logistic distribution.
func logisticNoise(r *rand.Rand) float64 {
	u := r.Float64()
	for u == 0 {
		u = r.Float64()
	}
	return logit(u)
}

// gumbel draws the noise of a random utility, so that the best of several utilities
// follows the multinomial logit.
func gumbel(r *rand.Rand) float64 { return -math.Log(r.ExpFloat64() + 1e-300) }

// gamma draws from the gamma distribution by the method of Marsaglia and Tsang.
func gamma(r *rand.Rand, shape, scale float64) float64 {
	if shape < 1 {
		u := r.Float64()
		for u == 0 {
			u = r.Float64()
		}
		return gamma(r, shape+1, scale) * math.Pow(u, 1/shape)
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
		if math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v * scale
		}
	}
}

// skewed draws from a gamma distribution that is shifted and scaled to mean 0 and
// standard deviation 1; the skewness is 2/sqrt(shape).
func skewed(r *rand.Rand, shape float64) float64 {
	return (gamma(r, shape, 1) - shape) / math.Sqrt(shape)
}

// beta draws from the beta distribution.
func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a, 1), gamma(r, b, 1)
	if x+y == 0 {
		return a / (a + b)
	}
	return x / (x + y)
}

// student draws from Student's t.
func student(r *rand.Rand, df float64) float64 {
	return r.NormFloat64() / math.Sqrt(gamma(r, df/2, 2)/df)
}

// logNormal draws a number whose logarithm is normal.
func logNormal(r *rand.Rand, median, sdLog float64) float64 {
	return median * math.Exp(sdLog*r.NormFloat64())
}

// poisson draws a count; a large mean is halved until Knuth's product is safe.
func poisson(r *rand.Rand, mean float64) int {
	if mean > 500 {
		return int(math.Max(0, math.Round(normal(r, mean, math.Sqrt(mean)))))
	}
	if mean > 30 {
		return poisson(r, mean/2) + poisson(r, mean/2)
	}
	limit, product, k := math.Exp(-mean), r.Float64(), 0
	for product > limit {
		product *= r.Float64()
		k++
	}
	return k
}

// negativeBinomial draws an overdispersed count: a Poisson whose mean is gamma.
func negativeBinomial(r *rand.Rand, mean, size float64) int {
	return poisson(r, gamma(r, size, mean/size))
}

// binomial draws the number of successes.
func binomial(r *rand.Rand, trials int, p float64) int {
	k := 0
	for range trials {
		if chance(r, p) {
			k++
		}
	}
	return k
}

// dirichlet draws k probabilities with every parameter equal to concentration.
func dirichlet(r *rand.Rand, k int, concentration float64) []float64 {
	base := make([]float64, k)
	for i := range base {
		base[i] = 1
	}
	return dirichletAround(r, base, concentration*float64(k))
}

// dirichletAround draws probabilities whose mean is base (made to sum to 1); the
// larger the total, the nearer they are to it.
func dirichletAround(r *rand.Rand, base []float64, total float64) []float64 {
	sum := 0.0
	for _, b := range base {
		sum += b
	}
	p := make([]float64, len(base))
	drawn := 0.0
	for i, b := range base {
		p[i] = gamma(r, total*b/sum, 1) + 1e-12
		drawn += p[i]
	}
	for i := range p {
		p[i] /= drawn
	}
	return p
}

// categorical draws an index with probability in proportion to its weight.
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

// zipf returns k weights that fall as a power of the rank.
func zipf(k int, exponent float64) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = math.Pow(float64(i+1), -exponent)
	}
	return w
}

// spread scales weights so that the largest is top and returns them as logits;
// none is below bottom.
func spread(weights []float64, top, bottom float64) []float64 {
	largest := 0.0
	for _, w := range weights {
		largest = math.Max(largest, w)
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = logit(math.Max(bottom, top*w/largest))
	}
	return out
}

// cholesky returns the lower triangle whose product with its transpose is m.
func cholesky(m [][]float64) [][]float64 {
	l := make([][]float64, len(m))
	for i := range m {
		l[i] = make([]float64, len(m))
		for j := 0; j <= i; j++ {
			sum := m[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(math.Max(sum, 1e-9))
			} else {
				l[i][j] = sum / l[j][j]
			}
		}
	}
	return l
}

// multivariateNormal draws a vector of mean 0 by the triangle of its covariance.
func multivariateNormal(r *rand.Rand, triangle [][]float64) []float64 {
	z := normals(r, len(triangle))
	x := make([]float64, len(z))
	for i := range x {
		for j := 0; j <= i; j++ {
			x[i] += triangle[i][j] * z[j]
		}
	}
	return x
}

// traits returns the triangle of a correlation matrix of k traits, each pair of which
// correlates by a number between lo and hi (of one factor, so that it is a valid
// matrix).
func traits(r *rand.Rand, k int, lo, hi float64) [][]float64 {
	loading := uniforms(r, k, math.Sqrt(lo), math.Sqrt(hi))
	m := make([][]float64, k)
	for i := range m {
		m[i] = make([]float64, k)
		for j := range m[i] {
			m[i][j] = loading[i] * loading[j]
		}
		m[i][i] = 1
	}
	return cholesky(m)
}

// members draws the group of each of n records.
func members(r *rand.Rand, n int, sizes []float64) []int {
	g := make([]int, n)
	for i := range g {
		g[i] = categorical(r, sizes)
	}
	return g
}

// groupSizes draws the shares of k groups: even, or uneven with none below about
// least.
func groupSizes(r *rand.Rand, k int, least float64) []float64 {
	sizes := make([]float64, k)
	if chance(r, 0.4) {
		for i := range sizes {
			sizes[i] = 1 / float64(k)
		}
		return sizes
	}
	free := dirichlet(r, k, 3)
	for i := range sizes {
		sizes[i] = least + (1-least*float64(k))*free[i]
	}
	return sizes
}

// patterns draws, for every group, one of the given number of values for every item,
// such that every two groups differ in at least the given number of items; where a
// hundred attempts fail, the attempt with the best least difference is returned.
func patterns(r *rand.Rand, groups, items, values, least int) [][]int {
	var best [][]int
	bestLeast := -1
	for range 100 {
		p := make([][]int, groups)
		for g := range p {
			p[g] = make([]int, items)
			for j := range p[g] {
				p[g][j] = r.IntN(values)
			}
		}
		d := leastDifference(p)
		if d > bestLeast {
			best, bestLeast = p, d
		}
		if d >= least {
			break
		}
	}
	return best
}

// leastDifference returns the number of items in which the two nearest patterns
// differ.
func leastDifference(p [][]int) int {
	least := math.MaxInt
	for a := range p {
		for b := range a {
			d := 0
			for j := range p[a] {
				if p[a][j] != p[b][j] {
					d++
				}
			}
			least = min(least, d)
		}
	}
	return least
}

// steps draws the ascending thresholds of an ordered item: one fewer than its
// categories, with gaps between lo and hi, around centre.
func steps(r *rand.Rand, categories int, centre, lo, hi float64) []float64 {
	t := make([]float64, categories-1)
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] + uniform(r, lo, hi)
	}
	middle := t[len(t)-1] / 2
	for i := range t {
		t[i] += centre - middle
	}
	return t
}

// graded draws the category of Samejima's graded response model: the number of
// thresholds that the score passes after logistic noise.
func graded(r *rand.Rand, score float64, thresholds []float64) int {
	return level(score+logisticNoise(r), thresholds)
}

// level is the number of thresholds below x.
func level(x float64, thresholds []float64) int {
	k := 0
	for _, t := range thresholds {
		if x > t {
			k++
		}
	}
	return k
}

// bernoulli draws 1 with the probability of the logit, else 0.
func bernoulli(r *rand.Rand, logOdds float64) int {
	if chance(r, sigmoid(logOdds)) {
		return 1
	}
	return 0
}

// clamp keeps x between lo and hi.
func clamp(x, lo, hi float64) float64 { return math.Min(hi, math.Max(lo, x)) }
