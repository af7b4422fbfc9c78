package fit

import (
	"context"
	"errors"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

const (
	// mostDistinct is the number of different records up to which latent
	// classes are searched from many starts.
	mostDistinct = 1 << 17
	// exactTol is the relative gain at which a step of maximum likelihood is the
	// last, and exactSteps the most of them: what is left is far below what two
	// programs print.
	exactTol   = 1e-12
	exactSteps = 5000
)

// likeliest takes the candidates of moments to the maximum of the likelihood.
// Latent classes are searched from as many other starts as it takes; other
// models climb from each candidate, and from where the prior would have led,
// which now and then is a better start than any.
func likeliest(ctx context.Context, fam family.Family, run pass.Runner, st *start, s Settings) (*refine.Result, error) {
	t, err := classes(ctx, fam, run)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return searched(ctx, fam, run, t, st, s)
	}
	candidates := st.candidates
	if st.best != nil {
		candidates = []mixture.Params{st.best.Params}
	}
	first, err := choose(ctx, fam, run, candidates, s)
	if err != nil {
		return nil, err
	}
	o := refine.Options{Pseudo: float64(Likelihood), Iterations: exactSteps, Tol: exactTol, Exact: true}
	if em := fam.Info().EM; em.Costly { // a bound, and costly
		return refine.More(ctx, fam, run, first, o.Within(em))
	}
	best, err := refine.More(ctx, fam, run, first, o)
	if err != nil {
		return nil, err
	}
	with, err := refine.EM(ctx, fam, run, first.Params, refine.Options{})
	if err != nil {
		return nil, err
	}
	other, err := refine.EM(ctx, fam, run, with.Params, o)
	if err != nil {
		return nil, err
	}
	best.Starts = &mixture.Starts{Tried: 2, Reached: 1}
	if other.LogLikelihood > best.LogLikelihood {
		best, other = other, best
		best.Starts = &mixture.Starts{Tried: 2, Reached: 1}
	}
	if other.LogLikelihood >= best.LogLikelihood-lca.Near {
		best.Starts.Reached = 2
	}
	return best, nil
}

// classes returns the table of latent classes of the records, or nil where the
// model has none, the records are spread over places, or too many differ.
func classes(ctx context.Context, fam family.Family, run pass.Runner) (*lca.Table, error) {
	questions := family.QuestionsOf(fam, run.Dim())
	if questions == nil || run.Can().Places > 1 {
		return nil, nil
	}
	t, err := lca.Gather(ctx, run, questions, mostDistinct)
	if errors.Is(err, lca.ErrMany) {
		return nil, nil
	}
	return t, err
}

// searched is the best of many starts, of which the candidates are the first.
func searched(ctx context.Context, fam family.Family, run pass.Runner, t *lca.Table, st *start, s Settings) (*refine.Result, error) {
	o, like := lca.Options{Seed: s.Seed, Workers: s.Workers}, mixture.Params{}
	candidates := st.candidates
	if st.best != nil {
		candidates = append([]mixture.Params{st.best.Params}, candidates...)
	}
	for _, p := range candidates {
		like = p
		o.Given = append(o.Given, t.Model(p))
	}
	found, err := t.Search(ctx, s.K, o)
	if err != nil {
		return nil, err
	}
	// Measured, and not moved, by the family's own formulas.
	r, err := refine.Steps(ctx, fam, run, t.Params(found.Model, like), 0, refine.Options{Pseudo: float64(Likelihood), Exact: true})
	if err != nil {
		return nil, err
	}
	r.Starts = &mixture.Starts{Tried: found.Starts, Reached: found.Reached}
	st.warnings = nil // of moments, which were a start of many
	r.Warnings = append(r.Warnings, unidentified(fam, t, r.Params)...)
	return r, nil
}

// unidentified warns of more parameters than the table of all answers has
// cells: then many models are equally likely.
func unidentified(fam family.Family, t *lca.Table, p mixture.Params) []warn.Warning {
	free, cells := fam.FreeParameters(p), t.Cells()
	if float64(free) <= cells-1 {
		return nil
	}
	return []warn.Warning{warn.New(warn.Serious, "not-identified", "Ask for fewer groups.",
		"The model has %d parameters and the table of all answers only %.0f free cells: many different models describe the records equally well, and the numbers of this one mean little.", free, cells-1)}
}

// startless reports an error of moments that maximum likelihood does not mind:
// the records tell too few directions apart for a start.
func (s Settings) startless(fam family.Family, run pass.Runner, err error) bool {
	var rank *decompose.ErrRank
	return s.Prior < 0 && s.Refine != None && errors.As(err, &rank) && fam.Info().Plain &&
		family.QuestionsOf(fam, run.Dim()) != nil && run.Can().Places <= 1
}
