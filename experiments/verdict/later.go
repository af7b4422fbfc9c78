package verdict

import (
	"math"
	"math/rand/v2"
)

// LaterLaws were written after the rules were mended on the laws of records as they
// come, and looked at once.
func LaterLaws() []Law {
	list := []Law{
		{Name: "measurements, a floor and a ceiling", Groups: 1, draw: clipped(1)},
		{Name: "measurements, durations of whole hours in part", Groups: 1, draw: durations},
		{Name: "codes, two skewed traits", Groups: 1, draw: skewedTraits(1)},
		{Name: "mixed, visits that come again", Groups: 1, draw: revisits(1)},
		{Name: "measurements, tails and a limit of detection", Groups: 1, draw: tailsBelow(1)},
		{Name: "measurements, 3, a floor and a ceiling", Groups: 3, draw: clipped(3)},
		{Name: "codes, 3, two skewed traits inside", Groups: 3, draw: skewedTraits(3)},
		{Name: "codes, 6, two skewed traits inside", Groups: 6, draw: skewedTraits(6)},
		{Name: "mixed, 3, visits that come again", Groups: 3, draw: revisits(3)},
		{Name: "measurements, 4, tails and a limit of detection", Groups: 4, draw: tailsBelow(4)},
	}
	for i := range list {
		list[i].Name = "later: " + list[i].Name
	}
	return list
}

func clipped(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 6
		list, y := spreadCloud(r, n, k, d, 7)
		for h := range d {
			at := make([]float64, n)
			for i := range list {
				at[i] = list[i][h]
			}
			low, high := quantileOf(at, .1), quantileOf(at, .85)
			for i := range list {
				if h%2 == 0 {
					list[i][h] = min(max(list[i][h], low), high)
				}
			}
		}
		return measured(list, y)
	}
}

func durations(r *rand.Rand, n int) Draw {
	const d = 5
	list, _ := spreadCloud(r, n, 1, d, 0)
	for i := range list {
		for h, v := range list[i] {
			minutes := math.Round(60 * math.Exp(1+.7*v))
			if r.Float64() < .4 {
				minutes = 60 * max(math.Round(minutes/60), 1)
			}
			list[i][h] = minutes
		}
	}
	return measured(list, nil)
}

func skewedTraits(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 55
		base, y := normal(r, -1, .8, d), labels(r, n, k, false)
		own := normal(r, 0, 1.7, k*d)
		if k == 1 {
			clear(own)
		}
		first, second := normal(r, 0, .6, d), normal(r, 0, .6, d)
		at := make([][2]float64, n)
		for i := range at {
			at[i] = [2]float64{r.ExpFloat64() - 1, r.NormFloat64()}
		}
		out := presences(r, n, d, func(i, j int) float64 {
			return logistic(base[j] + own[y[i]*d+j] + first[j]*at[i][0] + second[j]*at[i][1])
		})
		out.Labels = y
		return out
	}
}

// revisits are visits of which a third is recorded twice or more.
func revisits(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		out := calendar(k)(r, n)
		d := out.Rows.Dim
		for i := 1; i < n; i++ {
			if r.Float64() < .33 {
				j := r.IntN(i)
				copy(out.Rows.Dense[i*d:][:d], out.Rows.Dense[j*d:][:d])
				out.Labels[i] = out.Labels[j]
			}
		}
		return out
	}
}

func tailsBelow(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		out := heavy(max(k, 2))(r, n) // tails of order 3
		if k == 1 {
			out.Labels = nil
			l := correlations(r, 6)
			list := make([][]float64, n)
			for i := range list {
				z, s := normal(r, 0, 1, 6), math.Sqrt(3/(2*gamma(r, 1.5)))
				scale(z, s)
				list[i] = make([]float64, 6)
				turned(list[i], l, z)
			}
			out = measured(list, nil)
		}
		d := out.Rows.Dim
		for h := range d {
			at := make([]float64, n)
			for i := range at {
				at[i] = out.Rows.Dense[i*d+h]
			}
			limit := quantileOf(at, .2)
			for i := range at {
				if at[i] < limit && h < d/2 {
					out.Rows.Dense[i*d+h] = limit
				}
			}
		}
		return out
	}
}
