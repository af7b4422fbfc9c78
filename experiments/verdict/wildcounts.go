package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

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
