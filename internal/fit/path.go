package fit

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// Path fits flat models of several sizes to the same records. Where the
// moments do not depend on the number of groups they are summed up once, for
// the largest; models that complete their moments or estimate a noise sum up
// anew for each size.
type Path struct {
	data   Training
	s      Settings
	fam    family.Family
	shared *moment.Sampled // nil where each size has moments of its own
	white  *decompose.Whitened
	clouds *verdict.CloudPath // of measurements in the form of a verdict; nil for others
}

// PathFit is one model of a path.
type PathFit struct {
	K          int
	Params     mixture.Params
	Raw        []mixture.Params // centers and weights as the moments gave them, in the coordinates of the source
	Iterations int
	Warnings   []warn.Warning
}

// NewPath prepares fits of up to most groups; s.K is not used.
func NewPath(ctx context.Context, data Training, s Settings, most int) (*Path, error) {
	s.K = 0
	if err := s.Check(); err != nil {
		return nil, err
	}
	if most < 1 {
		return nil, fmt.Errorf("fit: a path up to %d groups, want at least 1", most)
	}
	s, err := s.resolved(ctx, data, false)
	if err != nil {
		return nil, err
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	p := &Path{data: data, s: s, fam: fam}
	if s.form != nil {
		p.clouds, err = verdict.NewCloudPath(ctx, data.Run, verdict.Settings{Seed: s.Seed, Workers: s.Workers, Shape: s.form.Shape})
		return p, err
	}
	if !fam.Info().SameMoments || divides(s.Method) { // asking for the largest number would cost and say nothing
		return p, nil
	}
	src, err := fam.Source(ctx, data.Run, most)
	if err != nil {
		return nil, tooLittle(err)
	}
	if sampled, ok := src.(*moment.Sampled); ok {
		p.white, err = decompose.Whiten(ctx, sampled, min(most, sampled.Dim()), p.options(true))
		p.shared = sampled
	}
	return p, tooLittle(err)
}

// Family returns the model of the path.
func (p *Path) Family() family.Family { return p.fam }

// Settings returns the settings with everything that was left open chosen.
func (p *Path) Settings() Settings { return p.s }

func (p *Path) options(fewer bool) decompose.Options {
	o := p.s.options(p.data.Run.Len())
	o.Fewer = fewer
	return o
}

// At fits k groups.
func (p *Path) At(ctx context.Context, k int) (*PathFit, error) {
	s := p.s
	s.K = k
	if p.clouds != nil {
		return p.cloudsAt(ctx, k)
	}
	if p.shared == nil || k > p.white.K() {
		// The other guesses of mixed documents whose α0 is estimated are
		// candidates of nothing: see choose.
		best := p.fam.Info().OwnTensor
		st, err := fromMoments(ctx, p.fam, p.data.Run, s, best)
		if err != nil {
			return nil, err
		}
		return p.finish(ctx, s, st)
	}
	white, err := p.white.At(k)
	if err != nil {
		return nil, tooLittle(err)
	}
	st, err := decomposed(ctx, p.fam, whitenedSource{p.shared, white}, p.shared, s, p.options(false))
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, s, st)
}

// cloudsAt fits k groups of measurements in the form of the verdict: one form for all
// numbers, so that their likelihoods can be compared.
func (p *Path) cloudsAt(ctx context.Context, k int) (*PathFit, error) {
	if n := p.data.Run.Len(); n <= k {
		return nil, fewForGroups(n, k)
	}
	found, _, err := p.clouds.At(ctx, k)
	if errors.Is(err, verdict.ErrBlanks) {
		return nil, fmt.Errorf("%w: %w", ErrTooLittle, err)
	}
	if err != nil {
		return nil, tooLittle(err)
	}
	labels, err := placedIn(ctx, p.data, found)
	if err != nil {
		return nil, err
	}
	params, err := cloudsOf(ctx, p.fam, p.data, p.s, labels, k, p.s.form, true)
	if err != nil {
		return nil, tooLittle(err)
	}
	return &PathFit{K: k, Params: p.fam.Reorder(params, params.Order())}, nil
}

func (p *Path) finish(ctx context.Context, s Settings, st *start) (*PathFit, error) {
	done, err := refined(ctx, p.fam, p.data.Run, st, s)
	if err != nil {
		return nil, err
	}
	return &PathFit{
		K: s.K, Params: p.fam.Reorder(done.Params, done.Params.Order()), Raw: st.raw,
		Iterations: done.Iterations, Warnings: append(st.warned(done.Params, p.data.Run.Len()), done.Warnings...),
	}, nil
}

// Third returns the whitened moments for the largest number of groups up to
// most that the records can tell apart, and the source they come from.
func (p *Path) Third(ctx context.Context, most int) (*decompose.Whitened, moment.Source, error) {
	if p.clouds != nil { // they come from no moments
		return nil, nil, ErrTooLittle
	}
	if p.shared != nil {
		return p.white, p.shared, nil
	}
	src, err := p.fam.Source(ctx, p.data.Run, most)
	if err != nil {
		return nil, nil, tooLittle(err)
	}
	w, err := decompose.Whiten(ctx, src, min(most, src.Dim()), p.options(true))
	return w, src, tooLittle(err)
}

// whitenedSource is a source whose whitening is known already, with the core in
// those coordinates.
type whitenedSource struct {
	*moment.Sampled
	white *decompose.Whitened
}

// Whitening implements decompose.Whitener.
func (w whitenedSource) Whitening(_ context.Context, k int) (_, _ *mat.Dense, _ []float64, ok bool) {
	return w.white.W, w.white.E, w.white.Eigen, k == w.white.K()
}

// Project implements moment.Source; the known core costs no scan.
func (w whitenedSource) Project(ctx context.Context, b *mat.Dense, want moment.Want) (*moment.Projection, error) {
	if b == w.white.W && want == moment.Core {
		return &moment.Projection{Core: w.white.Core}, nil
	}
	return w.Sampled.Project(ctx, b, want)
}
