// Package lda is the family of documents that mix topics: latent Dirichlet
// allocation with known-order moments ([T] §3.3) and a few variational steps.
//
// It takes rows of word counts and gives moments for decompose, the E- and
// M-step for refine, topic mixtures for assign, and samples. Columns of the
// centers are the word probabilities of the topics and add up to one; the
// extra matrix "alpha" (k×1) holds the Dirichlet parameters, and the weights
// are alpha/α0, the mean mixture. It does not know where documents are kept or
// how a start was found.
package lda

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
)

// Alpha is the name of the extra matrix (k×1) of the Dirichlet parameters.
const Alpha = "alpha"

// Options are the settings of the family. The zero value works.
type Options struct {
	Alpha0  float64          // sum of the Dirichlet parameters; 0 means that the data tell
	Weights moment.Weighting // of documents in the moments; "" is saturating
	L0      float64          // words at which saturating weights level off; 0 means 30
	Seed    uint64           // of the basis that alpha0 is sought in, and of three-words
	// Inference says how the topic mixtures of documents are inferred once the
	// model is learned; learning has its own steps.
	Inference Inference
	// Alpha says what refinement does with the Dirichlet parameters; "" is
	// UpdateShares where Alpha0 is given and UpdateAll where it is estimated.
	Alpha AlphaStep
}

// AlphaStep names what an M-step does with the Dirichlet parameters.
type AlphaStep string

// AlphaSteps. Measured on documents of the model (n=2000, α0 = 1): moments give
// α0 = 1.05, five steps of UpdateAll pull it to 0.86, which does not hurt the
// topics (L1 .0838, UpdateShares .0836). Real documents repeat their words more
// than the model lets them, which the moments take for a large α0 (16 for 20
// topics of newspaper text); there UpdateAll comes down to 2.6 and predicts
// the other half of new documents better (perplexity 1742, UpdateShares 1747).
const (
	UpdateShares AlphaStep = "shares"
	UpdateAll    AlphaStep = "all"
	UpdateNone   AlphaStep = "none"
)

// Family implements family.Family.
type Family struct {
	o      Options
	docs   moment.Documents
	spaces *spaces
	crew   topics.Crew
}

var (
	_ family.Family = (*Family)(nil)
	_ family.Shared = (*Family)(nil)
)

// New returns the family with these settings.
func New(o Options) (*Family, error) {
	docs := moment.Documents{Weighting: o.Weights, L0: o.L0, Seed: o.Seed}
	if err := docs.Check(); err != nil {
		return nil, fmt.Errorf("lda: %w", err)
	}
	if !(o.Alpha0 >= 0) || math.IsInf(o.Alpha0, 0) {
		return nil, fmt.Errorf("lda: alpha0 is %v: want a number above 0, or 0 to have it estimated", o.Alpha0)
	}
	if err := o.Inference.Check(); err != nil {
		return nil, err
	}
	switch o.Alpha {
	case "", UpdateShares, UpdateAll, UpdateNone:
	default:
		return nil, fmt.Errorf("lda: refinement of alpha %q: want %s, %s or %s", o.Alpha, UpdateShares, UpdateAll, UpdateNone)
	}
	if o.Alpha == "" {
		o.Alpha = UpdateAll
		if o.Alpha0 > 0 {
			o.Alpha = UpdateShares
		}
	}
	return &Family{o: o, docs: docs, spaces: new(spaces)}, nil
}

// Among implements family.Shared.
func (f *Family) Among(workers int) family.Family {
	g := *f
	g.crew = topics.NewCrew(workers)
	return &g
}

// Source returns the moments of [T] Thm 3.3.1, scaled as Source says. It
// touches the data only where alpha0 is to be estimated.
func (f *Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	bag, err := f.docs.Source(ctx, run, k)
	if err != nil {
		return nil, fmt.Errorf("lda: %w", err)
	}
	if f.o.Alpha0 > 0 {
		return NewSource(bag, f.o.Alpha0)
	}
	return EstimateSource(ctx, bag, k, f.o.Seed)
}

// alphaOf returns the Dirichlet parameters of p.
func alphaOf(p mixture.Params) ([]float64, error) {
	m, ok := p.Extra[Alpha]
	if !ok {
		return nil, fmt.Errorf("lda: parameters without the matrix %q of Dirichlet parameters", Alpha)
	}
	if r, c := m.Dims(); r != p.K() || c != 1 {
		return nil, fmt.Errorf("lda: matrix %q is %d×%d, want %d×1", Alpha, r, c, p.K())
	}
	alpha := mat.Col(nil, 0, m)
	for j, a := range alpha {
		if !(a > 0) || math.IsInf(a, 0) {
			return nil, fmt.Errorf("lda: Dirichlet parameter of topic %d is %v, want a number above 0", j+1, a)
		}
	}
	return alpha, nil
}

// Check reports the first topic that is not a distribution over words, or
// Dirichlet parameter that is not positive.
func (f *Family) Check(p mixture.Params) error {
	if f.crew.Distributions(p) {
		_, err := alphaOf(p)
		return err
	}
	if err := p.Check(); err != nil {
		return err
	}
	if _, err := alphaOf(p); err != nil {
		return err
	}
	if err := p.CheckDistributions(); err != nil {
		return fmt.Errorf("lda: %w", err)
	}
	return nil
}

// Reorder implements family.Family.
func (f *Family) Reorder(p mixture.Params, order []int) mixture.Params {
	q := f.crew.Reorder(p, order)
	alpha, ok := p.Extra[Alpha]
	if !ok {
		return q
	}
	moved := mat.NewDense(len(order), 1, nil)
	for c, j := range order {
		moved.Set(c, 0, alpha.At(j, 0))
	}
	return q.With(Alpha, moved)
}

// negligible is the probability of a word in a topic, as a share of its
// probability over all topics, below which it does not count as fitted.
const negligible = 1e-2

// FreeParameters counts the Dirichlet parameters and the word probabilities
// that are not zero up to the prior.
func (f *Family) FreeParameters(p mixture.Params) int {
	d, k := p.Centers.Dims()
	n := 0
	for h := range d {
		row, mean := p.Centers.RawRowView(h), 0.0
		for j, v := range row {
			mean += p.Weights[j] * v
		}
		for _, v := range row {
			if v > negligible*mean {
				n++
			}
		}
	}
	return max(n-k, 0) + k
}
