package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// componentLaws are the mixtures of model-based clustering: covariance families,
// factor analysers, skewed, contaminated and copula components.
func componentLaws() []law.Law {
	return []law.Law{
		{
			Name: "diagonal covariance family", Kind: law.Measurements, Groups: 4,
			About: "Normal components with one of the covariance models EII, VII, EEI, VEI, EVI, VVI (Fraley and Raftery 2002, mclust).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawFamily(r, n, uneven(r, 4), uniform(r, 4.6, 5.6), choose(r, "EII", "VII", "EEI", "VEI", "EVI", "VVI"))
			},
		},
		{
			Name: "elliptic covariance family", Kind: law.Measurements, Groups: 3,
			About: "Normal components with one of the covariance models EEE, EEV, VEV, VVV (Celeux and Govaert 1995; Fraley and Raftery 2002), at moderate distance.",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawFamily(r, n, uneven(r, 3), uniform(r, 3.0, 4.2), choose(r, "EEE", "EEV", "VEV", "VVV"))
			},
		},
		{
			Name: "rare components", Kind: law.Measurements, Groups: 3,
			About: "Normal components of 90, 8 and 2 percent with covariances that all differ (VVV of Fraley and Raftery 2002).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawFamily(r, n, steep(), uniform(r, 6, 8), "VVV")
			},
		},
		{
			Name: "skew-t components", Kind: law.Measurements, Groups: 2,
			About: "Two restricted multivariate skew-t components (Pyne et al. 2009; Lee and McLachlan 2014).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMixedScale(r, n, uneven(r, 2), skewT) },
		},
		{
			Name: "normal inverse gaussian components", Kind: law.Measurements, Groups: 2,
			About: "Two multivariate normal-inverse-Gaussian components (Karlis and Santourian 2009; McNicholas 2016).",
			Draw: func(r *rand.Rand, n int) law.Data {
				return drawMixedScale(r, n, uneven(r, 2), normalInverseGaussian)
			},
		},
		{
			Name: "contaminated components", Kind: law.Measurements, Groups: 3,
			About: "Three contaminated normal clusters: within each, some points have an inflated covariance (Tukey 1960; Punzo and McNicholas 2016).",
			Draw:  drawContaminated,
		},
		{
			Name: "factor analysers", Kind: law.Measurements, Groups: 3,
			About: "Mixture of factor analysers with two factors each in 12 to 20 columns (Ghahramani and Hinton 1996; McLachlan and Peel 2000).",
			Draw:  drawFactorAnalysers,
		},
		{
			Name: "copula components", Kind: law.Measurements, Groups: 2,
			About: "Two components with a Clayton and a Gaussian copula and skewed margins that differ (Kosmidis and Karlis 2016).",
			Draw:  drawCopulaMixture,
		},
	}
}

// drawFamily draws a normal mixture whose volume, shape and orientation are equal
// (E), variable (V) or trivial (I) by the letters of the model's name.
func drawFamily(r *rand.Rand, n int, shares []float64, distance float64, model string) law.Data {
	k, p := len(shares), between(r, 3, 6)
	volume, axes := uniform(r, 0.5, 2), orthogonal(r, p)
	form := randomForm(r, p)
	covariances := make([]matrix, k)
	for g := range covariances {
		v, a, q := volume, form, axes
		if model[0] == 'V' {
			v = logNormal(r, 0, 0.6)
		}
		switch model[1] {
		case 'I':
			a = symmetric(p, 1)
		case 'V':
			a = randomForm(r, p)
		}
		switch model[2] {
		case 'I':
			q = identity(p)
		case 'V':
			q = orthogonal(r, p)
		}
		covariances[g] = fromSpectrum(q, scaled(a, v))
	}
	means := spread(apart(r, k, p), covariances, distance)
	factor := make([]matrix, k)
	for g := range factor {
		factor[g] = cholesky(covariances[g])
	}
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		x[i] = gaussian(r, means[g], factor[g])
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

// randomForm draws variances along the axes with a product of one.
func randomForm(r *rand.Rand, p int) []float64 {
	logs := make([]float64, p)
	mean := 0.0
	for j := range logs {
		logs[j] = normal(r, 0, 0.9)
		mean += logs[j] / float64(p)
	}
	for j := range logs {
		logs[j] = math.Exp(logs[j] - mean)
	}
	return logs
}

// noiseMaker draws one point about the origin from the factor of the scale matrix
// and the direction of the skew.
type noiseMaker func(r *rand.Rand, l matrix, skew []float64, tail float64) []float64

// skewT is the restricted skew-t: one absolute normal for all columns, over the
// root of a gamma.
func skewT(r *rand.Rand, l matrix, skew []float64, tail float64) []float64 {
	w := 1 / math.Sqrt(gamma(r, tail/2, 2/tail))
	return scaled(plus(scaled(skew, math.Abs(r.NormFloat64())), lowerTimes(l, normals(r, len(skew)))), w)
}

// normalInverseGaussian is a normal mean-variance mixture over an inverse Gaussian.
func normalInverseGaussian(r *rand.Rand, l matrix, skew []float64, tail float64) []float64 {
	w := inverseGaussian(r, 1, tail/4)
	return plus(scaled(skew, w), scaled(lowerTimes(l, normals(r, len(skew))), math.Sqrt(w)))
}

// asymmetricLaplace is a normal mean-variance mixture over an exponential.
func asymmetricLaplace(r *rand.Rand, l matrix, skew []float64, _ float64) []float64 {
	w := r.ExpFloat64()
	return plus(scaled(skew, w), scaled(lowerTimes(l, normals(r, len(skew))), math.Sqrt(w)))
}

// drawMixedScale draws one or more components of skewed and heavy-tailed noise.
func drawMixedScale(r *rand.Rand, n int, shares []float64, noise noiseMaker) law.Data {
	k, p := len(shares), between(r, 3, 5)
	covariances, factor := make([]matrix, k), make([]matrix, k)
	skew := make(matrix, k)
	tail := uniforms(r, k, 4, 10)
	for g := range k {
		covariances[g] = randomCovariance(r, p, 0.3, 1.5)
		factor[g] = cholesky(covariances[g])
		skew[g] = uniforms(r, p, -2, 2)
	}
	means := zeros(k, p)
	if k > 1 {
		means = spread(apart(r, k, p), covariances, uniform(r, 8, 11))
	}
	group := assign(r, n, shares)
	x := make(matrix, n)
	for i, g := range group {
		x[i] = plus(means[g], noise(r, factor[g], skew[g], tail[g]))
	}
	if k == 1 {
		group = nil
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

func drawContaminated(r *rand.Rand, n int) law.Data {
	const k = 3
	p := between(r, 3, 5)
	covariances, factor := make([]matrix, k), make([]matrix, k)
	for g := range k {
		covariances[g] = randomCovariance(r, p, 0.3, 1.5)
		factor[g] = cholesky(covariances[g])
	}
	means := spread(apart(r, k, p), covariances, uniform(r, 5.5, 7))
	bad, inflation := uniform(r, 0.03, 0.1), uniform(r, 3, 4.5)
	group := assign(r, n, uneven(r, k))
	x := make(matrix, n)
	for i, g := range group {
		scale := 1.0
		if bernoulli(r, bad) {
			scale = inflation
		}
		x[i] = plus(means[g], scaled(lowerTimes(factor[g], normals(r, p)), scale))
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

func drawFactorAnalysers(r *rand.Rand, n int) law.Data {
	const k = 3
	p := between(r, 12, 20)
	load := make([]matrix, k)
	covariances := make([]matrix, k)
	noise := zeros(k, p)
	for g := range k {
		load[g] = zeros(p, 2)
		covariances[g] = zeros(p, p)
		for j := range p {
			load[g][j] = scaled(normals(r, 2), 0.8)
			noise[g][j] = uniform(r, 0.4, 0.9)
		}
		for i := range p {
			for j := range p {
				covariances[g][i][j] = dot(load[g][i], load[g][j])
			}
			covariances[g][i][i] += noise[g][i] * noise[g][i]
		}
	}
	means := spread(apart(r, k, p), covariances, uniform(r, 4.5, 6))
	group := assign(r, n, uneven(r, k))
	x := make(matrix, n)
	for i, g := range group {
		f := normals(r, 2)
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = means[g][j] + dot(load[g][j], f) + normal(r, 0, noise[g][j])
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}

// claytonPoint draws uniforms under Clayton's copula by its gamma frailty.
func claytonPoint(r *rand.Rand, p int, theta float64) []float64 {
	frailty := gamma(r, 1/theta, 1)
	u := make([]float64, p)
	for j := range u {
		u[j] = math.Pow(1+r.ExpFloat64()/math.Max(frailty, 1e-300), -1/theta)
		u[j] = math.Min(math.Max(u[j], 1e-9), 1-1e-9)
	}
	return u
}

// gaussianPoint draws uniforms under a Gaussian copula.
func gaussianPoint(r *rand.Rand, l matrix) []float64 {
	u := lowerTimes(l, normals(r, len(l)))
	for j := range u {
		u[j] = math.Min(math.Max(normalCDF(u[j]), 1e-9), 1-1e-9)
	}
	return u
}

// randomMargin draws a margin with a closed quantile function, about unit spread.
func randomMargin(r *rand.Rand) margin {
	switch r.IntN(6) {
	case 0:
		return normalMargin
	case 1:
		s := uniform(r, 0.3, 0.8)
		return func(p float64) float64 { return math.Exp(s * normalQuantile(p)) }
	case 2:
		k := uniform(r, 1, 2.5)
		return func(p float64) float64 { return math.Pow(-math.Log(1-p), 1/k) }
	case 3:
		return func(p float64) float64 { return -math.Log(-math.Log(p)) }
	case 4:
		return func(p float64) float64 { return logit(p) }
	default:
		a, b := uniform(r, 1.2, 4), uniform(r, 1.2, 4)
		return func(p float64) float64 { return math.Pow(1-math.Pow(1-p, 1/b), 1/a) }
	}
}

func drawCopulaMixture(r *rand.Rand, n int) law.Data {
	p := between(r, 4, 6)
	l := cholesky(factorCorrelation(r, p, 1, 0.4, 0.8))
	theta := uniform(r, 0.8, 2)
	sdLog := uniform(r, 0.25, 0.4)
	shift := make([]float64, p)
	for j := range shift {
		shift[j] = sign(r) * uniform(r, 1.9, 2.8) * sdLog
	}
	group := assign(r, n, uneven(r, 2))
	x := make(matrix, n)
	for i, g := range group {
		x[i] = make([]float64, p)
		if g == 0 {
			for j, u := range claytonPoint(r, p, theta) {
				x[i][j] = math.Exp(sdLog * normalQuantile(u))
			}
			continue
		}
		for j, u := range gaussianPoint(r, l) {
			x[i][j] = math.Exp(shift[j] + sdLog*normalQuantile(u))
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, group, true)
}
