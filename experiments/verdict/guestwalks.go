package verdict

import (
	"math"
	"math/rand/v2"
)

// GuestWalks are laws of sequences: none but the last has hidden states, and all differ
// by degree from sequence to sequence or along time. Where the next symbol hangs on those
// before, the symbols are the states.
func GuestWalks() []Walk {
	list := []Walk{
		{Name: "symbols, own rate of change", States: 6, draw: ownRate},
		{Name: "symbols, own likings", States: 1, draw: ownLikings},
		{Name: "symbols, the last two steps", States: 4, draw: twoBack},
		{Name: "symbols, a trend along time", States: 1, draw: symbolTrend},
		{Name: "sets, own amount", States: 1, draw: ownAmount},
		{Name: "sets, own pace along a course", States: 1, draw: ownPace},
		{Name: "numbers, the last two steps", States: 1, draw: valuesTwoBack},
		{Name: "numbers, own scatter", States: 1, draw: ownScatter},
		{Name: "symbols, 3 states, own rate of change", States: 3, draw: stateRates},
	}
	for i := range list {
		list[i].Name = "guest: " + list[i].Name
	}
	return list
}

// ownRate: a symbol is kept, or drawn anew; some sequences change often, some seldom.
func ownRate(r *rand.Rand, n int) Walked {
	const d = 6
	p := dirichlet(r, 3, d)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		now, keep := pick(r, p), logistic(.5+1.2*r.NormFloat64())
		return func(int) (int, int) {
			if r.Float64() > keep {
				now = pick(r, p)
			}
			return now, 0
		}
	})
}

// ownLikings: every sequence draws its steps by frequencies of its own, around common ones.
func ownLikings(r *rand.Rand, n int) Walked {
	const d = 6
	p := dirichlet(r, 3, d)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		own, sum := make([]float64, d), 0.0
		for h := range own {
			own[h] = gamma(r, 6*p[h])
			sum += own[h]
		}
		scale(own, 1/sum)
		return func(int) (int, int) { return pick(r, own), 0 }
	})
}

// twoBack: what comes next hangs on the last two symbols.
func twoBack(r *rand.Rand, n int) Walked {
	const d = 4
	next := make([][]float64, d*d)
	for i := range next {
		next[i] = dirichlet(r, .8, d)
	}
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		a, b := r.IntN(d), r.IntN(d)
		return func(int) (int, int) {
			a, b = b, pick(r, next[a*d+b])
			return b, 0
		}
	})
}

// symbolTrend: frequencies move from one end to another while time goes on.
func symbolTrend(r *rand.Rand, n int) Walked {
	const d = 6
	b, a := normal(r, 0, .7, d), normal(r, 0, .08, d)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		return func(t int) (int, int) {
			p, sum := make([]float64, d), 0.0
			for h := range p {
				p[h] = math.Exp(b[h] + a[h]*float64(t))
				sum += p[h]
			}
			scale(p, 1/sum)
			return pick(r, p), 0
		}
	})
}

func ownAmount(r *rand.Rand, n int) Walked {
	const d = 12
	b := normal(r, -1.5, .8, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		own := 1.2 * r.NormFloat64()
		return func(int, []int) (func(int) float64, int) {
			return func(h int) float64 { return logistic(b[h] + own) }, 0
		}
	})
}

// ownPace: all go the same way along one line, some faster.
func ownPace(r *rand.Rand, n int) Walked {
	const d = 12
	b, a := normal(r, -1.2, .7, d), normal(r, 0, 1, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		pace, from := .12*math.Exp(.5*r.NormFloat64()), -1+.5*r.NormFloat64()
		return func(t int, _ []int) (func(int) float64, int) {
			return func(h int) float64 { return logistic(b[h] + a[h]*(from+pace*float64(t))) }, 0
		}
	})
}

func valuesTwoBack(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		last, first := normal(r, 0, 1, 2), normal(r, 0, 1, 2)
		return func(int, []float64) ([]float64, int) {
			x := normal(r, 0, .6, 2)
			for h := range x {
				x[h] += 1.1*last[h] - .5*first[h]
			}
			first, last = last, x
			return x, 0
		}
	})
}

// ownScatter: sequences scatter more or less, by degrees.
func ownScatter(r *rand.Rand, n int) Walked {
	return valueWalk(r, n, 2, func() func(int, []float64) ([]float64, int) {
		sd := math.Exp(.5 * r.NormFloat64())
		return func(int, []float64) ([]float64, int) { return normal(r, 0, sd, 2), 0 }
	})
}

func stateRates(r *rand.Rand, n int) Walked {
	const k, d = 3, 7
	p := apart(r, k, d, .8)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		now, keep := r.IntN(k), logistic(1.8+.7*r.NormFloat64())
		return func(int) (int, int) {
			if r.Float64() > keep {
				now = r.IntN(k)
			}
			return pick(r, p[now]), now
		}
	})
}
