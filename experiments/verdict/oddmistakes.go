package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/vocab"
)

// Records as they come: a digit typed wrong, a code for "unknown" that nobody declared,
// people who fill in a form without reading it. None of it is a group, nor hides one.
func oddMistakes() []Law {
	return []Law{
		{Name: "mistakes, one, points lost", draw: mistyped(.01, tenTimes, typedGroups(1, 5, 0))},
		{Name: "mistakes, one, 999 for unknown", draw: mistyped(.01, unknownCode, typedGroups(1, 6, 0))},
		{Name: "mistakes, one of skewed values, points lost", draw: mistyped(.01, tenTimes, typedSkewed)},
		{Name: "mistakes, 2, points lost", Groups: 2, draw: mistyped(.01, tenTimes, typedGroups(2, 4, 6))},
		{Name: "mistakes, 3, 999 for unknown", Groups: 3, draw: mistyped(.01, unknownCode, typedGroups(3, 5, 6))},
		{Name: "mistakes, 4, any of both", Groups: 4, draw: mistyped(.01, anyMistake, typedGroups(4, 6, 6))},
		{Name: "mistakes, one ward", draw: mistypedWard(ward{k: 1, severity: 1, flags: 8})},
		{Name: "mistakes, 3, a ward", Groups: 3, draw: mistypedWard(ward{k: 3, apart: 3, flags: 12})},
		{Name: "mistakes, one of a survey and ages", draw: mistypedPoll(poll{k: 1, items: 12, numbers: 2, attitude: 1})},
		{Name: "mistakes, 3, a survey and ages", Groups: 3, draw: mistypedPoll(poll{k: 3, items: 16, numbers: 3, apart: 2.5})},
		{Name: "careless, one, the same answer to all", draw: careless(1, sameAnswer)},
		{Name: "careless, one and some, the last answer to all", Groups: 2, Hard: true, draw: careless(1, lastAnswer)},
		{Name: "careless, 3, the same answer to all", Groups: 3, draw: careless(3, sameAnswer)},
		{Name: "careless, 3 and some, the last answer to all", Groups: 4, Hard: true, draw: careless(3, lastAnswer)},
		{Name: "levels, 3 of twenty questions", Groups: 3, draw: levels(3, 20, .06, .94)},
		{Name: "levels, 3 of twelve answers of five", Groups: 3, draw: answerLevels(12)},
		{Name: "levels, a ladder of six questions", draw: ladder(6, 1.5, .04)},
		{Name: "skewed, 2 of gamma values", Groups: 2, draw: gammaGroups},
		{Name: "skewed, one of gamma values", draw: gammaOne},
	}
}

// typedGroups are positive values of some units: groups that many deviations apart.
func typedGroups(k, d int, apart float64) func(r *rand.Rand, n int) ([][]float64, []int) {
	return func(r *rand.Rand, n int) ([][]float64, []int) {
		own, y, unit := apartCenters(r, k, d, apart), labels(r, n, k, false), uniform(r, 1, 20, d)
		list := make([][]float64, n)
		for i := range list {
			x := make([]float64, d)
			for h := range x {
				x[h] = math.Round(10*unit[h]*(12+own[y[i]][h]+r.NormFloat64())) / 10
			}
			list[i] = x
		}
		return list, y
	}
}

func typedSkewed(r *rand.Rand, n int) ([][]float64, []int) {
	const d = 5
	list, wide := make([][]float64, n), uniform(r, .2, .6, d)
	for i := range list {
		x, all := make([]float64, d), r.NormFloat64()
		for h := range x {
			x[h] = math.Round(100*math.Exp(3+wide[h]*(.6*all+.8*r.NormFloat64()))) / 100
		}
		list[i] = x
	}
	return list, nil
}

func tenTimes(*rand.Rand, float64) float64        { return 10 }
func unknownCode(_ *rand.Rand, x float64) float64 { return 999 / x }

func anyMistake(r *rand.Rand, x float64) float64 {
	return []float64{10, .1, -1, 100, 9999 / x}[r.IntN(5)]
}

// mistyped changes a share of all cells, each by itself.
func mistyped(share float64, times func(r *rand.Rand, x float64) float64, of func(r *rand.Rand, n int) ([][]float64, []int)) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := of(r, n)
		for _, x := range list {
			mistype(r, x, share, times)
		}
		return measured(list, y)
	}
}

func mistype(r *rand.Rand, x []float64, share float64, times func(r *rand.Rand, x float64) float64) {
	for h, v := range x {
		if r.Float64() < share && v == v && v != 0 {
			x[h] *= times(r, v)
		}
	}
}

// mistypedWard are records of a ward, of whose numbers three in a hundred are far off.
func mistypedWard(w ward) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw { return farOff(r, w.draw(r, n)) }
}

func mistypedPoll(s poll) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw { return farOff(r, s.draw(r, n)) }
}

// farOff moves three in a hundred of all numbers by many deviations.
func farOff(r *rand.Rand, d Draw) Draw {
	rows := d.Rows
	n := len(rows.Dense) / rows.Dim
	for _, c := range d.Columns {
		if c.Kind != vocab.Real {
			continue
		}
		sum, square, m := 0.0, 0.0, 0.0
		for i := range n {
			if v := rows.Dense[i*rows.Dim+c.From]; v == v {
				sum, square, m = sum+v, square+v*v, m+1
			}
		}
		sd := math.Sqrt(max(square/m-sum*sum/m/m, 0))
		for i := range n {
			if r.Float64() < .03 {
				rows.Dense[i*rows.Dim+c.From] += sd * (6 + 4*r.ExpFloat64())
			}
		}
	}
	return d
}

// sameAnswer is any of the answers: those who give one are too few to be a group.
func sameAnswer(r *rand.Rand) (answer int8, group bool) { return int8(r.IntN(5)), false }

func lastAnswer(*rand.Rand) (answer int8, group bool) { return 4, true }

// careless is a survey of which one in twenty gives one answer to all questions.
func careless(k int, answer func(r *rand.Rand) (int8, bool)) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 16
		y, b, own, t := labels(r, n, k, false), normal(r, 0, .9, d), normal(r, 0, 1.8, k*d), places(r, n, gauss)
		if k == 1 {
			clear(own)
		}
		out := answers(r, n, d, func(i, j int) float64 { return b[j] + own[y[i]*d+j] + .5*t[i] })
		for i, x := range out.X {
			if r.Float64() >= .05 {
				continue
			}
			v, group := answer(r)
			for j := range x {
				x[j] = v
			}
			if group {
				y[i] = k
			}
		}
		out.Labels = y
		return out
	}
}

// levels are groups that differ in the level of all questions alone.
func levels(k, d int, lo, hi float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y := labels(r, n, k, false)
		b := normal(r, 0, .2, d)
		out := presences(r, n, d, func(i, j int) float64 {
			return logistic(b[j] + logit(lo) + (logit(hi)-logit(lo))*float64(y[i])/float64(k-1))
		})
		out.Labels = y
		return out
	}
}

func answerLevels(d int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		y, b := labels(r, n, 3, false), normal(r, 0, .3, d)
		out := answers(r, n, d, func(i, j int) float64 { return b[j] + 3*float64(y[i]-1) })
		out.Labels = y
		return out
	}
}

func gammaOne(r *rand.Rand, n int) Draw {
	const d = 5
	list, shape := make([][]float64, n), uniform(r, 1, 3, d)
	for i := range list {
		list[i] = make([]float64, d)
		for h := range d {
			list[i][h] = 10 * gamma(r, shape[h])
		}
	}
	return measured(list, nil)
}

func gammaGroups(r *rand.Rand, n int) Draw {
	const d = 5
	y, shape, times := labels(r, n, 2, false), uniform(r, 1, 3, d), uniform(r, 3, 6, d)
	list := make([][]float64, n)
	for i := range list {
		list[i] = make([]float64, d)
		for h := range d {
			list[i][h] = 10 * gamma(r, shape[h])
			if y[i] == h%2 {
				list[i][h] *= times[h]
			}
		}
	}
	return measured(list, y)
}
