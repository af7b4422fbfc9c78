package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// pacedFrom is the first seed of the table of paces; nothing was chosen by it.
const pacedFrom = 190001

// Paces prints the table of sequences that have no states, or fewer than they seem to:
// courses that each passes at its own pace, wanderings, seasons, stays of a certain
// length, own rates and scatter. Full uses ten seeds.
func Paces(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{60, 400}
	if full {
		seeds = 10
	}
	var all []Case
	for _, n := range sizes {
		all = append(all, part{name: "paces", walks: append(PaceWalks(), LaterWalks()...)}.draws(seedsFrom(ctx, pacedFrom, seeds), n)...)
	}
	if err := judgeAll(ctx, all); err != nil {
		return err
	}
	all = done(all)
	slices.SortStableFunc(all, byLaw)
	laws(w, all, sizes)
	goals(w, all, sizes)
	return nil
}

// PaceWalks are laws that were looked at on seeds 301 to 310 while the rivals of
// sequences were made.
func PaceWalks() []Walk {
	list := []Walk{
		{Name: "symbols, own pace along a course", States: 1, draw: symbolPace},
		{Name: "symbols, stays of a certain length", States: 4, draw: symbolStays},
		{Name: "symbols, the last three steps", States: 3, draw: threeBack},
		{Name: "sets, a course with a middle, own pace", States: 1, draw: middlePace},
		{Name: "sets, wandering along a line", States: 1, draw: setWander},
		{Name: "sets, a season with its own begin", States: 1, draw: ownSeason},
		{Name: "numbers, a curve at its own pace", States: 1, draw: curvePace},
		{Name: "counts, own amount", States: 1, draw: countAmount},
		{Name: "counts, wandering along a line", States: 1, draw: countWander},
		{Name: "counts, 3 states", States: 3, draw: countStates},
		{Name: "numbers, 3 states that last", States: 3, draw: lastingStates},
		{Name: "sets, 3 states that last", States: 3, draw: lastingSets},
		{Name: "numbers, 3 states, columns that go together", States: 3, draw: tiltedStates},
	}
	for i := range list {
		list[i].Name = "pace: " + list[i].Name
	}
	return list
}

// softmax are the chances of symbols by their log-odds.
func softmax(of func(h int) float64, d int) []float64 {
	p, sum := make([]float64, d), 0.0
	for h := range p {
		p[h] = math.Exp(of(h))
		sum += p[h]
	}
	scale(p, 1/sum)
	return p
}

func symbolPace(r *rand.Rand, n int) Walked {
	const d = 6
	b, a := normal(r, 0, .7, d), normal(r, 0, 1.2, d)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		from, pace := -1.5+.5*r.NormFloat64(), .15*math.Exp(.4*r.NormFloat64())
		return func(t int) (int, int) {
			return pick(r, softmax(func(h int) float64 { return b[h] + a[h]*(from+pace*float64(t)) }, d)), 0
		}
	})
}

func symbolStays(r *rand.Rand, n int) Walked {
	const d = 4
	long := uniform(r, 2, 7, d)
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		now := r.IntN(d)
		left := 1 + r.IntN(int(long[now])+1)
		return func(int) (int, int) {
			if left == 0 {
				now = (now + 1 + r.IntN(d-1)) % d
				left = 1 + int(long[now]+r.NormFloat64())
			}
			left--
			return now, now
		}
	})
}

func threeBack(r *rand.Rand, n int) Walked {
	const d = 3
	next := make([][]float64, d*d*d)
	for i := range next {
		next[i] = dirichlet(r, .8, d)
	}
	return symbolWalk(r, n, d, func() func(int) (int, int) {
		a, b, c := r.IntN(d), r.IntN(d), r.IntN(d)
		return func(int) (int, int) {
			a, b, c = b, c, pick(r, next[(a*d+b)*d+c])
			return c, c
		}
	})
}

// middlePace: every feature has its own time on the course.
func middlePace(r *rand.Rand, n int) Walked {
	const d = 15
	at, wide := uniform(r, -2, 2, d), uniform(r, .7, 1.5, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		from, pace := -2+.5*r.NormFloat64(), .2*math.Exp(.4*r.NormFloat64())
		return func(t int, _ []int) (func(int) float64, int) {
			z := from + pace*float64(t)
			return func(h int) float64 { x := (z - at[h]) / wide[h]; return .05 + .6*math.Exp(-x*x/2) }, 0
		}
	})
}

func setWander(r *rand.Rand, n int) Walked {
	const d = 15
	b, a := normal(r, -1.2, .7, d), normal(r, 0, 1, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		z := r.NormFloat64()
		return func(int, []int) (func(int) float64, int) {
			z = .9*z + .44*r.NormFloat64()
			return func(h int) float64 { return logistic(b[h] + a[h]*z) }, 0
		}
	})
}

func ownSeason(r *rand.Rand, n int) Walked {
	const d, round = 15, 12
	b, a := normal(r, -1.2, .7, d), normal(r, 0, 1, d)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		begin := 2 * math.Pi * r.Float64()
		return func(t int, _ []int) (func(int) float64, int) {
			z := 1.4 * math.Sin(begin+2*math.Pi*float64(t)/round)
			return func(h int) float64 { return logistic(b[h] + a[h]*z) }, 0
		}
	})
}

func curvePace(r *rand.Rand, n int) Walked {
	const d = 3
	at, up := uniform(r, -1, 1, d), normal(r, 0, 3, d)
	return valueWalk(r, n, d, func() func(int, []float64) ([]float64, int) {
		from, pace := -2+.5*r.NormFloat64(), .2*math.Exp(.4*r.NormFloat64())
		return func(t int, _ []float64) ([]float64, int) {
			x := normal(r, 0, .6, d)
			for h := range x {
				x[h] += up[h] * logistic(2*(from+pace*float64(t)-at[h]))
			}
			return x, 0
		}
	})
}

// countWalk draws counts with means mean(state, feature).
func countWalk(r *rand.Rand, n, d int, begin func() func(t int) (mean func(h int) float64, state int)) Walked {
	out := Walked{Dim: d}
	for range n {
		next := begin()
		var s [][]float64
		var l []int
		for t := range length(r) {
			mean, state := next(t)
			row := make([]float64, d)
			for h := range row {
				row[h] = float64(poisson(r, mean(h)))
			}
			s, l = append(s, row), append(l, state)
		}
		out.Counts, out.Labels = append(out.Counts, s), append(out.Labels, l)
	}
	return out
}

func countAmount(r *rand.Rand, n int) Walked {
	const d = 10
	b := normal(r, 0, .7, d)
	return countWalk(r, n, d, func() func(int) (func(int) float64, int) {
		own := .7 * r.NormFloat64()
		return func(int) (func(int) float64, int) {
			return func(h int) float64 { return math.Exp(b[h] + own) }, 0
		}
	})
}

func countWander(r *rand.Rand, n int) Walked {
	const d = 10
	b, a := normal(r, 0, .7, d), normal(r, 0, .5, d)
	return countWalk(r, n, d, func() func(int) (func(int) float64, int) {
		z := r.NormFloat64()
		return func(int) (func(int) float64, int) {
			z = .9*z + .44*r.NormFloat64()
			return func(h int) float64 { return math.Exp(b[h] + a[h]*z) }, 0
		}
	})
}

func countStates(r *rand.Rand, n int) Walked {
	const d, k = 10, 3
	b, chain := normal(r, .3, 1, k*d), chainOf(r, k, .8)
	return countWalk(r, n, d, func() func(int) (func(int) float64, int) {
		next := chain()
		return func(int) (func(int) float64, int) {
			j := next()
			return func(h int) float64 { return math.Exp(b[j*d+h]) }, j
		}
	})
}

// stays is a chain of states that each last for a time of their own, not too short.
func stays(r *rand.Rand, k int) func() func() int {
	long := uniform(r, 4, 8, k)
	return func() func() int {
		now := r.IntN(k)
		left := 1 + r.IntN(int(long[now]))
		return func() int {
			if left == 0 {
				now = (now + 1 + r.IntN(k-1)) % k
				left = max(1, int(long[now]+1.2*r.NormFloat64()))
			}
			left--
			return now
		}
	}
}

func lastingStates(r *rand.Rand, n int) Walked {
	c, chain := apartCenters(r, 3, 3, 5), stays(r, 3)
	return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
		next := chain()
		return func(int, []float64) ([]float64, int) {
			j, x := next(), normal(r, 0, 1, 3)
			for h := range x {
				x[h] += c[j][h]
			}
			return x, j
		}
	})
}

func lastingSets(r *rand.Rand, n int) Walked {
	const d, k = 20, 3
	own, chain := normal(r, 0, 1.5, k*d), stays(r, k)
	return setWalk(r, n, d, func() func(int, []int) (func(int) float64, int) {
		next := chain()
		return func(int, []int) (func(int) float64, int) {
			j := next()
			return func(h int) float64 { return logistic(-1.2 + own[j*d+h]) }, j
		}
	})
}

func tiltedStates(r *rand.Rand, n int) Walked {
	c, chain, tilt := apartCenters(r, 3, 3, 7), chainOf(r, 3, .8), normal(r, 0, 1, 3)
	return valueWalk(r, n, 3, func() func(int, []float64) ([]float64, int) {
		next := chain()
		return func(int, []float64) ([]float64, int) {
			j, x, u := next(), normal(r, 0, .6, 3), r.NormFloat64()
			for h := range x {
				x[h] += c[j][h] + 1.3*u*tilt[h]
			}
			return x, j
		}
	})
}
