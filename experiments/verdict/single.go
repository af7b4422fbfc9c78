package verdict

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Singles are one population each: the laws of the annex, then our own.
func Singles() []Law {
	laws := []Law{
		{Name: "indep", draw: indep},
		{Name: "amount.5", draw: rasch(.5, gauss)},
		{Name: "amount1", draw: rasch(1, gauss)},
		{Name: "amount1.5", draw: rasch(1.5, gauss)},
		{Name: "amount-skew", draw: rasch(1, exponential)},
		{Name: "trend", draw: trend},
		{Name: "trend-skew", draw: shaped(exponential)},
		{Name: "twotraits", draw: traits(2, 30, 1.3, .5)},
		{Name: "pairs", draw: parentChild},
		{Name: "zipf", draw: codes(0)},
		{Name: "zipf-amount", draw: codes(.8)},
		{Name: "near-empty", draw: nearEmpty},
		{Name: "clones", draw: clones},
		{Name: "fixed3", draw: fixed},
		{Name: "acquiesce", draw: acquiesce},
		{Name: "extreme-style", draw: extremeStyle},
		{Name: "survey-trait+style", draw: traitAndStyle},
		{Name: "survey-indep", draw: surveyIndep},
		{Name: "amount-lognormal", draw: rasch(1, logNormal)},
		{Name: "trend-lognormal", draw: shaped(logNormal)},
		{Name: "trend-t4", draw: shaped(student4)},
		{Name: "trend-gamma3", draw: shaped(gamma3)},
		{Name: "trend-negskew", draw: shaped(func(r *rand.Rand) float64 { return -logNormal(r) })},
	}
	own := []Law{
		{Name: "own: three traits", draw: traits(3, 30, 1.2, .4)},
		{Name: "own: chain of features", draw: chain},
		{Name: "own: ideal points", draw: idealPoints},
		{Name: "own: guessing (3PL)", draw: guessing},
		{Name: "own: rolled-up codes", draw: rolledUp},
		{Name: "own: steep trend", draw: steepTrend},
		{Name: "own: answers, a fifth missing", draw: missingAnswers},
		{Name: "own: neighbours alike (probit)", draw: probit},
	}
	laws = append(laws, own...)
	for i := range laws {
		laws[i].Groups = 1
	}
	return laws
}

// Laws of a position with mean 0 and variance 1.
func gauss(r *rand.Rand) float64       { return r.NormFloat64() }
func exponential(r *rand.Rand) float64 { return r.ExpFloat64() - 1 }
func logNormal(r *rand.Rand) float64 {
	return (math.Exp(.8*r.NormFloat64()) - math.Exp(.32)) / math.Sqrt((math.Exp(.64)-1)*math.Exp(.64))
}
func gamma3(r *rand.Rand) float64 { return (gamma(r, 3) - 3) / math.Sqrt(3) }
func student4(r *rand.Rand) float64 {
	return r.NormFloat64() / math.Sqrt(2*gamma(r, 2)/4) / math.Sqrt2
}

func places(r *rand.Rand, n int, law func(*rand.Rand) float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = law(r)
	}
	return out
}

func indep(r *rand.Rand, n int) Draw {
	p := uniform(r, .05, .6, 30)
	return presences(r, n, 30, func(_, j int) float64 { return p[j] })
}

func rasch(sd float64, law func(*rand.Rand) float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		b, t := normal(r, -1.5, 1, 30), places(r, n, law)
		return presences(r, n, 30, func(i, j int) float64 { return logistic(b[j] + sd*t[i]) })
	}
}

func trend(r *rand.Rand, n int) Draw {
	b, a, t := normal(r, -1, 1, 30), uniform(r, .2, 2, 30), places(r, n, gauss)
	for j := range a {
		if r.Float64() < .3 {
			a[j] = -a[j]
		}
	}
	return presences(r, n, 30, func(i, j int) float64 { return logistic(b[j] + a[j]*t[i]) })
}

func shaped(law func(*rand.Rand) float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		b, a, t := normal(r, -1, 1, 30), uniform(r, .2, 2, 30), places(r, n, law)
		return presences(r, n, 30, func(i, j int) float64 { return logistic(b[j] + a[j]*t[i]) })
	}
}

// traits are k correlated traits, each with its own features.
func traits(k, d int, slope, correlation float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		b := normal(r, -1, 1, d)
		t := make([]float64, n*k)
		for i := range n {
			common := r.NormFloat64()
			for c := range k {
				t[i*k+c] = math.Sqrt(correlation)*common + math.Sqrt(1-correlation)*r.NormFloat64()
			}
		}
		return presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + slope*t[i*k+j*k/d]) })
	}
}

func parentChild(r *rand.Rand, n int) Draw {
	p, q := uniform(r, .1, .5, 10), uniform(r, .05, .6, 10)
	out := presences(r, n, 30, func(_, j int) float64 {
		switch {
		case j < 10:
			return p[j]
		case j >= 20:
			return q[j-20]
		}
		return 0
	})
	repeatFeatures(r, out, 10, 10)
	return out
}

// repeatFeatures sets features from place at on to repeat the first ones.
func repeatFeatures(r *rand.Rand, d Draw, at, count int) {
	for _, x := range d.X {
		for j := range count {
			p := .02
			if x[j] == 1 {
				p = .8
			}
			x[at+j] = 0
			if r.Float64() < p {
				x[at+j] = 1
			}
		}
	}
}

func codes(sd float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		p, t := zipf(200, 1, 5), places(r, n, gauss)
		return presences(r, n, 200, func(i, j int) float64 { return logistic(logit(p[j]) + sd*t[i]) })
	}
}

func nearEmpty(r *rand.Rand, n int) Draw {
	b, t := normal(r, -5.5, .7, 100), places(r, n, gauss)
	return presences(r, n, 100, func(i, j int) float64 { return logistic(b[j] + t[i]) })
}

func clones(r *rand.Rand, n int) Draw {
	few := indep(r, max(n/5, 1))
	out := Draw{X: make([][]int8, n)}
	for i := range out.X {
		out.X[i] = few.X[r.IntN(len(few.X))]
	}
	return out
}

// fixed has exactly three codes a record, drawn without replacement.
func fixed(r *rand.Rand, n int) Draw {
	const d = 60
	out := Draw{X: make([][]int8, n)}
	order, luck := make([]int, d), make([]float64, d)
	for i := range out.X {
		for j := range d {
			order[j] = j
			luck[j] = -.8*math.Log(float64(j+1)) - math.Log(r.ExpFloat64())
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(luck[b], luck[a]) })
		out.X[i] = make([]int8, d)
		for _, j := range order[:3] {
			out.X[i][j] = 1
		}
	}
	return out
}

func acquiesce(r *rand.Rand, n int) Draw {
	b, t := normal(r, 0, .8, 15), places(r, n, gauss)
	return answers(r, n, 15, func(i, j int) float64 { return b[j] + t[i] })
}

func extremeStyle(r *rand.Rand, n int) Draw {
	b := normal(r, 0, .8, 15)
	out := Draw{X: make([][]int8, n), Answers: 5}
	for i := range out.X {
		f := math.Exp(.5 * r.NormFloat64())
		out.X[i] = make([]int8, 15)
		for j := range out.X[i] {
			out.X[i][j] = likert((b[j] + noise(r)) * f)
		}
	}
	return out
}

func traitAndStyle(r *rand.Rand, n int) Draw {
	b, t, q := normal(r, 0, .8, 15), places(r, n, gauss), places(r, n, gauss)
	sign := uniform(r, -1, 1, 15)
	return answers(r, n, 15, func(i, j int) float64 { return b[j] + math.Copysign(t[i], sign[j]*t[i]) + .7*q[i] })
}

func surveyIndep(r *rand.Rand, n int) Draw {
	var p [][]float64
	for range 12 {
		p = append(p, dirichlet(r, 2, 4))
	}
	return choices(r, n, 4, 12, func(_, j int) []float64 { return p[j] })
}

// choices draws n records of answers with the given probabilities.
func choices(r *rand.Rand, n, answers, d int, p func(i, j int) []float64) Draw {
	out := Draw{X: make([][]int8, n), Answers: answers}
	for i := range out.X {
		out.X[i] = make([]int8, d)
		for j := range d {
			out.X[i][j] = int8(pick(r, p(i, j)))
		}
	}
	return out
}

// chain is a row of features, each like the one before it or drawn anew.
func chain(r *rand.Rand, n int) Draw {
	p := uniform(r, .1, .5, 30)
	out := presences(r, n, 30, func(_, j int) float64 { return p[j] })
	for _, x := range out.X {
		for j := 1; j < len(x); j++ {
			if r.Float64() < .5 {
				x[j] = x[j-1]
			}
		}
	}
	return out
}

// idealPoints: a feature is likely for records near its place on a line, as
// parties or dishes are, and rare on either side of it.
func idealPoints(r *rand.Rand, n int) Draw {
	at, t := uniform(r, -2.5, 2.5, 30), places(r, n, gauss)
	return presences(r, n, 30, func(i, j int) float64 { return logistic(.5 - (t[i]-at[j])*(t[i]-at[j])) })
}

// guessing is a test of which a fifth of the answers are right by chance.
func guessing(r *rand.Rand, n int) Draw {
	b, a, t := normal(r, 0, 1, 30), uniform(r, .7, 2, 30), places(r, n, gauss)
	return presences(r, n, 30, func(i, j int) float64 { return .2 + .8*logistic(b[j]+a[j]*t[i]) })
}

// rolledUp has forty codes and, for every four of them, their parent.
func rolledUp(r *rand.Rand, n int) Draw {
	p, t := zipf(40, .8, 4), places(r, n, gauss)
	out := presences(r, n, 50, func(i, j int) float64 {
		if j >= 40 {
			return 0
		}
		return logistic(logit(p[j]) + .5*t[i])
	})
	for _, x := range out.X {
		for j := range 40 {
			x[40+j%10] = max(x[40+j%10], x[j])
		}
	}
	return out
}

func steepTrend(r *rand.Rand, n int) Draw {
	b, a, t := normal(r, 0, 2, 20), uniform(r, 2.5, 4, 20), places(r, n, gauss)
	return presences(r, n, 20, func(i, j int) float64 { return logistic(b[j] + a[j]*t[i]) })
}

func missingAnswers(r *rand.Rand, n int) Draw {
	out := acquiesce(r, n)
	drop(r, out, .2)
	return out
}

// drop leaves a share of the answers out.
func drop(r *rand.Rand, d Draw, share float64) {
	for _, x := range d.X {
		for j := range x {
			if r.Float64() < share {
				x[j] = -1
			}
		}
	}
}

// probit are normal numbers along a line of features, alike with their
// neighbours, cut at a height.
func probit(r *rand.Rand, n int) Draw {
	cut := uniform(r, -.2, 1.2, 25)
	out := Draw{X: make([][]int8, n)}
	const like = .7
	for i := range out.X {
		out.X[i] = make([]int8, 25)
		z := r.NormFloat64()
		for j := range cut {
			if z > cut[j] {
				out.X[i][j] = 1
			}
			z = like*z + math.Sqrt(1-like*like)*r.NormFloat64()
		}
	}
	return out
}
