package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// clusterLaws are the generators of artificial clusters that studies of cluster
// analysis use.
func clusterLaws() []law.Law {
	return []law.Law{
		{
			Name: "milligan clusters", Kind: law.Measurements, Groups: 5,
			About: "Truncated normal clusters without overlap on the first dimension, in some draws with noise dimensions (Milligan 1985, Psychometrika 50).",
			Draw:  drawMilligan,
		},
		{
			Name: "mixsim small overlap", Kind: law.Measurements, Groups: 4,
			About: "Normal mixture with Wishart covariances scaled to an average pairwise overlap of about 0.01 (Maitra and Melnykov 2010, MixSim).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawMixSim(r, n, uneven(r, 4), between(r, 4, 6), uniform(r, 0.004, 0.012))
			},
		},
		{
			Name: "mixsim large overlap", Kind: law.Measurements, Groups: 3,
			About: "Normal mixture with Wishart covariances scaled to an average pairwise overlap of 0.05 to 0.10 (Maitra and Melnykov 2010, MixSim).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawMixSim(r, n, even(3), between(r, 4, 5), uniform(r, 0.05, 0.10))
			},
		},
		{
			Name: "oclus marginal overlap", Kind: law.Measurements, Groups: 3,
			About: "Clusters in chains with a prescribed overlap on each dimension, of normal, uniform or skewed margins (Steinley and Henson 2005, OCLUS).",
			Draw:  drawOCLUS,
		},
		{
			Name: "qiu joe separation", Kind: law.Measurements, Groups: 6,
			About: "Elliptical clusters whose nearest neighbours have a prescribed separation index, with a noise variable and a random rotation (Qiu and Joe 2006, clusterGeneration).",
			Draw:  drawQiuJoe,
		},
		{
			Name: "gap null cube", Kind: law.Measurements, Groups: 1,
			About: "Uniform in a rectangle of several dimensions, the null model of the gap statistic (Tibshirani, Walther and Hastie 2001).",
			Draw: func(r *rand.Rand, n int) law.Data {
				p := between(r, 2, 8)
				x := make(matrix, n)
				for i := range x {
					x[i] = uniforms(r, p, 0, 1)
				}
				return measured(r, namesFrom(r, pool(r), p), x, nil, true)
			},
		},
		{
			Name: "gap parallel cigars", Kind: law.Measurements, Groups: 2,
			About: "Two elongated parallel clusters along the diagonal (Tibshirani, Walther and Hastie 2001, scenario e).",
			Draw: func(r *rand.Rand, n int) law.Data {
				group := assign(r, n, uneven(r, 2))
				shift := uniform(r, 0.9, 1.4)
				x := make(matrix, n)
				for i, g := range group {
					t := uniform(r, -0.5, 0.5)
					x[i] = make([]float64, 3)
					for j := range x[i] {
						x[i][j] = t + shift*float64(g)*[]float64{1, -0.5, 0.7}[j] + normal(r, 0, 0.1)
					}
				}
				return measured(r, namesFrom(r, pool(r), 3), x, group, true)
			},
		},
	}
}

// drawMilligan lays the clusters out in a row on the first dimension, with gaps of
// a quarter to three quarters of the neighbours' spreads, and at random within two
// thirds of that range on the others; points stay within 1.5 standard deviations.
func drawMilligan(r *rand.Rand, n int) law.Data {
	const k = 5
	p, noise := between(r, 4, 8), between(r, 0, 2)
	sd, centre := zeros(k, p), zeros(k, p)
	for g := range k {
		for j := range p {
			sd[g][j] = uniform(r, 10, 40) / 3
		}
	}
	end := 0.0
	order := r.Perm(k)
	for place, g := range order {
		if place > 0 {
			end += uniform(r, 0.25, 0.75) * (sd[g][0] + sd[order[place-1]][0])
		}
		centre[g][0] = end + 1.5*sd[g][0]
		end += 3 * sd[g][0]
	}
	for j := 1; j < p; j++ {
		for g := range k {
			centre[g][j] = uniform(r, 1.5*sd[g][j], math.Max(end*2/3-1.5*sd[g][j], 1.6*sd[g][j]))
		}
	}
	shares := even(k)
	if r.IntN(2) == 0 {
		shares = normalise([]float64{0.6, 0.1, 0.1, 0.1, 0.1})
	}
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		x[i] = make([]float64, p+noise)
		for j := range p {
			z := r.NormFloat64()
			for math.Abs(z) > 1.5 {
				z = r.NormFloat64()
			}
			x[i][j] = centre[g][j] + sd[g][j]*z
		}
		for j := p; j < p+noise; j++ {
			x[i][j] = uniform(r, 0, end)
		}
	}
	return measured(r, namesFrom(r, pool(r), p+noise), x, group, true)
}

// wishart draws a covariance with the given degrees of freedom and unit scale.
func wishart(r *rand.Rand, p, df int) matrix {
	m := zeros(p, p)
	for range df {
		z := normals(r, p)
		for i := range p {
			for j := range p {
				m[i][j] += z[i] * z[j] / float64(df)
			}
		}
	}
	return m
}

// drawMixSim scales the covariances until the overlap, the sum of both chances of
// misclassification averaged over pairs, is as wanted. Chances are those among
// points drawn once.
func drawMixSim(r *rand.Rand, n int, shares []float64, p int, overlap float64) law.Data {
	k := len(shares)
	means := apart(r, k, p)
	factor := make([]matrix, k)
	probes := make([]matrix, k)
	for g := range k {
		factor[g] = cholesky(wishart(r, p, 2*p+2))
		probes[g] = make(matrix, 200)
		for i := range probes[g] {
			probes[g][i] = normals(r, p)
		}
	}
	lo, hi := -4.0, 3.0
	for range 25 {
		mid := (lo + hi) / 2
		if mixOverlap(shares, means, factor, probes, math.Exp(mid)) > overlap {
			hi = mid
		} else {
			lo = mid
		}
	}
	scale := math.Exp(lo)
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		x[i] = plus(means[g], scaled(lowerTimes(factor[g], normals(r, p)), scale))
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

// mixOverlap is the average pairwise overlap where every factor is multiplied by
// scale.
func mixOverlap(shares []float64, means matrix, factor, probes []matrix, scale float64) float64 {
	k, p := len(means), len(means[0])
	logDet := make([]float64, k)
	for g := range k {
		for j := range p {
			logDet[g] += math.Log(factor[g][j][j])
		}
	}
	wrong := 0.0
	for g := range k {
		for _, z := range probes[g] {
			x := plus(means[g], scaled(lowerTimes(factor[g], z), scale))
			own := math.Log(shares[g]) - logDet[g] - dot(z, z)/2
			for h := range k {
				if h == g {
					continue
				}
				d := forward(factor[h], minus(x, means[h]))
				if math.Log(shares[h])-logDet[h]-dot(d, d)/(2*scale*scale) > own {
					wrong++
				}
			}
		}
	}
	return wrong / float64(len(probes[0])) / float64(k*(k-1)/2)
}

// margin is a distribution of one dimension by its quantiles.
type margin func(p float64) float64

func normalMargin(p float64) float64 { return normalQuantile(p) }

func uniformMargin(p float64) float64 { return 2 * math.Sqrt(3) * (p - 0.5) }

// weibullMargin is skewed to the right.
func weibullMargin(p float64) float64 { return 2.2 * math.Pow(-math.Log(1-p), 1/1.5) }

// open draws a probability that is neither 0 nor 1.
func open(r *rand.Rand) float64 { return uniform(r, 1e-9, 1-1e-9) }

// drawOCLUS orders the clusters anew on each dimension and shifts them so that
// neighbours share the wanted part of their mass.
func drawOCLUS(r *rand.Rand, n int) law.Data {
	const k = 3
	p := between(r, 4, 6)
	margins := []margin{normalMargin, uniformMargin, weibullMargin}
	shape := margins[r.IntN(3)]
	mixed := r.IntN(2) == 0
	shift, size := zeros(k, p), zeros(k, p)
	use := make([]margin, p)
	for j := range p {
		use[j] = shape
		if mixed {
			use[j] = margins[r.IntN(3)]
		}
		overlap := uniform(r, 0.05, 0.25)
		edge := 0.0
		for place, g := range r.Perm(k) {
			size[g][j] = uniform(r, 0.7, 1.4)
			if place > 0 {
				shift[g][j] = edge - size[g][j]*use[j](overlap/2)
			}
			edge = shift[g][j] + size[g][j]*use[j](1-overlap/2)
		}
	}
	group := assign(r, n, uneven(r, k))
	x := make(matrix, n)
	for i, g := range group {
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = shift[g][j] + size[g][j]*use[j](open(r))
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

// drawQiuJoe scales the centres until the least separation index of a pair, along
// Fisher's direction, is as wanted.
func drawQiuJoe(r *rand.Rand, n int) law.Data {
	const k = 6
	p := between(r, 4, 7)
	means := apart(r, k, p)
	covariances := make([]matrix, k)
	for g := range covariances {
		covariances[g] = randomCovariance(r, p, 1, 10)
	}
	wanted := uniform(r, 0.05, 0.34)
	lo, hi := 0.0, 40.0
	for range 40 {
		mid := (lo + hi) / 2
		if leastSeparation(scaledMatrix(means, mid), covariances) < wanted {
			lo = mid
		} else {
			hi = mid
		}
	}
	means = scaledMatrix(means, hi)
	factor := make([]matrix, k)
	for g := range factor {
		factor[g] = cholesky(covariances[g])
	}
	turn := orthogonal(r, p)
	group := assign(r, n, uneven(r, k))
	x := make(matrix, n)
	for i, g := range group {
		x[i] = append(times(turn, gaussian(r, means[g], factor[g])), normal(r, 0, 4))
	}
	return measured(r, namesFrom(r, pool(r), p+1), x, group, true)
}

// leastSeparation is the smallest index of Qiu and Joe over the pairs: the gap
// between the middle 95 % of both clusters over the range that both cover.
func leastSeparation(means matrix, covariances []matrix) float64 {
	least := 1.0
	for i := range means {
		for j := range i {
			l := cholesky(average(covariances[i], covariances[j]))
			d := minus(means[j], means[i])
			a := backward(l, forward(l, d))
			si := math.Sqrt(dot(a, times(covariances[i], a)))
			sj := math.Sqrt(dot(a, times(covariances[j], a)))
			away := dot(a, d)
			gap := away - 1.96*(si+sj)
			least = math.Min(least, gap/(away+1.96*(si+sj)+1e-12))
		}
	}
	return least
}
