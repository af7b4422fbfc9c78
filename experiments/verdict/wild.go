package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
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
		var all []Case
		for _, n := range sizes {
			some, err := judgedAt(ctx, part{laws: list}, lab.Seeds(ctx, firstSeed(wildFrom), seeds), n)
			if err != nil {
				return err
			}
			all = append(all, some...)
		}
		laws(w, all, sizes)
		goals(w, all, sizes)
	}
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

func halo(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 14
		own, load, y := normal(r, 0, 1.8, k*d), uniform(r, .8, 2.2, d), labels(r, n, k, false)
		if k == 1 {
			clear(own)
		}
		middle, strength := normal(r, 0, .7, d), 1.6
		if k > 1 {
			strength = .6
		}
		general := make([]float64, n)
		for i := range general {
			general[i] = strength * (1 - r.ExpFloat64()) // most are pleased, some are not
		}
		out := answers(r, n, d, func(i, j int) float64 { return middle[j] + own[y[i]*d+j] + load[j]*general[i] })
		out.Labels = y
		return out
	}
}

// withParents are codes of three digits with the chapters that hold them.
func withParents(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const chapters, each = 10, 6
		const codes = chapters * each
		f, own, y := zipf(codes, .7, 5), make([]float64, k*codes), labels(r, n, k, false)
		for e := range own {
			if k > 1 && r.Float64() < .25 {
				own[e] = 2.5
			}
		}
		order := r.Perm(codes)
		amount := normal(r, 0, .6, n)
		out := presences(r, n, codes+chapters, func(i, j int) float64 {
			if j >= codes {
				return 0
			}
			return logistic(logit(min(f[order[j]], .6)) + own[y[i]*codes+j] + amount[i])
		})
		for i := range out.X {
			for j := range codes {
				if out.X[i][j] == 1 {
					out.X[i][codes+j/each] = 1
				}
			}
		}
		out.Labels = y
		return out
	}
}

func threeTraits(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 50
		base, y := normal(r, -1, .8, d), labels(r, n, k, false)
		own := normal(r, 0, 1.7, k*d)
		if k == 1 {
			clear(own)
		}
		var load [3][]float64
		for t := range load {
			load[t] = make([]float64, d)
			for j := range d {
				if j%3 == t || r.Float64() < .2 {
					load[t][j] = .8
				}
			}
		}
		at := make([][4]float64, n)
		for i := range at {
			for t := range at[i] {
				at[i][t] = r.NormFloat64()
			}
			at[i][3] *= .5
		}
		out := presences(r, n, d, func(i, j int) float64 {
			v := base[j] + own[y[i]*d+j] + at[i][3]
			for t := range load {
				v += load[t][j] * at[i][t]
			}
			return logistic(v)
		})
		out.Labels = y
		return out
	}
}

// countsOf draws counts with the given means.
func countsOf(r *rand.Rand, n, d int, system string, y []int, mean func(i, j int) float64) Draw {
	b := sparse.NewBuilder(d, false)
	for i := range n {
		var index []uint32
		var value []float32
		for j := range d {
			if v := poisson(r, mean(i, j)); v > 0 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		_ = b.Add(index, value)
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: system, Labels: y}
}

func lostCounts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 60
		base, lost, y := normal(r, .8, 1, d), uniform(r, .1, .6, d), labels(r, n, k, false)
		own := make([]float64, k*d)
		for e := range own {
			if k > 1 && r.Float64() < .35 {
				own[e] = 1.3 * r.NormFloat64()
			}
		}
		size := normal(r, 0, .8, n)
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			if r.Float64() < lost[j] {
				return 0
			}
			return math.Exp(base[j]+own[y[i]*d+j]+size[i]) * gamma(r, 2) / 2
		})
	}
}

func watched(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 30
		base, y := normal(r, -2, .8, d), labels(r, n, k, false)
		own := normal(r, 0, .9, k*d)
		if k == 1 {
			clear(own)
		}
		long := uniform(r, 0, math.Log(100), n)
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			return math.Exp(base[j]+own[y[i]*d+j]+long[i]) * gamma(r, 3) / 3
		})
	}
}

// cached are texts: a word is one of the document again, or one that follows the last,
// or a new one of the topic.
func cached(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const words, length = 700, 120
		common := zipf(words, 1, 1)
		topic := make([][]float64, k)
		for g := range topic {
			topic[g] = make([]float64, words)
			sum := 0.0
			for j := range topic[g] {
				v := 1.0
				if k > 1 {
					v = gamma(r, .4) / .4
				}
				topic[g][j] = common[j] * v
				sum += topic[g][j]
			}
			scale(topic[g], 1/sum)
		}
		next := r.Perm(words)
		y := labels(r, n, k, false)
		b := sparse.NewBuilder(words, false)
		for i := range n {
			count, said, last := make([]float32, words), []int{}, -1
			for range max(10, int(length*gamma(r, 2)/2)) {
				u, w := r.Float64(), 0
				switch {
				case last >= 0 && u < .25:
					w = said[r.IntN(len(said))]
				case last >= 0 && u < .45:
					w = next[last]
				default:
					w = pick(r, topic[y[i]])
				}
				count[w]++
				said, last = append(said, w), w
			}
			var index []uint32
			var value []float32
			for j, v := range count {
				if v > 0 {
					index, value = append(index, uint32(j)), append(value, v)
				}
			}
			_ = b.Add(index, value)
		}
		rows := b.Rows()
		return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Text, Labels: y}
	}
}

// chained are genotypes of two haplotypes, each a mosaic of eight old ones (Li and
// Stephens 2003): neighbouring loci go together.
func chained(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const loci, old, turn, drift = 300, 8, .2, .1
		y := labels(r, n, k, false)
		pool := make([][]bool, k*old)
		for h := range pool {
			pool[h] = make([]bool, loci)
		}
		for j := range loci {
			p := .1 + .8*r.Float64()
			for g := range k {
				q := p
				if k > 1 {
					f := (1 - drift) / drift
					a, b := gamma(r, p*f), gamma(r, (1-p)*f)
					q = a / (a + b + 1e-300)
				}
				for h := range old {
					pool[g*old+h][j] = r.Float64() < q
				}
			}
		}
		b := sparse.NewBuilder(loci, false)
		for i := range n {
			copies := make([]float32, loci)
			for range 2 {
				from := y[i]*old + r.IntN(old)
				for j := range loci {
					if r.Float64() < turn {
						from = y[i]*old + r.IntN(old)
					}
					if pool[from][j] != (r.Float64() < .02) {
						copies[j]++
					}
				}
			}
			var index []uint32
			var value []float32
			for j, v := range copies {
				if v > 0 {
					index, value = append(index, uint32(j)), append(value, v)
				}
			}
			_ = b.Add(index, value)
		}
		rows := b.Rows()
		return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Genotypes, Labels: y}
	}
}

// calendar are visits: weekday, quarter, sex, age, four values that go together, four
// flags; one value in ten is missing.
func calendar(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const reals, flags = 5, 6
		own := apartCenters(r, k, reals, 6)
		base, tilt, y := normal(r, -.5, .6, flags), normal(r, 0, 1.5, k*flags), labels(r, n, k, false)
		if k == 1 {
			clear(tilt)
		}
		l := correlations(r, reals)
		rows := sparse.Rows{Dim: reals + flags + 1 + 7 + 4}
		for i := range n {
			x, z := make([]float64, rows.Dim), normal(r, 0, 1, reals)
			for h := range z {
				z[h] += own[y[i]][h]
			}
			turned(x[:reals], l, z)
			x[0] = math.Round(50 + 10*x[0])
			x[1] = math.Exp(.5 * x[1])
			for f := range flags {
				if r.Float64() < logistic(base[f]+tilt[y[i]*flags+f]) {
					x[reals+f] = 1
				}
			}
			x[reals+flags] = float64(r.IntN(2))
			for h := range reals + flags {
				if r.Float64() < .1 {
					x[h] = math.NaN()
				}
			}
			day := min(r.IntN(8), 6)
			x[reals+flags+1+day] = 1
			x[reals+flags+8+r.IntN(4)] = 1
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range reals {
			out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Real, From: h, To: h + 1})
		}
		for h := reals; h <= reals+flags; h++ {
			out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Presence, From: h, To: h + 1})
		}
		at := reals + flags + 1
		out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Categorical, From: at, To: at + 7}, vocab.Column{Kind: vocab.Categorical, From: at + 7, To: at + 11})
		return out
	}
}

// charges are stays: costs with spikes at zero, flags and counts that one degree of
// illness moves.
func charges(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const costs, flags, counts = 3, 8, 2
		const d = costs + flags + counts
		own, load, base, y := normal(r, 0, 2, k*d), uniform(r, .3, 1, d), uniform(r, -1.2, .5, d), labels(r, n, k, false)
		if k == 1 {
			clear(own)
		}
		rows := sparse.Rows{Dim: d}
		for i := range n {
			x, ill := make([]float64, d), r.NormFloat64()
			for h := range x {
				v := base[h] + own[y[i]*d+h] + load[h]*ill
				switch {
				case h < costs:
					if r.Float64() < logistic(1+v) {
						x[h] = math.Exp(3 + .5*v + .5*r.NormFloat64())
					}
				case h < costs+flags:
					if r.Float64() < logistic(v) {
						x[h] = 1
					}
				default:
					x[h] = float64(poisson(r, min(2*math.Exp(.4*v)*gamma(r, 2)/2, 60)))
				}
			}
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range d {
			kind := vocab.Real
			switch {
			case h >= costs+flags:
				kind = vocab.Counts
			case h >= costs:
				kind = vocab.Presence
			}
			out.Columns = append(out.Columns, vocab.Column{Kind: kind, From: h, To: h + 1})
		}
		return out
	}
}
