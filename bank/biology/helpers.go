package biology

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// uniform draws evenly from lo to hi.
func uniform(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// between draws a whole number from lo to hi, both included.
func between(r *rand.Rand, lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// normal draws from a normal distribution.
func normal(r *rand.Rand, mean, sd float64) float64 { return mean + sd*r.NormFloat64() }

// lognormal draws a value whose median is median and whose logarithm has deviation sd.
func lognormal(r *rand.Rand, median, sd float64) float64 {
	return median * math.Exp(sd*r.NormFloat64())
}

// logistic is the inverse of logit.
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logit is the logarithm of the odds.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// clamp holds x within lo and hi.
func clamp(x, lo, hi float64) float64 { return math.Min(hi, math.Max(lo, x)) }

// chance is true with probability p.
func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

// gamma draws from a gamma distribution of the given shape and scale, by the method
// of Marsaglia and Tsang (2000).
func gamma(r *rand.Rand, shape, scale float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1, scale) * math.Pow(1-r.Float64(), 1/shape)
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

// beta draws from a beta distribution; shapes near nought give 0 or 1.
func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a, 1), gamma(r, b, 1)
	if x+y == 0 {
		if chance(r, a/(a+b)) {
			return 1
		}
		return 0
	}
	return x / (x + y)
}

// student draws from Student's t of df degrees of freedom.
func student(r *rand.Rand, df float64) float64 {
	return r.NormFloat64() / math.Sqrt(gamma(r, df/2, 2)/df)
}

// skewNormal draws from Azzalini's skew normal of the given slant, location 0 and scale 1.
func skewNormal(r *rand.Rand, slant float64) float64 {
	d := slant / math.Sqrt(1+slant*slant)
	return d*math.Abs(r.NormFloat64()) + math.Sqrt(1-d*d)*r.NormFloat64()
}

// poisson draws from a Poisson distribution; a large mean is cut into halves by the
// order statistic of a gamma process (Ahrens and Dieter 1974).
func poisson(r *rand.Rand, mean float64) int {
	count := 0
	for mean > 12 {
		m := math.Floor(mean * 7 / 8)
		x := gamma(r, m, 1)
		if x > mean {
			return count + binomial(r, int(m)-1, mean/x)
		}
		count += int(m)
		mean -= x
	}
	limit, product := math.Exp(-mean), 1.0
	for {
		product *= r.Float64()
		if product <= limit {
			return count
		}
		count++
	}
}

// binomial draws the number of successes in n trials; a large n is cut by the median
// of its uniforms, which has a beta distribution.
func binomial(r *rand.Rand, n int, p float64) int {
	count := 0
	for n > 40 {
		a := 1 + n/2
		b := n + 1 - a
		x := beta(r, float64(a), float64(b))
		if x >= p {
			n = a - 1
			p /= x
		} else {
			count += a
			n = b - 1
			p = (p - x) / (1 - x)
		}
	}
	for range n {
		if chance(r, p) {
			count++
		}
	}
	return count
}

// negbin draws from a negative binomial of the given mean and size (variance
// mean + mean²/size).
func negbin(r *rand.Rand, mean, size float64) int {
	if mean <= 0 {
		return 0
	}
	return poisson(r, gamma(r, size, mean/size))
}

// dirichlet draws shares of the given concentrations.
func dirichlet(r *rand.Rand, alpha []float64) []float64 {
	out := make([]float64, len(alpha))
	sum := 0.0
	for j, a := range alpha {
		out[j] = gamma(r, a, 1) + 1e-300
		sum += out[j]
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

// categorical draws an index with probabilities in proportion to weights.
func categorical(r *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := r.Float64() * sum
	for j, w := range weights {
		if u -= w; u < 0 {
			return j
		}
	}
	return len(weights) - 1
}

// multinomial spreads total over the cells of share.
func multinomial(r *rand.Rand, total int, share []float64) []int {
	out := make([]int, len(share))
	left := 1.0
	for j, s := range share {
		if total == 0 {
			break
		}
		p := 1.0
		if left > s {
			p = s / left
		}
		out[j] = binomial(r, total, p)
		total -= out[j]
		left -= s
	}
	return out
}

// cholesky is the lower triangle whose square is the positive definite matrix a.
func cholesky(a [][]float64) [][]float64 {
	l := matrix(len(a), len(a))
	for i := range a {
		for j := 0; j <= i; j++ {
			s := a[i][j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if i == j {
				l[i][i] = math.Sqrt(math.Max(s, 1e-9))
			} else {
				l[i][j] = s / l[j][j]
			}
		}
	}
	return l
}

// mvn draws a vector of mean nought with the covariance whose Cholesky triangle is l.
func mvn(r *rand.Rand, l [][]float64) []float64 {
	z := normals(r, len(l))
	out := make([]float64, len(l))
	for i := range l {
		for j := 0; j <= i; j++ {
			out[i] += l[i][j] * z[j]
		}
	}
	return out
}

// correlation is a random correlation matrix with factors common factors that take
// about share of the variance of each column.
func correlation(r *rand.Rand, d, factors int, share float64) [][]float64 {
	load := matrix(d, factors)
	own := make([]float64, d)
	for i := range load {
		sum := 0.0
		for f := range load[i] {
			load[i][f] = r.NormFloat64()
			sum += load[i][f] * load[i][f]
		}
		s := clamp(share+uniform(r, -0.15, 0.15), 0.02, 0.95)
		for f := range load[i] {
			load[i][f] *= math.Sqrt(s / sum)
		}
		own[i] = 1 - s
	}
	out := matrix(d, d)
	for i := range out {
		for j := range out {
			for f := range factors {
				out[i][j] += load[i][f] * load[j][f]
			}
			if i == j {
				out[i][j] += own[i]
			}
		}
	}
	return out
}

// matrix is rows by columns of noughts.
func matrix(rows, columns int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
	}
	return out
}

// normals are m independent standard normals.
func normals(r *rand.Rand, m int) []float64 {
	return fill(m, func() float64 { return r.NormFloat64() })
}

// fill calls f m times.
func fill[T any](m int, f func() T) []T {
	out := make([]T, m)
	for i := range out {
		out[i] = f()
	}
	return out
}

// rows calls f for every record.
func rows[T any](n int, f func(i int) T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// even are k equal shares.
func even(k int) []float64 {
	return fill(k, func() float64 { return 1 / float64(k) })
}

// uneven are k unequal shares, none below least.
func uneven(r *rand.Rand, k int, least float64) []float64 {
	d := dirichlet(r, fill(k, func() float64 { return 1.5 }))
	for i := range d {
		d[i] = least + (1-float64(k)*least)*d[i]
	}
	return d
}

// members gives each of n records a group, so that the sizes follow the shares as
// nearly as whole numbers can, in random order.
func members(r *rand.Rand, n int, shares []float64) []int {
	out := make([]int, n)
	at, sum := 0, 0.0
	for g, s := range shares {
		sum += s
		end := int(math.Round(sum * float64(n)))
		if g == len(shares)-1 {
			end = n
		}
		for ; at < end; at++ {
			out[at] = g
		}
	}
	r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// pick draws m different numbers below d.
func pick(r *rand.Rand, d, m int) []int {
	return r.Perm(d)[:m]
}

// decimal writes x with the given number of decimals.
func decimal(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// significant writes x as an instrument would: more decimals the smaller it is.
func significant(x float64) string {
	switch a := math.Abs(x); {
	case a >= 100:
		return decimal(x, 0)
	case a >= 10:
		return decimal(x, 1)
	case a >= 1:
		return decimal(x, 2)
	default:
		return decimal(x, 3)
	}
}

// whole writes counts as cells.
func whole(counts []int) []string {
	out := make([]string, len(counts))
	for i, c := range counts {
		out[i] = strconv.Itoa(c)
	}
	return out
}

// flag writes a truth as "0" or "1".
func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// punch empties cells at random: each column has a rate of its own up to most.
func punch(r *rand.Rand, table [][]string, most float64) {
	if len(table) == 0 {
		return
	}
	rate := fill(len(table[0]), func() float64 { return uniform(r, 0, most) })
	for _, row := range table {
		for j := range row {
			if chance(r, rate[j]) {
				row[j] = ""
			}
		}
	}
}

// numbered names columns by a stem and a number with leading noughts.
func numbered(stem string, m int) []string {
	width := len(strconv.Itoa(m))
	return rows(m, func(i int) string {
		s := strconv.Itoa(i + 1)
		return stem + strings.Repeat("0", width-len(s)) + s
	})
}

// distinct calls draw until it has m different names.
func distinct(m int, draw func() string) []string {
	out := make([]string, 0, m)
	for len(out) < m {
		if s := draw(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// word is a pronounceable made-up word of the given number of syllables.
func word(r *rand.Rand, syllables int, ending string) string {
	onsets := []string{"b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "br", "cr", "dr", "pl", "st", "tr", "ph"}
	vowels := []string{"a", "e", "i", "o", "u", "ae"}
	var b strings.Builder
	for range syllables {
		b.WriteString(onsets[r.IntN(len(onsets))])
		b.WriteString(vowels[r.IntN(len(vowels))])
	}
	b.WriteString(ending)
	return b.String()
}

// species are m made-up Latin names, in one of the looks that field sheets have.
func species(r *rand.Rand, m int) []string {
	look := r.IntN(3)
	endings := []string{"ris", "tus", "num", "lis", "rax", "nia", "nsis"}
	return distinct(m, func() string {
		genus := word(r, 2, endings[r.IntN(len(endings))])
		epithet := word(r, 2, endings[r.IntN(len(endings))])
		genus = strings.ToUpper(genus[:1]) + genus[1:]
		switch look {
		case 0:
			return strings.ToUpper(genus[:4] + epithet[:4])
		case 1:
			return genus + "_" + epithet
		default:
			return strings.ToLower(genus[:4]) + "." + epithet[:4]
		}
	})
}

// genes are m made-up gene symbols.
func genes(r *rand.Rand, m int) []string {
	return distinct(m, func() string {
		letters := between(r, 2, 4)
		var b strings.Builder
		for range letters {
			b.WriteByte(byte('A' + r.IntN(26)))
		}
		return b.String() + strconv.Itoa(between(r, 1, 29))
	})
}

// loci are m names of markers, in one of the looks that genotype files have.
func loci(r *rand.Rand, m int) []string {
	switch r.IntN(3) {
	case 0:
		return distinct(m, func() string { return "rs" + strconv.Itoa(between(r, 10000, 99999999)) })
	case 1:
		return numbered("snp_", m)
	default:
		return distinct(m, func() string {
			return "chr" + strconv.Itoa(between(r, 1, 22)) + "_" + strconv.Itoa(between(r, 10000, 9999999))
		})
	}
}
