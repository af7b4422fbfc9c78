package enough

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/assign"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Light says whether the records carry the answer.
type Light int

// Lights.
const (
	Red   Light = iota // too little: groups are mostly chance
	Amber              // barely: large groups can be trusted, small ones not
	Green              // enough
)

// String returns the colour.
func (l Light) String() string {
	switch l {
	case Green:
		return "green"
	case Amber:
		return "amber"
	}
	return "red"
}

// Options steers Judge. Zero values mean the defaults.
type Options struct {
	Seed  uint64
	Delta float64 // probability with which the papers' bounds may fail; 0 means 0.05
	// Fit fits a model of k groups to the records of a runner; nil means
	// moments, with two steps of EM where a step is cheap.
	Fit func(ctx context.Context, run pass.Runner, k int) (mixture.Params, error)
}

// Report is the light with all that led to it.
type Report struct {
	Light  Light
	Reason string // one plain sentence
	Remedy string // what to do about it; empty for green

	Groups          int
	Records         int
	RecordsPerGroup float64
	TokensPerRecord float64 // mean total of a row: words, codes
	Agreement       float64 // of the halves' groupings of all records, adjusted Rand index
	Noise           float64 // spectral norm of the error of M2 outside the space of the centers
	Signal          float64 // σ_k of M2
	// Visible is the number of eigenvalues of M2 that stand out from the noise,
	// at most Groups: a cautious count of the groups that can be told apart.
	Visible int
	// Misfit is the share of the third moment, in whitened coordinates, that
	// the groups leave unexplained: with exact moments it is 0.
	Misfit float64
	// Empty is the number of groups that a fit of all records leaves with next
	// to none: what they should hold is merged into others.
	Empty  int
	Bounds Bounds
}

// Thresholds, calibrated by TestCalibration: of the cases that get a green
// light at least nine in ten come within 0.05 of the adjusted Rand index of the
// true parameters; red ones miss it by more than 0.1 in as many.
const (
	greenAgreement = 0.85
	greenMisfit    = 0.15
	redAgreement   = 0.40
	standsOut      = 2 // times Noise
	emptyRecords   = 3 // a group of fewer expected records is empty
)

const defaultDelta = 0.05

// Judge looks at the records of the runner before or beside a fit of k groups
// (0 means 2, the first split of a tree). Records that no model can be fitted
// to are red, not an error.
func Judge(ctx context.Context, f family.Family, run pass.Runner, k int, o Options) (*Report, error) {
	if k == 0 {
		k = 2
	}
	if k < 0 {
		return nil, fmt.Errorf("enough: %d groups, want 1 or more, or 0 for a tree", k)
	}
	if o.Delta == 0 {
		o.Delta = defaultDelta
	}
	if !(o.Delta > 0 && o.Delta < 1) {
		return nil, fmt.Errorf("enough: bounds that may fail with probability %v, want a number between 0 and 1", o.Delta)
	}
	j := &judge{f: f, run: run, k: k, o: o}
	r, err := j.measure(ctx)
	var poor *tooPoor
	if errors.As(err, &poor) {
		r.Light, r.Reason, r.Remedy = Red, poor.reason(r), moreOrFewer
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.decide()
	return r, nil
}

// judge is one question.
type judge struct {
	f   family.Family
	run pass.Runner
	k   int
	o   Options
}

// tooPoor marks errors of records that cannot carry the answer.
type tooPoor struct{ err error }

func (e *tooPoor) Error() string { return e.err.Error() }
func (e *tooPoor) Unwrap() error { return e.err }

// reason says it in words for people.
func (e *tooPoor) reason(r *Report) string {
	var rank *decompose.ErrRank
	if errors.As(e.err, &rank) {
		return fmt.Sprintf("%s asked for, but half of the %s tells only %d apart.", count(r.Groups, "group"), count(r.Records, "record"), rank.Got)
	}
	why := e.err.Error()
	var few *moment.ErrTooFew
	if errors.As(e.err, &few) {
		why = few.Reason
	}
	return fmt.Sprintf("The records are too few or too plain to be analysed in two halves: %s.", why)
}

// poor marks the error if it is of that kind.
func poor(err error) error {
	var few *moment.ErrTooFew
	var rank *decompose.ErrRank
	if errors.As(err, &few) || errors.As(err, &rank) {
		return &tooPoor{err}
	}
	return err
}

// measure fills in all numbers; where the records are too poor, those that can
// be had.
func (j *judge) measure(ctx context.Context) (*Report, error) {
	r := &Report{Groups: j.k, Records: j.run.Len()}
	shape, err := measureShape(ctx, j.run)
	if err != nil {
		return nil, err
	}
	r.RecordsPerGroup = float64(r.Records) / float64(j.k)
	r.TokensPerRecord = shape.meanTotal()
	if r.Records < 2*j.k || shape.rows == 0 {
		return r, &tooPoor{&moment.ErrTooFew{Reason: fmt.Sprintf("%d records for %d groups", r.Records, j.k)}}
	}
	runs, err := halves(ctx, j.run)
	if err != nil {
		return nil, err
	}
	var parts [2]fitted
	for side, run := range runs {
		if parts[side], err = j.fit(ctx, run); err != nil {
			return r, poor(err)
		}
	}
	whole, err := j.fit(ctx, j.run)
	if err != nil {
		return r, poor(err)
	}
	if err := j.compare(ctx, r, parts, whole, shape); err != nil {
		return r, poor(err)
	}
	r.Bounds = j.bounds(whole, shape)
	return r, nil
}

// compare fills in agreement, noise and signal.
func (j *judge) compare(ctx context.Context, r *Report, parts [2]fitted, whole fitted, shape *shape) (err error) {
	if r.Agreement, err = j.agreement(ctx, parts, shape.rows); err != nil {
		return err
	}
	if r.Noise, err = j.noise(ctx, parts, whole.span); err != nil {
		return err
	}
	if len(whole.eigen) >= j.k {
		r.Signal = math.Max(whole.eigen[j.k-1], 0)
	}
	for _, v := range whole.eigen[:min(j.k, len(whole.eigen))] {
		if v > standsOut*r.Noise {
			r.Visible++
		}
	}
	r.Misfit = whole.misfit
	r.Empty = j.k - whole.params.K()
	for _, w := range whole.params.Weights {
		if w*float64(r.Records) < emptyRecords {
			r.Empty++
		}
	}
	return nil
}

// agreement assigns all rows by the models of both halves. Where neither finds
// more than one group there is nothing to agree on.
func (j *judge) agreement(ctx context.Context, parts [2]fitted, rows int) (float64, error) {
	var labels [2][]int
	for side, p := range parts {
		a, err := assign.All(ctx, j.f, p.params, j.run, rows)
		if err != nil {
			return 0, err
		}
		labels[side] = a.Labels()
	}
	t, err := agree.Cross(labels[0], labels[1])
	if err != nil {
		return 0, err
	}
	if j.k > 1 && (len(t.Rows) == 1 || len(t.Cols) == 1) {
		return 0, nil
	}
	return t.ARI(), nil
}

// decide sets the light and its words.
func (r *Report) decide() {
	switch {
	case r.Agreement < redAgreement:
		r.Light, r.Remedy = Red, moreOrFewer
		r.Reason = fmt.Sprintf("Two halves of the records, analysed apart, give different groups (agreement %.2f of 1): with %s, %.0f a group, these groups are mostly chance.",
			r.Agreement, count(r.Records, "record"), r.RecordsPerGroup)
	case r.Agreement < greenAgreement:
		r.Light, r.Remedy = Amber, moreOrFewer
		r.Reason = fmt.Sprintf("Two halves of the records, analysed apart, give similar groups (agreement %.2f of 1): the large groups can be trusted, small ones may change with more records.", r.Agreement)
	case r.Empty > 0:
		r.Light, r.Remedy = Amber, "Ask for fewer groups, or compare several numbers of groups."
		r.Reason = fmt.Sprintf("The groups repeat themselves in two halves of the records (agreement %.2f of 1), but %d of the %d stay empty: two true groups may be shown as one.", r.Agreement, r.Empty, r.Groups)
	case !(r.Misfit <= greenMisfit):
		r.Light, r.Remedy = Amber, moreOrFewer
		r.Reason = fmt.Sprintf("The groups repeat themselves in two halves of the records (agreement %.2f of 1), but leave %.0f %% of how three features go together unexplained: similar groups may be shown as one.", r.Agreement, 100*r.Misfit)
	case 2*r.Visible <= r.Groups && r.Groups > 1:
		r.Light, r.Remedy = Amber, moreOrFewer
		r.Reason = fmt.Sprintf("The groups repeat themselves in two halves of the records (agreement %.2f of 1), but only %d of the %d stand out from chance: similar groups may be shown as one.", r.Agreement, r.Visible, r.Groups)
	default:
		r.Light = Green
		r.Reason = fmt.Sprintf("Two halves of the records, analysed apart, give nearly the same groups (agreement %.2f of 1).", r.Agreement)
	}
}

const moreOrFewer = "Add records or ask for fewer groups."

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
