package verdict

import (
	"math"
	"math/rand/v2"
)

// LaterWalks are laws of sequences that were written after the rules of decision 0066
// were frozen; none was looked at before the table of seed 190001.
func LaterWalks() []Walk {
	list := []Walk{
		{Name: "symbols, a ladder, own rates", States: 5, draw: climbers},
		{Name: "symbols, days of the week, own likings", States: 1, draw: ownWeek},
		{Name: "sets, two traits of each sequence", States: 1, draw: twoTraits},
		{Name: "sets, wandering faster and slower", States: 1, draw: restless},
		{Name: "counts, a season for all, own amount", States: 1, draw: countSeason},
		{Name: "numbers, growth to an own ceiling", States: 1, draw: ceilings},
		{Name: "numbers, a random walk with errors", States: 1, draw: noisyWalk},
		{Name: "symbols, 3 states that last", States: 3, draw: lastingSymbols},
		{Name: "sets, 4 states that last", States: 4, draw: lastingFour},
		{Name: "counts, 3 states, own amount", States: 3, draw: countLevels},
		{Name: "numbers, 2 states, steps hang together inside", States: 2, Hard: true, draw: stickyStates},
	}
	for i := range list {
		list[i].Name = "later: " + list[i].Name
	}
	return list
}

// climbers: symbols are rungs; each sequence climbs at its own rate, and some slip.
func climbers(r *rand.Rand, n int) Walked {
	const d = 5
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		now, rate := 0, logistic(-1.5+.8*r.NormFloat64())
		return func(int) (int, int) {
			switch u := r.Float64(); {
			case u < rate:
				now = min(now+1, d-1)
			case u > .97:
				now = max(now-1, 0)
			}
			return now, now
		}
	})
}

func ownWeek(r *rand.Rand, n int) Walked {
	const d = 6
	var day [7][]float64
	for i := range day {
		day[i] = normal(r, 0, .8, d)
	}
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		own := normal(r, 0, .6, d)
		return func(t int) (int, int) {
			return pick(r, softmax(func(h int) float64 { return day[t%7][h] + own[h] }, d)), 0
		}
	})
}

func twoTraits(r *rand.Rand, n int) Walked {
	const d = 16
	b, a, c := normal(r, -1.2, .6, d), normal(r, 0, .9, d), normal(r, 0, .9, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		x, y := r.NormFloat64(), r.NormFloat64()
		return func(int, []int) (func(int) float64, int) {
			return func(h int) float64 { return logistic(b[h] + a[h]*x + c[h]*y) }, 0
		}
	})
}

// restless: some wander along the line faster than others.
func restless(r *rand.Rand, n int) Walked {
	const d = 14
	b, a := normal(r, -1, .7, d), normal(r, 0, 1, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		z, jolt := r.NormFloat64(), .3*math.Exp(.6*r.NormFloat64())
		return func(int, []int) (func(int) float64, int) {
			z = .95*z + jolt*r.NormFloat64()
			return func(h int) float64 { return logistic(b[h] + a[h]*z) }, 0
		}
	})
}

func countSeason(r *rand.Rand, n int) Walked {
	const d, round = 8, 10
	b, a := normal(r, .2, .6, d), normal(r, 0, .5, d)
	return countWalk(r, n, d, func() func(int) (func(int) float64, int) {
		own := .5 * r.NormFloat64()
		return func(t int) (func(int) float64, int) {
			z := math.Sin(2 * math.Pi * float64(t) / round)
			return func(h int) float64 { return math.Exp(b[h] + own + a[h]*z) }, 0
		}
	})
}

func ceilings(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		top, rate := 5+r.NormFloat64(), .12*math.Exp(.5*r.NormFloat64())
		return func(t int, _ []float64) ([]float64, int) {
			x := normal(r, 0, .5, 2)
			up := top * (1 - math.Exp(-rate*float64(t)))
			return []float64{up + x[0], .5*up + x[1]}, 0
		}
	})
}

func noisyWalk(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
		at := normal(r, 0, 1, 3)
		return func(int, []float64) ([]float64, int) {
			x, error := normal(r, 0, .4, 3), normal(r, 0, .8, 3)
			for h := range x {
				at[h] += x[h]
				x[h] = at[h] + error[h]
			}
			return x, 0
		}
	})
}

func lastingSymbols(r *rand.Rand, n int) Walked {
	law, chain := apart(r, 3, 9, .85), stays(r, 3)
	return symbolWalk(r, n, 9, func() func(int) (int, int) {
		next := chain()
		return func(int) (int, int) { j := next(); return pick(r, law[j]), j }
	})
}

func lastingFour(r *rand.Rand, n int) Walked {
	const d, k = 25, 4
	own, chain := normal(r, 0, 1.6, k*d), stays(r, k)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		next := chain()
		return func(int, []int) (func(int) float64, int) {
			j := next()
			return func(h int) float64 { return logistic(-1.3 + own[j*d+h]) }, j
		}
	})
}

func countLevels(r *rand.Rand, n int) Walked {
	const d, k = 10, 3
	b, chain := normal(r, .3, 1, k*d), chainOf(r, k, .8)
	return countWalk(r, n, d, func() func(int) (func(int) float64, int) {
		next, own := chain(), .5*r.NormFloat64()
		return func(int) (func(int) float64, int) {
			j := next()
			return func(h int) float64 { return math.Exp(b[j*d+h] + own) }, j
		}
	})
}

// stickyStates: inside a state, what is left over goes on from step to step.
func stickyStates(r *rand.Rand, n int) Walked {
	chain := chainOf(r, 2, .85)
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		next, e := chain(), normal(r, 0, 1, 2)
		return func(int, []float64) ([]float64, int) {
			j, x := next(), normal(r, 0, .87, 2)
			for h := range x {
				e[h] = .5*e[h] + x[h]
				x[h] = e[h] + 6*float64(j)
			}
			return x, j
		}
	})
}
