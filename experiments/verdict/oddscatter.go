package verdict

import (
	"math"
	"math/rand/v2"
)

// Records that lie widely around the others, as mistakes of measuring and rare cases do: they
// are no group, and hide none (decision 0081).
func oddScatter() []Law {
	return []Law{
		{Name: "measurements, one among scattered records", draw: strewn(.04, 6, strewnGroups(1, 5, 0))},
		{Name: "measurements, a crescent among scattered records", draw: strewn(.04, 3, crescent)},
		{Name: "measurements, 2 among scattered records", Groups: 2, draw: strewn(.02, 6, strewnGroups(2, 4, 6))},
		{Name: "measurements, 3 among scattered records", Groups: 3, draw: strewn(.05, 4, strewnGroups(3, 5, 6))},
		{Name: "measurements, 4 among many scattered records", Groups: 4, draw: strewn(.1, 3, strewnGroups(4, 6, 7))},
	}
}

// strewn moves a share of the records away, by so many deviations of all of them.
func strewn(share, by float64, of func(r *rand.Rand, n int) ([][]float64, []int)) func(r *rand.Rand, n int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := of(r, n)
		for h := range list[0] {
			mean, square := 0.0, 0.0
			for _, x := range list {
				mean += x[h] / float64(n)
			}
			for _, x := range list {
				square += (x[h] - mean) * (x[h] - mean) / float64(n)
			}
			for i := range int(share * float64(n)) { // which ones is of no account: they are drawn in no order
				list[i][h] += by * math.Sqrt(square) * r.NormFloat64()
			}
		}
		return measured(list, y)
	}
}

func strewnGroups(k, d int, apart float64) func(r *rand.Rand, n int) ([][]float64, []int) {
	return func(r *rand.Rand, n int) ([][]float64, []int) {
		own, y := apartCenters(r, k, d, apart), labels(r, n, k, false)
		list := make([][]float64, n)
		for i := range list {
			list[i] = normal(r, 0, 1, d)
			for h := range list[i] {
				list[i][h] += own[y[i]][h]
			}
		}
		return list, y
	}
}

func crescent(r *rand.Rand, n int) ([][]float64, []int) {
	list := make([][]float64, n)
	for i := range list {
		at, x := 4*r.Float64(), normal(r, 0, .4, 3)
		x[0] += 4 * math.Cos(at)
		x[1] += 4 * math.Sin(at)
		list[i] = x
	}
	return list, nil
}
