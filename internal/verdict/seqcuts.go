package verdict

import (
	"fmt"
	"math"

	"github.com/moiety-go/moiety/internal/stream"
)

// Kinds of courses over several places begin with no sequence. One kind is cut in two
// across the direction in which the moves of its sequences differ most from those of the
// kind, each move counted in deviations: a leading eigenvector, found by sums.

// turns of the power method towards that direction.
const kindTurns = 10

// cutChains takes the steps of EM from the kinds before, of which one is cut in two; from
// all sequences where there are none before.
func cutChains(places *strand, step *predictor, all [][]moved, before *chains, cut int) (*chains, float64) {
	k := 2
	if before != nil {
		k = len(before.weight) + 1
	}
	c := &chains{base: step, weight: make([]float64, k), log: make([][]float64, k), states: step.dim + 2}
	share := make([][]float64, len(all))
	for i, list := range all {
		share[i] = make([]float64, k)
		share[i][0] = 1
		if before != nil {
			before.shares(list, share[i][:k-1])
		}
	}
	side := c.leading(places, all, share, cut)
	var tables [][]float64
	for i := range all {
		if side[i] > 0 {
			share[i][k-1], share[i][cut] = share[i][cut], 0
		}
	}
	for g := range k {
		n, total := c.madeBy(all, share, g)
		tables = append(tables, n, total)
		for i := range all {
			c.weight[g] += share[i][g]
		}
	}
	n := []float64{float64(len(all))}
	places.add(append(tables, c.weight, n)...)
	for g := range k {
		c.weight[g] = (c.weight[g] + 1) / (n[0] + float64(k))
		c.setKind(g, tables[2*g], tables[2*g+1])
	}
	return c, c.climb(places, all, share)
}

// leading returns how far every sequence lies along the leading direction of a kind.
func (c *chains) leading(places *strand, all [][]moved, share [][]float64, kind int) []float64 {
	n, total := c.madeBy(all, share, kind)
	places.add(n, total)
	// A move counts by the deviation of its number; what is expected of it, by what is made
	// from the same place.
	scale, expect := make([]float64, len(n)), make([]float64, len(n))
	for e, v := range n {
		if from := total[e/c.states]; v > 0 {
			scale[e], expect[e] = 1/math.Sqrt(v), v/from
		}
	}
	r := stream.New(1, fmt.Sprintf("verdict/kinds/cut%d", kind))
	along := make([]float64, len(n))
	for e := range along {
		along[e] = r.NormFloat64()
	}
	out := make([]float64, len(all))
	for turn := 0; ; turn++ {
		usual := make([]float64, c.states) // what a move from everywhere is expected to come to
		for e, v := range along {
			usual[e/c.states] += expect[e] * scale[e] * v
		}
		next, from := make([]float64, len(n)), make([]float64, c.states)
		for i, list := range all {
			out[i] = 0
			for _, m := range list {
				e := m.from*c.states + m.to
				out[i] += m.n * (scale[e]*along[e] - usual[m.from])
			}
			for _, m := range list {
				next[m.from*c.states+m.to] += share[i][kind] * out[i] * m.n
				from[m.from] += share[i][kind] * out[i] * m.n
			}
		}
		if turn == kindTurns {
			return out
		}
		places.add(next, from)
		size := 0.0
		for e := range next {
			next[e] = scale[e] * (next[e] - from[e/c.states]*expect[e])
			size += next[e] * next[e]
		}
		for e := range next {
			along[e] = next[e] / math.Sqrt(size+1e-300)
		}
	}
}
