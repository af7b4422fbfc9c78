// Package flat measures flat fits on the settings of the papers: Poisson
// mixtures ([T] Fig. 2.1), Bernoulli mixtures ([T] Fig. 4.1), moment estimators
// ([T] Fig. 3.1) and LDA, each beside the published numbers and beside our own
// implementations of the papers' methods on the same draws.
package flat

import (
	"context"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// Run prints all tables. Full uses all sizes and ten seeds everywhere.
func Run(ctx context.Context, w io.Writer, full bool) error {
	for _, part := range []func(context.Context, io.Writer, bool) error{poissonTable, estimatorTable, ldaTable} {
		if err := part(ctx, w, full); err != nil {
			return err
		}
	}
	return nil
}

// journey is one fit, taken apart to be timed stage by stage on one core.
type journey struct {
	raw, refined mixture.Params
	candidates   []mixture.Params
	decomposed   float64 // CPU seconds of moments and decomposition
	polished     float64 // CPU seconds of EM
	steps        int
}

// travel goes from rows to parameters by a method, and on by EM where steps is
// not negative (0 means until it settles, or as long as a step of a costly family is
// worth it).
func travel(ctx context.Context, f family.Family, rows sparse.Rows, k int, m decompose.Method, steps int) (*journey, error) {
	run := pass.NewLocal(rows, 1)
	j := &journey{}
	var err error
	j.decomposed, err = lab.Timed(func() error {
		src, err := f.Source(ctx, run, k)
		if err != nil {
			return err
		}
		r, err := m(ctx, src, k, decompose.Options{LeastWeight: 0.2 / float64(rows.N()), SkipRows: true})
		if err != nil {
			return err
		}
		starts := []mixture.Params{r.Params}
		if r.Second != nil {
			starts = append(starts, *r.Second)
		}
		for _, p := range starts {
			normalised, _, err := f.Normalise(ctx, src, p)
			if err != nil {
				return err
			}
			j.candidates = append(j.candidates, normalised)
		}
		j.raw = j.candidates[0]
		return nil
	})
	if err != nil || steps < 0 {
		return j, err
	}
	j.polished, err = lab.Timed(func() error {
		best, err := best(ctx, f, run, j.candidates)
		if err != nil {
			return err
		}
		r, err := refine.EM(ctx, f, run, best, refine.Options{Iterations: steps}.Within(f.Info().EM))
		if err != nil {
			return err
		}
		j.refined, j.steps = r.Params, r.Iterations
		return nil
	})
	return j, err
}

// best keeps the start of the two rotations whose objective is higher after two
// steps of EM, as fit.Flat does.
func best(ctx context.Context, f family.Family, run pass.Runner, all []mixture.Params) (mixture.Params, error) {
	if len(all) == 1 || f.Info().EM.Costly {
		return all[0], nil
	}
	var top *refine.Result
	for _, p := range all {
		r, err := refine.Steps(ctx, f, run, p, 2, refine.Options{})
		if err != nil {
			return mixture.Params{}, err
		}
		if top == nil || r.Objective() > top.Objective() {
			top = r
		}
	}
	return top.Params, nil
}

// agreement is the ARI of the posterior groups with the truth.
func agreement(ctx context.Context, f family.Family, p mixture.Params, rows sparse.Rows, labels []int) (float64, error) {
	a, err := assign.All(ctx, f, p, pass.NewLocal(rows, 1))
	if err != nil {
		return 0, err
	}
	return agree.ARI(a.Labels(), labels)
}

// matched returns the columns of got in the order of want's.
func matched(got, want *mat.Dense) (*mat.Dense, error) {
	order, err := agree.Columns(got, want)
	if err != nil {
		return nil, err
	}
	d, k := want.Dims()
	out := mat.NewDense(d, k, nil)
	for a, b := range order { // column a of got belongs to column b of want
		for h := range d {
			out.Set(h, b, got.At(h, a))
		}
	}
	return out, nil
}

// frobenius is the norm of the difference after matching.
func frobenius(got, want *mat.Dense) (float64, error) {
	m, err := matched(got, want)
	if err != nil {
		return 0, err
	}
	m.Sub(m, want)
	return mat.Norm(m, 2), nil
}

// meanL1 is the mean L1 distance of matched columns.
func meanL1(got, want *mat.Dense) (float64, error) {
	m, err := matched(got, want)
	if err != nil {
		return 0, err
	}
	_, k := want.Dims()
	sum := 0.0
	m.Sub(m, want)
	for _, v := range m.RawMatrix().Data {
		sum += math.Abs(v)
	}
	return sum / float64(k), nil
}

// weightedError is the relative Frobenius error of matched centers, weighted
// by the true weights.
func weightedError(got *mat.Dense, truth mixture.Params) (float64, error) {
	m, err := matched(got, truth.Centers)
	if err != nil {
		return 0, err
	}
	num, den := 0.0, 0.0
	for j, w := range truth.Weights {
		for h := range truth.Dim() {
			d := m.At(h, j) - truth.Centers.At(h, j)
			num += w * d * d
			den += w * truth.Centers.At(h, j) * truth.Centers.At(h, j)
		}
	}
	return math.Sqrt(num / den), nil
}

func heading(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "## %s\n\n", fmt.Sprintf(format, args...))
}
