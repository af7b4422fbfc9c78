package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/pass"
)

// Information holds the likelihood of a model and what it costs. On records
// that the model was not fitted to, PerRecord is the held-out likelihood.
type Information struct {
	LogLikelihood float64 // of all records, with all constants
	PerRecord     float64
	Records       int
	Parameters    int     // free parameters, as the family counts them
	BIC           float64 // −2·LogLikelihood + Parameters·log(Records): the lower the better
	AIC           float64 // −2·LogLikelihood + 2·Parameters
}

// Likelihood measures a model on the runner's records in one pass.
func Likelihood(ctx context.Context, f family.Family, p mixture.Params, run pass.Runner) (*Information, error) {
	if run.Len() == 0 {
		return nil, fmt.Errorf("evaluate: no records to measure the likelihood on")
	}
	state, err := pass.RunOne(ctx, run, density{f, p})
	if err != nil {
		return nil, err
	}
	return NewInformation(state[0], f.FreeParameters(p), run.Len()), nil
}

// NewInformation returns the criteria of a log-likelihood over n records.
func NewInformation(logLikelihood float64, parameters, n int) *Information {
	return &Information{
		LogLikelihood: logLikelihood, PerRecord: logLikelihood / float64(n), Records: n, Parameters: parameters,
		BIC: -2*logLikelihood + float64(parameters)*math.Log(float64(n)),
		AIC: -2*logLikelihood + 2*float64(parameters),
	}
}

// density sums up log densities.
type density struct {
	f family.Family
	p mixture.Params
}

// Len implements pass.Sum.
func (density) Len() int { return 1 }

// Add implements pass.Sum.
func (s density) Add(state []float64, b pass.Block) error {
	out := make([]float64, b.N())
	if err := s.f.LogDensity(s.p, b, out); err != nil {
		return err
	}
	for _, v := range out {
		state[0] += v
	}
	return nil
}
