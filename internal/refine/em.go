// Package refine makes parameters better: one EM loop for all families. It
// takes a start, found by moments, and returns parameters whose objective is
// no lower. It knows responsibilities and likelihoods through the family only,
// and never how the start was found.
package refine

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Options steers EM. Zero values mean the defaults.
type Options struct {
	Pseudo     float64 // weight of the prior in records; 0 means 1, negative means none
	Iterations int     // at the most; 0 means 500
	Tol        float64 // relative gain of the objective that ends it; 0 means 1e-6
	// Unmeasured takes a last step from what was gathered before Tol or
	// Iterations end the loop, without the pass that would only measure it.
	Unmeasured bool
	// Extrapolate ends the loop also where the gain of the step to come, extrapolated
	// from the last two gains, is at most Tol.
	Extrapolate bool
	// Brief is for the few steps after each split of a tree: they are judged by the
	// likelihood without the prior, whose value costs as much as a step of a small
	// node, are taken to single precision from briefRecords on, are not over-relaxed,
	// and the last of Iterations is not measured.
	Brief bool
	// Exact takes every step to double precision, however many the records.
	Exact bool
	// Patience says how many times as many steps are worth it, and how many times as
	// small a gain, under the parameters at hand; nil means once.
	Patience func(mixture.Params) float64
}

// Within bounds the steps by what they are worth to a family where each is costly.
func (o Options) Within(em family.EMHints) Options {
	if em.Costly {
		o.Iterations, o.Tol, o.Patience, o.Unmeasured = em.Iterations, em.Tol, em.Patience, true
	}
	return o
}

// at returns the bounds under the parameters at hand.
func (o Options) at(p mixture.Params) (iterations int, tol float64) {
	if o.Patience == nil {
		return o.Iterations, o.Tol
	}
	times := max(1, o.Patience(p))
	return int(float64(o.Iterations) * times), o.Tol / times
}

// Defaults of Options (algorithms: MAP-EM with one pseudo-row; the stop rule of
// the papers, on the weights, costs up to .14 of ARI).
const (
	defaultPseudo     = 1
	defaultIterations = 500
	defaultTol        = 1e-6
)

func (o Options) filled() Options {
	switch {
	case o.Pseudo == 0:
		o.Pseudo = defaultPseudo
	case o.Pseudo < 0:
		o.Pseudo = 0
	}
	if o.Iterations == 0 {
		o.Iterations = defaultIterations
	}
	if o.Tol == 0 {
		o.Tol = defaultTol
	}
	return o
}

// Result is the outcome of a refinement.
type Result struct {
	Params        mixture.Params
	LogLikelihood float64 // at Params, less terms that no parameter touches
	// Trace is the objective before each step and at the end. It never falls but
	// for rounding: 1e-9 of itself, 1e-7 where steps are quick.
	Trace []float64
	// Unmeasured says that LogLikelihood and the end of Trace are those before
	// the last step, which EM does not lower.
	Unmeasured bool
	Iterations int // steps taken
	Converged  bool
	Warnings   []warn.Warning
	// Starts tells from how many starts the refinement was tried; nil is one.
	Starts *mixture.Starts

	stats []float64 // gathered at Params, or nil
}

// Objective returns the last objective.
func (r *Result) Objective() float64 { return r.Trace[len(r.Trace)-1] }

// EM alternates expectation and maximisation from start. One iteration is one
// pass over the records. Where the family allows it every step but the last
// goes further than the M-step; one that lowered the objective is taken back.
func EM(ctx context.Context, f family.Family, run pass.Runner, start mixture.Params, o Options) (*Result, error) {
	return More(ctx, f, run, &Result{Params: start}, o)
}

// usable reports the first thing without which nothing can be refined.
func usable(f family.Family, run pass.Runner, from *Result) error {
	switch {
	case f == nil:
		return errors.New("refine: the family is nil")
	case run == nil:
		return errors.New("refine: the runner over the records is nil")
	case from == nil || from.Params.Centers == nil || from.Params.Centers.IsEmpty():
		return errors.New("refine: the start has no Centers")
	case from.Params.Dim() != run.Dim():
		return fmt.Errorf("refine: Centers of %d features for records of %d", from.Params.Dim(), run.Dim())
	}
	return nil
}

// More is EM from where an earlier refinement on the same records ended. What
// was gathered there is not gathered again; all else begins anew.
func More(ctx context.Context, f family.Family, run pass.Runner, from *Result, o Options) (*Result, error) {
	if err := usable(f, run, from); err != nil {
		return nil, err
	}
	o = o.filled()
	if s, ok := f.(family.Shared); ok {
		f = s.Among(run.Can().Workers)
	}
	res := &Result{Params: from.Params}
	stats, err := from.stats, error(nil)
	var sure *mixture.Params // where the last step would have ended without a stride
	for {
		if stats == nil {
			if stats, err = expect(ctx, f, run, res.Params, o); err != nil {
				return nil, err
			}
		}
		objective := stats[0]
		if !o.Brief {
			objective = f.Objective(stats, res.Params, o.Pseudo)
		}
		if sure != nil && !(objective >= res.Objective()) {
			res.Params, sure, stats = *sure, nil, nil
			continue
		}
		if math.IsNaN(objective) {
			return nil, fmt.Errorf("refine: the likelihood is not a number after %d steps: a record is impossible under every group", res.Iterations)
		}
		res.LogLikelihood = stats[0]
		res.Trace = append(res.Trace, objective)
		res.report(ctx)
		iterations, tol := o.at(res.Params)
		res.Converged = res.converged(tol) || o.Extrapolate && res.extrapolated(tol)
		if last := res.Converged || res.Iterations >= iterations; last && !o.Unmeasured {
			res.stats = stats
			break
		}
		next, warnings, err := f.MStep(stats, res.Params, o.Pseudo)
		if err != nil {
			return nil, err
		}
		old := res.Params
		res.Params, res.Warnings, sure, stats = next, warnings, nil, nil
		res.Iterations++
		last := res.Converged || res.Iterations >= iterations
		if last && (o.Unmeasured || o.Brief) {
			res.Unmeasured = true
			res.report(ctx)
			break
		}
		if further := f.Info().EM.OverRelax; further != nil && !last && !o.Brief {
			sure = &next
			res.Params = further(old, next)
		}
	}
	res.Warnings = append(res.Warnings, res.remarks(run.Len(), o)...)
	return res, nil
}

// report says how far EM is. It has no total: the limit on iterations is no forecast of them.
func (r *Result) report(ctx context.Context) {
	progress.Report(ctx, progress.Event{Step: "refining", Done: int64(r.Iterations), Unit: "iterations"})
}

// Steps takes exactly n steps of EM from start, without a stop rule: n = 0
// only measures the start.
func Steps(ctx context.Context, f family.Family, run pass.Runner, start mixture.Params, n int, o Options) (*Result, error) {
	o.Iterations, o.Tol, o.Unmeasured = n, -1, false
	if n == 0 {
		o.Iterations = -1
	}
	return EM(ctx, f, run, start, o)
}

// quickRecords is the number of records from which steps are taken to single
// precision, where the family offers it, and costlyRecords where its steps are
// costly. What it costs, 1e-6 of a parameter, is far below what a step at the end
// of EM moves; fewer records take no time, and two machines, or sites that join
// their sums, then agree to more digits than are shown.
const (
	quickRecords  = 1 << 14
	costlyRecords = 1 << 11
	briefRecords  = 1 << 11 // of steps whose end nobody looks at for digits
)

// quick reports whether steps are taken to single precision.
func quick(f family.Family, run pass.Runner, o Options) bool {
	least := quickRecords
	switch {
	case o.Brief:
		least = briefRecords
	case f.Info().EM.Costly:
		least = costlyRecords
	}
	return f.Info().EM.Quick && run.Len() >= run.Can().Size(least) && !run.Can().Double
}

func expect(ctx context.Context, f family.Family, run pass.Runner, p mixture.Params, o Options) ([]float64, error) {
	step, err := f.EStep(p, o.Exact || !quick(f, run, o))
	if err != nil {
		return nil, err
	}
	return pass.RunOne(ctx, run, pass.Given(step, p.Numbers()...))
}

func (r *Result) converged(tol float64) bool {
	n := len(r.Trace)
	if n < 2 {
		return false
	}
	return tol >= 0 && r.Trace[n-1]-r.Trace[n-2] <= tol*math.Abs(r.Trace[n-1])
}

// steepest bounds how fast gains are trusted to fall: those of EM fall more
// slowly from step to step.
const steepest = 1.0 / 8

// extrapolated reports whether the gains fall so fast that the next one, if they
// fall on alike, is at most tol.
func (r *Result) extrapolated(tol float64) bool {
	n := len(r.Trace)
	if n < 3 || tol < 0 {
		return false
	}
	before, last := r.Trace[n-2]-r.Trace[n-3], r.Trace[n-1]-r.Trace[n-2]
	return last < before && last*max(last/before, steepest) <= tol*math.Abs(r.Trace[n-1])
}

// remarks warns of emptied components and of a loop that did not settle.
func (r *Result) remarks(n int, o Options) []warn.Warning {
	var out []warn.Warning
	empty := 0
	for _, w := range r.Params.Weights {
		if w*float64(n) < 0.5 {
			empty++
		}
	}
	if empty > 0 {
		out = append(out, warn.New(warn.Caution, "empty-groups",
			"Ask for fewer groups.",
			"%d of the %d groups hold no record after refinement.", empty, len(r.Params.Weights)))
	}
	if !r.Converged && o.Iterations >= defaultIterations {
		out = append(out, warn.New(warn.Note, "not-settled",
			"The result is usable; more iterations would change it a little.",
			"Refinement stopped after %d iterations before it had settled.", r.Iterations))
	}
	return out
}
