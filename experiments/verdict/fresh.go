package verdict

import (
	"context"
	"io"
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// FreshFrom is the first seed of the fresh laws.
const FreshFrom = 70001

// Fresh prints the table of laws that were written after every constant was
// chosen, and looked at once: what the verdict does where nobody tuned it.
func Fresh(ctx context.Context, w io.Writer, full bool) error {
	seeds, sizes := 3, []int{400, 2000}
	if full {
		seeds = 10
	}
	all, err := counted(ctx, FreshLaws(), seedsFrom(ctx, FreshFrom, seeds), sizes[0])
	if err != nil {
		return err
	}
	more, err := counted(ctx, FreshLaws(), seedsFrom(ctx, FreshFrom, seeds), sizes[1])
	if err != nil {
		return err
	}
	all = append(all, more...)
	laws(w, all, sizes)
	goals(w, all, sizes)
	return nil
}

// FreshLaws are six single populations and eight sets of groups, of every kind.
func FreshLaws() []Law {
	return []Law{
		{Name: "fresh: codes, half of the records nearly empty", Groups: 1, draw: halfEmpty},
		{Name: "fresh: answers, one trait, own thresholds, a fifth missing", Groups: 1, draw: ownThresholds},
		{Name: "fresh: measurements, skewed and correlated", Groups: 1, Kind: "measurements", draw: skewedCloud},
		{Name: "fresh: measurements with blanks, correlated", Groups: 1, Kind: "mixed", draw: blankCloud(1)},
		{Name: "fresh: counts along a ring", Groups: 1, Kind: "counts", draw: ringCounts},
		{Name: "fresh: a hybrid zone", Groups: 1, Kind: "genotypes", draw: alleles{ends: 2, drift: .2, loci: 300, middle: .8}.draw},
		{Name: "fresh: codes, 4 groups of 40 to 10 %", Groups: 4, draw: unevenCodes},
		{Name: "fresh: answers, 3 classes that nod more or less", Groups: 3, draw: noddingClasses},
		{Name: "fresh: measurements, 4 groups, heavy tails, own sizes", Groups: 4, Kind: "measurements", draw: tailedGroups},
		{Name: "fresh: measurements, 3 groups in 3 of 12 columns", Groups: 3, Kind: "measurements", draw: hiddenColumns},
		{Name: "fresh: measurements with blanks, 3 groups", Groups: 3, Kind: "mixed", draw: blankCloud(3)},
		{Name: "fresh: counts, 5 groups, scatter .5", Groups: 5, Kind: "counts", draw: genes{groups: 5, cols: 100, scatter: .5, amount: .6, share: .2}.draw},
		{Name: "fresh: genotypes, 6 populations, 200 loci", Groups: 6, Kind: "genotypes", draw: alleles{groups: 6, drift: .15, loci: 200}.draw},
		{Name: "fresh: texts, 5 of one topic each over a common half", Groups: 5, Kind: "texts", draw: commonHalf},
	}
}

func halfEmpty(r *rand.Rand, n int) Draw {
	const d = 60
	f, amount := zipf(d, .8, 6), make([]float64, n)
	for i := range amount {
		amount[i] = .4 * r.NormFloat64()
		if r.Float64() < .5 {
			amount[i] = -2 + .6*r.NormFloat64()
		}
	}
	return presences(r, n, d, func(i, j int) float64 { return logistic(logit(min(f[j], .7)) + amount[i]) })
}

func ownThresholds(r *rand.Rand, n int) Draw {
	const d = 15
	middle, slope, trait := normal(r, 0, .8, d), uniform(r, .5, 1.8, d), normal(r, 0, 1, n)
	out := answers(r, n, d, func(i, j int) float64 { return middle[j] + slope[j]*trait[i] })
	drop(r, out, .2)
	return out
}

func skewedCloud(r *rand.Rand, n int) Draw {
	const d = 6
	l := correlations(r, d)
	power := uniform(r, .2, .9, d)
	list := make([][]float64, n)
	for i := range list {
		x := make([]float64, d)
		turned(x, l, normal(r, 0, 1, d))
		for h := range x {
			x[h] = math.Exp(power[h]*x[h]) + .1*r.NormFloat64()
		}
		list[i] = x
	}
	return measured(list, nil)
}

// blankCloud are measurements of which one in eight is missing.
func blankCloud(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 7
		l, centers, y := correlations(r, d), normal(r, 0, 2.5, k*d), labels(r, n, k, false)
		rows := sparse.Rows{Dim: d}
		for i := range n {
			x := make([]float64, d)
			turned(x, l, normal(r, 0, 1, d))
			for h := range x {
				if x[h] += centers[y[i]*d+h]; r.Float64() < .125 {
					x[h] = math.NaN()
				}
			}
			rows.Dense = append(rows.Dense, x...)
		}
		out := Draw{Rows: &rows, Kind: record.Mixed, Labels: y}
		for h := range d {
			out.Columns = append(out.Columns, vocab.Column{Kind: vocab.Real, From: h, To: h + 1})
		}
		return out
	}
}

func ringCounts(r *rand.Rand, n int) Draw {
	const d = 80
	base, phase, strength := normal(r, 1, .8, d), uniform(r, 0, 2*math.Pi, d), uniform(r, 0, .9, d)
	b := sparse.NewBuilder(d, false)
	for range n {
		at, size := 2*math.Pi*r.Float64(), .3*r.NormFloat64()
		var index []uint32
		var value []float32
		for j := range d {
			if v := poisson(r, math.Exp(base[j]+size+strength[j]*math.Cos(at-phase[j]))); v > 0 {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		_ = b.Add(index, value)
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts}
}

func unevenCodes(r *rand.Rand, n int) Draw {
	const d, k = 80, 4
	base, own := zipf(d, .6, 7), make([]float64, k*d)
	for e := range own {
		if r.Float64() < .3 {
			own[e] = 2 * r.NormFloat64()
		}
	}
	y := make([]int, n)
	for i := range y {
		y[i] = pick(r, []float64{.4, .3, .2, .1})
	}
	out := presences(r, n, d, func(i, j int) float64 { return logistic(logit(min(base[j], .7)) + own[y[i]*d+j]) })
	out.Labels = y
	return out
}

func noddingClasses(r *rand.Rand, n int) Draw {
	const d, k = 14, 3
	own, y, nod := normal(r, 0, 1.5, k*d), labels(r, n, k, false), normal(r, 0, .7, n)
	out := answers(r, n, d, func(i, j int) float64 { return own[y[i]*d+j] + nod[i] })
	out.Labels = y
	return out
}

func tailedGroups(r *rand.Rand, n int) Draw {
	const d, k = 5, 4
	centers, size, y := normal(r, 0, 4.5, k*d), uniform(r, .6, 1.4, k), labels(r, n, k, true)
	list := make([][]float64, n)
	for i := range list {
		x, s := make([]float64, d), size[y[i]]/math.Sqrt(2*gamma(r, 2.5)/5)
		for h := range x {
			x[h] = centers[y[i]*d+h] + s*r.NormFloat64()
		}
		list[i] = x
	}
	return measured(list, y)
}

func hiddenColumns(r *rand.Rand, n int) Draw {
	const d, own, k = 12, 3, 3
	l, y := correlations(r, d), labels(r, n, k, false)
	centers := []float64{0, 0, 0, 6, 0, 3, 0, 6, -3}
	list := make([][]float64, n)
	for i := range list {
		x := make([]float64, d)
		turned(x, l, normal(r, 0, 1, d))
		for h := range own {
			x[h] += centers[y[i]*own+h]
		}
		list[i] = x
	}
	return measured(list, y)
}

func commonHalf(r *rand.Rand, n int) Draw {
	const words, k = 600, 5
	shared := dirichlet(r, .2, words)
	topic := make([][]float64, k)
	for g := range topic {
		topic[g] = dirichlet(r, .1, words)
		for j := range topic[g] {
			topic[g][j] = .5*topic[g][j] + .5*shared[j]
		}
	}
	y := labels(r, n, k, false)
	b := sparse.NewBuilder(words, false)
	for i := range n {
		share := make([]float64, k)
		share[y[i]] = 1
		_ = b.Add(texts{length: 120}.document(r, topic, share))
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Text, Labels: y}
}
