package tree

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/assign"
	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/refine"
	"github.com/moiety-go/moiety/sparse"
)

// cut splits a branch in two; where it cannot, it says why in words.
func (g *grower) cut(ctx context.Context, b *branch) (*cut, string, error) {
	switch g.s.splitter() {
	case Skew:
		rule, evidence, err := skewRule(ctx, pass.NewLocal(spread(b.data, skewRecords), g.s.Workers))
		return g.fromRule(ctx, b, rule, evidence, err)
	case DSidiwo:
		rule, evidence, err := discriminants(ctx, pass.NewLocal(b.data, g.s.Workers), g.s.Seed)
		return g.fromRule(ctx, b, rule, evidence, err)
	default:
		return g.fromMoments(ctx, b)
	}
}

// skewRecords is the number of records from which the direction of a skew split
// is found: its sampling error is then far below the spread of the groups, and
// EM over all records of the node follows.
const skewRecords = 32 * 1024

// spread returns about n rows, every so many of them, or all where there are
// no more.
func spread(rows sparse.Rows, n int) sparse.Rows {
	step := rows.N() / n
	if step < 2 {
		return rows
	}
	list := make([]int, 0, rows.N()/step+1)
	for i := 0; i < rows.N(); i += step {
		list = append(list, i)
	}
	return rows.Pick(list)
}

// fromMoments splits by the two pseudo-centers of SIDIWO and their posterior
// ([H] Alg. 2).
func (g *grower) fromMoments(ctx context.Context, b *branch) (*cut, string, error) {
	run := pass.NewLocal(b.data, g.s.Workers)
	src, err := g.s.Family.Source(ctx, run, 2)
	if err == nil {
		var raw *decompose.Result
		if raw, err = decompose.SIDIWO(ctx, src, 2, decompose.Options{Seed: g.s.Seed, Extra: extraColumns, Passes: settlePasses, Settle: planeSettle}); err == nil {
			pair, _, err := g.s.Family.Settle(ctx, src, raw.Params)
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

// planeSettle is the residual at which the leading plane counts as found: what
// is left moves no record across the split but by chance.
const planeSettle = 1e-2

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
// the partition as their start.
func (g *grower) fromRule(ctx context.Context, b *branch, rule *Rule, evidence Split, err error) (*cut, string, error) {
	if err != nil {
		return g.refuse(err)
	}
	labels := rule.place(b.data)
	if g.s.steps() > 0 {
		return g.fromLabels(ctx, b, labels, evidence)
	}
	// The larger side comes first. Ties, such as records without any feature,
	// go to the first side under either order, so they are placed anew.
	if 2*ones(labels) > len(labels) {
		rule = rule.flipped()
		labels = rule.place(b.data)
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

// fromLabels takes a partition as the start of EM.
func (g *grower) fromLabels(ctx context.Context, b *branch, labels []int32, evidence Split) (*cut, string, error) {
	f, ok := g.s.Family.(family.Grouped)
	if !ok || !bothSides(labels) {
		return nil, "all records fall on one side", nil
	}
	shape := g.s.Family.Reorder(g.one, []int{0, 0})
	for j := range shape.Weights {
		shape.Weights[j] = 0.5
	}
	pair, err := partition(ctx, f, g.s, pass.NewLocal(b.data, g.s.Workers), shape, labels)
	if err != nil {
		return nil, "", err
	}
	return g.fromPair(ctx, b, pair, evidence)
}

// partition returns the parameters of a given partition.
func partition(ctx context.Context, f family.Grouped, s Settings, run pass.Runner, shape mixture.Params, labels []int32) (mixture.Params, error) {
	step, err := f.HardStep(shape, labels)
	if err != nil {
		return mixture.Params{}, err
	}
	stats, err := pass.RunOne(ctx, run, step)
	if err != nil {
		return mixture.Params{}, err
	}
	p, _, err := s.Family.MStep(stats, shape, s.pseudo())
	return p, err
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

// fromPair refines a pair and places the records by it.
func (g *grower) fromPair(ctx context.Context, b *branch, pair mixture.Params, evidence Split) (*cut, string, error) {
	run := pass.NewLocal(b.data, g.s.Workers)
	if n := g.s.steps(); n > 0 {
		r, err := refine.EM(ctx, g.s.Family, run, pair, refine.Options{Pseudo: g.s.Pseudo, Iterations: n, Tol: stepTol})
		if err != nil {
			return nil, "", err
		}
		pair = r.Params
	}
	a, err := assign.All(ctx, g.s.Family, pair, run, len(b.rows))
	if err != nil {
		return nil, "", err
	}
	if 2*ones(a.Group) > len(a.Group) { // the larger side first, ties placed anew as in fromRule
		pair = g.s.Family.Reorder(pair, []int{1, 0})
		if a, err = assign.All(ctx, g.s.Family, pair, run, len(b.rows)); err != nil {
			return nil, "", err
		}
	}
	evidence.Pair = &pair
	return g.judge(ctx, b, a.Group, evidence)
}

// stepTol ends the EM of a split early: labels have long settled by then.
const stepTol = 1e-5

// judge measures what a partition gains: the log-likelihood of records and
// labels under one model for each side, less that under one model for all.
func (g *grower) judge(ctx context.Context, b *branch, labels []int32, evidence Split) (*cut, string, error) {
	if !bothSides(labels) {
		return nil, "all records fall on one side", nil
	}
	c := &cut{split: evidence, labels: labels}
	var local [2][]int
	for j := range c.sides {
		c.sides[j] = &branch{}
	}
	for i, l := range labels {
		local[l] = append(local[l], i)
		c.sides[l].rows = append(c.sides[l].rows, b.rows[i])
	}
	c.split.Gain = -b.loglik
	for j, side := range c.sides {
		side.data = b.data.Pick(local[j])
		if err := g.fitAlone(ctx, side); err != nil {
			return nil, "", err
		}
		n := float64(len(side.rows))
		c.split.Gain += side.loglik + n*math.Log(n/float64(len(b.rows)))
		c.split.Sizes[j] = len(side.rows)
	}
	c.split.Features = c.differences()
	c.split.Penalty = g.penalty(b)
	return c, "", nil
}

// penalty is what a split must gain: one for each parameter it adds, or half
// the logarithm of the number of records with BIC (algorithms: stopping).
func (g *grower) penalty(b *branch) float64 {
	added := float64(g.s.Family.FreeParameters(b.alone) + 1)
	if g.s.Cautious {
		return 0.5 * added * math.Log(float64(len(b.rows)))
	}
	return added
}

func bothSides(labels []int32) bool {
	n := ones(labels)
	return n > 0 && n < len(labels)
}

// ones counts the records of the second side.
func ones(labels []int32) int {
	n := 0
	for _, l := range labels {
		n += int(l)
	}
	return n
}
