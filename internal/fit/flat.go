// Package fit puts the stages together: whole journeys from records to a
// model. It knows the order of the stages and their defaults, and no formula.
//
// Do walks the whole way: read -> encode (Prepare, with the cache beside the data)
// -> Flat or Tree. Flat: moments -> decompose -> settle -> refine -> order ->
// place. Tree: splits -> polish -> place. What comes after (explain, show, the run
// folder) is the caller's.
package fit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/par"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/refine"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Training is what a fit learns from: a runner over records, with their names and kind. The
// records may be a data set, a part of one, or lie at several sites, so it is no dataset.Data,
// which can also be written, listed and read again.
type Training struct {
	Run         pass.Runner
	Memory      int64 // bytes for rows in memory where they are streamed: a tree grows on as many as fit
	Vocab       *vocab.Vocab
	Kind        record.Kind
	Sequences   bool
	Guessed     bool // columns that may make groups stay out by a guess: see Reading.Guesses
	Fingerprint string
	Times       func(ctx context.Context) (*dataset.Times, error) // of the steps of sequences; nil for none

	open  bool // sums of several places can be read: none is over few records
	blank bool // some values are missing: see skipping, which looks
}

// Check reports the first field that is missing or does not go with the others.
func (d Training) Check() error {
	switch {
	case d.Run == nil:
		return errors.New("fit: Training.Run is nil, want a runner over the records, such as pass.NewLocal(rows, 0)")
	case d.Vocab == nil:
		return errors.New("fit: Training.Vocab is nil, want the names of the features, such as vocab.Numbered(dim)")
	case d.Vocab.Len() != d.Run.Dim():
		return fmt.Errorf("fit: Training.Vocab has %d names, and the records of Training.Run %d features", d.Vocab.Len(), d.Run.Dim())
	case d.Run.Len() == 0:
		return fmt.Errorf("fit: %w: Training.Run has no record", ErrTooLittle)
	}
	if can := d.Run.Can(); can.Rows != nil {
		if err := can.Check(); err != nil {
			return fmt.Errorf("fit: the rows of Training.Run: %w", err)
		}
	}
	return nil
}

// Flat fits a model of s.K groups. Missing values are skipped: see skipping.
func Flat(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	return told(ctx, data, s, flat)
}

// told does a fit and says where missing values gave it another model.
func told(ctx context.Context, data Training, s Settings, journey func(context.Context, Training, Settings) (*Outcome, error)) (*Outcome, error) {
	out, gaps, err := skipping(ctx, data, s, journey)
	if gaps && err == nil {
		out.warn(gapWarning(s.Spec))
	}
	return out, err
}

func flat(ctx context.Context, data Training, s Settings) (*Outcome, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.K < 1 {
		return nil, fmt.Errorf("fit: Settings.K: %d groups asked for, want at least 1", s.K)
	}
	if err := data.Check(); err != nil {
		return nil, err
	}
	if err := s.hasCourses(data); err != nil {
		return nil, err
	}
	if !s.likeliest {
		data.Run = s.way(data.Run)
	}
	asked, auto := s, s.Spec.IsAuto()
	choice, err := s.evident(ctx, data)
	if err != nil {
		return nil, err
	}
	if choice != nil {
		s.Spec.Model = choice.Model
	}
	if s, err = s.resolved(ctx, data, false); err != nil {
		return nil, err
	}
	if s.Privacy.Epsilon > 0 {
		return flatPrivate(ctx, data, s)
	}
	if auto && !s.likeliest && !data.open && s.mayShow(data) {
		if out, fam, err := s.asShown(ctx, data); err != nil || out != nil {
			if err != nil || !s.Over {
				return out, err
			}
			return over(ctx, fam, out, data, s)
		}
	}
	if auto && s.divides(data) {
		if out, fam, err := asked.asDivided(ctx, data); err != nil || out != nil {
			if err != nil || !s.Over {
				return out, err
			}
			return over(ctx, fam, out, data, s)
		}
	}
	bySums := s.shapedBySums(data)
	if bySums || s.shaped(data) {
		fitted := flatClouds
		if bySums {
			fitted = cloudsBySums
		}
		out, fam, err := fitted(ctx, data, s)
		if err != nil || !s.Over || s.likeliest {
			return out, err
		}
		return over(ctx, fam, out, data, s)
	}
	var found *verdict.Found
	if choice != nil && s.scatters(data) {
		if found, s.Spec.Calm, err = verdict.Scattered(ctx, data.Run, s.K, verdict.Settings{Seed: s.Seed, Workers: s.Workers}); err != nil {
			return nil, err
		}
	}
	fam, err := s.Spec.Family(data.Vocab)
	if err != nil {
		return nil, err
	}
	if shared, ok := fam.(family.Shared); ok {
		fam = shared.Among(data.Run.Can().Workers)
	}
	if err := s.joins(fam, data); err != nil {
		return nil, err
	}
	var start *start
	if found != nil {
		start, err = fromFound(ctx, fam, data, s, found)
	} else if start, err = begun(ctx, fam, data.Run, s); err != nil {
		start, err = beyond(ctx, fam, data, s, err)
	}
	if err != nil {
		return nil, err
	}
	done, err := refined(ctx, fam, data.Run, start, s)
	if err != nil {
		return nil, err
	}
	if auto {
		if done, err = s.besideAmounts(ctx, fam, start, done, data); err != nil {
			return nil, err
		}
	}
	m, err := finish(fam, data, s, start, done)
	if err != nil {
		return nil, err
	}
	m.Provenance.Choice = choice
	out, err := place(ctx, fam, m, data)
	if err == nil {
		out, err = start.kept(ctx, fam, out, data)
	}
	if err == nil && s.countsGroups(fam, data) {
		out, err = inhabited(ctx, fam, out, data)
	}
	if err == nil && data.Sequences {
		out, err = s.inTime(ctx, fam, out, data, false)
	}
	if err == nil {
		err = s.noteSharing(ctx, fam, out.Model, data)
	}
	if err == nil && auto && data.open && s.mayShow(data) {
		out.warn(notOpenly())
	}
	if err != nil || !s.Over || s.likeliest {
		return out, err
	}
	return over(ctx, fam, out, data, s)
}

// countsGroups reports that a group nobody is put into is none: not where records
// have shares in several, and not where classes are parameters of a likelihood
// that was asked for.
func (s Settings) countsGroups(fam family.Family, data Training) bool {
	return !fam.Info().Soft && !data.Sequences && s.Prior != Likelihood
}

// begun finds a start, or none where maximum likelihood needs none.
func begun(ctx context.Context, fam family.Family, run pass.Runner, s Settings) (*start, error) {
	st, err := search(ctx, fam, run, s)
	if err != nil && s.startless(fam, run, err) {
		return &start{}, nil
	}
	return st, err
}

// start is what moments alone give: the best guess of each rotation.
type start struct {
	candidates  []mixture.Params
	raw         []mixture.Params // the same before settling
	best        *refine.Result   // the chosen one, refined on part of the records, or nil
	diagnostics decompose.Diagnostics
	warnings    []warn.Warning
	cut         bool          // not from moments alone: see beyond
	rule        *mixture.Rule // that divided the records, or nil
}

// fromMoments sums up the records and decomposes the sums; best says that
// nobody will look at anything but the best guess.
func fromMoments(ctx context.Context, fam family.Family, run pass.Runner, s Settings, best bool) (*start, error) {
	if divides(s.Method) {
		return fromParts(ctx, fam, run, s)
	}
	progress.Report(ctx, progress.Event{Step: "summing up", Total: int64(run.Len()), Unit: "records"})
	src, err := fam.Source(ctx, run, s.K)
	if err != nil {
		return nil, tooLittle(err)
	}
	o := s.options(run.Len())
	o.BestOnly = best
	return decomposed(ctx, fam, src, src, s, o)
}

// options are those of the decomposition of the moments of n records.
func (s Settings) options(n int) decompose.Options {
	return decompose.Options{Seed: s.Seed, LeastWeight: lightest / float64(max(n, 1)), SkipRows: n > fewRecords, AllSlices: s.Slices == AllSlices}
}

// fewRecords is the number of records up to which all readings of a rotation
// are compared: it costs little there and can matter (101 animals, 7 groups:
// ARI .89 against .62).
const fewRecords = 2000

// decomposed decomposes the moments of src and settles the answers in the
// coordinates of own, which is src unless that is a wrapper.
func decomposed(ctx context.Context, fam family.Family, src, own moment.Source, s Settings, o decompose.Options) (*start, error) {
	decomposition, err := decompose.ByName(s.method())
	if err != nil {
		return nil, err
	}
	progress.Report(ctx, progress.Event{Step: "decomposing", Unit: "groups", Total: int64(s.K)})
	raw, err := decomposition(ctx, src, s.K, o)
	if err != nil {
		return nil, tooLittle(err)
	}
	out := &start{diagnostics: raw.Diagnostics, warnings: raw.Warnings}
	out.raw = []mixture.Params{raw.Params}
	switch {
	case !o.SkipRows:
		out.raw = append(out.raw, raw.Alternatives...)
	case raw.Second != nil:
		out.raw = append(out.raw, *raw.Second)
	}
	for i, p := range out.raw {
		normalised, warnings, err := fam.Normalise(ctx, own, p)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.warnings = append(out.warnings, warnings...)
		}
		out.candidates = append(out.candidates, normalised)
	}
	return out, nil
}

// lightest is the least weight of a group, in records.
const lightest = 0.2

// ErrTooLittle says that the data can be read but cannot carry the answer.
var ErrTooLittle = errors.New("too little data for the question")

// tooLittle marks the errors of data that cannot carry the answer.
func tooLittle(err error) error {
	var few *moment.ErrTooFew
	var rank *decompose.ErrRank
	switch {
	case errors.As(err, &rank) && rank.Got > 0:
		return fmt.Errorf("%w: %w", ErrTooLittle, fewerGroups{rank})
	case errors.As(err, &few), errors.As(err, &rank):
		return fmt.Errorf("%w: %w", ErrTooLittle, err)
	}
	return err
}

// serious is nil for an error which says that records cannot carry what was asked of them,
// where something else may do instead. Any other ends the fit: data that cannot be read, a
// round of sites that has to be carried to the others first.
func serious(err error) error {
	if _, ranked := momentRank(err); ranked || errors.Is(err, ErrTooLittle) || errors.Is(err, verdict.ErrBlanks) {
		return nil
	}
	return err
}

// fewerGroups says in words of the records what ErrRank says in those of the algebra.
type fewerGroups struct{ rank *decompose.ErrRank }

func (t fewerGroups) Error() string {
	return fmt.Sprintf("these records carry %d groups, not %d; ask for at most %d", t.rank.Got, t.rank.Want, t.rank.Got)
}
func (t fewerGroups) Unwrap() error { return t.rank }

// refined keeps the best candidate, if there is no choice yet, and refines it.
func refined(ctx context.Context, fam family.Family, run pass.Runner, st *start, s Settings) (*refine.Result, error) {
	if s.Prior < 0 && s.Refine != None {
		return likeliest(ctx, fam, run, st, s)
	}
	if st.best != nil { // all records move it little, and less with each step
		return refine.EM(ctx, fam, run, st.best.Params, refine.Options{Pseudo: float64(s.Prior), Extrapolate: true})
	}
	best, err := choose(ctx, fam, run, st.candidates, s)
	if err != nil || s.Refine == None {
		return best, err
	}
	few, err := s.mixesFew(ctx, fam, run)
	if err != nil {
		return nil, err
	}
	if few {
		return s.toTheEnd(ctx, fam, run, best)
	}
	return refine.More(ctx, fam, run, best, refine.Options{Pseudo: float64(s.Prior)}.Within(fam.Info().EM))
}

// choose compares the candidates by their objective after two steps of EM.
// Comparing also the other readings of each rotation costs three times as much
// and gains nothing ([T] Fig. 4.1 settings, 10 seeds). Where the model will not be refined the first one is kept: it has the least
// error in the parameters, though not always the highest likelihood (Poisson,
// d=100, n=10000: error .346 against .465 for the likeliest).
func choose(ctx context.Context, fam family.Family, run pass.Runner, candidates []mixture.Params, s Settings) (*refine.Result, error) {
	if fam.Info().EM.Costly || len(candidates) == 1 || s.Refine == None {
		return &refine.Result{Params: candidates[0]}, nil
	}
	workers := 1
	if can := run.Can(); can.Rows != nil { // side by side: their steps are short
		workers = min(can.Workers, par.Beside(run.Dim()*candidates[0].K()))
	}
	tried := make([]*refine.Result, len(candidates))
	err := par.Do(ctx, workers, len(candidates), func(i int) (err error) {
		tried[i], err = refine.Steps(ctx, fam, run, candidates[i], trialSteps, refine.Options{Pseudo: float64(s.Prior)})
		return err
	})
	if err != nil {
		return nil, err
	}
	best := tried[0]
	for _, r := range tried[1:] {
		if r.Objective() > best.Objective() {
			best = r
		}
	}
	return best, nil
}

// trialSteps is the number of EM steps after which candidates are compared.
const trialSteps = 2

// kept returns the groups as they were cut where EM left one of them to nobody at any
// place: as they were cut, every one held somebody.
func (st *start) kept(ctx context.Context, fam family.Family, out *Outcome, data Training) (*Outcome, error) {
	if !st.cut || fam.Info().Soft {
		return out, nil
	}
	least, err := fewest(ctx, data, out.Group, out.K())
	if err != nil || least > 0 {
		return out, err
	}
	m := out.Model
	m.Params = fam.Reorder(st.candidates[0], st.candidates[0].Order())
	m.Provenance.Warnings, m.Provenance.Iterations = withoutEmptied(m.Provenance.Warnings), 0
	return place(ctx, fam, m, data)
}

// warned returns the warnings of the start that still hold: a group whose weight
// was next to nothing in the moments may have come to its own.
func (st *start) warned(p mixture.Params, n int) []warn.Warning {
	const least = 5 // records
	var out []warn.Warning
	for _, w := range st.warnings {
		if w.Code != decompose.TinyWeight || slices.Min(p.Weights)*float64(n) < least {
			out = append(out, w)
		}
	}
	return out
}

// finish brings the groups into canonical order and writes down how they came
// about.
func finish(fam family.Family, data Training, s Settings, st *start, done *refine.Result) (*model.Model, error) {
	diagnostics, err := json.Marshal(st.diagnostics)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	prior, order := s.Prior.Records(), done.Params.Order()
	m := &model.Model{
		Spec:   s.Spec,
		Params: fam.Reorder(done.Params, order),
		Vocab:  data.Vocab,
		Provenance: model.Provenance{
			Program: Program(), Settings: s.canonical(), Seed: s.Seed,
			Data: data.Fingerprint, Records: data.Run.Len(),
			Objective: done.LogLikelihood, Iterations: done.Iterations, Diagnostics: diagnostics,
			Prior: &prior, Starts: done.Starts, Warnings: append(st.warned(done.Params, data.Run.Len()), done.Warnings...),
		},
	}
	if s.Refine == None {
		m.Provenance.Rule = st.rule.Reorder(order)
	}
	return m, m.Check()
}

// Program returns the name and version of this program.
func Program() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "moiety " + info.Main.Version
	}
	return "moiety (devel)"
}
