package machines

import (
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
)

// uniform draws a real number between lo and hi.
func uniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// between draws a whole number from lo to hi, both included.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// normal draws from the normal distribution.
func normal(r *rand.Rand, mean, sd float64) float64 { return mean + sd*r.NormFloat64() }

// logNormal draws exp of a normal; mu and sigma are those of the logarithm.
func logNormal(r *rand.Rand, mu, sigma float64) float64 { return math.Exp(normal(r, mu, sigma)) }

// coin is true with probability p.
func coin(r *rand.Rand, p float64) bool { return r.Float64() < p }

// pareto draws from the Pareto distribution with least value low.
func pareto(r *rand.Rand, low, shape float64) float64 {
	return low * math.Pow(1-r.Float64(), -1/shape)
}

// gamma draws from the gamma distribution (Marsaglia and Tsang 2000).
func gamma(r *rand.Rand, shape, scale float64) float64 {
	if shape < 1 {
		u := 1 - r.Float64()
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
		u := 1 - r.Float64()
		if math.Log(u) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v * scale
		}
	}
}

// beta draws from the beta distribution.
func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a, 1), gamma(r, b, 1)
	if x+y == 0 {
		return 0.5
	}
	return x / (x + y)
}

// poisson draws from the Poisson distribution: by products of uniforms where the mean
// is small, else by transformed rejection (Hörmann 1993).
func poisson(r *rand.Rand, mean float64) int {
	if mean <= 0 {
		return 0
	}
	if mean < 10 {
		limit, p, k := math.Exp(-mean), 1.0, 0
		for {
			p *= r.Float64()
			if p <= limit {
				return k
			}
			k++
		}
	}
	b := 0.931 + 2.53*math.Sqrt(mean)
	a := -0.059 + 0.02483*b
	inv := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		u := r.Float64() - 0.5
		v := 1 - r.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + mean + 0.43)
		if us >= 0.07 && v <= vr {
			return int(k)
		}
		if k < 0 || (us < 0.013 && v > us) {
			continue
		}
		lg, _ := math.Lgamma(k + 1)
		if math.Log(v*inv/(a/(us*us)+b)) <= k*math.Log(mean)-mean-lg {
			return int(k)
		}
	}
}

// negBin draws from the negative binomial distribution; the variance is
// mean + mean²/size.
func negBin(r *rand.Rand, mean, size float64) int {
	return poisson(r, gamma(r, size, mean/size))
}

// geometric draws the number of failures before a success of probability p.
func geometric(r *rand.Rand, p float64) int {
	return int(math.Log(1-r.Float64()) / math.Log1p(-p))
}

// dirichlet draws weights that add up to one.
func dirichlet(r *rand.Rand, alpha []float64) []float64 {
	w := make([]float64, len(alpha))
	for i, a := range alpha {
		w[i] = gamma(r, a, 1)
	}
	return share(w)
}

// symmetric is k times the same number.
func symmetric(k int, a float64) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = a
	}
	return w
}

// share divides weights by their sum, in place.
func share(w []float64) []float64 {
	total := 0.0
	for _, x := range w {
		total += x
	}
	for i := range w {
		if total > 0 {
			w[i] /= total
		} else {
			w[i] = 1 / float64(len(w))
		}
	}
	return w
}

// pick draws an index with the probabilities of weights that add up to one.
func pick(r *rand.Rand, weights []float64) int {
	u := r.Float64()
	for i, w := range weights {
		u -= w
		if u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// wheel draws quickly from many weights.
type wheel []float64

// newWheel is the wheel of weights, which need not add up to one.
func newWheel(weights []float64) wheel {
	w := make(wheel, len(weights))
	total := 0.0
	for i, x := range weights {
		total += x
		w[i] = total
	}
	return w
}

// draw is a random index.
func (w wheel) draw(r *rand.Rand) int {
	u := r.Float64() * w[len(w)-1]
	return min(sort.Search(len(w), func(i int) bool { return w[i] > u }), len(w)-1)
}

// zipf is the Zipf–Mandelbrot weights of k ranks.
func zipf(k int, slope, shift float64) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = math.Pow(float64(i+1)+shift, -slope)
	}
	return share(w)
}

// uneven is k weights of which none is below a third of the even share.
func uneven(r *rand.Rand, k int) []float64 {
	w := dirichlet(r, symmetric(k, 4))
	for i := range w {
		w[i] = w[i]*2/3 + 1/(3*float64(k))
	}
	return w
}

// rare is about 90, 8 and 2 % of the records.
func rare(r *rand.Rand) []float64 {
	small := uniform(r, 0.018, 0.028)
	middle := uniform(r, 0.07, 0.1)
	return []float64{1 - small - middle, middle, small}
}

// assign draws a group for each of n records.
func assign(r *rand.Rand, n int, weights []float64) []int {
	g := make([]int, n)
	for i := range g {
		g[i] = pick(r, weights)
	}
	return g
}

// normals is k normal numbers.
func normals(r *rand.Rand, k int, mean, sd float64) []float64 {
	x := make([]float64, k)
	for i := range x {
		x[i] = normal(r, mean, sd)
	}
	return x
}

// uniforms is k uniform numbers.
func uniforms(r *rand.Rand, k int, lo, hi float64) []float64 {
	x := make([]float64, k)
	for i := range x {
		x[i] = uniform(r, lo, hi)
	}
	return x
}

// cholesky is the lower triangular root of a covariance matrix.
func cholesky(cov [][]float64) [][]float64 {
	k := len(cov)
	root := make([][]float64, k)
	for i := range root {
		root[i] = make([]float64, k)
		for j := 0; j <= i; j++ {
			sum := cov[i][j]
			for l := range j {
				sum -= root[i][l] * root[j][l]
			}
			if i == j {
				root[i][i] = math.Sqrt(max(sum, 1e-9))
			} else {
				root[i][j] = sum / root[j][j]
			}
		}
	}
	return root
}

// correlated draws standard normals of the correlation whose root is given.
func correlated(r *rand.Rand, root [][]float64) []float64 {
	z := normals(r, len(root), 0, 1)
	x := make([]float64, len(root))
	for i, row := range root {
		for j := 0; j <= i; j++ {
			x[i] += row[j] * z[j]
		}
	}
	return x
}

// randomCorrelation is the correlation of k columns that share a few factors; the
// greater the strength, the closer the columns hang together.
func randomCorrelation(r *rand.Rand, k, factors int, strength float64) [][]float64 {
	load := make([][]float64, k)
	for i := range load {
		load[i] = normals(r, factors, 0, strength)
	}
	cov := make([][]float64, k)
	for i := range cov {
		cov[i] = make([]float64, k)
		for j := range cov[i] {
			for f := range factors {
				cov[i][j] += load[i][f] * load[j][f]
			}
			if i == j {
				cov[i][j]++
			}
		}
	}
	corr := make([][]float64, k)
	for i := range corr {
		corr[i] = make([]float64, k)
		for j := range corr[i] {
			corr[i][j] = cov[i][j] / math.Sqrt(cov[i][i]*cov[j][j])
		}
	}
	return corr
}

// decay is the correlation rho^|i-j|.
func decay(k int, rho float64) [][]float64 {
	corr := make([][]float64, k)
	for i := range corr {
		corr[i] = make([]float64, k)
		for j := range corr[i] {
			corr[i][j] = math.Pow(rho, math.Abs(float64(i-j)))
		}
	}
	return corr
}

// logistic is the inverse of the logit.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// bump is a bell of height one.
func bump(x, centre, width float64) float64 {
	d := (x - centre) / width
	return math.Exp(-d * d / 2)
}

// hourBump is a bell on the clock of 24 hours.
func hourBump(hour, centre, width float64) float64 {
	d := math.Abs(math.Mod(hour-centre+48, 24))
	return bump(min(d, 24-d), 0, width)
}

// fixed writes a number with the given decimals; never as "-0".
func fixed(x float64, decimals int) string {
	scale := math.Pow(10, float64(decimals))
	x = math.Round(x*scale) / scale
	if x == 0 {
		x = 0 // drops the sign of a negative zero
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// whole writes a whole number.
func whole(k int) string { return strconv.Itoa(k) }

// flag writes a presence.
func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// fixedRow writes a row of numbers.
func fixedRow(x []float64, decimals int) []string {
	row := make([]string, len(x))
	for i, v := range x {
		row[i] = fixed(v, decimals)
	}
	return row
}

// numbered is the names stem+first, stem+(first+1), … of k columns; two digits wide
// where pad says so.
func numbered(stem string, first, k int, pad bool) []string {
	names := make([]string, k)
	for i := range names {
		digits := whole(first + i)
		if pad && len(digits) < 2 {
			digits = "0" + digits
		}
		names[i] = stem + digits
	}
	return names
}

// lose empties cells at random.
func lose(r *rand.Rand, table [][]string, p float64) {
	for _, row := range table {
		for j := range row {
			if coin(r, p) {
				row[j] = ""
			}
		}
	}
}

// rows fills a table of n rows.
func rows(n int, row func(i int) []string) [][]string {
	table := make([][]string, n)
	for i := range table {
		table[i] = row(i)
	}
	return table
}

// chain is a Markov chain of hidden or visible states.
type chain struct {
	start []float64
	move  [][]float64
}

// sticky is a chain of k states that stays with a probability between lo and hi.
func sticky(r *rand.Rand, k int, lo, hi float64) chain {
	c := chain{start: uneven(r, k), move: make([][]float64, k)}
	for i := range c.move {
		c.move[i] = make([]float64, k)
		stay := uniform(r, lo, hi)
		away := dirichlet(r, symmetric(k-1, 3))
		for j, at := 0, 0; j < k; j++ {
			if j == i {
				c.move[i][j] = stay
				continue
			}
			c.move[i][j] = (1 - stay) * away[at]
			at++
		}
	}
	return c
}

// walk is a path of the chain.
func (c chain) walk(r *rand.Rand, steps int) []int {
	path := make([]int, steps)
	state := pick(r, c.start)
	for t := range path {
		path[t] = state
		state = pick(r, c.move[state])
	}
	return path
}

// sequenceLength is the length of a sequence, 20 to 60 steps.
func sequenceLength(r *rand.Rand) int { return between(r, 20, 60) }
