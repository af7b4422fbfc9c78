// Package family says what a probability model promises. The rooms
// family/bernoulli, family/poisson and so on keep the promise; decompose,
// refine, assign and fit know nothing else of a model.
package family

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// A Family is a probability model with its settings. It is immutable and safe
// for many goroutines. Params handed in are never changed.
type Family interface {
	// Info says how the model is called, spoken of and used.
	Info() Info

	// Source returns the model's moments of the records, for a model of k
	// components. Errors tell the user what to do.
	Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error)
	// Normalise turns raw centers (d×k, in the coordinates of src, as a
	// decomposition returns them) and weights into parameters of the family:
	// scaled back, in their legal range, with every extra matrix in place.
	Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error)

	// EStep returns the Sum of the expected statistics under p. The first
	// number of its state is the log-likelihood of the records, or the bound
	// that stands for it, less terms that do not depend on p. Where exact is
	// false it may give up digits for speed (Info.EM.Quick): statistics to about
	// six digits, the log-likelihood to about eight.
	EStep(p mixture.Params, exact bool) (pass.Sum, error)
	// MStep returns the parameters that maximise the objective for the
	// statistics that EStep gathered under old. pseudo is the weight of the
	// prior in pseudo-records; 0 is plain maximum likelihood.
	MStep(stats []float64, old mixture.Params, pseudo float64) (mixture.Params, []warn.Warning, error)
	// Objective returns what EM raises: the state's log-likelihood at p plus
	// the logarithm of the prior at p (algorithms: MAP-EM).
	Objective(stats []float64, p mixture.Params, pseudo float64) float64

	// Posterior sets out (rows×k) to the probability of each component for
	// every row of the block.
	Posterior(p mixture.Params, b pass.Block, out []float64) error
	// LogDensity sets out, one number a record, to the full log density.
	LogDensity(p mixture.Params, b pass.Block, out []float64) error

	// Sample draws n records.
	Sample(p mixture.Params, r *rand.Rand, n int, shape Shape) (Draw, error)
	// FreeParameters counts the parameters that were fitted; sparse data do
	// not pay for entries that are zero in every component.
	FreeParameters(p mixture.Params) int
	// Reorder returns p with component c being component order[c] of p, in all
	// its matrices.
	Reorder(p mixture.Params, order []int) mixture.Params
	// Check reports the first parameter outside its legal range.
	Check(p mixture.Params) error
}

// Placer is a Family that makes its parameters ready once to place many blocks.
type Placer interface {
	// Places returns a function that sets group to the best component of every
	// row of a block, the first of equals, and probability to its posterior
	// probability. Several goroutines may call it at once.
	Places(p mixture.Params) (func(b pass.Block, group []int32, probability []float32) error, error)
}

// Shared is a Family that can share out the work between passes, which is large where features
// and components are many.
type Shared interface {
	// Among returns the family with so many cores for it, 0 or less for all. Results have
	// the same bits.
	Among(workers int) Family
}

// Mixer is a Family that makes its parameters ready once for the posteriors of
// many blocks.
type Mixer interface {
	// Mixtures returns Posterior for these parameters. Several goroutines may
	// call it at once.
	Mixtures(p mixture.Params) (func(b pass.Block, out []float64) error, error)
}

// Witnessed is a Family whose records are seen from several sides, each of which can
// be heard alone.
type Witnessed interface {
	// Witnesses names the sides.
	Witnesses() []string
	// Testify returns, side by side, the log densities of the records of a block in
	// all components (n×k), zeros where a record has not that side, and which have it.
	Testify(p mixture.Params, b pass.Block) (scores [][]float64, has [][]bool, err error)
}

// Coursed is a Family of sequences that can tell kinds of them by how they pass
// through its components: a chain for every course, the rest of the parameters
// shared.
type Coursed interface {
	// Walks sets out (k+k·k numbers a sequence of the block) to the expected first
	// component and the expected moves, row i to column j.
	Walks(p mixture.Params, b pass.Block, out []float64) error
	// CourseStep returns the Sum of the E-step, whose first number is the
	// log-likelihood; for every course it has 1+2k+k·k more: sequences, first
	// components, steps of every component, moves. Where shown is set, what the
	// components show follows, which CourseShown alone understands.
	CourseStep(p mixture.Params, c *mixture.Courses, shown bool) (pass.Sum, error)
	// CourseMax returns the n courses of a state of CourseStep; pseudo is the weight
	// of the prior, the chain of p.
	CourseMax(state []float64, n int, p mixture.Params, pseudo float64) *mixture.Courses
	// CourseShown returns the parameters that all n courses share, of a state that
	// has what the components show; their chain is that of all sequences together.
	CourseShown(state []float64, n int, p mixture.Params, pseudo float64) mixture.Params
	// CoursePosterior sets out to the probability of every course, sequence by
	// sequence of the block.
	CoursePosterior(p mixture.Params, c *mixture.Courses, b pass.Block, out []float64) error
}

// Timed is a Family of sequences that can tell how long it is from a step to the
// next by the component of the step.
type Timed interface {
	// WaitStep returns the Sum of the E-step of these waits, the rest of the
	// parameters being known; wait is that after a step of an own record, if there is
	// any. Its first number is the log-likelihood, less constants; every component
	// has 6 more: waits expected there, the sums of their logarithms and of the
	// squares of these, steps, last steps, and waits between the quartiles of the
	// law.
	WaitStep(p mixture.Params, of *mixture.Waits, wait func(record, step int) (float64, bool)) (pass.Sum, error)
}

// Counted is a Family of presences, whose moments of first and second order are counts.
type Counted interface {
	// CountedSource is Source for presences that somebody counts otherwise than by a
	// pass over the runner: count is called where the moments need it, once.
	CountedSource(ctx context.Context, run pass.Runner, count func() (moment.Presences, error), k int) (moment.Source, error)
	// CountedStats is the state of Grouped's HardStep for groups of so many records, of
	// which so many have each feature.
	CountedStats(n []int, has [][]float64) []float64
}

// Grouped is a Family that can learn from a given partition.
type Grouped interface {
	// HardStep returns the Sum of the statistics of the partition: labels holds
	// the component of every record, by record number; p gives the number of
	// components and the extra matrices. MStep turns its state into parameters.
	HardStep(p mixture.Params, labels []int32) (pass.Sum, error)
}

// Levelled is a Grouped family that knows the parameters of components that are
// all alike.
type Levelled interface {
	Grouped
	// Even returns k equal components, no value of which is likelier than
	// another: what a partition is learned from.
	Even(k int) mixture.Params
}

// Spreader is a Family with measurements among its features.
type Spreader interface {
	// Spread returns the standard deviation of every measurement inside groups,
	// 0 for those that take no part and for features of other kinds.
	Spread(p mixture.Params) []float64
}

// Scaler is a Family that takes every feature in a scale of its own.
type Scaler interface {
	// Scales returns the scale of every feature, 0 for those that take no part.
	Scales(p mixture.Params) []float64
}

// Measured is a Family of measurements, which have a spread that their centers do
// not tell.
type Measured interface {
	Grouped
	Spreader
	// Scaled returns parameters with these scales, 0 for features that take no
	// part, and a spread of one scale: what a partition is learned from.
	Scaled(centers *mat.Dense, weights, scale []float64) mixture.Params
	// Rescaled returns the same components with scales under which the records
	// of all components together have the variance 1 in every feature: the prior
	// then weighs the same in all.
	Rescaled(p mixture.Params) mixture.Params
}

// Shape tells a sampler what the parameters do not: the lengths of documents
// or sequences. Lengths are used in turn; nil means the family's own default.
type Shape struct {
	Lengths []int
}

// Length returns the length of record i, or def when no lengths are given.
func (s Shape) Length(i, def int) int {
	if len(s.Lengths) == 0 {
		return def
	}
	return s.Lengths[i%len(s.Lengths)]
}

// Draw is a sample of records with the components that made them.
type Draw struct {
	Rows   sparse.Rows
	Steps  []int // for sequences
	Labels []int // component of each row; nil where a row has none (LDA)
}

// Runner returns a runner over the draw.
func (d Draw) Runner(workers int) *pass.Local {
	if d.Steps != nil {
		return pass.NewSequences(d.Rows, d.Steps, workers)
	}
	return pass.NewLocal(d.Rows, workers)
}
