package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func oddMeasured() []Law {
	return []Law{
		{Name: "measurements, joint tails and skewed margins", draw: jointTails},
		{Name: "measurements, 20 columns, each like the one before", draw: rowOfColumns},
		{Name: "measurements, the time of the year", draw: yearly},
		{Name: "measurements, own precision of every record", draw: ownPrecision},
		{Name: "measurements, even in a box", draw: box},
		{Name: "measurements, a simplex", draw: simplex},
		{Name: "measurements, answers from 1 to 7", draw: scaled(1)},
		{Name: "measurements, growth with age", draw: growth},
		{Name: "measurements, two columns that are sums", draw: sums(1)},
		{Name: "measurements, the highest are missing", draw: lostHigh(1)},
		{Name: "measurements, two devices of other units' noise", draw: devices},
		{Name: "measurements, 3, skewed and correlated", Groups: 3, draw: skewedGroups},
		{Name: "measurements, 3, answers from 1 to 7", Groups: 3, draw: scaled(3)},
		{Name: "measurements, 3, the highest are missing", Groups: 3, draw: lostHigh(3)},
		{Name: "measurements, 4, two columns that are sums", Groups: 4, draw: sums(4)},
		{Name: "measurements, 2 of 97 and 3 %", Groups: 2, Hard: true, draw: fewApart},
		{Name: "measurements, 5 in 5 of 30 columns", Groups: 5, draw: fiveOfThirty},
		{Name: "measurements, 3 that grow with age", Groups: 3, draw: growingGroups},
		{Name: "measurements, 6, own precision of every record", Groups: 6, draw: precisionGroups},
	}
}

// jointTails: a Student copula of order 3 under log-normal and gamma margins.
func jointTails(r *rand.Rand, n int) Draw {
	const d = 6
	l, power := correlations(r, d), uniform(r, .2, 1, d)
	list := make([][]float64, n)
	for i := range list {
		z, s := normal(r, 0, 1, d), math.Sqrt(3/(2*gamma(r, 1.5)))
		x := make([]float64, d)
		turned(x, l, z)
		for h := range x {
			v := x[h] * s / (1 + math.Abs(x[h]*s)/6) // tails that joint extremes make, bounded
			x[h] = math.Exp(power[h] * v)
		}
		list[i] = x
	}
	return measured(list, nil)
}

func rowOfColumns(r *rand.Rand, n int) Draw {
	const d = 20
	list := make([][]float64, n)
	for i := range list {
		x := make([]float64, d)
		for h := range x {
			x[h] = r.NormFloat64()
			if h > 0 {
				x[h] = .9*x[h-1] + .44*x[h]
			}
		}
		list[i] = x
	}
	return measured(list, nil)
}

func yearly(r *rand.Rand, n int) Draw {
	const d = 7
	peak, high := uniform(r, 0, 2*math.Pi, d), uniform(r, .5, 2.5, d)
	list := make([][]float64, n)
	for i := range list {
		at, x := 2*math.Pi*r.Float64(), normal(r, 0, 1, d)
		for h := range x {
			x[h] += high[h] * math.Cos(at-peak[h])
		}
		list[i] = x
	}
	return measured(list, nil)
}

func ownPrecision(r *rand.Rand, n int) Draw {
	const d = 5
	l := correlations(r, d)
	list := make([][]float64, n)
	for i := range list {
		z := normal(r, 0, math.Exp(.9*r.NormFloat64()), d)
		list[i] = make([]float64, d)
		turned(list[i], l, z)
	}
	return measured(list, nil)
}

func box(r *rand.Rand, n int) Draw {
	list := make([][]float64, n)
	for i := range list {
		list[i] = uniform(r, 0, 1, 4)
	}
	return measured(list, nil)
}

func simplex(r *rand.Rand, n int) Draw {
	ends := apartCenters(r, 4, 6, 5)
	list := make([][]float64, n)
	for i := range list {
		x, s := normal(r, 0, .4, 6), dirichlet(r, .8, 4)
		for g, c := range ends {
			for h := range x {
				x[h] += s[g] * c[h]
			}
		}
		list[i] = x
	}
	return measured(list, nil)
}

// scaled are answers from 1 to 7 that were read as numbers.
func scaled(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := spreadCloud(r, n, k, 10, 6)
		shift := normal(r, 0, .5, 10)
		for i := range list {
			for h, v := range list[i] {
				list[i][h] = min(max(math.Round(4+shift[h]+.9*v), 1), 7)
			}
		}
		return measured(list, y)
	}
}

// grown moves values along a curve by age.
func grown(r *rand.Rand, x []float64, top, speed []float64, age float64) {
	for h := range x {
		x[h] += top[h] / (1 + math.Exp(-speed[h]*age))
	}
}

func growth(r *rand.Rand, n int) Draw {
	const d = 6
	top, speed := normal(r, 0, 5, d), uniform(r, .5, 3, d)
	list := make([][]float64, n)
	for i := range list {
		list[i] = normal(r, 0, .5, d)
		grown(r, list[i], top, speed, 1.5*r.NormFloat64())
	}
	return measured(list, nil)
}

func growingGroups(r *rand.Rand, n int) Draw {
	const d, k = 6, 3
	top, speed, own, y := normal(r, 0, 3, d), uniform(r, .5, 3, d), apartCenters(r, k, d, 7), labels(r, n, k, false)
	list := make([][]float64, n)
	for i := range list {
		list[i] = normal(r, 0, .8, d)
		for h := range d {
			list[i][h] += own[y[i]][h]
		}
		grown(r, list[i], top, speed, 1.5*r.NormFloat64())
	}
	return measured(list, y)
}

// sums are columns of which two are the sum of others, one of them rounded.
func sums(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := spreadCloud(r, n, k, 5, 7)
		for i, x := range list {
			list[i] = append(x, x[0]+x[1], math.Round(10*(x[2]+x[3]-x[4]))/10)
		}
		return measured(list, y)
	}
}

// blanked are measurements with cells that are not there.
func blanked(list [][]float64, y []int) Draw {
	d := len(list[0])
	rows := sparse.Rows{Dim: d}
	for _, x := range list {
		rows.Dense = append(rows.Dense, x...)
	}
	out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
	for h := range d {
		out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Real, From: h, To: h + 1})
	}
	return out
}

// lostHigh: the higher a value of some columns, the more often it is missing.
func lostHigh(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := spreadCloud(r, n, k, 7, 7)
		for i := range list {
			for h := range 3 {
				if r.Float64() < logistic(-2+1.2*list[i][h]/(1+float64(k)/2)) {
					list[i][h] = math.NaN()
				}
			}
		}
		return blanked(list, y)
	}
}

// devices: half of the records were measured with three times the noise.
func devices(r *rand.Rand, n int) Draw {
	list, _ := spreadCloud(r, n, 1, 6, 0)
	for i := range list {
		s := .3
		if r.Float64() < .5 {
			s = 1
		}
		for h := range list[i] {
			list[i][h] = 2*list[i][h] + s*r.NormFloat64()
		}
	}
	return measured(list, nil)
}

func skewedGroups(r *rand.Rand, n int) Draw {
	list, y := spreadCloud(r, n, 3, 6, 8)
	power := uniform(r, .1, .25, 6)
	for i := range list {
		for h := range list[i] {
			list[i][h] = math.Exp(power[h] * list[i][h])
		}
	}
	return measured(list, y)
}

func fewApart(r *rand.Rand, n int) Draw {
	const d = 6
	c, y := apartCenters(r, 2, d, 8), make([]int, n)
	list := make([][]float64, n)
	for i := range list {
		if r.Float64() < .03 {
			y[i] = 1
		}
		list[i] = normal(r, 0, 1, d)
		for h := range d {
			list[i][h] += c[y[i]][h]
		}
	}
	return measured(list, y)
}

func fiveOfThirty(r *rand.Rand, n int) Draw {
	list, y := spreadCloud(r, n, 5, 5, 7)
	for i := range list {
		common := r.NormFloat64()
		for range 25 {
			list[i] = append(list[i], r.NormFloat64()+.6*common)
		}
	}
	return measured(list, y)
}

func precisionGroups(r *rand.Rand, n int) Draw {
	const d, k = 6, 6
	c, y := apartCenters(r, k, d, 9), labels(r, n, k, false)
	list := make([][]float64, n)
	for i := range list {
		list[i] = normal(r, 0, math.Exp(.4*r.NormFloat64()), d)
		for h := range d {
			list[i][h] += c[y[i]][h]
		}
	}
	return measured(list, y)
}
