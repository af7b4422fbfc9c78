// Package singletopic is the family of documents with one topic each: a
// mixture of multinomials over bags of words ([T] §3.2, [S] §2).
//
// It takes rows of word counts and gives moments for decompose, the E- and
// M-step for refine, posteriors for assign, and samples. Columns of the
// centers are the word probabilities of the topics and add up to one. It does
// not know where documents are kept or how a start was found.
package singletopic

import (
	"context"
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/family/topics"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Options are the settings of the family. The zero value works.
type Options struct {
	Weights moment.Weighting // of documents in the moments; "" is saturating
	L0      float64          // words at which saturating weights level off; 0 means 30
	Seed    uint64           // of the draws of three-words
	// Calm is, feature by feature, what a count weighs where counts scatter more than
	// chance: see scatter.go. nil are counts that scatter as chance has it.
	Calm []float64
}

// Family implements family.Family.
type Family struct {
	loglinear.Mixture[density]
	docs moment.Documents
}

var (
	_ family.Family = (*Family)(nil)
	_ family.Shared = (*Family)(nil)
)

// New returns the family with these settings.
func New(o Options) (*Family, error) {
	docs := moment.Documents{Weighting: o.Weights, L0: o.L0, Seed: o.Seed}
	if err := docs.Check(); err != nil {
		return nil, fmt.Errorf("single-topic: %w", err)
	}
	return &Family{Mixture: loglinear.Mixture[density]{D: density{calm: column(o.Calm)}}, docs: docs}, nil
}

// Among implements family.Shared.
func (f *Family) Among(workers int) family.Family {
	g := *f
	g.D.crew = topics.NewCrew(workers)
	return &g
}

// Source returns the moments of [T] Thm 3.2.1 with the family's weights.
func (f *Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	src, err := f.docs.Source(ctx, run, k)
	if err != nil {
		return nil, fmt.Errorf("single-topic: %w", err)
	}
	return src, nil
}

// Reorder implements family.Family.
func (f *Family) Reorder(p mixture.Params, order []int) mixture.Params {
	return f.D.crew.Reorder(p, order)
}

// leastWeight keeps a component alive: EM cannot revive weight 0.
const leastWeight = 1e-6

// Normalise puts the topics on the simplex.
func (f *Family) Normalise(ctx context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	m1, err := src.First(ctx)
	if err != nil {
		return mixture.Params{}, nil, err
	}
	centers, warnings, err := f.D.crew.Normalise(m1, raw)
	if err != nil {
		return mixture.Params{}, nil, fmt.Errorf("single-topic: %w", err)
	}
	return f.D.calmed(mixture.New(centers, topics.Weights(raw.Weights, leastWeight)), raw), warnings, nil
}

// negligible is the probability of a word in a topic, as a share of its
// probability over all topics, below which it does not count as fitted: what
// the prior alone leaves there once a topic has a hundred documents.
const negligible = 1e-2

// FreeParameters counts the weights and the word probabilities that are not
// zero up to the prior (algorithms: BIC counting only nonzero word parameters).
func (f *Family) FreeParameters(p mixture.Params) int {
	d, k := p.Centers.Dims()
	n := k - 1
	for h := range d {
		mean := 0.0
		for j, v := range p.Centers.RawRowView(h) {
			mean += p.Weights[j] * v
		}
		for _, v := range p.Centers.RawRowView(h) {
			if v > negligible*mean {
				n++
			}
		}
	}
	return max(n-k, 0)
}
