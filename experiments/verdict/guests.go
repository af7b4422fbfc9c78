package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// guestFrom is the first seed of the table of guests; 162001 was looked at while rules
// were mended.
const guestFrom = 163001

// Guests prints the table of laws that were written last, of every kind and of
// sequences: no rule was made for them. Full uses six seeds.
func Guests(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes, lengths := 1, []int{500, 2000}, []int{60, 400}
	if full {
		seeds = 6
	}
	list := seedsFrom(ctx, guestFrom, seeds)
	var all []Case
	for _, n := range sizes {
		all = append(all, part{name: "guests", laws: GuestLaws()}.draws(list, n)...)
	}
	for _, n := range lengths {
		all = append(all, part{name: "guests", walks: GuestWalks()}.draws(list, n)...)
	}
	if err := judgeAll(ctx, all); err != nil {
		return err
	}
	all = done(all)
	slices.SortStableFunc(all, byLaw)
	laws(w, all, append(sizes, lengths...))
	goals(w, all, append(sizes, lengths...))
	return nil
}

// GuestLaws are those of records.
func GuestLaws() []Law {
	list := []Law{
		{Name: "codes, packages that come whole", draw: packages},
		{Name: "codes, 12 of Zipf's sizes", Groups: 12, Hard: true, draw: zipfGroups},
		{Name: "answers, nodding and extremes", draw: nodding(1)},
		{Name: "answers, 3, nodding and extremes", Groups: 3, draw: nodding(3)},
		{Name: "answers, the low leave out more", draw: leavingOut},
		{Name: "counts, zeros of records, depths of 1 to 10", Kind: "counts", draw: deepCounts(1)},
		{Name: "counts, 4, zeros of records, depths of 1 to 10", Groups: 4, Kind: "counts", draw: deepCounts(4)},
		{Name: "counts, panels that were not asked for", Kind: "counts", draw: panels},
		{Name: "measurements, 60 columns, 4 factors with tails", Kind: "measurements", draw: tailFactors(1)},
		{Name: "measurements, 4, 60 columns, 4 factors with tails", Groups: 4, Kind: "measurements", draw: tailFactors(4)},
		{Name: "measurements, one column of two heaps", Groups: 2, Kind: "measurements", draw: heapColumn},
		{Name: "measurements, rounded, below a limit, lost", Kind: "measurements", draw: laboratory(1)},
		{Name: "measurements, 3, rounded, below a limit, lost", Groups: 3, Kind: "measurements", draw: laboratory(3)},
		{Name: "mixed, one covariance", Kind: "mixed", draw: ownShapes(1)},
		{Name: "mixed, 3, own covariances", Groups: 3, Kind: "mixed", draw: ownShapes(3)},
		{Name: "texts, 10 to 1,000 words", Kind: "texts", draw: anyLength(1)},
		{Name: "texts, 5, 10 to 1,000 words", Groups: 5, Kind: "texts", draw: anyLength(5)},
	}
	for i := range list {
		list[i].Name = "guest: " + list[i].Name
		list[i].Groups = max(list[i].Groups, 1)
	}
	return list
}

// packages: codes that are ordered together, several packages a record.
func packages(r *rand.Rand, n int) Draw {
	const d, sets, each = 60, 7, 5
	p, often := uniform(r, .02, .25, d), uniform(r, .1, .4, sets)
	whole := make([]bool, n*sets)
	for i := range whole {
		whole[i] = r.Float64() < often[i%sets]
	}
	return presences(r, n, d, func(i, j int) float64 {
		if j < sets*each && whole[i*sets+j/each] {
			return .9
		}
		return p[j]
	})
}

func zipfGroups(r *rand.Rand, n int) Draw {
	const d, k = 80, 12
	b, own, size := normal(r, -1, 1, d), normal(r, 0, 1.5, k*d), zipf(k, 1, 1)
	y := make([]int, n)
	for i := range y {
		y[i] = pick(r, size)
	}
	out := presences(r, n, d, func(i, j int) float64 { return logistic(b[j] + own[y[i]*d+j]) })
	out.Labels = y
	return out
}

// nodding: how people answer, beside what: some nod, some go to the ends of the scale.
func nodding(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 18
		b, y := normal(r, 0, 1.3, k*d), labels(r, n, k, false)
		out := Draw{X: make([][]int8, n), Answers: 5, Labels: y}
		for i := range out.X {
			nod, far := .7*r.NormFloat64(), math.Exp(.4*r.NormFloat64())
			out.X[i] = make([]int8, d)
			for j := range d {
				out.X[i][j] = likert((b[y[i]*d+j] + nod + noise(r)) * far)
			}
		}
		return out
	}
}

// leavingOut: one trait, and who is low on it leaves more questions out.
func leavingOut(r *rand.Rand, n int) Draw {
	const d = 16
	b, t := normal(r, 0, 1, d), places(r, n, gauss)
	out := answers(r, n, d, func(i, j int) float64 { return b[j] + 1.2*t[i] })
	for i, x := range out.X {
		for j := range x {
			if r.Float64() < logistic(-2-1.5*t[i]) {
				x[j] = -1
			}
		}
	}
	return out
}

// deepCounts: depths from 1 to 10, scatter, and features of which a record has none
// whatever its depth.
func deepCounts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 90
		base, own, y := normal(r, 0, .8, d), changed(r, k, d, .4, 1.4), labels(r, n, k, false)
		depth := make([]float64, n)
		for i := range depth {
			depth[i] = math.Pow(10, r.Float64())
		}
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			if r.Float64() < .25 {
				return 0
			}
			return depth[i] * math.Exp(base[j]+own[y[i]*d+j]) * gamma(r, 3) / 3
		})
	}
}

// panels: features are counted panel by panel, and a panel that was not asked for is all
// zeros.
func panels(r *rand.Rand, n int) Draw {
	const d, each = 60, 10
	base, asked := normal(r, .5, .7, d), make([]bool, n*d/each)
	for i := range asked {
		asked[i] = r.Float64() < .7
	}
	return countsOf(r, n, d, "", make([]int, n), func(i, j int) float64 {
		if !asked[i*d/each+j/each] {
			return 0
		}
		return math.Exp(base[j]) * gamma(r, 4) / 4
	})
}

// tailFactors: factors of order 4 behind sixty columns.
func tailFactors(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d, f = 60, 4
		load, own, y := normal(r, 0, .7, d*f), normal(r, 0, .9, k*d), labels(r, n, k, false)
		list := make([][]float64, n)
		for i := range list {
			x := normal(r, 0, 1, d)
			for t := range f {
				z := student(r, 4)
				for h := range x {
					x[h] += load[h*f+t] * z
				}
			}
			for h := range x {
				x[h] += own[y[i]*d+h]
			}
			list[i] = x
		}
		return measured(list, y)
	}
}

// heapColumn: one of six columns has two heaps, the others nothing to do with it.
func heapColumn(r *rand.Rand, n int) Draw {
	const d = 6
	l, y := correlations(r, d-1), labels(r, n, 2, false)
	list := make([][]float64, n)
	for i := range list {
		x := make([]float64, d)
		turned(x[:d-1], l, normal(r, 0, 1, d-1))
		x[d-1] = 5*float64(y[i]) + r.NormFloat64()
		list[i] = x
	}
	return measured(list, y)
}

// laboratory: values are rounded to two digits, are not seen below a limit, and are lost
// the more often the higher they are.
func laboratory(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 6
		list, y := spreadCloud(r, n, k, d, 7)
		limit := make([]float64, d)
		for h := range d {
			at := make([]float64, n)
			for i := range list {
				at[i] = list[i][h]
			}
			limit[h] = quantileOf(at, .1)
		}
		for i, x := range list {
			for h := range x {
				v := x[h]
				if h < 2 {
					v = max(v, limit[h])
				}
				x[h] = math.Round(v*10) / 10
				if h >= 4 && r.Float64() < logistic(-4+v/3) {
					list[i][h] = math.NaN()
				}
			}
		}
		return blanked(list, y)
	}
}

// ownShapes: numbers whose covariances are those of their group, flags and answers.
func ownShapes(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const reals, flags, each = 5, 5, 3
		const d = reals + flags + each
		center, tilt, base, y := apartCenters(r, k, reals, 6), normal(r, 0, 1.2, k*d), normal(r, -.3, .7, d), labels(r, n, k, false)
		if k == 1 {
			clear(tilt)
		}
		rows := sparse.Rows{Dim: d}
		shape := make([]func(x []float64), k)
		for g := range shape {
			l := covariance(r, reals, 6)
			shape[g] = func(x []float64) { turned(x, l, normal(r, 0, 1, reals)) }
		}
		for i := range n {
			x, g := make([]float64, d), y[i]
			shape[g](x[:reals])
			for h := range reals {
				x[h] += center[g][h]
			}
			for h := reals; h < reals+flags; h++ {
				if r.Float64() < logistic(base[h]+tilt[g*d+h]) {
					x[h] = 1
				}
			}
			top, best := math.Inf(-1), 0
			for h := reals + flags; h < d; h++ {
				if v := base[h] + tilt[g*d+h] + noise(r); v > top {
					top, best = v, h
				}
			}
			x[best] = 1
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range reals + flags {
			kind := vocab.Real
			if h >= reals {
				kind = vocab.Presence
			}
			out.Columns = append(out.Columns, vocab.Column{Kind: kind, From: h, To: h + 1})
		}
		out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Categorical, From: reals + flags, To: d})
		return out
	}
}

func anyLength(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const words = 700
		topic, y, b := topicsOf(r, k, words, .3), labels(r, n, k, false), sparse.NewBuilder(words, false)
		for i := range n {
			said := make([]int, int(10*math.Pow(100, r.Float64())))
			for w := range said {
				said[w] = pick(r, topic[y[i]])
			}
			textOf(b, words, said)
		}
		return textDraw(b, y)
	}
}
