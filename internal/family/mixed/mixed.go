// Package mixed is the mixture of records whose columns are of different kinds:
// age, sex, laboratory values, counts and codes of one patient ([T] 4.7). Given
// the component the columns are independent:
//
//	presence     Bernoulli         counts        Poisson
//	categorical  one answer of a block  real     Gaussian, each column and component with its own variance
//
// It takes dense rows or valued sparse rows; NaN, or a categorical column
// without an entry, is a missing value: skipped in EM and in densities, and
// filled in the moments so that products across columns stay unbiased. The
// moments are those of distinct columns, which need no law at all, completed
// inside the columns (algorithms §1, "any product distribution").
package mixed

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Options are the settings of the family.
type Options struct {
	// Columns are the kinds of the features, in rising order. Features in no
	// column are presences. All features of a categorical column make one
	// question; those of the other kinds stand alone.
	Columns []vocab.Column
	Dim     int // number of features; 0 means up to the end of the last column
}

// Family is the mixture of mixed columns. It is made by New.
type Family struct {
	kinds  []vocab.Kind // of each feature
	blocks [][2]int     // categorical columns
	real   []int        // real features, rising
}

// Variance is the name of the extra matrix (d×k) of the variances of real
// features; its other rows are zero.
const Variance = "variance"

// New returns the family of the columns in o.
func New(o Options) (*Family, error) {
	d := o.Dim
	if n := len(o.Columns); d == 0 && n > 0 {
		d = o.Columns[n-1].To
	}
	f, at := &Family{kinds: make([]vocab.Kind, d)}, 0
	for _, c := range o.Columns {
		if c.From < at || c.To <= c.From || c.To > d {
			return nil, fmt.Errorf("mixed: column %q has features %d to %d: columns must rise, hold a feature and lie within %d features", c.Name, c.From+1, c.To, d)
		}
		at = c.To
		for h := c.From; h < c.To; h++ {
			f.kinds[h] = c.Kind
		}
		switch c.Kind {
		case vocab.Categorical:
			f.blocks = append(f.blocks, [2]int{c.From, c.To})
		case vocab.Presence, vocab.Counts, vocab.Real:
		default:
			return nil, fmt.Errorf("mixed: column %q is of the unknown kind %d", c.Name, int(c.Kind))
		}
	}
	if d == 0 {
		return nil, fmt.Errorf("mixed: no columns: name the columns and their kinds")
	}
	for h, kind := range f.kinds {
		if kind == vocab.Real {
			f.real = append(f.real, h)
		}
	}
	return f, nil
}

// Questions implements family.Questioned where all columns are presences or
// answers.
func (f *Family) Questions(int) []family.Question {
	var out []family.Question
	blocks := f.blocks
	for h := 0; h < len(f.kinds); h++ {
		switch f.kinds[h] {
		case vocab.Presence:
			out = append(out, family.Question{From: h, To: h + 1, Presence: true})
		case vocab.Categorical:
			out = append(out, family.Question{From: blocks[0][0], To: blocks[0][1]})
			h, blocks = blocks[0][1]-1, blocks[1:]
		default:
			return nil
		}
	}
	return out
}

// legal says what is wrong with a value of feature h; NaN is a missing one.
func (f *Family) legal(h int, x float64) string {
	switch f.kinds[h] {
	case vocab.Real:
		if math.IsInf(x, 0) {
			return "measurements must be finite"
		}
	case vocab.Counts:
		if x < 0 || math.IsInf(x, 1) || x != math.Trunc(x) && !math.IsNaN(x) {
			return "counts must be whole numbers of 0 or more; declare the column as real"
		}
	default:
		if x != 0 && x != 1 && !math.IsNaN(x) {
			return "the value must be 0 or 1, or missing; declare the column as counts or real"
		}
	}
	return ""
}

// source is the family's moments with the overall variances of the features.
type source struct {
	*moment.Standard
	variance []float64
}

// Source returns the completed moments of distinct columns, standardised.
// Columns far from zero are moved to one standard deviation from it: any shift
// keeps the model, and a large common mean would drown the differences.
func (f *Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if run.Dim() != len(f.kinds) {
		return nil, fmt.Errorf("mixed: records of %d features for columns of %d", run.Dim(), len(f.kinds))
	}
	filled, err := moment.NewFilled(ctx, run, f.blocks, f.legal)
	if err != nil {
		return nil, fmt.Errorf("mixed: %w", err)
	}
	if !moment.Varying(filled.Deviation) {
		return nil, moment.ErrConstant()
	}
	out := source{
		&moment.Standard{Shift: f.shift(filled), Scale: filled.Deviation, Mean: filled.Mean, N: filled.Survey.N},
		make([]float64, run.Dim()),
	}
	for h, s := range filled.Deviation {
		if !math.IsInf(s, 1) {
			out.variance[h] = s * s
		}
	}
	across, err := moment.NewBlocked(filled.Shifted(out.Shift), f.blocks,
		moment.BlockedOptions{Scale: filled.Deviation, Pairs: run.Dim() <= moment.PairFeatures})
	if err != nil {
		return nil, err
	}
	out.Completed, err = moment.Complete(ctx, across, k, moment.CompleteOptions{Blocks: f.blocks})
	return out, err
}

// shift returns mean − deviation for measurements, and for counts whose mean
// exceeds their deviation.
func (f *Family) shift(filled *moment.Filled) []float64 {
	shift := make([]float64, len(f.kinds))
	for h, kind := range f.kinds {
		m, s := filled.Mean[h], filled.Deviation[h]
		if !math.IsInf(s, 1) && (kind == vocab.Real || kind == vocab.Counts && m > s) {
			shift[h] = m - s
		}
	}
	return shift
}

const (
	// startClip bounds probabilities estimated by moments.
	startClip = 1e-3
	// startCount bounds means of counts, as a share of the overall mean.
	startCount = 0.01
	// startVariance bounds the variance inside components, as a share of the
	// overall one.
	startVariance = 0.1
)

// Normalise implements family.Family. Variances start, alike in all components,
// at the overall one less what the centers explain.
func (f *Family) Normalise(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	s, ok := src.(source)
	if !ok {
		if s, ok = plain(src); !ok {
			return raw, nil, fmt.Errorf("mixed: moments of another family (%T)", src)
		}
	}
	p := mixture.New(s.Unscale(raw.Centers), s.Weights(raw.Weights))
	variance := mat.NewDense(p.Dim(), p.K(), nil)
	for h, kind := range f.kinds {
		row := p.Centers.RawRowView(h)
		switch kind {
		case vocab.Real:
			between := 0.0
			for j, w := range p.Weights {
				between += w * (row[j] - s.Mean[h]) * (row[j] - s.Mean[h])
			}
			v := math.Max(s.variance[h]-between, startVariance*s.variance[h])
			for j := range row {
				variance.Set(h, j, math.Max(v, leastVariance(s.variance[h], s.Mean[h])))
			}
		case vocab.Counts:
			for j := range row {
				row[j] = math.Max(row[j], startCount*s.Mean[h])
			}
		default:
			for j := range row {
				row[j] = clip(row[j], startClip)
			}
		}
	}
	for _, b := range f.blocks {
		for h := b[0]; h < b[1]; h++ {
			if s.Mean[h] == 0 { // an answer that nobody gives
				clear(p.Centers.RawRowView(h))
			}
		}
	}
	simplex.NormaliseBlocks(p.Centers, f.blocks)
	return p.With(Variance, variance), s.Warnings(), nil
}

func clip(v, eps float64) float64 {
	if !(v > eps) { // also NaN
		return eps
	}
	return math.Min(v, 1-eps)
}

// leastVariance keeps a component from closing in on a single value: a share
// of the overall variance, or of the mean's square where there is none.
func leastVariance(overall, mean float64) float64 {
	const share, rounding = 1e-4, 1e-12
	if overall > 0 {
		return share * overall
	}
	return rounding * math.Max(mean*mean, 1)
}
