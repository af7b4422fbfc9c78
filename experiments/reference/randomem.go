package reference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// EMOptions steers RandomEM.
type EMOptions struct {
	Options
	Refine refine.Options // of every start
	// Start draws parameters to start from; nil means RandomStart.
	Start func(r *rand.Rand) (mixture.Params, error)
}

// EMResult is the best of the starts.
type EMResult struct {
	Result        // Objective is the log-likelihood, as refine gives it
	Params        mixture.Params
	LogLikelihood []float64 // of every start, in order
}

// RandomEM runs EM of any family of one row a record from random starts
// (Options.Starts, 10 by default) and keeps the start of the best likelihood.
func RandomEM(ctx context.Context, f family.Family, rows sparse.Rows, k int, o EMOptions) (*EMResult, error) {
	if k < 1 || k > rows.N() {
		return nil, fmt.Errorf("reference: %d groups of %d rows; ask for 1 to %d", k, rows.N(), rows.N())
	}
	starts := o.filled().Starts
	draw := o.Start
	if draw == nil {
		base, err := oneGroup(ctx, f, rows, k)
		if err != nil {
			return nil, err
		}
		draw = func(r *rand.Rand) (mixture.Params, error) { return base.draw(r) }
	}
	all := make([]*refine.Result, starts)
	err := par.Do(ctx, o.Workers, starts, func(s int) error {
		p, err := draw(o.stream("em", s))
		if err != nil {
			return err
		}
		all[s], err = refine.EM(ctx, f, pass.NewLocal(rows, 1), p, o.Refine)
		return err
	})
	if err != nil {
		return nil, err
	}
	return bestEM(ctx, f, rows, all, o.Workers)
}

func bestEM(ctx context.Context, f family.Family, rows sparse.Rows, all []*refine.Result, workers int) (*EMResult, error) {
	best, out := all[0], &EMResult{}
	for _, r := range all {
		out.LogLikelihood = append(out.LogLikelihood, r.LogLikelihood)
		if r.Objective() > best.Objective() {
			best = r
		}
	}
	a, err := assign.All(ctx, f, best.Params, pass.NewLocal(rows, workers))
	if err != nil {
		return nil, err
	}
	out.Params = best.Params
	out.Result = Result{
		Labels: a.Labels(), Centers: mat.DenseCopyOf(best.Params.Centers.T()),
		Objective: best.LogLikelihood, Iterations: best.Iterations,
	}
	return out, nil
}

// base is the model of one group, said k times, and what it takes to place
// random records around it.
type base struct {
	f      family.Family
	rows   sparse.Rows
	same   mixture.Params // k equal components
	mean   []float64      // of the records, in their own units
	direct bool           // centers are in the records' own units
}

// RandomStart draws a start of RandomEM: every center lies halfway between the
// family's center of all records and a random record, seen in the family's
// units; the weights are equal.
func RandomStart(ctx context.Context, f family.Family, rows sparse.Rows, k int, r *rand.Rand) (mixture.Params, error) {
	b, err := oneGroup(ctx, f, rows, k)
	if err != nil {
		return mixture.Params{}, err
	}
	return b.draw(r)
}

// oneGroup settles k components at the mean of all records.
func oneGroup(ctx context.Context, f family.Family, rows sparse.Rows, k int) (*base, error) {
	src, err := f.Source(ctx, pass.NewLocal(rows, 0), k)
	if err != nil {
		return nil, err
	}
	first, err := src.First(ctx)
	if err != nil {
		return nil, err
	}
	raw := mat.NewDense(len(first), k, nil)
	weights := make([]float64, k)
	for j := range k {
		raw.SetCol(j, first)
		weights[j] = 1 / float64(k)
	}
	same, _, err := f.Normalise(ctx, src, mixture.New(raw, weights))
	if err != nil {
		return nil, err
	}
	b := &base{f: f, rows: rows, same: same, mean: mean(rows)}
	if len(b.mean) != same.Dim() {
		return nil, fmt.Errorf("reference: model %s has %d features for rows of %d; give EMOptions.Start", f.Info().Name, same.Dim(), len(b.mean))
	}
	b.direct = b.sameUnits()
	return b, nil
}

// sameUnits reports that the family's center of everything is the mean of the
// records, up to the clipping to a legal range.
func (b *base) sameUnits() bool {
	const near = 0.01
	far, size := 0.0, 0.0
	for h, m := range b.mean {
		far += math.Abs(b.same.Centers.At(h, 0) - m)
		size += math.Abs(m)
	}
	return far <= near*size
}

// pull is the share of the common center in a start: without it a record of
// zeros and ones would forbid all others.
const pull = 0.5

func (b *base) draw(r *rand.Rand) (mixture.Params, error) {
	d, k := b.same.Dim(), b.same.K()
	centers := mat.NewDense(d, k, nil)
	x, column := make([]float64, d), make([]float64, d)
	for j, i := range r.Perm(b.rows.N())[:k] {
		clear(x)
		addRow(x, b.rows, i)
		mat.Col(column, j, b.same.Centers)
		b.towards(column, x)
		centers.SetCol(j, column)
	}
	p := mixture.Params{Centers: centers, Weights: append([]float64(nil), b.same.Weights...), Extra: b.same.Extra}
	if err := b.f.Check(p); err != nil {
		return p, fmt.Errorf("reference: no random start for model %s, give EMOptions.Start: %w", b.f.Info().Name, err)
	}
	return p, nil
}

// towards moves the common center c to the record x; where the family's units
// are not the records', by the ratio of record and mean, and back to the sum
// of c, as shares of words need.
func (b *base) towards(c, x []float64) {
	if b.direct {
		for h := range c {
			c[h] = pull*c[h] + (1-pull)*x[h]
		}
		return
	}
	before, after := 0.0, 0.0
	for h, v := range c {
		before += v
		if b.mean[h] > 0 {
			c[h] = v * (pull + (1-pull)*x[h]/b.mean[h])
		}
		after += c[h]
	}
	for h := range c {
		c[h] *= before / after
	}
}
