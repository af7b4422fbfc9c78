package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
)

// wildFrom is the first seed of the laws of records as they come.
const wildFrom = 95001

// Wild prints the table of laws of records as they come: tails, halos, lost counts,
// limits of detection, rounding, spikes, copies, weekdays. Seeds 94001 and 94002 were
// looked at while the rules were mended; the laws of LaterLaws were written after that.
// Full uses six seeds, and 20,000 records.
func Wild(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 2, []int{200, 500, 2000}
	if full {
		seeds, sizes = 6, append(sizes, 20000)
	}
	for _, list := range [][]Law{append(WildSingles(), WildGroups()...), LaterLaws()} {
		if err := tabled(ctx, w, list, seedsFrom(ctx, wildFrom, seeds), sizes); err != nil {
			return err
		}
	}
	return nil
}

// tabled judges laws in several numbers of records, and prints what is claimed of each
// and what all of it comes to.
func tabled(ctx context.Context, w io.Writer, list []Law, seeds []uint64, sizes []int) error {
	var all []Case
	for _, n := range sizes {
		some, err := judgedAt(ctx, part{laws: list}, seeds, n)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	laws(w, all, sizes)
	goals(w, all, sizes)
	return nil
}

// WildSingles are single populations.
func WildSingles() []Law {
	laws := []Law{
		{Name: "measurements, tails of order 2", draw: heavy(1)},
		{Name: "measurements, a third below a limit of detection", draw: detected(1, .33)},
		{Name: "measurements, whole numbers with a liking for 5 and 10", draw: rounds(1)},
		{Name: "measurements, spikes at zero", draw: spikes(1)},
		{Name: "measurements, some copied many times", draw: copied(1)},
		{Name: "measurements, shares of a whole", draw: shares(1)},
		{Name: "measurements, a half circle in six columns", draw: bow},
		{Name: "answers, a strong halo", draw: halo(1)},
		{Name: "codes with their parents, amounts", draw: withParents(1)},
		{Name: "codes, three traits and an amount", draw: threeTraits(1)},
		{Name: "counts, lost ones and amounts", draw: lostCounts(1)},
		{Name: "counts, times of watching from 1 to 100", draw: watched(1)},
		{Name: "texts, words that come again and lead to others", draw: cached(1)},
		{Name: "genotypes, chains of loci", draw: chained(1)},
		{Name: "mixed, weekdays, months, blanks", draw: calendar(1)},
		{Name: "mixed, flags and spikes by severity", draw: charges(1)},
	}
	return wildKinds(laws, 1)
}

// WildGroups are sets of groups.
func WildGroups() []Law {
	return wildKinds([]Law{
		{Name: "measurements, 3, tails of order 3", Groups: 3, draw: heavy(3)},
		{Name: "measurements, 3, a limit of detection", Groups: 3, draw: detected(3, .15)},
		{Name: "measurements, 4, whole numbers", Groups: 4, draw: rounds(4)},
		{Name: "measurements, 3, spikes at zero", Groups: 3, Hard: true, draw: spikes(3)},
		{Name: "measurements, 3, copies", Groups: 3, draw: copied(3)},
		{Name: "measurements, 3, shares of a whole", Groups: 3, draw: shares(3)},
		{Name: "answers, 3, a halo", Groups: 3, draw: halo(3)},
		{Name: "codes, 4, with their parents", Groups: 4, draw: withParents(4)},
		{Name: "codes, 4, three traits inside", Groups: 4, draw: threeTraits(4)},
		{Name: "counts, 4, lost ones and amounts", Groups: 4, draw: lostCounts(4)},
		{Name: "counts, 3, times of watching", Groups: 3, draw: watched(3)},
		{Name: "texts, 4, words that come again", Groups: 4, draw: cached(4)},
		{Name: "genotypes, 3, chains of loci", Groups: 3, draw: chained(3)},
		{Name: "mixed, 3, weekdays, blanks", Groups: 3, draw: calendar(3)},
		{Name: "mixed, 3, flags and spikes", Groups: 3, draw: charges(3)},
	}, 0)
}

func wildKinds(list []Law, groups int) []Law {
	for i := range list {
		if groups > 0 {
			list[i].Groups = groups
		}
		list[i].Name = "wild: " + list[i].Name
	}
	return list
}

// apartCenters are k centers whose nearest two are so far apart.
func apartCenters(r *rand.Rand, k, d int, apart float64) [][]float64 {
	for {
		c := make([][]float64, k)
		for g := range c {
			c[g] = normal(r, 0, 1, d)
		}
		least, most := math.Inf(1), 0.0
		for g := range c {
			for h := range g {
				v := distance(c[g], c[h])
				least, most = min(least, v), max(most, v)
			}
		}
		if k == 1 {
			return c
		}
		if least > .4*most {
			for g := range c {
				scale(c[g], apart/least)
			}
			return c
		}
	}
}

// spreadCloud draws correlated normal clouds around k centers.
func spreadCloud(r *rand.Rand, n, k, d int, apart float64) ([][]float64, []int) {
	l, c, y := correlations(r, d), apartCenters(r, k, d, apart), labels(r, n, k, false)
	list := make([][]float64, n)
	for i := range list {
		z := normal(r, 0, 1, d)
		for h := range z {
			z[h] += c[y[i]][h]
		}
		list[i] = make([]float64, d)
		turned(list[i], l, z)
	}
	return list, y
}

func heavy(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 6
		df := 2.0
		if k > 1 {
			df = 3
		}
		c, y := apartCenters(r, k, d, 9), labels(r, n, k, false)
		l := correlations(r, d)
		list := make([][]float64, n)
		for i := range list {
			z, s := normal(r, 0, 1, d), math.Sqrt(df/(2*gamma(r, df/2)))
			for h := range z {
				z[h] = s*z[h] + c[y[i]][h]
			}
			list[i] = make([]float64, d)
			turned(list[i], l, z)
		}
		return measured(list, y)
	}
}

func detected(k int, share float64) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 6
		list, y := spreadCloud(r, n, k, d, 7)
		for h := range d {
			if h%2 == 1 && k > 1 { // some columns are seen whole
				continue
			}
			at := make([]float64, n)
			for i := range list {
				at[i] = list[i][h]
			}
			limit := quantileOf(at, share)
			for i := range list {
				list[i][h] = math.Exp(.6 * list[i][h])
				if at[i] < limit {
					list[i][h] = math.Exp(.6*limit) / 2
				}
			}
		}
		return measured(list, y)
	}
}

func quantileOf(list []float64, p float64) float64 {
	s := append([]float64(nil), list...)
	slices.Sort(s)
	return s[int(p*float64(len(s)-1))]
}

func rounds(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := spreadCloud(r, n, k, 6, 7)
		for i := range list {
			for h, v := range list[i] {
				x := math.Round(10 + 4*v)
				if r.Float64() < .3 {
					x = 5 * math.Round(x/5)
				}
				list[i][h] = x
			}
		}
		return measured(list, y)
	}
}

// spikes are costs: nothing for many, by an amount of use, and skewed for the others.
func spikes(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 7
		base, load, y := uniform(r, -.5, 1.5, d), uniform(r, .3, 1, d), labels(r, n, k, false)
		own := apartCenters(r, k, d, 5)
		list := make([][]float64, n)
		for i := range list {
			use, x := r.NormFloat64(), make([]float64, d)
			for h := range x {
				move := load[h]*use + .6*own[y[i]][h]
				if r.Float64() < logistic(base[h]+.7*move) {
					x[h] = math.Exp(2 + move + .4*r.NormFloat64())
				}
			}
			list[i] = x
		}
		return measured(list, y)
	}
}

func copied(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		list, y := spreadCloud(r, n, k, 5, 7)
		for i := 1; i < n; i++ {
			if r.Float64() < .5 { // a copy of an earlier one
				j := r.IntN(i)
				list[i], y[i] = list[j], y[j]
			}
		}
		return measured(list, y)
	}
}

func shares(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 7
		base, own, y := normal(r, 1, .7, d), apartCenters(r, k, d, 4), labels(r, n, k, false)
		list := make([][]float64, n)
		for i := range list {
			x, sum := make([]float64, d), 0.0
			for h := range x {
				x[h] = gamma(r, 2*math.Exp(base[h]+.6*own[y[i]][h]*min(float64(k-1), 1)))
				sum += x[h]
			}
			scale(x, 1/sum)
			list[i] = x
		}
		return measured(list, y)
	}
}

func bow(r *rand.Rand, n int) Draw {
	const d = 6
	l := correlations(r, d)
	list := make([][]float64, n)
	for i := range list {
		z, a := normal(r, 0, .35, d), math.Pi*r.Float64()
		z[0] += 3 * math.Cos(a)
		z[1] += 3 * math.Sin(a)
		list[i] = make([]float64, d)
		turned(list[i], l, z)
	}
	return measured(list, nil)
}
