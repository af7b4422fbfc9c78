package reference

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/sparse"
)

// seed draws k rows as centers (k×d): the first at random, each further one
// with probability proportional to the squared distance from those before, as
// the best of 2 + log k trials by the inertia it leaves.
func (p *lloyd) seed(ctx context.Context, r *rand.Rand) (*mat.Dense, error) {
	n := p.rows.N()
	trials := 2 + int(math.Log(float64(p.k)))
	centers := mat.NewDense(p.k, p.rows.Dim, nil)
	first := []int{r.IntN(n)}
	near := make([]float64, n) // squared distance to the nearest center so far
	for i := range near {
		near[i] = math.Inf(1)
	}
	candidates := first
	for j := range p.k {
		if j > 0 {
			candidates = drawn(r, near, trials)
		}
		best, left, err := p.bestOf(ctx, candidates, near)
		if err != nil {
			return nil, err
		}
		near = left
		addRow(centers.RawRowView(j), p.rows, best)
	}
	return centers, nil
}

// drawn returns rows drawn by their weight; by chance alone where all weights
// vanish, as for rows that are all alike.
func drawn(r *rand.Rand, weight []float64, trials int) []int {
	cumulative, sum := make([]float64, len(weight)), 0.0
	for i, w := range weight {
		sum += w
		cumulative[i] = sum
	}
	out := make([]int, trials)
	for t := range out {
		if sum == 0 {
			out[t] = r.IntN(len(weight))
			continue
		}
		out[t] = firstAbove(cumulative, r.Float64()*sum)
	}
	return out
}

// firstAbove returns the first place of the rising numbers that is above v.
func firstAbove(rising []float64, v float64) int {
	lo, hi := 0, len(rising)-1
	for lo < hi {
		if m := (lo + hi) / 2; rising[m] > v {
			hi = m
		} else {
			lo = m + 1
		}
	}
	return lo
}

// bestOf returns the candidate that leaves the least inertia, and the squared
// distances to the nearest center it leaves.
func (p *lloyd) bestOf(ctx context.Context, candidates []int, near []float64) (int, []float64, error) {
	t, n := len(candidates), p.rows.N()
	b := mat.NewDense(p.rows.Dim, t, nil)
	column := make([]float64, p.rows.Dim)
	for c, i := range candidates {
		clear(column)
		addRow(column, p.rows, i)
		b.SetCol(c, column)
	}
	left, total := make([]float64, n*t), make([]float64, t)
	err := each(ctx, p.rows, func(first int, part sparse.Rows) {
		z := left[first*t : (first+part.N())*t]
		part.MulTo(z, b.RawMatrix().Data, t)
		for i := range part.N() {
			for c, dot := range z[i*t:][:t] {
				v := math.Max(0, p.square[first+i]+p.square[candidates[c]]-2*dot)
				v = math.Min(v, near[first+i])
				z[i*t+c] = v
				total[c] += v
			}
		}
	})
	best := 0
	for c, v := range total {
		if v < total[best] {
			best = c
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = left[i*t+best]
	}
	return candidates[best], out, err
}
