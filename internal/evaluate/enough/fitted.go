package enough

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/spectral"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// fitted is what is kept of an analysis of some records.
type fitted struct {
	src    moment.Source
	params mixture.Params
	eigen  []float64  // leading eigenvalues of M2, falling
	misfit float64    // share of the whitened M3 that the groups leave unexplained
	span   *mat.Dense // d×k orthonormal: the space of the centers, in the source's coordinates
}

// fit analyses the records of a runner.
func (j *judge) fit(ctx context.Context, run pass.Runner) (fitted, error) {
	out := fitted{}
	var err error
	if out.src, err = j.f.Source(ctx, run, j.k); err != nil {
		return out, err
	}
	raw, err := decompose.Auto(ctx, out.src, j.k, decompose.Options{
		Seed: j.o.Seed, Fewer: true, LeastWeight: lightest / float64(max(run.Len(), 1)),
	})
	if err != nil {
		return out, err
	}
	out.eigen, out.misfit = raw.Diagnostics.Spectrum, raw.Diagnostics.Objective
	out.span = spectral.Orth(raw.Params.Centers)
	if j.o.Fit != nil {
		out.params, err = j.o.Fit(ctx, run, j.k)
		return out, err
	}
	out.params, err = j.best(ctx, run, out.src, raw)
	return out, err
}

const (
	lightest   = 0.2 // least weight of a group, in records
	trialSteps = 2   // steps of EM after which answers are compared
)

// best settles the answers of a decomposition and keeps the one of the largest
// objective after two steps of EM; where steps are costly, the first.
func (j *judge) best(ctx context.Context, run pass.Runner, src moment.Source, raw *decompose.Result) (mixture.Params, error) {
	answers := append([]mixture.Params{raw.Params}, raw.Alternatives...)
	if j.f.Info().EM.Costly {
		p, _, err := j.f.Settle(ctx, src, answers[0])
		return p, err
	}
	var best *refine.Result
	for _, a := range answers {
		p, _, err := j.f.Settle(ctx, src, a)
		if err != nil {
			return mixture.Params{}, err
		}
		r, err := refine.Steps(ctx, j.f, run, p, trialSteps, refine.Options{})
		if err != nil {
			return mixture.Params{}, err
		}
		if best == nil || r.Objective() > best.Objective() {
			best = r
		}
	}
	return best.Params, nil
}

// Power iterations on the difference of the halves' moments: a tenth is good
// enough for a light.
const (
	noisePasses = 8
	noiseExtra  = 3
	noiseTol    = 0.01
)

// noise returns half the spectral norm of the difference of the halves' M2
// outside the space of the centers: with errors A and B of the halves, M2 of
// all records errs by (A+B)/2, and that has the law of (A−B)/2. Inside the
// space the error is largest where the signal is, and hides no group; outside
// it is what the signal of a weak group must stand out from.
func (j *judge) noise(ctx context.Context, parts [2]fitted, span *mat.Dense) (float64, error) {
	difference := func(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
		b = outside(span, b)
		var second [2]*mat.Dense
		for side, p := range parts {
			seen, err := p.src.Project(ctx, b, moment.Second)
			if err != nil {
				return nil, err
			}
			second[side] = seen.Second
		}
		out := new(mat.Dense)
		out.Sub(second[0], second[1])
		return outside(span, out), nil
	}
	values, _, _, err := spectral.Leading(ctx, parts[0].src.Dim(), 1, difference, spectral.LeadingOptions{
		Extra: noiseExtra, Passes: noisePasses, Tol: noiseTol, Rand: stream.New(j.o.Seed, "enough/noise"),
	})
	if err != nil || len(values) == 0 {
		return 0, err
	}
	return math.Abs(values[0]) / 2, nil
}

// outside returns b without its part in the span.
func outside(span, b *mat.Dense) *mat.Dense {
	var part, inside, out mat.Dense
	part.Mul(span.T(), b)
	inside.Mul(span, &part)
	out.Sub(b, &inside)
	return &out
}
