package verdict

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// MeasuredSingles are single populations of measurements: the laws of the annex,
// then our own.
func MeasuredSingles() []Law {
	laws := []Law{
		{Name: "sphere", draw: cloud(plainCloud)},
		{Name: "correlated", draw: cloud(correlated)},
		{Name: "scales", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			for h := range x {
				x[h] *= s[h]
			}
		})},
		{Name: "t3", draw: cloud(tailed(3))},
		{Name: "indep-t3", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			for h := range x {
				x[h] = student(r, 3)
			}
		})},
		{Name: "lognormal", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			for h := range x {
				x[h] = math.Exp(.8 * x[h])
			}
		})},
		{Name: "gamma1.5", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, s []float64) {
			for h := range x {
				x[h] = gamma(r, 1.5) * math.Pow(s[h], .2)
			}
		})},
		{Name: "cube", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			for h := range x {
				x[h] = r.Float64()
			}
		})},
		{Name: "banana", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			plainCloud(r, x, nil, nil)
			x[1] = .8*(x[0]*x[0]-1) + .5*x[1]
		})},
		{Name: "laplace", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			scale(x, math.Sqrt(r.ExpFloat64()))
		})},
		{Name: "size factor", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, s []float64) {
			a := gamma(r, 3) / 3
			for h := range x {
				x[h] = a*(2+math.Abs(math.Log10(s[h]))) + .3*r.NormFloat64()
			}
		})},
		{Name: "skew normal", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			u := 3 * math.Abs(r.NormFloat64())
			for h := range x {
				sign := 1.0
				if s[h] < 3 {
					sign = -1
				}
				x[h] = .6*x[h] + sign*u
			}
		})},
	}
	laws = append(laws, ownSingles()...)
	for i := range laws {
		laws[i].Groups = 1
	}
	return laws
}

// ownSingles are laws that nobody gave us.
func ownSingles() []Law {
	return []Law{
		{Name: "own: half circle", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			plainCloud(r, x, nil, nil)
			a := math.Pi * r.Float64()
			scale(x, .3)
			x[0] += 3 * math.Cos(a)
			x[1] += 3 * math.Sin(a)
		})},
		{Name: "own: ring", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			plainCloud(r, x, nil, nil)
			a := 2 * math.Pi * r.Float64()
			scale(x, .4)
			x[0] += 3 * math.Cos(a)
			x[1] += 3 * math.Sin(a)
		})},
		{Name: "own: S curve", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			plainCloud(r, x, nil, nil)
			a := 3*math.Pi*r.Float64() - 1.5*math.Pi
			scale(x, .2)
			x[0] += 2 * math.Sin(a)
			x[1] += a
		})},
		{Name: "own: straight trend", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, s []float64) {
			a := 12 * r.Float64()
			for h := range x {
				x[h] = a*math.Log10(s[h]) + r.NormFloat64()
			}
		})},
		{Name: "own: rounded to whole numbers", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			for h := range x {
				x[h] = math.Round(1.2 * x[h])
			}
		})},
		{Name: "own: scores from 1 to 5", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			for h := range x {
				x[h] = min(max(math.Round(3+x[h]), 1), 5)
			}
		})},
		{Name: "own: one in fifty far out", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			if r.Float64() < .02 {
				for h := range x {
					x[h] = 8 * r.NormFloat64()
				}
			}
		})},
		{Name: "own: limit of detection", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			for h := range x {
				x[h] = max(math.Exp(x[h]), .5)
			}
		})},
		{Name: "own: ages and laboratory values", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			x[0] = math.Round(min(max(62+16*x[0], 18), 95))
			x[1] = math.Round(10*math.Exp(2.3+.5*x[1])) / 10
			x[2] = math.Exp(1.2 * x[2])
			x[3] = 140 + 4*x[3]
			x[4] = math.Round(120 + 18*x[4] + 3*gamma(r, 2))
		})},
		{Name: "own: chi-square shares (compositions)", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, s []float64) {
			sum := 0.0
			for h := range x {
				x[h] = gamma(r, 2+math.Log10(s[h]*100))
				sum += x[h]
			}
			scale(x, 1/sum)
		})},
		{Name: "own: variance grows (heteroscedastic)", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			a := r.NormFloat64()
			scale(x, math.Exp(.7*a))
			x[0] = 2*a + .3*x[0]
		})},
		{Name: "own: thirty columns, three factors", draw: factors(30, 3)},
		{Name: "own: heavy tails in one column", draw: cloud(func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
			correlated(r, x, l, s)
			x[2] = student(r, 2)
		})},
		{Name: "own: beta, heaped at both ends of the scale", draw: cloud(func(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
			for h := range x {
				a, b := gamma(r, 1.2), gamma(r, 1.2)
				x[h] = 100 * a / (a + b)
			}
		})},
	}
}

const columns = 5 // of a law of measurements

// cloud draws every record by itself, with correlations and scales of the law.
func cloud(one func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64)) func(r *rand.Rand, n int) Draw {
	return func(r *rand.Rand, n int) Draw {
		l, s := correlations(r, columns), make([]float64, columns)
		for h := range s {
			s[h] = math.Pow(10, -2+5*r.Float64())
		}
		list := make([][]float64, n)
		for i := range list {
			list[i] = make([]float64, columns)
			one(r, list[i], l, s)
		}
		return measured(list, nil)
	}
}

// correlations returns the Cholesky factor of a random correlation matrix with
// two common factors.
func correlations(r *rand.Rand, d int) *mat.TriDense {
	a := mat.NewDense(d, 2, normal(r, 0, 1, 2*d))
	var s mat.SymDense
	s.SymOuterK(1, a)
	for h := range d {
		s.SetSym(h, h, s.At(h, h)+.3)
	}
	c := mat.NewSymDense(d, nil)
	for h := range d {
		for g := h; g < d; g++ {
			c.SetSym(h, g, s.At(h, g)/math.Sqrt(s.At(h, h)*s.At(g, g)))
		}
	}
	return factorOf(c)
}

func factorOf(c *mat.SymDense) *mat.TriDense {
	var f mat.Cholesky
	f.Factorize(c)
	var l mat.TriDense
	f.LTo(&l)
	return &l
}

func plainCloud(r *rand.Rand, x []float64, _ *mat.TriDense, _ []float64) {
	for h := range x {
		x[h] = r.NormFloat64()
	}
}

func correlated(r *rand.Rand, x []float64, l *mat.TriDense, _ []float64) {
	turned(x, l, normal(r, 0, 1, len(x)))
}

// turned sets x to L·z.
func turned(x []float64, l *mat.TriDense, z []float64) {
	for h := range x {
		x[h] = 0
		for g := range h + 1 {
			x[h] += l.At(h, g) * z[g]
		}
	}
}

func tailed(df float64) func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
	return func(r *rand.Rand, x []float64, l *mat.TriDense, s []float64) {
		correlated(r, x, l, s)
		scale(x, 1/math.Sqrt(2*gamma(r, df/2)/df))
	}
}

func student(r *rand.Rand, df float64) float64 {
	return r.NormFloat64() / math.Sqrt(2*gamma(r, df/2)/df)
}

func scale(x []float64, by float64) {
	for h := range x {
		x[h] *= by
	}
}

// factors draws d columns that a few factors move.
func factors(d, f int) func(r *rand.Rand, n int) Draw {
	return func(r *rand.Rand, n int) Draw {
		load := normal(r, 0, 1, d*f)
		list := make([][]float64, n)
		for i := range list {
			z := normal(r, 0, 1, f)
			x := normal(r, 0, 1, d)
			for h := range x {
				for e, v := range z {
					x[h] += load[h*f+e] * v
				}
			}
			list[i] = x
		}
		return measured(list, nil)
	}
}

// measured are measurements of equally many columns.
func measured(list [][]float64, labels []int) Draw {
	rows := sparse.Rows{Dim: len(list[0])}
	for _, x := range list {
		rows.Dense = append(rows.Dense, x...)
	}
	return Draw{Rows: &rows, Kind: record.Real, Labels: labels}
}
