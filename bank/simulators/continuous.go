package simulators

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// continuousLaws are single populations of measurements whose shape tempts a normal
// mixture to split them.
func continuousLaws() []law.Law {
	return []law.Law{
		{
			Name: "one skew-t population", Kind: law.Measurements, Groups: 1,
			About: "One restricted multivariate skew-t (Azzalini and Capitanio 2003; Lee and McLachlan 2014).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMixedScale(r, n, even(1), skewT) },
		},
		{
			Name: "one normal inverse gaussian", Kind: law.Measurements, Groups: 1,
			About: "One multivariate normal-inverse-Gaussian (Barndorff-Nielsen 1997; Karlis and Santourian 2009).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMixedScale(r, n, even(1), normalInverseGaussian) },
		},
		{
			Name: "one asymmetric laplace", Kind: law.Measurements, Groups: 1,
			About: "One multivariate shifted asymmetric Laplace (Kotz, Kozubowski and Podgorski 2001; Franczak, Browne and McNicholas 2014).",
			Draw:  func(r *rand.Rand, n int) law.Data { return drawMixedScale(r, n, even(1), asymmetricLaplace) },
		},
		{
			Name: "heavy tailed t", Kind: law.Measurements, Groups: 1,
			About: "One multivariate Student t of 3 to 6 degrees of freedom with correlated columns (Peel and McLachlan 2000).",
			Draw:  drawStudent,
		},
		{
			Name: "gaussian copula any margins", Kind: law.Measurements, Groups: 1,
			About: "Gaussian copula of one or two factors with margins of any shape (Sklar 1959; Hofert et al. 2018, copula).",
			Draw: func(r *rand.Rand, n int) law.Data {
				p := between(r, 4, 10)
				l := cholesky(factorCorrelation(r, p, between(r, 1, 2), 0.3, 0.9))
				return drawMargins(r, n, p, func() []float64 { return gaussianPoint(r, l) })
			},
		},
		{
			Name: "clayton copula any margins", Kind: law.Measurements, Groups: 1,
			About: "Clayton's copula, whose dependence sits in one tail, with margins of any shape (Clayton 1978; Hofert et al. 2018).",
			Draw: func(r *rand.Rand, n int) law.Data {
				p, theta := between(r, 3, 7), uniform(r, 0.6, 4)
				return drawMargins(r, n, p, func() []float64 { return claytonPoint(r, p, theta) })
			},
		},
		{
			Name: "t copula any margins", Kind: law.Measurements, Groups: 1,
			About: "Student's copula of 2 to 5 degrees of freedom, with dependence in the tails, and margins of any shape (Demarta and McNeil 2005).",
			Draw:  drawStudentCopula,
		},
		{
			Name: "one factor analyser", Kind: law.Measurements, Groups: 1,
			About: "One normal population of three or four correlated factors with simple structure (Lawley and Maxwell 1971; MacCallum et al. 1999).",
			Draw:  drawFactorModel,
		},
		{
			Name: "twisted normal", Kind: law.Measurements, Groups: 1,
			About: "A normal bent to a banana (Haario, Saksman and Tamminen 1999).",
			Draw:  drawBanana,
		},
		{
			Name: "funnel", Kind: law.Measurements, Groups: 1,
			About: "Neal's (2003) funnel: one column rules the logarithm of the spread of the others.",
			Draw:  drawFunnel,
		},
		{
			Name: "rolled sheet", Kind: law.Measurements, Groups: 1,
			About: "A sheet rolled up in three dimensions, with noise and nuisance columns (Tenenbaum, de Silva and Langford 2000, Swiss roll).",
			Draw:  drawRoll,
		},
		{
			Name: "noisy circle", Kind: law.Measurements, Groups: 1,
			About: "Measurements that follow a phase around a circle, as of cyclic processes (Zahn 1971; Niyogi, Smale and Weinberger 2008).",
			Draw:  drawCircle,
		},
		{
			Name: "elliptic shell", Kind: law.Measurements, Groups: 1,
			About: "Points near the surface of an ellipsoid, an elliptic law with thin tails (Cambanis, Huang and Simons 1981; Johnson 1987).",
			Draw:  drawShell,
		},
	}
}

func drawStudent(r *rand.Rand, n int) law.Data {
	p := between(r, 3, 8)
	l := cholesky(factorCorrelation(r, p, between(r, 1, 3), 0.2, 0.8))
	df := uniform(r, 3, 6)
	x := make(matrix, n)
	for i := range x {
		x[i] = scaled(lowerTimes(l, normals(r, p)), 1/math.Sqrt(gamma(r, df/2, 2)/df))
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}

// drawMargins gives each column of a copula's points a margin of its own.
func drawMargins(r *rand.Rand, n, p int, point func() []float64) law.Data {
	margins, flip := make([]margin, p), make([]bool, p)
	for j := range margins {
		margins[j] = randomMargin(r)
		flip[j] = bernoulli(r, 0.2)
	}
	x := make(matrix, n)
	for i := range x {
		x[i] = make([]float64, p)
		for j, u := range point() {
			if flip[j] {
				u = 1 - u
			}
			x[i][j] = margins[j](u)
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}

// drawStudentCopula turns each column of a multivariate t to ranks, which stand for
// its uniforms, as the distribution function of t has no closed form.
func drawStudentCopula(r *rand.Rand, n int) law.Data {
	p := between(r, 3, 8)
	l := cholesky(factorCorrelation(r, p, between(r, 1, 2), 0.3, 0.8))
	df := uniform(r, 2, 5)
	// A grid of the distribution of |t|, by simulation, stands for its quantiles.
	grid := make([]float64, 4000)
	for i := range grid {
		grid[i] = math.Abs(student(r, df))
	}
	sorted := newQuantiles(grid)
	point := func() []float64 {
		w := 1 / math.Sqrt(gamma(r, df/2, 2)/df)
		u := lowerTimes(l, normals(r, p))
		for j := range u {
			half := sorted.below(math.Abs(u[j])*w) / 2
			if u[j] < 0 {
				half = -half
			}
			u[j] = math.Min(math.Max(0.5+half, 1e-5), 1-1e-5)
		}
		return u
	}
	return drawMargins(r, n, p, point)
}

func drawFactorModel(r *rand.Rand, n int) law.Data {
	q := between(r, 3, 4)
	p := q * between(r, 3, 6)
	l := cholesky(equicorrelation(q, uniform(r, 0, 0.4)))
	load := uniforms(r, p, 0.5, 0.9)
	x := make(matrix, n)
	for i := range x {
		f := lowerTimes(l, normals(r, q))
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = load[j]*f[j%q] + math.Sqrt(1-load[j]*load[j])*r.NormFloat64()
		}
	}
	return measured(r, namesFrom(r, bodyNames, p), x, nil, true)
}

func drawBanana(r *rand.Rand, n int) law.Data {
	p := between(r, 2, 5)
	bend := uniform(r, 0.3, 1.2)
	turn := orthogonal(r, p)
	x := make(matrix, n)
	for i := range x {
		z := normals(r, p)
		z[0] *= 2
		z[1] += bend * (z[0]*z[0] - 4)
		x[i] = times(turn, z)
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}

func drawFunnel(r *rand.Rand, n int) law.Data {
	p := between(r, 3, 6)
	sd := uniform(r, 0.7, 1.5)
	x := make(matrix, n)
	for i := range x {
		x[i] = normals(r, p)
		x[i][0] *= sd
		for j := 1; j < p; j++ {
			x[i][j] *= math.Exp(x[i][0] / 2)
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}

func drawRoll(r *rand.Rand, n int) law.Data {
	nuisance := between(r, 0, 2)
	noise := uniform(r, 0.2, 0.8)
	x := make(matrix, n)
	for i := range x {
		t := 1.5 * math.Pi * (1 + 2*r.Float64())
		x[i] = []float64{
			t*math.Cos(t) + normal(r, 0, noise),
			uniform(r, 0, 21) + normal(r, 0, noise),
			t*math.Sin(t) + normal(r, 0, noise),
		}
		x[i] = append(x[i], scaled(normals(r, nuisance), 5)...)
	}
	return measured(r, namesFrom(r, pool(r), 3+nuisance), x, nil, true)
}

func drawCircle(r *rand.Rand, n int) law.Data {
	p := between(r, 2, 8)
	phase, height := uniforms(r, p, 0, 2*math.Pi), uniforms(r, p, 0.6, 1.5)
	noise := uniform(r, 0.1, 0.35)
	lean := uniform(r, 0, 0.5)
	x := make(matrix, n)
	for i := range x {
		t := uniform(r, 0, 2*math.Pi)
		t += lean * math.Sin(t)
		x[i] = make([]float64, p)
		for j := range p {
			x[i][j] = height[j]*math.Cos(t-phase[j]) + normal(r, 0, noise)
		}
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}

func drawShell(r *rand.Rand, n int) law.Data {
	p := between(r, 3, 6)
	l := cholesky(randomCovariance(r, p, 0.3, 2))
	thick := uniform(r, 0.03, 0.15)
	x := make(matrix, n)
	for i := range x {
		z := normals(r, p)
		x[i] = lowerTimes(l, scaled(z, (1+normal(r, 0, thick))/math.Sqrt(dot(z, z))))
	}
	return measured(r, namesFrom(r, pool(r), p), x, nil, true)
}
