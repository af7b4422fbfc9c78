package tree

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Presences need few passes. Their sums tell the one-component model of a
// branch and its likelihood, those of one side are the branch's less those of
// the other, and so are the counts of pairs that directions are found by.

// beginPresences is begin for presences.
func (g *grower) beginPresences(ctx context.Context, root *branch) error {
	var err error
	if root.sums, err = g.columnSums(ctx); err != nil {
		return err
	}
	varying := false
	for _, v := range root.sums {
		varying = varying || v > 0 && v < float64(root.n)
	}
	if !varying {
		return moment.ErrConstant()
	}
	root.alone, root.loglik = presencesAlone(root.sums, root.n)
	g.one = root.alone
	return nil
}

// columnSums returns the number of records of each feature.
func (g *grower) columnSums(ctx context.Context) ([]float64, error) {
	all := g.listedAs(nil, g.rows.N())
	parts := make([][]int32, all.blocks())
	err := all.each(ctx, func(i, lo, n int) error {
		parts[i] = make([]int32, g.rows.Dim)
		g.sheet.Count(parts[i], nil, lo, n)
		return nil
	})
	return added(parts, g.rows.Dim), err
}

// least keeps logarithms finite, as in the family's own steps.
const least = 1e-9

// presencesAlone returns the one-component model of n records from the sums of
// their features, and its log-likelihood. The prior of EM draws towards the
// mean of all records, which here is the estimate itself.
func presencesAlone(sums []float64, n int) (mixture.Params, float64) {
	centers, loglik, size := mat.NewDense(len(sums), 1, nil), 0.0, float64(n)
	for h, s := range sums {
		p := math.Min(math.Max(s/size, least), 1-least)
		centers.Set(h, 0, p)
		loglik += s*math.Log(p) + (size-s)*math.Log1p(-p)
	}
	return mixture.New(centers, []float64{1}), loglik
}

// fitSums sets the sums and the models of the sides of a cut from the sums over
// both and over the second.
func (c *cut) fitSums(both, second []float64) {
	first := make([]float64, len(both))
	for h, v := range both {
		first[h] = v - second[h]
	}
	for j, sums := range [][]float64{first, second} {
		side := c.sides[j]
		side.sums = sums
		side.alone, side.loglik = presencesAlone(sums, side.n)
	}
}

// presenceStats returns the moments of columns of presences.
func presenceStats(sums []float64, n int) columnStats {
	s := columnStats{make([]float64, len(sums)), make([]float64, len(sums))}
	for h, v := range sums {
		p := v / float64(n)
		s.mean[h], s.variance[h] = p, p-p*p
	}
	return s
}

// What finding a direction costs, in nanoseconds of one core, measured on
// patients: a pair counted; a number of the table in one product; an entry of a
// row in one product by a scan.
const (
	pairCost, tableCost, entryCost = 1.2, 0.12, 3.0
	productsEach                   = 16   // products to find a direction
	widestPairs                    = 3000 // features: a table of 18 MB
)

// pairsPay reports whether counting the pairs of n records is the cheaper way
// to directions; counted ones of the parent make it cheaper still.
func (g *grower) pairsPay(n int) bool {
	d := float64(g.rows.Dim)
	table := float64(n)*g.pairsEach*pairCost + productsEach*tableCost*d*d/2
	return g.presences && d <= widestPairs && table <= productsEach*entryCost*float64(n)*g.entriesEach
}

// surveyLengths notes how long the rows are.
func (g *grower) surveyLengths() {
	entries, pairs := 0, 0
	for i := range g.rows.N() {
		l := g.rows.Ptr[i+1] - g.rows.Ptr[i]
		entries += l
		pairs += l * (l + 1) / 2
		g.longest = max(g.longest, g.entries(i))
	}
	n := float64(max(g.rows.N(), 1))
	g.entriesEach, g.pairsEach = float64(entries)/n, float64(pairs)/n
}

// tablePool keeps tables of pairs that nobody needs any more.
type tablePool struct {
	mu   sync.Mutex
	free []*pairCounts
}

// take returns a table with anything in it.
func (s *tablePool) take(d int) *pairCounts {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return newPairCounts(d)
	}
	p := s.free[last]
	s.free = s.free[:last]
	return p
}

func (s *tablePool) give(p *pairCounts) {
	if p == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, p)
}

// sharePairs counts the pairs of the smaller side of a cut and gives the larger
// one those of its parent less these, where that spares a scan.
func (g *grower) sharePairs(ctx context.Context, b *branch, c *cut) error {
	larger, smaller := c.sides[0], c.sides[1]
	if b.pairs == nil || larger.pairs != nil || !g.keepsPairs(larger) {
		return nil
	}
	var err error
	if smaller.pairs, err = g.listed(smaller).pairs(ctx, &g.tables, g.rows.Dim); err != nil {
		return err
	}
	all := b.pairs
	if g.linear() { // there are no second thoughts
		larger.pairs, b.pairs = all, nil
	} else {
		larger.pairs = g.tables.take(g.rows.Dim)
	}
	larger.pairs.Without(all, smaller.pairs)
	return nil
}

// sharedRecords is the number of records from which pairs are worth keeping for
// the children: those of fewer are counted again while their table is at hand.
const sharedRecords = 6 * 1024

// keepsPairs reports whether the pairs of all records of a branch are counted,
// so that its children can share them.
func (g *grower) keepsPairs(b *branch) bool {
	if b.n < sharedRecords || !g.pairsPay(b.n) {
		return false
	}
	return g.s.splitter() == DSidiwo || g.s.splitter() == Skew && directionStep(b) == 1
}

// pairsOf returns the pairs of records of a branch, all of them or a sample;
// nil where counting does not pay.
func (g *grower) pairsOf(ctx context.Context, b *branch, l *listed) (*pairCounts, error) {
	if !g.pairsPay(l.n) {
		return nil, nil
	}
	if l.n < b.n {
		return l.pairs(ctx, &g.tables, g.rows.Dim)
	}
	var err error
	if b.pairs == nil {
		b.pairs, err = l.pairs(ctx, &g.tables, g.rows.Dim)
	}
	return b.pairs, err
}
