package tree

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// cut splits a branch in two; where it cannot, it says why in words.
func (g *grower) cut(ctx context.Context, b *branch) (*cut, string, error) {
	if g.s.splitter() == Sidiwo {
		return g.fromMoments(ctx, b)
	}
	l, err := g.looks(ctx, b)
	if err != nil {
		return nil, "", err
	}
	if g.s.splitter() == DSidiwo {
		return g.fromPlane(ctx, b, l)
	}
	s := &standardised{looks: l}
	rule, evidence, err := s.rule(ctx)
	if l.pairs != b.pairs {
		g.tables.give(l.pairs)
	}
	return g.fromRule(ctx, b, rule, evidence, s.z, err)
}

// fromPlane splits by the discriminants of the leading plane of raw moments. Of
// presences the projections on the plane are at hand.
func (g *grower) fromPlane(ctx context.Context, b *branch, l looks) (*cut, string, error) {
	p, err := newPlane(ctx, l)
	if err != nil {
		return g.refuse(err)
	}
	rule, rotation, evidence, err := p.discriminants(ctx)
	defer g.projections.give(p.z)
	if err != nil || p.z == nil || g.s.steps() > 0 {
		return g.fromRule(ctx, b, rule, evidence, nil, err)
	}
	labels, err := g.sidesOf(ctx, l.rows, p.z, rotation, p.w, rule)
	if err != nil {
		return nil, "", err
	}
	return g.byRule(ctx, b, rule, labels, evidence)
}

// fromMoments splits by the two pseudo-centers of SIDIWO and their posterior
// ([H] Alg. 2).
func (g *grower) fromMoments(ctx context.Context, b *branch) (*cut, string, error) {
	src, err := g.s.Family.Source(ctx, g.records(b), 2)
	if err == nil {
		var raw *decompose.Result
		if raw, err = decompose.SIDIWO(ctx, src, 2, decompose.Options{Seed: g.s.Seed, Extra: extraColumns, Passes: planePasses, Residual: planeResidual, AllSlices: g.s.AllSlices}); err == nil {
			pair, _, err := g.s.Family.Normalise(ctx, src, raw.Params)
			if err != nil {
				return nil, "", err
			}
			d := raw.Diagnostics
			return g.fromPair(ctx, b, pair, Split{Spectrum: d.Spectrum, Gap: d.Gap, Separation: d.Separation, Stability: -1})
		}
	}
	return g.refuse(err)
}

// extraColumns beyond the two asked for are enough to find the leading plane.
const extraColumns = 4

// planePasses are the most scans for it.
const planePasses = 12

// planeResidual is the residual at which the leading plane counts as found: what
// is left moves no record across the split but by chance.
const planeResidual = 1e-2

// refuse tells a lack of structure from a failure.
func (g *grower) refuse(err error) (*cut, string, error) {
	var few *moment.ErrTooFew
	var rank *decompose.ErrRank
	if errors.As(err, &few) || errors.As(err, &rank) {
		return nil, "the records show no second direction", nil
	}
	return nil, "", err
}

// fromRule splits by a linear rule and, where steps of EM are asked for, takes
// the partition as their start. z are the projections of the records on the
// rule, where they are at hand.
func (g *grower) fromRule(ctx context.Context, b *branch, rule *Rule, evidence Split, z []float64, err error) (*cut, string, error) {
	if err != nil {
		return g.refuse(err)
	}
	if g.s.steps() > 0 {
		labels, err := g.started(ctx, g.sample(b), rule, z)
		if err != nil {
			return nil, "", err
		}
		defer g.labels.give(labels)
		return g.fromLabels(ctx, b, labels, evidence)
	}
	labels, err := g.placed(ctx, g.records(b), rule.block)
	if err != nil {
		return nil, "", err
	}
	return g.byRule(ctx, b, rule, labels, evidence)
}

// started places the records of a look by a rule; z are the projections of as
// many records, of which there is only one choice, or of others.
func (g *grower) started(ctx context.Context, at look, rule *Rule, z []float64) (sides, error) {
	v, ok := rule.single()
	if !ok || !g.presences {
		return g.placed(ctx, at, rule.block)
	}
	l := g.listedAs(at.list, at.Len())
	if len(z) != l.n {
		g.scratch.give(z)
		z = g.scratch.take(l.n)
		if err := l.project(ctx, z, v); err != nil {
			return nil, err
		}
	}
	defer g.scratch.give(z)
	out := sides(g.labels.take(l.n))
	for i, x := range z {
		out[i] = sideOf(x+rule.Offset[0], rule.Offset[1])
	}
	return out, nil
}

// byRule splits by the sides that a rule gave all records.
func (g *grower) byRule(ctx context.Context, b *branch, rule *Rule, labels sides, evidence Split) (*cut, string, error) {
	if labels.largerFirst() {
		rule = rule.flipped()
	}
	evidence.Rule = rule
	return g.judge(ctx, b, labels, evidence)
}

// flipped exchanges the sides of a rule.
func (r *Rule) flipped() *Rule {
	return &Rule{
		Vectors: mixture.Columns(r.Vectors, []int{1, 0}),
		Offset:  [2]float64{r.Offset[1], r.Offset[0]}, Absolute: r.Absolute,
	}
}

// fromLabels takes a partition of the branch's sample as the start of EM.
func (g *grower) fromLabels(ctx context.Context, b *branch, labels sides, evidence Split) (*cut, string, error) {
	f, ok := g.s.Family.(family.Grouped)
	labels.settle()
	if !ok || !labels.both() {
		return nil, "all records fall on one side", nil
	}
	pair, err := g.partition(2, func(shape mixture.Params) ([]float64, error) {
		if g.presences {
			return g.summed(ctx, b, labels)
		}
		return hardState(ctx, f, g.sample(b), shape, labels.numbers())
	})
	if err != nil {
		return nil, "", err
	}
	return g.fromPair(ctx, b, pair, evidence)
}

// partition returns the parameters of a partition in k groups, given the
// state of the family's hard step.
func (g *grower) partition(k int, state func(shape mixture.Params) ([]float64, error)) (mixture.Params, error) {
	shape := g.s.Family.Reorder(g.one, make([]int, k))
	for j := range shape.Weights {
		shape.Weights[j] = 1 / float64(k)
	}
	stats, err := state(shape)
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := g.s.Family.MStep(stats, shape, g.s.pseudo())
	return p, err
}

// hardState scans the records for the statistics of a partition.
func hardState(ctx context.Context, f family.Grouped, run pass.Runner, shape mixture.Params, labels []int32) ([]float64, error) {
	step, err := f.HardStep(shape, labels)
	if err != nil {
		return nil, err
	}
	return pass.RunOne(ctx, run, step)
}

// summed counts them, for the two sides of a branch's sample.
func (g *grower) summed(ctx context.Context, b *branch, labels sides) ([]float64, error) {
	l := g.listedAs(g.sample(b).list, len(labels))
	second, err := l.count(ctx, labels, 1, g.rows.Dim)
	if err != nil {
		return nil, err
	}
	first := make([]float64, len(second))
	if l.n == b.n {
		floats.SubTo(first, b.sums, second)
	} else if first, err = l.count(ctx, labels, 0, g.rows.Dim); err != nil {
		return nil, err
	}
	ones := float64(labels.count(1))
	return loglinear.Partition([]float64{float64(l.n) - ones, ones}, [][]float64{first, second}), nil
}

func (s *Settings) pseudo() float64 {
	switch {
	case s.Pseudo == 0:
		return 1
	case s.Pseudo < 0:
		return 0
	}
	return s.Pseudo
}

// fromPair refines a pair on the branch's sample and places all its records by
// it.
func (g *grower) fromPair(ctx context.Context, b *branch, pair mixture.Params, evidence Split) (*cut, string, error) {
	if n := g.s.steps(); n > 0 {
		var err error
		if pair, err = g.refined(ctx, g.sample(b), pair, n); err != nil {
			return nil, "", err
		}
	}
	labels, err := g.byPair(ctx, b, pair)
	if err != nil {
		return nil, "", err
	}
	if labels.largerFirst() {
		pair = g.s.Family.Reorder(pair, []int{1, 0})
	}
	evidence.Pair = &pair
	return g.judge(ctx, b, labels, evidence)
}

// refined returns the pair after at most n steps of EM on the runner's records.
func (g *grower) refined(ctx context.Context, run pass.Runner, pair mixture.Params, n int) (mixture.Params, error) {
	o := refine.Options{Pseudo: g.s.Pseudo, Iterations: n, Tol: stepTol, Brief: g.s.Family.Info().Tree.Binary}
	r, err := refine.EM(ctx, g.s.Family, run, pair, o)
	if err != nil {
		return pair, err
	}
	return r.Params, nil
}

// stepTol ends the EM of a split early: labels have long settled by then.
const stepTol = 1e-5

// judge measures what a partition gains: the log-likelihood of records and
// labels under one model for each side, less that under one model for all. The
// larger side comes first.
func (g *grower) judge(ctx context.Context, b *branch, labels sides, evidence Split) (*cut, string, error) {
	if !labels.both() {
		return nil, "all records fall on one side", nil
	}
	c := &cut{split: evidence, labels: labels}
	second := labels.count(1)
	c.sides = [2]*branch{{n: b.n - second}, {n: second}}
	var columns [2]columnStats
	if g.presences {
		sums, err := g.listed(b).count(ctx, labels, 1, g.rows.Dim)
		if err != nil {
			return nil, "", err
		}
		c.fitSums(b.sums, sums)
		for j, side := range c.sides {
			columns[j] = presenceStats(side.sums, side.n)
		}
	} else {
		g.divide(b, c)
		for j, side := range c.sides {
			if err := g.fitAlone(ctx, side); err != nil {
				return nil, "", err
			}
			columns[j] = g.columnMoments(side)
		}
	}
	c.split.Gain = -b.loglik
	for j, side := range c.sides {
		n := float64(side.n)
		c.split.Gain += side.loglik + n*math.Log(n/float64(b.n))
		c.split.Sizes[j] = side.n
	}
	c.split.Features = c.differences(columns)
	c.split.Penalty = g.penalty(b)
	return c, "", nil
}

// divide gives the records of a branch to the sides of its cut.
func (g *grower) divide(b *branch, c *cut) {
	if c.sides[0].list != nil {
		return
	}
	first, second := g.lists.take(c.sides[0].n+1), g.lists.take(c.sides[1].n+1)
	at := [2]int{}
	for i, l := range c.labels { // without a jump: sides come in any order
		r := b.at(i)
		first[at[0]], second[at[1]] = r, r
		at[1] += int(l)
		at[0] = i + 1 - at[1]
	}
	c.sides[0].list, c.sides[1].list = first[:at[0]], second[:at[1]]
}

// penalty is what a split must gain: one for each parameter it adds, or half
// the logarithm of the number of records with BIC (algorithms: stopping).
func (g *grower) penalty(b *branch) float64 {
	added := float64(g.s.Family.FreeParameters(b.alone) + 1)
	if g.s.Cautious {
		return 0.5 * added * math.Log(float64(b.n))
	}
	return added
}
