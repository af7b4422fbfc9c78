package model

import (
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// Params puts parameters together from matrices that Matrices named; ok is
// false where the centers are missing.
func Params(matrices map[string]*mat.Dense, prefix string, weights []float64) (p mixture.Params, ok bool) {
	p = mixture.Params{Centers: matrices[prefix+centersName], Weights: weights}
	for name, m := range matrices {
		if extra, found := strings.CutPrefix(name, prefix+extraPrefix); found {
			p = p.With(extra, m)
		}
	}
	return p, p.Centers != nil
}
