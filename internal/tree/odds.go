package tree

import (
	"context"
	"math"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// odds are the logarithm of the odds of the second component of a pair, a
// linear function of a binary record: w·x + bias. Placing records by it takes a third
// of the time that posteriors take.
type odds struct {
	w    []float64
	bias float64
	// near is the modulus below which rounding may decide: posteriors place
	// such a record, as they do after the fit.
	near float64
}

// oddsRecords is the number of records from which finding the odds pays.
const oddsRecords = 8192

// newOdds finds the odds of a pair from the densities of the record without
// presences and of those with one; ok is false where they are not finite.
func (g *builder) newOdds(pair mixture.Params) (o odds, ok bool, err error) {
	d := g.rows.Dim
	probes := sparse.Rows{Dim: d, Ptr: make([]int, d+2), Index: make([]uint32, d)}
	for h := range d {
		probes.Index[h], probes.Ptr[h+2] = uint32(h), h+1
	}
	o.w = make([]float64, d)
	density, sum := make([]float64, d+1), 1.0
	for j, sign := range []float64{-1, 1} {
		one := g.s.Family.Reorder(pair, []int{j})
		one.Weights = []float64{1}
		if err := g.s.Family.LogDensity(one, pass.Block{Rows: probes}, density); err != nil {
			return odds{}, false, err
		}
		o.bias += sign * (density[0] + math.Log(pair.Weights[j]))
		sum += math.Abs(density[0])
		for h := range d {
			o.w[h] += sign * (density[h+1] - density[0])
		}
	}
	ok = !math.IsNaN(o.bias) && !math.IsInf(o.bias, 0)
	for _, v := range o.w {
		ok = ok && math.Abs(v) < math.MaxFloat32
	}
	o.near = nearTie * sum
	return o, ok, nil
}

// nearTie is the share of the sizes at hand below which odds are a tie: a
// million times the rounding error.
const nearTie = 1e-9

// assign places the records by the odds, where there are many.
func (c *counted) assign(ctx context.Context, pair mixture.Params) (sides, error) {
	if c.n < oddsRecords {
		return c.scanned.assign(ctx, pair)
	}
	o, ok, err := c.g.newOdds(pair)
	if err != nil {
		return nil, err
	}
	if !ok {
		return c.scanned.assign(ctx, pair)
	}
	out := sides(c.g.labels.take(c.own()))
	return out, c.blocks(ctx, func(_, lo, n int) error {
		sums := c.g.scratch.take(countedBlock)[:n]
		defer c.g.scratch.give(sums)
		c.g.table.Sums(sums, o.w, c.list, lo, n)
		var ties []int
		for i, v := range sums {
			v += o.bias
			if !(math.Abs(v) > o.near) {
				ties = append(ties, lo+i)
			}
			out[lo+i] = uint8(math.Float64bits(-v) >> 63) // 1 where v > 0
		}
		return c.resolve(ties, out, pair)
	})
}

// resolve places the records at the given places by their posteriors.
func (c *counted) resolve(ties []int, out sides, pair mixture.Params) error {
	if len(ties) == 0 {
		return nil
	}
	rows := make([]int, len(ties))
	for i, at := range ties {
		rows[i] = int(c.at(at))
	}
	placed := make(sides, len(ties))
	if err := c.g.byPosterior(pair, pass.Block{Rows: c.g.rows.Pick(rows)}, placed); err != nil {
		return err
	}
	for i, at := range ties {
		out[at] = placed[i]
	}
	return nil
}

// byPosterior places a block by the posteriors of a pair.
func (g *builder) byPosterior(pair mixture.Params, b pass.Block, out sides) error {
	post := g.scratch.take(2 * len(out))
	defer g.scratch.give(post)
	if err := g.s.Family.Posterior(pair, b, post); err != nil {
		return err
	}
	for i := range out {
		out[i] = sideOf(post[2*i], post[2*i+1])
	}
	return nil
}
