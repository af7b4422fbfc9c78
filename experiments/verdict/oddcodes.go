package verdict

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

func oddCodes() []Law {
	return []Law{
		{Name: "codes, exactly 5 of 40, steep weights", draw: exactly(1, 5, 40, 1.2)},
		{Name: "codes, exactly 10 of 30", draw: exactly(1, 10, 30, .8)},
		{Name: "codes, a ladder", draw: ladder(20, 2, .03)},
		{Name: "codes, neighbours on a grid", draw: grid},
		{Name: "codes, seasons", draw: seasons},
		{Name: "codes, a trend with tails of order 2", draw: shaped(func(r *rand.Rand) float64 { return student(r, 2) / 2 })},
		{Name: "codes, a third empty", draw: thirdEmpty},
		{Name: "codes, copies with errors", draw: copiedCodes(1)},
		{Name: "codes, a walk of purchases", draw: purchases(1)},
		{Name: "codes, 3, exactly 8 of 60", Groups: 3, draw: exactly(3, 8, 60, .6)},
		{Name: "codes, 4, neighbours alike inside", Groups: 4, draw: chainGroups},
		{Name: "codes, 3, copies with errors", Groups: 3, draw: copiedCodes(3)},
		{Name: "codes, 4, a walk of purchases", Groups: 4, draw: purchases(4)},
		{Name: "codes, 3, a ladder inside", Groups: 3, draw: ladderGroups},
		{Name: "codes, 2 of 95 and 5 %", Groups: 2, Hard: true, draw: fewCodes},
		{Name: "codes, 5, amounts of long tails", Groups: 5, draw: longAmounts},
		{Name: "codes, five tests, a steep trait", draw: steepTests},
		{Name: "codes, 2, five tests of an illness", Groups: 2, draw: illness(5)},
		{Name: "codes, 2, ten raters", Groups: 2, draw: illness(10)},
	}
}

// steepTests: tests that all measure one thing, by degree.
func steepTests(r *rand.Rand, n int) Draw {
	const d = 5
	b, t := normal(r, .3, .4, d), places(r, n, gauss)
	return presences(r, n, d, func(i, j int) float64 { return logistic(3*t[i] - b[j]) })
}

// illness: two in five are ill, whom nearly every test finds, and hardly one of the
// healthy.
func illness(d int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y := make([]int, n)
		for i := range y {
			if r.Float64() < .4 {
				y[i] = 1
			}
		}
		finds := uniform(r, .8, .95, d)
		out := presences(r, n, d, func(i, j int) float64 { return .08 + float64(y[i])*(finds[j]-.08) })
		out.Labels = y
		return out
	}
}

// exactly draws records of m codes each, without replacement, weights ∝ rank^−s, in
// groups with an order of their own.
func exactly(k, m, d int, s float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y, rank := labels(r, n, k, false), make([][]int, k)
		for g := range rank {
			rank[g] = r.Perm(d)
		}
		out := Draw{X: make([][]int8, n), Labels: y}
		order, luck := make([]int, d), make([]float64, d)
		for i := range out.X {
			for j := range d {
				order[j] = j
				luck[j] = -s*math.Log(float64(rank[y[i]][j]+1)) - math.Log(r.ExpFloat64())
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(luck[b], luck[a]) })
			out.X[i] = make([]int8, d)
			for _, j := range order[:m] {
				out.X[i][j] = 1
			}
		}
		return out
	}
}

// ladder: who has a step has those below it, but for some cells that are wrong (Guttman).
func ladder(d int, reach, wrong float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		step, at := uniform(r, -reach, reach, d), places(r, n, gauss)
		return presences(r, n, d, func(i, j int) float64 {
			if at[i] > step[j] {
				return 1 - wrong
			}
			return wrong
		})
	}
}

func ladderGroups(r *rand.Rand, n int) Draw {
	const d, k = 45, 3
	y, b, own := labels(r, n, k, false), normal(r, -.5, 1, d), normal(r, 0, 1.7, k*d)
	step, at := uniform(r, -2, 2, d), places(r, n, gauss)
	out := presences(r, n, d, func(i, j int) float64 {
		if j >= 12 {
			return logistic(b[j] + own[y[i]*d+j])
		}
		if at[i] > step[j] {
			return .95
		}
		return .05
	})
	out.Labels = y
	return out
}

// grid are features on a square of six by six, alike with their neighbours: a cell is
// drawn by its left and upper ones.
func grid(r *rand.Rand, n int) Draw {
	const side = 6
	b := normal(r, -.8, .4, side*side)
	out := Draw{X: make([][]int8, n)}
	for i := range out.X {
		x := make([]int8, side*side)
		for j := range x {
			v := b[j] - .8
			if j%side > 0 {
				v += 1.6 * float64(x[j-1])
			}
			if j >= side {
				v += 1.6 * float64(x[j-side])
			}
			if r.Float64() < logistic(v) {
				x[j] = 1
			}
		}
		out.X[i] = x
	}
	return out
}

// seasons: chances follow the time of the year, each feature at its own.
func seasons(r *rand.Rand, n int) Draw {
	const d = 36
	b, high, peak, at := normal(r, -1, .7, d), uniform(r, .3, 1.8, d), uniform(r, 0, 2*math.Pi, d), uniform(r, 0, 2*math.Pi, n)
	return presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + high[j]*math.Cos(at[i]-peak[j])) })
}

func thirdEmpty(r *rand.Rand, n int) Draw {
	p := zipf(50, .7, 5)
	t := normal(r, 0, .7, n)
	for i := range t {
		if r.Float64() < 1./3 {
			t[i] = -20
		}
	}
	return presences(r, n, 50, func(i, j int) float64 { return logistic(logit(p[j]) + t[i]) })
}

// copiedCodes are records of which half are copies of earlier ones, one cell in fifty
// changed.
func copiedCodes(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 40
		y, b, own := labels(r, n, k, false), normal(r, -1, 1, d), normal(r, 0, 1.6, k*d)
		if k == 1 {
			clear(own)
		}
		out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + own[y[i]*d+j]) })
		for i := 1; i < n; i++ {
			if r.Float64() < .5 {
				from := r.IntN(i)
				y[i] = y[from]
				for j, v := range out.X[from] {
					if r.Float64() < .02 {
						v = 1 - v
					}
					out.X[i][j] = v
				}
			}
		}
		out.Labels = y
		return out
	}
}

// purchases: what is bought leads to what is bought next, a walk of some steps.
func purchases(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 50
		y := labels(r, n, k, false)
		next, first := make([][]float64, d), make([][]float64, k)
		for j := range next {
			next[j] = dirichlet(r, .05, d)
		}
		for g := range first {
			first[g] = dirichlet(r, .15, d)
			if k == 1 {
				first[g] = dirichlet(r, .6, d)
			}
		}
		out := Draw{X: make([][]int8, n), Labels: y}
		for i := range out.X {
			x, last := make([]int8, d), -1
			for range 2 + poisson(r, 5) {
				if last >= 0 && r.Float64() < .3 {
					last = pick(r, next[last])
				} else {
					last = pick(r, first[y[i]])
				}
				x[last] = 1
			}
			out.X[i] = x
		}
		return out
	}
}

func chainGroups(r *rand.Rand, n int) Draw {
	const d, k = 48, 4
	y, b, own := labels(r, n, k, false), normal(r, -.8, .8, d), normal(r, 0, 1.9, k*d)
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + own[y[i]*d+j]) })
	for _, x := range out.X {
		for j := 1; j < len(x); j++ {
			if j%4 > 0 && r.Float64() < .35 {
				x[j] = x[j-1]
			}
		}
	}
	out.Labels = y
	return out
}

func fewCodes(r *rand.Rand, n int) Draw {
	const d = 40
	y, b, own := make([]int, n), normal(r, -1, 1, d), normal(r, 0, 2, 2*d)
	for i := range y {
		if r.Float64() < .05 {
			y[i] = 1
		}
	}
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + own[y[i]*d+j]) })
	out.Labels = y
	return out
}

func longAmounts(r *rand.Rand, n int) Draw {
	const d, k = 60, 5
	y, b, own, t := labels(r, n, k, false), normal(r, -1.5, 1, d), normal(r, 0, 1.5, k*d), places(r, n, logNormal)
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + own[y[i]*d+j] + .6*t[i]) })
	out.Labels = y
	return out
}

func oddAnswers() []Law {
	return []Law{
		{Name: "answers, a style of the middle", draw: middleStyle(1)},
		{Name: "answers, do not know, by person", draw: notKnowing(1)},
		{Name: "answers, two traits and a style", draw: twoTraitsStyle},
		{Name: "answers, the discontent do not answer", draw: silent(1)},
		{Name: "answers, one leads to the next", draw: anchored(1)},
		{Name: "answers, 3, a style of the middle", Groups: 3, draw: middleStyle(3)},
		{Name: "answers, 3, do not know, by person", Groups: 3, draw: notKnowing(3)},
		{Name: "answers, 4, the discontent do not answer", Groups: 4, draw: silent(4)},
		{Name: "answers, 3, one leads to the next", Groups: 3, draw: anchored(3)},
		{Name: "answers, five scales of four questions", draw: scales(5, 4, 0)},
		{Name: "answers, four scales that go together", draw: scales(4, 5, .3)},
	}
}

// scales: a questionnaire of several scales, each by some questions, that share a part
// of their variance.
func scales(k, each int, shared float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		b := normal(r, 0, .4, k*each)
		out := Draw{X: make([][]int8, n), Answers: 5}
		for i := range out.X {
			all, x := r.NormFloat64(), make([]int8, k*each)
			for s := range k {
				t := math.Sqrt(shared)*all + math.Sqrt(1-shared)*r.NormFloat64()
				for q := range each {
					x[s*each+q] = likert(b[s*each+q] + 2*t + noise(r))
				}
			}
			out.X[i] = x
		}
		return out
	}
}

func middleStyle(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 16
		y, b, own := labels(r, n, k, false), normal(r, 0, .9, d), normal(r, 0, 1.5, k*d)
		if k == 1 {
			clear(own)
		}
		out := Draw{X: make([][]int8, n), Answers: 5, Labels: y}
		for i := range out.X {
			style, trait := math.Exp(.6*r.NormFloat64()), .7*r.NormFloat64()
			x := make([]int8, d)
			for j := range x {
				x[j] = likert(style * (b[j] + own[y[i]*d+j] + trait + noise(r)))
			}
			out.X[i] = x
		}
		return out
	}
}

func notKnowing(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 15
		y, b, own := labels(r, n, k, false), normal(r, 0, .8, d), normal(r, 0, 1.6, k*d)
		if k == 1 {
			clear(own)
		}
		out := Draw{X: make([][]int8, n), Answers: 6, Labels: y}
		for i := range out.X {
			trait, lost := .8*r.NormFloat64(), logistic(-2.5+1.2*r.NormFloat64())
			x := make([]int8, d)
			for j := range x {
				x[j] = likert(b[j] + own[y[i]*d+j] + trait + noise(r))
				if r.Float64() < lost {
					x[j] = 5
				}
			}
			out.X[i] = x
		}
		return out
	}
}

func twoTraitsStyle(r *rand.Rand, n int) Draw {
	const d = 20
	b := normal(r, 0, .8, d)
	out := Draw{X: make([][]int8, n), Answers: 5}
	for i := range out.X {
		t, style := normal(r, 0, 1, 2), math.Exp(.4*r.NormFloat64())
		x := make([]int8, d)
		for j := range x {
			x[j] = likert(style * (b[j] + 1.2*t[j%2] + noise(r)))
		}
		out.X[i] = x
	}
	return out
}

// silent: the lower the trait, the more answers are missing.
func silent(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 14
		y, b, own, t := labels(r, n, k, false), normal(r, 0, .8, d), normal(r, 0, 1.7, k*d), places(r, n, gauss)
		if k == 1 {
			clear(own)
		}
		out := answers(r, n, d, func(i, j int) float64 { return b[j] + own[y[i]*d+j] + .8*t[i] })
		for i, x := range out.X {
			for j := range x {
				if r.Float64() < logistic(-2-1.2*t[i]-.5*float64(x[j])+1) {
					x[j] = -1
				}
			}
		}
		out.Labels = y
		return out
	}
}

// anchored: an answer is pulled to the one before it.
func anchored(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 16
		y, b, own := labels(r, n, k, false), normal(r, 0, .9, d), normal(r, 0, 1.8, k*d)
		if k == 1 {
			clear(own)
		}
		out := Draw{X: make([][]int8, n), Answers: 5, Labels: y}
		for i := range out.X {
			x, last := make([]int8, d), 0.0
			for j := range x {
				z := b[j] + own[y[i]*d+j] + .5*last + noise(r)
				x[j] = likert(z)
				last = float64(x[j]) - 2
			}
			out.X[i] = x
		}
		return out
	}
}
