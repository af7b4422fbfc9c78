package verdict

import (
	"math"
	"math/rand/v2"
)

// OddWalks are laws of sequences.
func OddWalks() []Walk {
	list := []Walk{
		{Name: "numbers, one state that drifts", States: 1, draw: driftWalk},
		{Name: "numbers, own speed and level", States: 1, draw: speedWalk},
		{Name: "numbers, calm and wild by degrees", States: 1, draw: volatile},
		{Name: "numbers, tails, little by little", States: 1, draw: tailWalk},
		{Name: "symbols, days of the week", States: 1, draw: weekWalk},
		{Name: "sets, own trend", States: 1, draw: trendWalk},
		{Name: "numbers, 3 states, tails inside", States: 3, draw: stateTails},
		{Name: "numbers, 2 states, own level", States: 2, Hard: true, draw: stateLevels},
		{Name: "sets, 3 states, own amount", States: 3, draw: stateSets},
		{Name: "symbols, 3 states, one in ten wrong", States: 3, draw: wrongSymbols},
	}
	for i := range list {
		list[i].Name = "odd: " + list[i].Name
	}
	return list
}

func driftWalk(r *rand.Rand, n int) Walked {
	slope := normal(r, 0, .15, 3)
	return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
		return func(t int, _ []float64) ([]float64, int) {
			x := normal(r, 0, 1, 3)
			for h := range x {
				x[h] += slope[h] * float64(t)
			}
			return x, 0
		}
	})
}

func speedWalk(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		u, v := normal(r, 0, 1, 2), normal(r, 0, .15, 2)
		return func(t int, _ []float64) ([]float64, int) {
			x := normal(r, 0, 1, 2)
			for h := range x {
				x[h] += u[h] + v[h]*float64(t)
			}
			return x, 0
		}
	})
}

func volatile(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		v := .8 * r.NormFloat64()
		return func(int, []float64) ([]float64, int) {
			v = .9*v + .35*r.NormFloat64()
			return normal(r, 0, math.Exp(v), 2), 0
		}
	})
}

func tailWalk(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		return func(_ int, before []float64) ([]float64, int) {
			x := []float64{.6 * student(r, 3), .6 * student(r, 3)}
			for h := range x {
				if before != nil {
					x[h] += .7 * before[h]
				}
			}
			return x, 0
		}
	})
}

// weekWalk: what is seen hangs on the day of the week, and on the day a course begins.
func weekWalk(r *rand.Rand, n int) Walked {
	var day [7][]float64
	for d := range day {
		day[d] = dirichlet(r, 2, 8)
	}
	return symbolWalk(r, n, 8, func() func(int) (int, int) {
		return func(t int) (int, int) { return pick(r, day[t%7]), 0 }
	})
}

func trendWalk(r *rand.Rand, n int) Walked {
	p, load := uniform(r, .05, .4, 20), normal(r, 0, .8, 20)
	return setWalk(r, n, 20, func() func(int, []int) (func(int) float64, int) {
		at, speed := r.NormFloat64(), .05*r.NormFloat64()
		return func(t int, _ []int) (func(int) float64, int) {
			return func(h int) float64 { return logistic(logit(p[h]) + load[h]*(at+speed*float64(t))) }, 0
		}
	})
}

func stateTails(r *rand.Rand, n int) Walked {
	c, chain := apartCenters(r, 3, 3, 8), chainOf(r, 3, .8)
	return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
		next := chain()
		return func(int, []float64) ([]float64, int) {
			j, x := next(), make([]float64, 3)
			for h := range x {
				x[h] = c[j][h] + student(r, 4)
			}
			return x, j
		}
	})
}

func stateLevels(r *rand.Rand, n int) Walked {
	chain := chainOf(r, 2, .8)
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		next, u := chain(), normal(r, 0, .8, 2)
		return func(int, []float64) ([]float64, int) {
			j := next()
			return []float64{u[0] + 6*float64(j) + r.NormFloat64(), u[1] + r.NormFloat64()}, j
		}
	})
}

func stateSets(r *rand.Rand, n int) Walked {
	const d, k = 30, 3
	own, chain := normal(r, 0, 2, k*d), chainOf(r, k, .8)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		next, z := chain(), .6*r.NormFloat64()
		return func(int, []int) (func(int) float64, int) {
			j := next()
			return func(h int) float64 { return logistic(-1 + own[j*d+h] + z) }, j
		}
	})
}

func wrongSymbols(r *rand.Rand, n int) Walked {
	law, chain := apart(r, 3, 12, .9), chainOf(r, 3, .85)
	return symbolWalk(r, n, 12, func() func(int) (int, int) {
		next := chain()
		return func(int) (int, int) {
			j := next()
			if r.Float64() < .1 {
				return r.IntN(12), j
			}
			return pick(r, law[j]), j
		}
	})
}
