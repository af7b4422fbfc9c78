package moment

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/pass"
)

// Survey is what one scan tells of the values before any moment is made.
type Survey struct {
	N          float64   // records
	Entries    float64   // stored entries
	Squares    float64   // Σ over records of the entries squared: what pair counts cost
	Sum        []float64 // Σ x per feature, missing values left out
	SumSquares []float64 // Σ x² per feature
	Present    []float64 // records whose value is not missing, per feature
}

// ValueError says that a value is none that the model allows.
type ValueError struct {
	Record, Feature int // counted from 0
	Value           float64
	Want            string // what the model allows, with the remedy
}

func (e *ValueError) Error() string {
	is := fmt.Sprint(e.Value)
	if math.IsNaN(e.Value) {
		is = "missing"
	}
	return fmt.Sprintf("record %d, feature %d is %s: %s", e.Record+1, e.Feature+1, is, e.Want)
}

// NewSurvey scans the records and hands every stored value to legal, which
// returns "" or what the model wants instead; the first bad value of a block
// becomes a *ValueError. A nil legal allows everything. No records at all are an
// *ErrTooFew.
func NewSurvey(ctx context.Context, run pass.Runner, legal func(h int, x float64) string) (*Survey, error) {
	d := run.Dim()
	state, err := pass.RunOne(ctx, run, surveySum{d, legal})
	if err != nil {
		return nil, err
	}
	if state[0] == 0 {
		return nil, &ErrTooFew{"no records"}
	}
	return &Survey{
		N: state[0], Entries: state[1], Squares: state[2],
		Sum:        state[surveyHeads:][:d],
		SumSquares: state[surveyHeads+d:][:d],
		Present:    state[surveyHeads+2*d:][:d],
	}, nil
}

// PairsPay reports whether pair counts are the cheaper way to second moments
// for a model of k components: short rows and few features. The costs are
// nanoseconds of one core, estimated from the rates of the kernels, not fitted
// to timings of the two ways; only documents of about 100 words were timed
// (10,000 of them, 10 topics: scans 0.1 s, pair counts 1.5 s, most of it then in
// products with the table that are quicker now).
func (s *Survey) PairsPay(k int) bool {
	const (
		most = 3000 // features: a table of 72 MB
		pair = 1.0  // one count added to the table
		// A product with the table, for each of its numbers and each column,
		// times the steps it takes to settle a subspace; the same for a scan.
		product, products = 0.1, 10
		entry, scans      = 0.2, 4
	)
	d, l := float64(len(s.Sum)), float64(k+10)
	table := s.Squares/2*pair + products*product*d*d*l
	return d <= most && table <= scans*entry*s.Entries*l
}

// Mean returns the mean of the present values of each feature, 0 where there
// is none.
func (s *Survey) Mean() []float64 {
	mean := make([]float64, len(s.Sum))
	for h, v := range s.Sum {
		if s.Present[h] > 0 {
			mean[h] = v / s.Present[h]
		}
	}
	return mean
}

// Deviation returns the standard deviation of each feature over its present
// values; constant features get 1, so that one may divide by it.
func (s *Survey) Deviation() []float64 {
	const rounding = 1e-12 // of the mean square: a variance below it is none
	mean, dev := s.Mean(), make([]float64, len(s.Sum))
	for h := range dev {
		dev[h] = 1
		if s.Present[h] == 0 {
			continue
		}
		square := s.SumSquares[h] / s.Present[h]
		if v := square - mean[h]*mean[h]; v > rounding*square {
			dev[h] = math.Sqrt(v)
		}
	}
	return dev
}

const surveyHeads = 3

type surveySum struct {
	d     int
	legal func(h int, x float64) string
}

func (s surveySum) Len() int { return surveyHeads + 3*s.d }

func (s surveySum) Add(state []float64, b pass.Block) error {
	sum, squares := state[surveyHeads:][:s.d], state[surveyHeads+s.d:][:s.d]
	present := state[surveyHeads+2*s.d:][:s.d]
	ent := entries{f: &Formula{Law: Raw()}}
	missing := make([]float64, s.d)
	for i := range b.Rows.N() {
		index, x, _, _ := ent.row(b.Rows, i)
		state[1] += float64(len(x))
		state[2] += float64(len(x)) * float64(len(x))
		for e, v := range x {
			h := featureOf(index, e)
			if s.legal != nil {
				if want := s.legal(h, v); want != "" {
					return &ValueError{b.First + i, h, v, want}
				}
			}
			if math.IsNaN(v) {
				missing[h]++
				continue
			}
			sum[h] += v
			squares[h] += v * v
		}
	}
	n := float64(b.Rows.N())
	state[0] += n
	for h := range present {
		present[h] += n - missing[h]
	}
	return nil
}
