package mixture

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Names of the matrices of parameters in files: that of the centers, and what
// stands before the names of extra ones, so that no family can hide the centers.
const (
	centersName = "centers"
	extraPrefix = "extra:"
)

// Matrices hands over the parameters as named matrices, the centers first.
func (p Params) Matrices() iter.Seq2[string, *mat.Dense] {
	return func(yield func(string, *mat.Dense) bool) {
		if !yield(centersName, p.Centers) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
			if !yield(extraPrefix+name, p.Extra[name]) {
				return
			}
		}
	}
}

// FromMatrices puts parameters together from what Matrices handed over, with
// prefix before every name; ok is false where the centers are missing.
func FromMatrices(matrices map[string]*mat.Dense, prefix string, weights []float64) (p Params, ok bool) {
	p = Params{Centers: matrices[prefix+centersName], Weights: weights}
	for name, m := range matrices {
		if extra, found := strings.CutPrefix(name, prefix+extraPrefix); found {
			p = p.With(extra, m)
		}
	}
	return p, p.Centers != nil
}
