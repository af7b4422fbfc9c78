package surveys

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/bank/law"
)

// scoreLaws are laws of scale scores, reaction times and growth: real numbers.
func scoreLaws() []law.Law {
	return []law.Law{
		{
			Name: "reaction times of one population", Kind: law.Measurements, Groups: 1, Draw: reactionTimes,
			About: "Mean reaction times of several tasks: ex-Gaussian trials with a personal speed and a personal, skewed tail (Luce 1986; Heathcote et al. 1991).",
		},
		{
			Name: "scale scores with heavy tails", Kind: law.Measurements, Groups: 1, Draw: heavyScores,
			About: "T-scores of correlated subscales from a multivariate Student distribution, rounded (Yuan and Bentler 1998 on heavy-tailed practical data).",
		},
		{
			Name: "one skewed growth curve", Kind: law.Measurements, Groups: 1, Draw: skewedGrowth,
			About: "A single population of growth curves whose intercept and slope are skewed and related: tempts growth mixtures into classes (Bauer and Curran 2003).",
		},
		{
			Name: "developmental trajectories", Kind: law.Measurements, Groups: 4, Draw: trajectories,
			About: "Low, rising, falling and chronic courses over the waves of a panel, with random intercepts and slopes inside the classes (Nagin and Tremblay 1999; Muthén 2004).",
		},
		{
			Name: "fast guessers among solvers", Kind: law.Measurements, Groups: 2, Draw: fastGuessers,
			About: "Item response times: solution times by item and personal speed, against a group that guesses rapidly at most items (Schnipke and Scrams 1997).",
		},
		{
			Name: "learning disability profiles", Kind: law.Measurements, Groups: 3, Draw: learningProfiles,
			About: "Subtest scores with a general factor; two groups have an uneven profile, low in reading or low in arithmetic (Fletcher et al. 2007).",
		},
		{
			Name: "speed and accuracy strategies", Kind: law.Measurements, Groups: 2, Draw: speedAccuracy,
			About: "Across tasks one class trades speed for accuracy, in the other the quick are the accurate: equal margins, opposed correlations (Van der Maas and Jansen 2003; Heitz 2014).",
		},
		{
			Name: "achievement scores with a ceiling", Kind: law.Measurements, Groups: 1, Draw: ceilingScores,
			About: "Percent scores of easy tests that share abilities: binomial noise, left skew and a heap at 100 (Wang et al. 2008 on ceiling effects in growth and factor models).",
		},
	}
}

// scored fills a table of measurements under numbered or named columns.
func scored(columns []string, n, decimals int, values func(i int) []float64) law.Data {
	return form(columns, n, func(i int) []string {
		x := values(i)
		row := make([]string, len(x))
		for j := range x {
			row[j] = decimal(x[j], decimals)
		}
		return row
	})
}

func reactionTimes(r *rand.Rand, n int) law.Data {
	tasks, trials := between(r, 6, 10), between(r, 16, 40)
	mu := uniforms(r, tasks, 350, 800)
	sdSpeed, tail, sdTail := uniform(r, 0.12, 0.2), uniform(r, 80, 180), uniform(r, 0.4, 0.7)
	names := itemNames(r, []string{"rt", "rt_task", "mrt"}[r.IntN(3)], tasks)
	return scored(names, n, r.IntN(2), func(int) []float64 {
		speed, tau := logNormal(r, 1, sdSpeed), logNormal(r, tail, sdTail)
		x := make([]float64, tasks)
		for j := range x {
			task := speed * logNormal(r, 1, 0.07)
			sum := 0.0
			for range trials {
				sum += normal(r, mu[j]*task, 0.1*mu[j]) + tau*r.ExpFloat64()
			}
			x[j] = sum / float64(trials)
		}
		return x
	})
}

func heavyScores(r *rand.Rand, n int) law.Data {
	scales := between(r, 6, 12)
	df := uniform(r, 3, 5)
	loading := uniforms(r, scales, 0.4, 0.85)
	second := uniforms(r, scales, -0.4, 0.4)
	names := itemNames(r, []string{"T", "scale", "sub"}[r.IntN(3)], scales)
	return scored(names, n, 0, func(int) []float64 {
		stretch := 1 / math.Sqrt(gamma(r, df/2, 2)/df)
		f, g := r.NormFloat64(), r.NormFloat64()
		x := make([]float64, scales)
		for j := range x {
			own := math.Sqrt(1 - loading[j]*loading[j] - 0.25*second[j]*second[j])
			z := loading[j]*f + 0.5*second[j]*g + own*r.NormFloat64()
			x[j] = 50 + 8*z*stretch
		}
		return x
	})
}

func skewedGrowth(r *rand.Rand, n int) law.Data {
	waves := between(r, 5, 8)
	shape, related := uniform(r, 1, 2.5), uniform(r, 0.4, 0.8)
	start, rate := uniform(r, 18, 30), uniform(r, 0.8, 2)
	sdStart, sdRate := uniform(r, 4, 7), uniform(r, 0.8, 1.5)
	noise := uniform(r, 1.5, 3)
	names := itemNames(r, []string{"wave", "score_t", "y"}[r.IntN(3)], waves)
	return scored(names, n, 1, func(int) []float64 {
		common := skewed(r, shape)
		level0 := start + sdStart*(related*common+math.Sqrt(1-related*related)*skewed(r, shape))
		slope := rate + sdRate*(related*common+math.Sqrt(1-related*related)*skewed(r, shape))
		x := make([]float64, waves)
		for t := range x {
			x[t] = level0 + slope*float64(t) + normal(r, 0, noise)
		}
		return x
	})
}

func trajectories(r *rand.Rand, n int) law.Data {
	waves := between(r, 6, 9)
	low, high := uniform(r, 1, 2), uniform(r, 6, 8)
	noise, sdStart, sdSlope := uniform(r, 0.6, 1), uniform(r, 0.4, 0.8), uniform(r, 0.2, 0.6)
	course := func(g int, t float64) float64 { // t runs from 0 to 1
		switch g {
		case 0:
			return low
		case 1:
			return low + (high-low)*sigmoid(9*(t-0.5))
		case 2:
			return high - (high-low)*sigmoid(9*(t-0.5))
		default:
			return high
		}
	}
	sizes := []float64{uniform(r, 0.4, 0.6), uniform(r, 0.12, 0.2), uniform(r, 0.12, 0.2), uniform(r, 0.06, 0.15)}
	group := members(r, n, sizes)
	lost := []float64{0, 0.05}[r.IntN(2)]
	names := itemNames(r, []string{"agg_w", "wave", "t"}[r.IntN(3)], waves)
	data := scored(names, n, 1, func(i int) []float64 {
		start, slope := normal(r, 0, sdStart), normal(r, 0, sdSlope)
		x := make([]float64, waves)
		for w := range x {
			t := float64(w) / float64(waves-1)
			x[w] = math.Max(0, course(group[i], t)+start+slope*t+normal(r, 0, noise))
		}
		return x
	})
	blank(r, data.Table, lost)
	data.Group = group
	return data
}

func fastGuessers(r *rand.Rand, n int) law.Data {
	items := between(r, 8, 14)
	mu := make([]float64, items)
	for j := range mu {
		mu[j] = math.Log(uniform(r, 25, 90))
	}
	sdSpeed, sdItem := uniform(r, 0.2, 0.35), uniform(r, 0.3, 0.45)
	share, commitment := uniform(r, 0.08, 0.3), uniform(r, 0.8, 0.95)
	quick := math.Log(uniform(r, 3, 6))
	group := members(r, n, []float64{1 - share, share})
	names := itemNames(r, []string{"sec", "time", "rt_item"}[r.IntN(3)], items)
	data := scored(names, n, 1, func(i int) []float64 {
		slow := normal(r, 0, sdSpeed)
		x := make([]float64, items)
		for j := range x {
			if group[i] == 1 && chance(r, commitment) {
				x[j] = math.Exp(normal(r, quick+0.5*slow, 0.45))
			} else {
				x[j] = math.Exp(normal(r, mu[j]+slow, sdItem))
			}
		}
		return x
	})
	data.Group = group
	return data
}

func learningProfiles(r *rand.Rand, n int) law.Data {
	columns := []string{
		"phonology", "word_reading", "nonwords", "spelling", "fluency",
		"number_line", "arithmetic", "quantity", "problems",
		"vocabulary", "matrices", "block_design",
	}
	gap := uniform(r, 1.8, 2.4)
	general := uniform(r, 0.5, 0.7)
	noise := math.Sqrt(1 - general*general)
	shortfall := func(g, j int) float64 {
		if g == 1 && j < 5 || g == 2 && j >= 5 && j < 9 {
			return gap
		}
		return 0
	}
	group := members(r, n, []float64{uniform(r, 0.45, 0.7), uniform(r, 0.15, 0.3), uniform(r, 0.12, 0.25)})
	mean, sd := 100.0, 15.0
	if chance(r, 0.5) {
		mean, sd = 50, 10
	}
	data := scored(columns, n, 0, func(i int) []float64 {
		g := r.NormFloat64()
		x := make([]float64, len(columns))
		for j := range x {
			x[j] = mean + sd*(general*g+noise*r.NormFloat64()-shortfall(group[i], j))
		}
		return x
	})
	data.Group = group
	return data
}

func speedAccuracy(r *rand.Rand, n int) law.Data {
	tasks := between(r, 4, 7)
	rho := uniform(r, 0.75, 0.9)
	share := uniform(r, 0.3, 0.5)
	speeds := itemNames(r, "speed", tasks)
	hits := itemNames(r, "acc", tasks)
	columns := append(append([]string{}, speeds...), hits...)
	middle, width := uniform(r, 600, 900), uniform(r, 80, 150)
	group := members(r, n, []float64{1 - share, share})
	data := form(columns, n, func(i int) []string {
		c := rho * float64(1-2*group[i])
		row := make([]string, 2*tasks)
		for j := range tasks {
			a := r.NormFloat64()
			b := c*a + math.Sqrt(1-c*c)*r.NormFloat64()
			row[j] = whole(middle + width*a)
			row[tasks+j] = decimal(80+6*b, 1)
		}
		return row
	})
	data.Group = group
	return data
}

func ceilingScores(r *rand.Rand, n int) law.Data {
	tests := between(r, 5, 9)
	length := make([]int, tests)
	easy := make([]float64, tests)
	for j := range length {
		length[j] = between(r, 15, 50)
		easy[j] = uniform(r, 1.2, 2.8)
	}
	corr := traits(r, tests, 0.5, 0.8)
	sd := uniform(r, 0.9, 1.4)
	names := itemNames(r, []string{"test", "pct", "exam"}[r.IntN(3)], tests)
	return scored(names, n, 1, func(int) []float64 {
		z := multivariateNormal(r, corr)
		x := make([]float64, tests)
		for j := range x {
			x[j] = 100 * float64(binomial(r, length[j], sigmoid(easy[j]+sd*z[j]))) / float64(length[j])
		}
		return x
	})
}
