// Package choose says how many groups the records hold: a curve over numbers of
// groups, one advice, and its reason in a plain sentence.
//
// It takes the data and the settings of a flat fit, fits models of several
// sizes and compares them by four rules: BIC over the parameters that are not
// zero, the likelihood of records held out, the eigenvalues of the
// correlations that stand out from chance (a lower bound that costs no fit),
// and the description length of the third moment ([T] conclusions). Step
// before: fit. Step after: show. It knows models by their contract only, and no
// pixels.
package choose

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/evaluate"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/progress"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/warn"
)

// Options steers Groups. The zero value works.
type Options struct {
	Min, Max int     // numbers of groups to try; 0 means 1 and what the data allow, at most 20
	HeldOut  float64 // share of the records kept aside; 0 means 0.2, negative none
	Every    bool    // try every number, however costly: otherwise large data get a coarse grid first
	Seed     uint64  // of the records kept aside; the fits have the seed of their settings
}

const (
	defaultMax     = 20
	defaultHeldOut = 0.2
	leastRecords   = 10 // records a group, on average, below which a number of groups is not tried
	leastHeldOut   = 20 // records kept aside below which they say nothing
)

// Point is one number of groups on the curve.
type Point struct {
	K             int     `json:"k"`
	LogLikelihood float64 `json:"log_likelihood"` // of all records, natural logarithm
	Parameters    int     `json:"parameters"`     // that are not zero
	BIC           float64 `json:"bic"`            // the lower the better
	AIC           float64 `json:"aic"`            // the lower the better
	// HeldOut is the mean log-likelihood of the records held out under a
	// model of the others, the higher the better; Behind how far it is behind
	// the best one and BehindError the standard error of that.
	HeldOut     float64 `json:"held_out,omitempty"`
	Behind      float64 `json:"behind,omitempty"`
	BehindError float64 `json:"behind_error,omitempty"`
	// Length is the description length of the third moment in nats, the lower
	// the better; 0 where it was not measured.
	Length float64 `json:"length,omitempty"`
	// Empty counts groups that hold no record after refinement.
	Empty int `json:"empty,omitempty"`
	// Unidentified says that the model has more parameters than the table of all
	// answers has free cells: no rule takes it.
	Unidentified bool `json:"unidentified,omitempty"`
}

// Picks holds the number of groups that each rule would take; 0 where it had
// no say.
type Picks struct {
	BIC     int `json:"bic"`
	AIC     int `json:"aic"`
	HeldOut int `json:"held_out,omitempty"`
	Length  int `json:"length,omitempty"`
	Edge    int `json:"edge,omitempty"` // at least so many
}

// Curve is the answer.
type Curve struct {
	Model string `json:"model"`
	// Called are the words for records and groups.
	Called   verdict.Called `json:"-"`
	Records  int            `json:"records" gate:"told by the command"`
	Aside    int            `json:"aside" gate:"told by the command"` // records kept aside
	Points   []Point        `json:"points" gate:"evidence and numbers of groups"`
	Picks    Picks          `json:"picks" gate:"numbers of groups"`
	Spectrum *Spectrum      `json:"spectrum,omitempty" gate:"evidence"`
	Advice   Advice         `json:"advice" gate:"words and numbers of groups"`
	// Verdict says how many groups there are and why; nil for kinds of records
	// that have none yet. Where its number was tried, it is the advice.
	Verdict  *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
	Warnings []warn.Warning   `json:"warnings,omitempty" gate:"words"`
}

// At returns the point of k groups.
func (c *Curve) At(k int) (Point, bool) {
	for _, p := range c.Points {
		if p.K == k {
			return p, true
		}
	}
	return Point{}, false
}

// Groups measures the curve and gives its advice. Sequences, streams and rows
// in memory are all served; settings.K is not used.
func Groups(ctx context.Context, data fit.Training, settings fit.Settings, o Options) (*Curve, error) {
	n := data.Run.Len()
	o, err := o.filled(n)
	if err != nil {
		return nil, err
	}
	s := &search{o: o, data: data, curve: &Curve{Records: n}, tried: map[int]*trial{}}
	if s.curve.Verdict, err = fit.Judge(ctx, data, settings); err != nil {
		return nil, err
	}
	data, settings = fit.Judged(ctx, data, settings, s.curve.Verdict)
	s.data = data
	if s.path, err = fit.NewPath(ctx, data, settings, o.Max); err != nil {
		return nil, err
	}
	s.curve.Model = s.path.Settings().Spec.Model
	s.curve.Called = verdict.CalledFor(data.Sequences, s.path.Family().Info().Soft)
	if err := s.holdOut(ctx, settings); err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.finish(ctx)
}

// filled puts defaults in the place of zeros and refuses nonsense.
func (o Options) filled(n int) (Options, error) {
	if n == 0 {
		return o, fmt.Errorf("choose: no records: %w", fit.ErrTooLittle)
	}
	if o.Min < 0 || o.Max < 0 || (o.Max > 0 && o.Min > o.Max) {
		return o, fmt.Errorf("choose: from %d to %d groups asked for, want a rising range of numbers from 1", o.Min, o.Max)
	}
	if math.IsNaN(o.HeldOut) || o.HeldOut >= 1 {
		return o, fmt.Errorf("choose: a share of %v of the records kept aside, want less than 1", o.HeldOut)
	}
	o.Min = max(o.Min, 1)
	if o.Max == 0 {
		o.Max = max(min(defaultMax, n/leastRecords), o.Min)
	}
	if o.HeldOut == 0 {
		o.HeldOut = defaultHeldOut
	}
	return o, nil
}

// search is the curve while it is being measured.
type search struct {
	o     Options
	data  fit.Training
	path  *fit.Path
	curve *Curve
	tried map[int]*trial
	last  int // largest number of groups that the records can tell apart; 0 while unknown
	why   error

	trainPath *fit.Path // nil where nothing is kept aside
	heldOut   fit.Training
}

// trial is one number of groups.
type trial struct {
	point Point
	fit   *fit.PathFit
	aside []float64 // log density of each record kept aside
}

// run tries the numbers of the grid, and those around the best ones of a
// coarse grid.
func (s *search) run(ctx context.Context) error {
	grid := s.grid()
	for len(grid) > 0 {
		for i, k := range grid {
			progress.Report(ctx, progress.Event{Step: "trying numbers of " + s.curve.Called.Groups, Done: int64(i), Total: int64(len(grid)), Unit: "fits"})
			if err := s.try(ctx, k); err != nil {
				return err
			}
		}
		grid = s.between()
	}
	if len(s.tried) == 0 {
		return s.why
	}
	return nil
}

// try fits and measures k groups. Where the records cannot carry so many, it
// remembers that and goes on.
func (s *search) try(ctx context.Context, k int) error {
	if s.tried[k] != nil || (s.last > 0 && k > s.last) {
		return nil
	}
	t, err := s.measure(ctx, k)
	switch {
	case errors.Is(err, fit.ErrTooLittle):
		s.last, s.why = max(k-1, 1), err
		return nil
	case err != nil:
		return err
	}
	s.tried[k] = t
	return nil
}

func (s *search) measure(ctx context.Context, k int) (*trial, error) {
	f, err := s.path.At(ctx, k)
	if err != nil {
		return nil, err
	}
	info, err := evaluate.Likelihood(ctx, s.path.Family(), f.Params, s.data.Run)
	if err != nil {
		return nil, err
	}
	t := &trial{fit: f, point: Point{
		K: k, LogLikelihood: info.LogLikelihood, Parameters: info.Parameters, BIC: info.BIC, AIC: info.AIC,
	}}
	t.point.Unidentified = float64(info.Parameters) > freeCells(s.path.Family(), f.Params.Dim())
	for _, w := range f.Params.Weights {
		if w*float64(info.Records) < 0.5 {
			t.point.Empty++
		}
	}
	if math.IsNaN(info.LogLikelihood) || math.IsInf(info.LogLikelihood, 0) {
		return nil, fmt.Errorf("choose: the log-likelihood of %d groups is %v: a record is impossible under every group; use a prior (‹prior› above 0)", k, info.LogLikelihood)
	}
	t.aside, err = s.densities(ctx, k)
	return t, err
}

// freeCells returns the number of different records that there could be, less
// one; without end for models that are not of answers.
func freeCells(f family.Family, dim int) float64 {
	questions := family.QuestionsOf(f, dim)
	if questions == nil {
		return math.Inf(1)
	}
	cells := 1.0
	for _, q := range questions {
		cells *= float64(q.Answers())
	}
	return cells - 1
}
