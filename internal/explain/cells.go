package explain

import (
	"context"
	"math"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/fit"
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
	// told holds means and standard deviations where they are rounded to be
	// shared, node×d; nil elsewhere.
	told [][][2]float64
}

// Bounds of certainty.
const (
	sureAbove     = 0.9
	doubtfulBelow = 0.5
)

// count adds up the rows of every leaf and then of every node.
func count(ctx context.Context, o *fit.Outcome, r Records, d *survey, h *hierarchy, of []Of) (*cells, error) {
	c := newCells(h.len(), d, of)
	row := 0
	err := r.Each(ctx, func(first int, part *dataset.Dataset) error {
		record := 0
		for i := range part.Rows.N() {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			leaf := h.leaf[o.Group[row]]
			c.add(leaf, part, i, float64(o.Probability[row]))
			row++
			if part.Steps != nil {
				for part.Steps[record+1]-part.Steps[0] <= i {
					record++
				}
				c.people.meet(leaf, first+record, part, i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.rollup(h)
	return c, nil
}

func newCells(nodes int, d *survey, of []Of) *cells {
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
	if slices.Contains(of, Value) {
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
func eachEntry(d *dataset.Dataset, i int, visit func(h int, v float64)) {
	if d.Rows.IsDense() {
		for h, v := range d.Rows.DenseRow(i) {
			visit(h, v)
		}
		return
	}
	index, value := d.Rows.Row(i)
	for e, h := range index {
		v := 1.0
		if value != nil {
			v = float64(value[e])
		}
		visit(int(h), v)
	}
}

// add adds row i to a leaf.
func (c *cells) add(leaf int, d *dataset.Dataset, i int, sure float64) {
	c.n[leaf]++
	c.chance[leaf] += sure
	switch {
	case sure > sureAbove:
		c.sure[0][leaf]++
	case sure < doubtfulBelow:
		c.sure[2][leaf]++
	default:
		c.sure[1][leaf]++
	}
	eachEntry(d, i, func(h int, v float64) {
		switch {
		case v != v:
			c.miss[leaf][h]++
			return
		case v != 0:
			c.have[leaf][h]++
		}
		if c.sum != nil {
			c.sum[leaf][h] += v
		}
		if c.square != nil {
			// Zeros that are not stored are put right in deviation.
			c.square[leaf][h] += (v - c.shift[h]) * (v - c.shift[h])
		}
	})
	if c.square != nil && !d.Rows.IsDense() {
		index, _ := d.Rows.Row(i)
		at := 0
		for h, s := range c.shift {
			if at < len(index) && int(index[at]) == h {
				at++
				continue
			}
			c.square[leaf][h] += s * s
		}
	}
}

func (c *cells) rollup(h *hierarchy) {
	rollup(h, c.n)
	rollup(h, c.chance)
	for l := range c.sure {
		rollup(h, c.sure[l])
	}
	for i := h.len() - 1; i > 0; i-- {
		p := h.parent[i]
		addTo(c.have[p], c.have[i])
		if c.miss != nil {
			addTo(c.miss[p], c.miss[i])
		}
		if c.sum != nil {
			addTo(c.sum[p], c.sum[i])
		}
		if c.square != nil {
			addTo(c.square[p], c.square[i])
		}
	}
}

func addTo[T int32 | float64](dst, src []T) {
	for i, v := range src {
		dst[i] += v
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
	if c.told != nil && c.told[node][f] != [2]float64{} {
		return c.told[node][f][0], c.told[node][f][1]
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
