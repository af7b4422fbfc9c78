package verdict

import (
	"math"
	"math/rand/v2"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

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
