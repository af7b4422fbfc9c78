package tree

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// cut splits a branch in two; where it cannot, it says why in words.
func (g *builder) cut(ctx context.Context, b *branch) (*cut, string, error) {
	if g.s.splitter() == Sidiwo {
		return g.fromMoments(ctx, b)
	}
	part := b.every(g.directionStep(b.Len()))
	v, err := part.view(ctx)
	if err != nil {
		return nil, "", err
	}
	rule, evidence, err := g.direction(ctx, v)
	if part != b.records {
		part.release()
	}
	return g.fromRule(ctx, b, rule, evidence, err)
}

// direction finds the rule that splits records: by the discriminants of the leading
// plane of raw moments, or by their most skewed direction.
func (g *builder) direction(ctx context.Context, v view) (*Rule, Split, error) {
	if g.s.splitter() == Skew {
		return (&standardised{view: v, mem: g.memory}).rule(ctx)
	}
	p, err := newPlane(ctx, v, g.memory)
	if err != nil {
		return nil, Split{}, err
	}
	return p.discriminants(ctx, g.s.AllSlices)
}

// fromMoments splits by the two pseudo-centers of SIDIWO and their posterior
// ([H] Alg. 2). The records that they are refined on are gathered beside it.
func (g *builder) fromMoments(ctx context.Context, b *branch) (*cut, string, error) {
	from := b.records
	var src moment.Source
	var raw *decompose.Result
	err := par.Do(ctx, g.abreast(), 2, func(i int) (err error) {
		if i == 1 {
			if step := g.sampleStep(b.Len()); step > 1 && g.s.steps() > 0 {
				from = b.every(step)
				_, err = from.base().runner(ctx)
			}
			return err
		}
		if src, err = b.moments(ctx); err == nil {
			raw, err = decompose.SIDIWO(ctx, src, 2, decompose.Options{Seed: g.s.Seed, Extra: extraColumns, Passes: planePasses, Residual: planeResidual, AllSlices: g.s.AllSlices})
		}
		return err
	})
	if from != b.records {
		defer from.release()
	}
	if err != nil {
		return g.refuse(err)
	}
	pair, _, err := g.s.Family.Normalise(ctx, src, raw.Params)
	if err != nil {
		return nil, "", err
	}
	d := raw.Diagnostics
	return g.fromPair(ctx, b, from, pair, Split{Spectrum: d.Spectrum, Gap: d.Gap, Separation: d.Separation, Stability: -1})
}

// extraColumns beyond the two asked for are enough to find the leading plane.
const extraColumns = 4

// planePasses are the most scans for it.
const planePasses = 12

// planeResidual is the residual at which the leading plane counts as found: what
// is left moves no record across the split but by chance.
const planeResidual = 1e-2

// refuse tells a lack of structure from a failure.
func (g *builder) refuse(err error) (*cut, string, error) {
	var few *moment.ErrTooFew
	var rank *decompose.ErrRank
	if errors.As(err, &few) || errors.As(err, &rank) {
		return nil, "the records show no second direction", nil
	}
	return nil, "", err
}

// fromRule splits by a linear rule and, where steps of EM are asked for, takes
// the partition as their start.
func (g *builder) fromRule(ctx context.Context, b *branch, rule *Rule, evidence Split, err error) (*cut, string, error) {
	if err != nil {
		return g.refuse(err)
	}
	from := b.records
	if g.s.steps() > 0 {
		if from = b.every(g.sampleStep(b.Len())); from != b.records {
			defer from.release()
		}
	}
	labels, err := from.place(ctx, rule)
	rule.basis, rule.rotation = nil, nil
	if err != nil {
		return nil, "", err
	}
	if g.s.steps() > 0 {
		defer g.labels.give(labels)
		return g.fromLabels(ctx, b, from, labels, evidence)
	}
	open := labels.open(b.base())
	if evidence.Open, _, err = g.counted(ctx, len(open)); err != nil {
		return nil, "", err
	}
	swapped, err := g.largerFirst(ctx, labels)
	if swapped {
		rule = rule.flipped()
	}
	evidence.Rule = rule
	if err != nil {
		return nil, "", err
	}
	c, refused, err := g.judge(ctx, b, labels, evidence)
	if c != nil {
		c.open = open
	}
	return c, refused, err
}

// flipped exchanges the sides of a rule.
func (r *Rule) flipped() *Rule {
	return &Rule{
		Vectors: mixture.Columns(r.Vectors, []int{1, 0}),
		Offset:  [2]float64{r.Offset[1], r.Offset[0]}, Absolute: r.Absolute,
	}
}

// fromLabels takes a partition of some of a branch's records as the start of EM on
// them.
func (g *builder) fromLabels(ctx context.Context, b *branch, from records, labels sides, evidence Split) (*cut, string, error) {
	f, ok := g.s.Family.(family.Grouped)
	both, err := g.resolved(ctx, labels)
	if err != nil {
		return nil, "", err
	}
	if !ok || !both {
		return nil, oneSide, nil
	}
	run, err := from.base().runner(ctx)
	if err != nil {
		return nil, "", err
	}
	pair, err := g.partition(ctx, f, run, 2, labels.numbers())
	if err != nil {
		return nil, "", err
	}
	return g.fromPair(ctx, b, from, pair, evidence)
}

// oneSide is why a branch with such a partition is not split.
const oneSide = "all records fall on one side"

// partition returns the parameters of a partition of a runner's records in k groups.
func (g *builder) partition(ctx context.Context, f family.Grouped, run pass.Runner, k int, labels []int32) (mixture.Params, error) {
	shape := g.shape(k)
	step, err := f.HardStep(shape, labels)
	if err != nil {
		return mixture.Params{}, err
	}
	stats, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := g.s.Family.MStep(stats, shape, g.s.pseudo())
	return p, err
}

// shape returns a legal model of k components.
func (g *builder) shape(k int) mixture.Params {
	p := g.s.Family.Reorder(g.one, make([]int, k))
	for j := range p.Weights {
		p.Weights[j] = 1 / float64(k)
	}
	return p
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

// fromPair refines a pair on some of the branch's records and places all by it.
func (g *builder) fromPair(ctx context.Context, b *branch, from records, pair mixture.Params, evidence Split) (*cut, string, error) {
	if n := g.s.steps(); n > 0 {
		run, err := from.base().runner(ctx)
		if err != nil {
			return nil, "", err
		}
		if pair, err = g.refined(ctx, run, pair, n); err != nil {
			return nil, "", err
		}
	}
	labels, err := b.assign(ctx, pair)
	if err != nil {
		return nil, "", err
	}
	swapped, err := g.largerFirst(ctx, labels)
	if err != nil {
		return nil, "", err
	}
	if swapped {
		pair = g.s.Family.Reorder(pair, []int{1, 0})
	}
	evidence.Pair = &pair
	return g.judge(ctx, b, labels, evidence)
}

// refined returns the pair after at most n steps of EM on the runner's records.
func (g *builder) refined(ctx context.Context, run pass.Runner, pair mixture.Params, n int) (mixture.Params, error) {
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
func (g *builder) judge(ctx context.Context, b *branch, labels sides, evidence Split) (*cut, string, error) {
	if both, err := g.resolved(ctx, labels); err != nil || !both {
		return nil, oneSide, err
	}
	c := &cut{split: evidence, labels: labels}
	parts, err := b.divide(ctx, labels)
	if err != nil {
		return nil, "", err
	}
	c.split.Gain = -b.loglik
	var columns [2]columnStats
	for j, part := range parts {
		side, err := newBranch(ctx, part)
		if err != nil {
			return nil, "", err
		}
		if columns[j], err = part.columns(ctx); err != nil {
			return nil, "", err
		}
		side.level = b.level + 1
		n := float64(side.Len())
		c.split.Gain += side.loglik + n*math.Log(n/float64(b.Len()))
		c.split.Sizes[j] = side.Len()
		c.sides[j] = side
	}
	c.split.Features = differences(c.split.Sizes, columns)
	c.split.Penalty = g.penalty(b)
	return c, "", nil
}

// penalty is what a split must gain: one for each parameter it adds, or half
// the logarithm of the number of records with BIC (algorithms: stopping).
func (g *builder) penalty(b *branch) float64 {
	added := float64(g.s.Family.FreeParameters(b.model) + 1)
	if g.s.Cautious {
		return 0.5 * added * math.Log(float64(b.Len()))
	}
	return added
}

// How many records are enough, of binary ones, where a node has at least twice as
// many. All are placed by the pair, and all count in its gain.
const (
	// directionRecords are those from which a skewed direction is found: its sampling
	// error is then far below the spread of the groups, and EM follows.
	directionRecords = 32 * 1024
	// sampledRecords are those on which EM refines a pair. Fewer would be felt where
	// groups are hard to tell: splits of real stays are then less often found again
	// (diabetes130: .86 with all 63,000, .74 with 8,000).
	sampledRecords = 64 * 1024
)

// directionStep returns which of n records a direction is found from: one of every so
// many.
func (g *builder) directionStep(n int) int {
	if g.s.splitter() != Skew {
		return 1
	}
	return g.step(n, directionRecords)
}

// sampleStep is the same for the records that a pair is refined on.
func (g *builder) sampleStep(n int) int { return g.step(n, sampledRecords) }

func (g *builder) step(n, enough int) int {
	if !g.s.Family.Info().Tree.Binary {
		return 1
	}
	return max(1, n/enough)
}
