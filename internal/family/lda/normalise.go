package lda

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/warn"
)

// leastShare is the least share of a topic in the mean mixture.
const leastShare = 1e-4

// Normalise puts the topics on the simplex and makes α = α0·a of the weights a.
func (f *Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	m1, err := src.First(ctx)
	if err != nil {
		return mixture.Params{}, nil, err
	}
	centers, empty, err := f.crew.Normalise(m1, raw)
	if err != nil {
		return mixture.Params{}, nil, fmt.Errorf("lda: %w", err)
	}
	alpha0, warnings := f.alpha0Of(src)
	share := topics.Weights(raw.Weights, leastShare)
	alpha := mat.NewDense(len(share), 1, nil)
	for j, a := range share {
		alpha.Set(j, 0, alpha0*a)
	}
	return mixture.New(centers, share).With(Alpha, alpha), append(warnings, empty...), nil
}

// alpha0Of returns the α0 that the moments were corrected with, and what was
// remarked then.
func (f *Family) alpha0Of(src moment.Source) (float64, []warn.Warning) {
	if own, ok := src.(*Source); ok {
		return own.alpha0, append([]warn.Warning(nil), own.warnings...)
	}
	if own, ok := src.(interface{ Alpha0() float64 }); ok {
		return own.Alpha0(), nil
	}
	if f.o.Alpha0 > 0 {
		return f.o.Alpha0, nil
	}
	return aloneAlpha0, []warn.Warning{warn.New(warn.Caution, "alpha0-unknown", "Give alpha0.",
		"These moments do not tell how strongly documents mix topics; alpha0 is taken to be %v.", float64(aloneAlpha0))}
}
