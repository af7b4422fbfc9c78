package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// CountLaws are tables of counts: genes of cells, events of persons.
func CountLaws() []Law {
	one := []Law{
		{Name: "poisson", draw: genes{}.draw},
		{Name: "amount 1", draw: genes{amount: 1}.draw},
		{Name: "negative binomial .3", draw: genes{scatter: .3}.draw},
		{Name: "negative binomial 1", draw: genes{scatter: 1}.draw},
		{Name: "one trend", draw: genes{trend: .5}.draw},
		{Name: "one trend, scatter", draw: genes{trend: .4, scatter: .3}.draw},
		{Name: "skewed trend", draw: genes{trend: .5, law: exponential}.draw},
		{Name: "two trends", draw: genes{trend: .4, second: .4}.draw},
		{Name: "zero-inflated", draw: genes{scatter: .3, zeros: .3}.draw},
		{Name: "modules", draw: genes{modules: 8}.draw},
		{Name: "8 events, rare", draw: genes{cols: 8, mean: .8, scatter: .5, amount: .8}.draw},
		{Name: "8 events, frequent", draw: genes{cols: 8, mean: 10, scatter: .5, amount: .8}.draw},
		{Name: "50 events, rare, trend", draw: genes{cols: 50, mean: .3, trend: .6, amount: .8}.draw},
	}
	many := []Law{
		{Name: "3, poisson", Groups: 3, draw: genes{groups: 3}.draw},
		{Name: "3, scatter .3", Groups: 3, draw: genes{groups: 3, scatter: .3}.draw},
		{Name: "8, scatter .3", Groups: 8, draw: genes{groups: 8, scatter: .3}.draw},
		{Name: "3, scatter 1", Groups: 3, draw: genes{groups: 3, scatter: 1}.draw},
		{Name: "4, amount 1", Groups: 4, draw: genes{groups: 4, amount: 1}.draw},
		{Name: "4, zero-inflated", Groups: 4, draw: genes{groups: 4, scatter: .3, zeros: .3}.draw},
		{Name: "3 over a trend", Groups: 3, draw: genes{groups: 3, trend: .2}.draw},
		{Name: "3, 10 events", Groups: 3, draw: genes{groups: 3, cols: 10, mean: 10, share: 1}.draw},
		{Name: "5, uneven", Groups: 5, draw: genes{groups: 5, scatter: .3, uneven: true}.draw},
		{Name: "16, scatter .3", Groups: 16, Hard: true, draw: genes{groups: 16, scatter: .3}.draw},
	}
	return ofKind("counts", one, many)
}

func ofKind(kind string, one, many []Law) []Law {
	for i := range one {
		one[i].Groups = 1
	}
	all := append(one, many...)
	for i := range all {
		all[i].Kind, all[i].Name = kind, kind+": "+all[i].Name
	}
	return all
}

// genes is a law of counts: the mean of every feature, an amount of every
// record, groups in which a share of the features is changed, trends, scatter.
type genes struct {
	cols          int     // 0: 200
	mean          float64 // 0: 3
	amount        float64 // standard deviation of the log amount; 0: .4
	groups        int
	share         float64 // of the features that a group changes; 0: .15
	uneven        bool
	scatter       float64 // of a negative binomial law
	trend, second float64 // standard deviation of slopes
	law           func(*rand.Rand) float64
	zeros         float64 // share of counts that were lost
	modules       int     // sets of features that rise and fall together
}

func (g genes) draw(r *rand.Rand, n int) Draw {
	if g.cols == 0 {
		g.cols = 200
	}
	g.mean, g.amount, g.share = orElse(g.mean, 3), orElse(g.amount, .4), orElse(g.share, .15)
	if g.law == nil {
		g.law = gauss
	}
	k := max(g.groups, 1)
	base := make([]float64, g.cols)
	for j := range base {
		base[j] = math.Log(g.mean/.6*gamma(r, .6) + .02)
		if g.cols < 20 {
			base[j] = math.Log(g.mean) + .5*r.NormFloat64()
		}
	}
	own := make([]float64, k*g.cols)
	for e := range own {
		if k > 1 && r.Float64() < g.share {
			own[e] = 1.2 * r.NormFloat64()
		}
	}
	slope, second := normal(r, 0, g.trend, g.cols), normal(r, 0, g.second, g.cols)
	y := labels(r, n, k, g.uneven && k > 1)
	b := sparse.NewBuilder(g.cols, false)
	for i := range n {
		size, t, u := g.amount*r.NormFloat64(), g.law(r), r.NormFloat64()
		module := normal(r, 0, .6, max(g.modules, 1))
		var index []uint32
		var value []float32
		for j := range g.cols {
			m := base[j] + size + own[y[i]*g.cols+j] + slope[j]*t + second[j]*u
			if g.modules > 0 {
				m += module[j%g.modules]
			}
			mean := math.Exp(m)
			if g.scatter > 0 {
				mean *= g.scatter * gamma(r, 1/g.scatter)
			}
			v := poisson(r, mean)
			if v > 0 && r.Float64() >= g.zeros {
				index, value = append(index, uint32(j)), append(value, float32(v))
			}
		}
		_ = b.Add(index, value)
	}
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, Labels: y}
}

func orElse(v, other float64) float64 {
	if v == 0 {
		return other
	}
	return v
}

// poisson draws a count (Knuth for small means, halved for large ones).
func poisson(r *rand.Rand, mean float64) int {
	n := 0
	for mean > 30 {
		// A gamma draw of half the events (Ahrens and Dieter).
		m := math.Floor(mean / 2)
		x := gamma(r, m)
		if x > mean {
			return n + binomial(r, int(m)-1, mean/x)
		}
		n += int(m)
		mean -= x
	}
	for p := r.Float64(); p > math.Exp(-mean); p *= r.Float64() {
		n++
	}
	return n
}

func binomial(r *rand.Rand, n int, p float64) int {
	k := 0
	for range n {
		if r.Float64() < p {
			k++
		}
	}
	return k
}
