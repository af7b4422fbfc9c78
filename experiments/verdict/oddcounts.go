package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

func oddCounts() []Law {
	return []Law{
		{Name: "counts, two factors and scatter", draw: factorCounts(1)},
		{Name: "counts, amounts of Pareto", draw: paretoCounts(1)},
		{Name: "counts, small ones are lost", draw: fading(1)},
		{Name: "counts, seasons", draw: seasonCounts},
		{Name: "counts, a few features take most", draw: bursts(1)},
		{Name: "counts, 4, two factors inside", Groups: 4, draw: factorCounts(4)},
		{Name: "counts, 4, amounts of Pareto", Groups: 4, draw: paretoCounts(4)},
		{Name: "counts, 4, small ones are lost", Groups: 4, draw: fading(4)},
		{Name: "counts, 3, a few features take most", Groups: 3, draw: bursts(3)},
	}
}

// changed are the features that groups have more or less of.
func changed(r *rand.Rand, k, d int, share, sd float64) []float64 {
	own := make([]float64, k*d)
	for e := range own {
		if k > 1 && r.Float64() < share {
			own[e] = sd * r.NormFloat64()
		}
	}
	return own
}

func factorCounts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 100
		base, own, y := normal(r, .7, .8, d), changed(r, k, d, .3, 1.3), labels(r, n, k, false)
		a, b, at := normal(r, 0, .35, d), normal(r, 0, .35, d), normal(r, 0, 1, 3*n)
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			return math.Exp(base[j]+own[y[i]*d+j]+a[j]*at[3*i]+b[j]*at[3*i+1]+.5*at[3*i+2]) * gamma(r, 2) / 2
		})
	}
}

func paretoCounts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 80
		base, own, y := normal(r, -.5, .8, d), changed(r, k, d, .4, 1.4), labels(r, n, k, false)
		size := make([]float64, n)
		for i := range size {
			size[i] = min(math.Pow(1-r.Float64(), -1/1.3), 200)
		}
		return countsOf(r, n, d, "", y, func(i, j int) float64 { return math.Exp(base[j]+own[y[i]*d+j]) * size[i] * gamma(r, 3) / 3 })
	}
}

// fading: the smaller the mean, the more often nothing is seen, as in cells.
func fading(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 150
		base, own, y, size := normal(r, .5, 1, d), changed(r, k, d, .25, 1.5), labels(r, n, k, false), normal(r, 0, .4, n)
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			m := base[j] + own[y[i]*d+j] + size[i]
			if r.Float64() < logistic(-m) {
				return 0
			}
			return math.Exp(m) * gamma(r, 3) / 3
		})
	}
}

func seasonCounts(r *rand.Rand, n int) Draw {
	const d = 60
	base, high, peak := normal(r, .5, .8, d), uniform(r, 0, .8, d), uniform(r, 0, 2*math.Pi, d)
	at, size := uniform(r, 0, 2*math.Pi, n), normal(r, 0, .4, n)
	return countsOf(r, n, d, "", nil, func(i, j int) float64 {
		return math.Exp(base[j]+size[i]+high[j]*math.Cos(at[i]-peak[j])) * gamma(r, 4) / 4
	})
}

// bursts: what a record has, it has often (a Pólya urn).
func bursts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const d = 60
		base, own, y := normal(r, 0, 1, d), changed(r, k, d, .6, 1.6), labels(r, n, k, false)
		return countsOf(r, n, d, "", y, func(i, j int) float64 {
			return 1.5 * gamma(r, .8*math.Exp(.6*(base[j]+own[y[i]*d+j])))
		})
	}
}

func oddTexts() []Law {
	return []Law{
		{Name: "texts, lengths of long tails, bursts", Kind: "texts", draw: longTexts(1)},
		{Name: "texts, pairs of words that go together", Kind: "texts", draw: pairedWords(1)},
		{Name: "texts, 5, lengths of long tails, bursts", Groups: 5, Kind: "texts", draw: longTexts(5)},
		{Name: "texts, 4, pairs of words that go together", Groups: 4, Kind: "texts", draw: pairedWords(4)},
		{Name: "texts, mix 6, total 1", Groups: 6, Kind: "texts", Mixed: true, draw: texts{topics: 6, length: 100, mix: 1}.draw},
		{Name: "texts, mix 5, total 3", Groups: 5, Kind: "texts", Mixed: true, draw: texts{topics: 5, length: 150, mix: 3}.draw},
		{Name: "texts, 6, of 40 to 5 %", Groups: 6, Kind: "texts", draw: unevenTexts},
	}
}

// topicsOf are k topics over common words.
func topicsOf(r *rand.Rand, k, words int, own float64) [][]float64 {
	common := zipf(words, 1, 1)
	out := make([][]float64, k)
	for g := range out {
		out[g] = make([]float64, words)
		sum := 0.0
		for j := range out[g] {
			v := 1.0
			if k > 1 {
				v = gamma(r, own) / own
			}
			out[g][j] = common[j] * v
			sum += out[g][j]
		}
		scale(out[g], 1/sum)
	}
	return out
}

// textOf counts words.
func textOf(b *sparse.Builder, words int, said []int) {
	count := make([]float32, words)
	for _, w := range said {
		count[w]++
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

func textDraw(b *sparse.Builder, y []int) Draw {
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Text, Labels: y}
}

func longTexts(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const words = 800
		topic, y, b := topicsOf(r, k, words, .4), labels(r, n, k, false), sparse.NewBuilder(words, false)
		for i := range n {
			var said []int
			for range int(min(max(20, 80*math.Exp(r.NormFloat64())), 1500)) {
				if len(said) > 0 && r.Float64() < .3 {
					said = append(said, said[r.IntN(len(said))])
				} else {
					said = append(said, pick(r, topic[y[i]]))
				}
			}
			textOf(b, words, said)
		}
		return textDraw(b, y)
	}
}

// pairedWords: half of the words bring their partner along.
func pairedWords(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const words = 600
		topic, y, b := topicsOf(r, k, words, .4), labels(r, n, k, false), sparse.NewBuilder(words, false)
		partner := r.Perm(words)
		for i := range n {
			var said []int
			for range 40 + poisson(r, 40) {
				w := pick(r, topic[y[i]])
				said = append(said, w)
				if w%2 == 0 && r.Float64() < .7 {
					said = append(said, partner[w])
				}
			}
			textOf(b, words, said)
		}
		return textDraw(b, y)
	}
}

func unevenTexts(r *rand.Rand, n int) Draw {
	const words, k = 800, 6
	topic, y, b := topicsOf(r, k, words, .3), make([]int, n), sparse.NewBuilder(words, false)
	for i := range n {
		y[i] = pick(r, []float64{.4, .2, .15, .1, .1, .05})
		var said []int
		for range 60 + poisson(r, 60) {
			said = append(said, pick(r, topic[y[i]]))
		}
		textOf(b, words, said)
	}
	return textDraw(b, y)
}

func oddAlleles() []Law {
	return []Law{
		{Name: "genotypes, families", draw: families(1, 300)},
		{Name: "genotypes, rare variants", draw: rareAlleles(1)},
		{Name: "genotypes, places on a map", draw: onMap},
		{Name: "genotypes, admixed, linked", draw: alleles{ends: 2, drift: .1, linked: 5}.draw},
		{Name: "genotypes, 4, families", Groups: 4, draw: families(4, 300)},
		{Name: "genotypes, 3, rare variants", Groups: 3, draw: rareAlleles(3)},
		{Name: "genotypes, 4 of two stems", Groups: 4, draw: stems},
		{Name: "genotypes, 3 and a tenth between them", Groups: 3, Hard: true, draw: between},
	}
}

// copiesOf writes copies of alleles.
func copiesOf(b *sparse.Builder, copies []float32) {
	var index []uint32
	var value []float32
	for j, v := range copies {
		if v > 0 {
			index, value = append(index, uint32(j)), append(value, v)
		}
	}
	_ = b.Add(index, value)
}

func alleleDraw(b *sparse.Builder, y []int) Draw {
	rows := b.Rows()
	return Draw{Rows: &rows, Kind: record.Counts, System: vocab.Genotypes, Labels: y}
}

// drifted is a frequency after drift.
func drifted(r *rand.Rand, p, drift float64) float64 {
	f := (1 - drift) / drift
	x, y := gamma(r, p*f), gamma(r, (1-p)*f)
	return x / (x + y + 1e-300)
}

// families are two parents and three children each.
func families(k, loci int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		p := make([][]float64, k)
		for g := range p {
			p[g] = make([]float64, loci)
		}
		for j := range loci {
			old := .1 + .8*r.Float64()
			for g := range p {
				p[g][j] = old
				if k > 1 {
					p[g][j] = drifted(r, old, .1)
				}
			}
		}
		b, y := sparse.NewBuilder(loci, false), make([]int, n)
		order := r.Perm(n)
		people := make([][]float32, n)
		for i := 0; i < n; {
			g := r.IntN(k)
			var parent [4][]bool
			for h := range parent {
				parent[h] = make([]bool, loci)
				for j := range loci {
					parent[h][j] = r.Float64() < p[g][j]
				}
			}
			for member := 0; member < 5 && i < n; member++ {
				copies := make([]float32, loci)
				for j := range loci {
					a, c := parent[0][j], parent[1][j]
					switch {
					case member == 1:
						a, c = parent[2][j], parent[3][j]
					case member > 1:
						a, c = parent[r.IntN(2)][j], parent[2+r.IntN(2)][j]
					}
					for _, is := range []bool{a, c} {
						if is {
							copies[j]++
						}
					}
				}
				people[order[i]], y[order[i]] = copies, g
				i++
			}
		}
		for _, c := range people {
			copiesOf(b, c)
		}
		return alleleDraw(b, y)
	}
}

func rareAlleles(k int) func(*rand.Rand, int) Draw {
	return func(r *rand.Rand, n int) Draw {
		const loci = 600
		b, y := sparse.NewBuilder(loci, false), labels(r, n, k, false)
		p := make([]float64, k*loci)
		for j := range loci {
			old := .005 + .1*r.Float64()*r.Float64()
			for g := range k {
				p[g*loci+j] = old
				if k > 1 {
					p[g*loci+j] = drifted(r, old, .1)
				}
			}
		}
		for i := range n {
			copies := make([]float32, loci)
			for j := range copies {
				for range 2 {
					if r.Float64() < p[y[i]*loci+j] {
						copies[j]++
					}
				}
			}
			copiesOf(b, copies)
		}
		return alleleDraw(b, y)
	}
}

// onMap: frequencies change slowly over a map on which people live anywhere.
func onMap(r *rand.Rand, n int) Draw {
	const loci = 300
	b := sparse.NewBuilder(loci, false)
	base, east, north := normal(r, 0, 1, loci), normal(r, 0, .5, loci), normal(r, 0, .5, loci)
	for range n {
		u, v := 2*r.Float64()-1, 2*r.Float64()-1
		copies := make([]float32, loci)
		for j := range copies {
			for range 2 {
				if r.Float64() < logistic(base[j]+east[j]*u+north[j]*v) {
					copies[j]++
				}
			}
		}
		copiesOf(b, copies)
	}
	return alleleDraw(b, nil)
}

// stems are four populations of two stems.
func stems(r *rand.Rand, n int) Draw {
	const loci, k = 400, 4
	b, y, p := sparse.NewBuilder(loci, false), labels(r, n, k, false), make([]float64, k*loci)
	for j := range loci {
		old := .1 + .8*r.Float64()
		for s := range 2 {
			stem := drifted(r, old, .08)
			for g := range 2 {
				p[(2*s+g)*loci+j] = drifted(r, min(max(stem, .01), .99), .06)
			}
		}
	}
	for i := range n {
		copies := make([]float32, loci)
		for j := range copies {
			for range 2 {
				if r.Float64() < p[y[i]*loci+j] {
					copies[j]++
				}
			}
		}
		copiesOf(b, copies)
	}
	return alleleDraw(b, y)
}

func between(r *rand.Rand, n int) Draw {
	const loci, k = 400, 3
	b, y, p := sparse.NewBuilder(loci, false), labels(r, n, k, false), make([]float64, k*loci)
	for j := range loci {
		old := .1 + .8*r.Float64()
		for g := range k {
			p[g*loci+j] = drifted(r, old, .1)
		}
	}
	for i := range n {
		share, other := 1.0, r.IntN(k)
		if r.Float64() < .1 {
			share = r.Float64()
		}
		if share < .5 {
			y[i], other, share = other, y[i], 1-share
		}
		copies := make([]float32, loci)
		for j := range copies {
			for range 2 {
				if r.Float64() < share*p[y[i]*loci+j]+(1-share)*p[other*loci+j] {
					copies[j]++
				}
			}
		}
		copiesOf(b, copies)
	}
	return alleleDraw(b, y)
}
