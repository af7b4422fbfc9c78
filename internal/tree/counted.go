package tree

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/kernel"
	"github.com/moiety-go/moiety/internal/pages"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// counted are binary records in memory under the Bernoulli model. The counts of their
// features give the model of one component and its likelihood, those of one side are
// the node's less those of the other, and so are the counts of pairs that directions
// are found by. They are counted where they stand, without a copy.
type counted struct {
	*scanned
	sums  []float64   // of the features; nil for a sample
	pairs *pairCounts // or nil
	seen  *seen       // or nil
}

// table is the binary rows that a tree grows over, and how long they are.
type table struct {
	*kernel.BinaryRows
	entries, pairs float64 // of a row, on average
}

func (g *builder) tabulate() {
	rows := g.rows
	var pairs atomic.Int64
	_ = inBlocks(context.Background(), g.s.Workers, rows.N(), func(_, lo, n int) error { // there is nothing to end it
		here := 0
		for i := lo; i < lo+n; i++ {
			l := rows.Ptr[i+1] - rows.Ptr[i]
			here += l * (l + 1) / 2
		}
		pairs.Add(int64(here))
		return nil
	})
	n := float64(max(rows.N(), 1))
	proved := kernel.NewBinaryRows(rows.Ptr, rows.Index, rows.Dim, func(n int, part func(int)) {
		_ = par.Do(context.Background(), g.s.Workers, n, func(i int) error {
			part(i)
			return nil
		})
	})
	g.table = &table{proved, float64(rows.NNZ()) / n, float64(pairs.Load()) / n}
}

// blocks hands runs of places to f, on all cores.
func (c *counted) blocks(ctx context.Context, f func(i, lo, n int) error) error {
	return inBlocks(ctx, c.workers(), c.own(), f)
}

// inParts hands runs of places to f, on all cores, as many as are worth a table each for
// every worker. What is counted does not depend on how many there are.
func (c *counted) inParts(ctx context.Context, each int, f func(lo, n int) error) error {
	n := c.own()
	parts := max(1, min(n/each, partsEach*par.Workers(c.workers())))
	return par.Do(ctx, c.workers(), parts, func(i int) error {
		lo := n * i / parts
		return f(lo, n*(i+1)/parts-lo)
	})
}

// partsEach is the number of parts for each worker: where other nodes are looked at, too,
// workers are not equally quick.
const partsEach = 4

// count returns the number of records that have each feature.
func (c *counted) count(ctx context.Context) ([]float64, error) {
	d := c.g.rows.Dim
	var mu sync.Mutex
	all := make([]int32, d)
	err := c.inParts(ctx, countedBlock, func(lo, n int) error {
		part := pages.Sums[int32](d)
		c.g.table.Count(part, c.list, lo, n)
		mu.Lock()
		defer mu.Unlock()
		for h, v := range part {
			all[h] += v
		}
		return nil
	})
	out := make([]float64, d)
	for h, v := range all {
		out[h] = float64(v)
	}
	return out, err
}

func (c *counted) start(ctx context.Context) (mixture.Params, error) {
	if err := c.summed(ctx); err != nil {
		return mixture.Params{}, err
	}
	for _, v := range c.sums {
		if v > 0 && v < float64(c.n) {
			p, _, err := c.alone(ctx)
			return p, err
		}
	}
	return mixture.Params{}, moment.ErrConstant()
}

// summed sees to the counts of the features.
func (c *counted) summed(ctx context.Context) (err error) {
	if c.sums == nil {
		c.sums, err = c.count(ctx)
	}
	return err
}

// least keeps logarithms finite, as in the family's own steps.
const least = 1e-9

// alone is the mean of the records: the prior of EM draws towards it, and so changes
// nothing.
func (c *counted) alone(ctx context.Context) (mixture.Params, float64, error) {
	if err := c.summed(ctx); err != nil {
		return mixture.Params{}, 0, err
	}
	centers, loglik, size := mat.NewDense(len(c.sums), 1, nil), 0.0, float64(c.n)
	for h, s := range c.sums {
		p := math.Min(math.Max(s/size, least), 1-least)
		centers.Set(h, 0, p)
		loglik += s*math.Log(p) + (size-s)*math.Log1p(-p)
	}
	return mixture.New(centers, []float64{1}), loglik, nil
}

func (c *counted) columns(ctx context.Context) (columnStats, error) {
	if err := c.summed(ctx); err != nil {
		return columnStats{}, err
	}
	s := columnStats{make([]float64, len(c.sums)), make([]float64, len(c.sums))}
	for h, v := range c.sums {
		p := v / float64(c.n)
		s.mean[h], s.variance[h] = p, p-p*p
	}
	return s, nil
}

func (c *counted) every(step int) records {
	if step == 1 {
		return c
	}
	return &counted{scanned: c.scanned.every(step).base()}
}

func (c *counted) divide(ctx context.Context, labels sides) (out [2]records, err error) {
	if err := c.summed(ctx); err != nil {
		return out, err
	}
	parts, err := c.scanned.divide(ctx, labels)
	if err != nil {
		return out, err
	}
	first, second := &counted{scanned: parts[0].base(), sums: make([]float64, len(c.sums))}, &counted{scanned: parts[1].base()}
	err = second.summed(ctx)
	floats.SubTo(first.sums, c.sums, second.sums)
	return [2]records{first, second}, err
}

// What finding a direction costs, in nanoseconds of one core, measured on
// patients: a pair counted; a number of the table in one product; an entry of a
// row in one product by a scan.
const (
	pairCost, tableCost, entryCost = 1.2, 0.12, 3.0
	productsEach                   = 16   // products to find a direction
	widestPairs                    = 3000 // features: a table of 18 MB
)

// pairsPay reports whether counting pairs is the cheaper way to directions; counted
// ones of the parent make it cheaper still.
func (c *counted) pairsPay() bool {
	d, n, t := float64(c.g.rows.Dim), float64(c.n), c.g.table
	table := n*t.pairs*pairCost + productsEach*tableCost*d*d/2
	return d <= widestPairs && table <= productsEach*entryCost*n*t.entries
}

// moments takes the pairs that were counted, where the family's moments are made of them.
func (c *counted) moments(ctx context.Context) (moment.Source, error) {
	f, ok := c.g.s.Family.(family.Counted)
	if !ok {
		return c.scanned.moments(ctx)
	}
	run, err := c.runner(ctx)
	if err != nil {
		return nil, err
	}
	return f.CountedSource(ctx, run, func() (moment.Presences, error) {
		err := c.paired(ctx)
		if err != nil {
			return moment.Presences{}, err
		}
		return moment.Presences{N: c.pairs.N, Pairs: c.pairs.Count}, nil
	}, 2)
}

// paired sees to the counts of the pairs.
func (c *counted) paired(ctx context.Context) (err error) {
	if c.pairs == nil {
		c.pairs, err = c.countPairs(ctx)
	}
	return err
}

// sharedRecords is the number of records from which pairs are worth keeping for
// the children: those of fewer are counted again while their table is at hand.
const sharedRecords = 6 * 1024

// keepsPairs reports whether the pairs of all records of a node are counted,
// so that its children can share them.
func (c *counted) keepsPairs() bool {
	if c.g.s.splitter() == Sidiwo { // which counts them as they are; a table is no larger than the records
		d := c.g.rows.Dim
		return c.n >= sharedRecords && float64(c.n)*c.g.table.entries >= float64(d*(d+1)/2)
	}
	return c.n >= sharedRecords && c.pairsPay() && c.g.directionStep(c.n) == 1
}

func (c *counted) view(ctx context.Context) (_ view, err error) {
	if !c.pairsPay() {
		return c.scanned.view(ctx)
	}
	err = c.paired(ctx)
	return pairs{c, c.pairs}, err
}

// projected hands f the sums of v over the features of the records, block by block; v may
// be two vectors, one behind the other.
func (c *counted) projected(ctx context.Context, v []float64, f func(i, lo int, z [][]float64) error) error {
	of := len(v) / c.g.rows.Dim
	return c.blocks(ctx, func(i, lo, n int) error {
		buffer := c.g.scratch.take(of * countedBlock)
		defer c.g.scratch.give(buffer)
		c.g.table.Sums(buffer, v, c.list, lo, n)
		z := make([][]float64, of)
		for a := range z {
			z[a] = buffer[a*n:][:n]
		}
		return f(i, lo, z)
	})
}

// added adds up n numbers that add finds in such sums.
func (c *counted) added(ctx context.Context, n int, v []float64, add func(state []float64, lo int, z [][]float64)) ([]float64, error) {
	parts := make([][]float64, blocksOf(c.own()))
	err := c.projected(ctx, v, func(i, lo int, z [][]float64) error {
		parts[i] = make([]float64, n)
		add(parts[i], lo, z)
		return nil
	})
	if err != nil { // what was ended has parts that nobody made
		return nil, err
	}
	sum := make([]float64, n)
	for _, p := range parts {
		floats.Add(sum, p)
	}
	return sum, nil
}

func (c *counted) place(ctx context.Context, rule *Rule) (sides, error) {
	if c.seen != nil && c.seen.basis == rule.basis {
		return c.placeSeen(ctx, rule)
	}
	v, ok := rule.single()
	if !ok {
		v = columnsOf(rule.Vectors)
	}
	out := sides(c.g.labels.take(c.own()))
	return out, c.projected(ctx, v, func(_, lo int, z [][]float64) error {
		out := out[lo:][:len(z[0])]
		for i, x := range z[0] {
			second := 0.0
			if len(z) > 1 {
				second = z[1][i]
			}
			out[i] = rule.side(x, second)
		}
		return nil
	})
}

// pairRecords is the number of records that are worth a table of pairs for each
// worker.
const pairRecords = 16 * 1024

// countPairs counts the pairs of features, in tables that are used again: one for every
// part that is counted at the same time.
func (c *counted) countPairs(ctx context.Context) (*pairCounts, error) {
	d, used := c.g.rows.Dim, tablePool{}
	err := c.inParts(ctx, pairRecords, func(lo, n int) error {
		p := used.takeAny()
		if p == nil {
			if p = c.g.tables.takeAny(); p != nil {
				p.Clear()
			} else {
				p = newPairCounts(d)
			}
		}
		p.Add(c.g.table.BinaryRows, c.list, lo, n)
		used.give(p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := used.takeAny()
	if err := all.Join(ctx, c.workers(), used.free); err != nil {
		return nil, err
	}
	for _, p := range used.free {
		c.g.tables.give(p)
	}
	return all, nil
}

// share counts the pairs of the smaller side and gives the larger one those of all
// less these.
func (c *counted) share(ctx context.Context, sides [2]records) (err error) {
	larger, smaller := sides[0].(*counted), sides[1].(*counted)
	if c.pairs == nil || larger.pairs != nil || !larger.keepsPairs() {
		return nil
	}
	if smaller.pairs, err = smaller.countPairs(ctx); err != nil {
		return err
	}
	all := c.pairs
	if c.g.linear() { // the split is not reconsidered
		larger.pairs, c.pairs = all, nil
	} else {
		larger.pairs = c.g.tables.take(c.g.rows.Dim)
	}
	larger.pairs.Without(all, smaller.pairs)
	return nil
}

func (c *counted) rest() {
	c.scanned.rest()
	c.forget()
	if !c.keepsPairs() {
		c.g.tables.give(c.pairs)
		c.pairs = nil
	}
}

func (c *counted) release() {
	c.forget()
	c.g.tables.give(c.pairs)
	c.pairs = nil
	c.scanned.release()
}
