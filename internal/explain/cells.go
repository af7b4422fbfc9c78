package explain

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
)

// cells are the counts of every node and feature, unmasked: they never leave
// the package.
type cells struct {
	n      []int       // rows of every node
	have   [][]int32   // node×d: rows whose value is neither zero nor missing
	miss   [][]int32   // node×d: rows whose value is missing; nil where none is
	sum    [][]float64 // node×d: sums of values
	square [][]float64 // node×d: sums of (value−shift)², real features only; nil where there are none
	shift  []float64   // d: a typical value, so that squares keep their digits
	sure   [3][]int    // rows above .9, between, below .5
	chance []float64   // sums of probabilities
	people *people     // where records are sequences; nil elsewhere
	// rounded holds means and standard deviations where they are rounded to be
	// shared, node×d; nil elsewhere.
	rounded [][][2]float64
}

// Bounds of certainty.
const (
	sureAbove     = 0.9
	doubtfulBelow = 0.5
)

// count adds up the rows of every leaf, on all cores, and then of every node.
func count(ctx context.Context, o *fit.Outcome, r dataset.Data, workers int, d *survey, h *hierarchy, of []report.Of) (*cells, error) {
	c := newCells(h.len(), d, of)
	t := &tally{dim: d.vocab.Len(), group: o.Group, probability: o.Probability, leaves: len(h.leaf), shift: c.shift, parts: c.parts()}
	state, err := pass.RunOne(ctx, r.Runner(workers), t)
	if err != nil {
		return nil, err
	}
	if err := par.Do(ctx, workers, len(h.leaf), func(j int) error {
		c.take(t, state, j, h.leaf[j])
		return nil
	}); err != nil {
		return nil, err
	}
	if d.sequences {
		if err := c.meet(ctx, o, r, h); err != nil {
			return nil, err
		}
	}
	c.rollup(h, workers)
	return c, nil
}

// meet counts the people behind the steps of every leaf.
func (c *cells) meet(ctx context.Context, o *fit.Outcome, r dataset.Data, h *hierarchy) error {
	row := 0
	return r.Each(ctx, func(first int, part *dataset.Dataset) error {
		record := 0
		for i := range part.Rows.N() {
			for part.Steps[record+1]-part.Steps[0] <= i {
				record++
			}
			c.people.meet(h.leaf[o.Group[row]], first+record, part, i)
			row++
		}
		return ctx.Err()
	})
}

func newCells(nodes int, d *survey, of []report.Of) *cells {
	dim := d.vocab.Len()
	c := &cells{n: make([]int, nodes), have: table[int32](nodes, dim), chance: make([]float64, nodes), shift: d.mean}
	for l := range c.sure {
		c.sure[l] = make([]int, nodes)
	}
	if d.sequences {
		c.people = newPeople(nodes, dim)
	}
	if !d.binary {
		c.sum = table[float64](nodes, dim)
	}
	if d.missing {
		c.miss = table[int32](nodes, dim)
	}
	if slices.Contains(of, report.Value) {
		c.square = table[float64](nodes, dim)
	}
	return c
}

func table[T any](rows, cols int) [][]T {
	all := make([]T, rows*cols)
	out := make([][]T, rows)
	for i := range out {
		out[i] = all[i*cols : (i+1)*cols]
	}
	return out
}

// eachEntry visits the stored entries of a row.
func eachEntry(d *dataset.Dataset, i int, visit func(h int, v float64)) { d.Rows.Each(i, visit) }

// rollup adds up leaves to nodes: of every feature in the same order, many at a time.
func (c *cells) rollup(h *hierarchy, workers int) {
	rollup(h, c.n)
	rollup(h, c.chance)
	for l := range c.sure {
		rollup(h, c.sure[l])
	}
	const part = 1 << 12
	_ = par.Blocks(context.Background(), workers, len(c.have[0]), part, func(_, lo, hi int) error { // nothing fails
		for i := h.len() - 1; i > 0; i-- {
			p := h.parent[i]
			addTo(c.have, p, i, lo, hi)
			addTo(c.miss, p, i, lo, hi)
			addTo(c.sum, p, i, lo, hi)
			addTo(c.square, p, i, lo, hi)
		}
		return nil
	})
}

// addTo adds features lo to hi-1 of node i to those of its parent, where there are any.
func addTo[T int32 | float64](all [][]T, parent, i, lo, hi int) {
	if all == nil {
		return
	}
	dst := all[parent][lo:hi]
	for f, v := range all[i][lo:hi] {
		dst[f] += v
	}
}

// total returns the sum of feature f at a node.
func (c *cells) total(node, f int) float64 {
	if c.sum == nil {
		return float64(c.have[node][f])
	}
	return c.sum[node][f]
}

// missing returns the rows of a node without a value of feature f.
func (c *cells) missing(node, f int) int {
	if c.miss == nil {
		return 0
	}
	return int(c.miss[node][f])
}

// deviation returns mean and standard deviation of real feature f at a node.
func (c *cells) deviation(node, f int) (mean, sd float64) {
	if c.rounded != nil && c.rounded[node][f] != [2]float64{} {
		return c.rounded[node][f][0], c.rounded[node][f][1]
	}
	n := float64(c.n[node] - c.missing(node, f))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	mean = c.total(node, f) / n // rows of presences have no sums of their own
	gap := mean - c.shift[f]
	v := c.square[node][f]/n - gap*gap
	if n > 1 {
		v *= n / (n - 1)
	}
	return mean, math.Sqrt(math.Max(v, 0))
}
