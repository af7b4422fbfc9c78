// Package categorical is latent class analysis: given the component, every
// question of a record is answered independently with probabilities of its own.
//
// It takes one-hot rows, a block of features for each question; a question
// without an entry was not answered: it is skipped, not counted as zero, in
// the moments, in EM and in densities. Products of two answers to one question
// tell nothing, so the entries of the moments inside a block are completed, as
// the diagonal of the Bernoulli mixture is ([T] ch. 4; algorithms §1).
package categorical

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/internal/simplex"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// Options are the settings of the family.
type Options struct {
	// Blocks are the runs of features [from, to) of the questions, without gap
	// from the first feature to the last.
	Blocks [][2]int
}

// Family is the categorical mixture. It is made by New.
type Family struct{ loglinear.Mixture[density] }

// New returns the family of the questions in o.
func New(o Options) (Family, error) {
	if len(o.Blocks) == 0 {
		return Family{}, fmt.Errorf("categorical: no questions: give the features of each question, or use the model bernoulli")
	}
	at := 0
	for i, b := range o.Blocks {
		if b[0] != at || b[1] <= b[0] {
			return Family{}, fmt.Errorf("categorical: question %d has features %d to %d, want them to begin at %d: every feature belongs to one question; use the model mixed for other columns", i+1, b[0]+1, b[1], at+1)
		}
		at = b[1]
	}
	if at == len(o.Blocks) {
		return Family{}, errors.New("categorical: no question has two answers: use the model bernoulli for presences, or read them with ‹format› categorical")
	}
	return Family{loglinear.Mixture[density]{D: density{blocks: append([][2]int(nil), o.Blocks...)}}}, nil
}

// Questions implements family.Questioned.
func (f Family) Questions(int) []family.Question {
	out := make([]family.Question, len(f.D.blocks))
	for i, b := range f.D.blocks {
		out[i] = family.Question{From: b[0], To: b[1]}
	}
	return out
}

func (f density) dim() int { return f.blocks[len(f.blocks)-1][1] }

// Source returns the completed moments of the standardised answers. Missing
// answers are filled so that products across questions stay unbiased
// (moment.Filled).
func (f Family) Source(ctx context.Context, run pass.Runner, k int) (moment.Source, error) {
	if run.Dim() != f.D.dim() {
		return nil, fmt.Errorf("categorical: records of %d features for questions of %d", run.Dim(), f.D.dim())
	}
	filled, err := moment.NewFilled(ctx, run, f.D.blocks, legal)
	if err != nil {
		return nil, fmt.Errorf("categorical: %w", err)
	}
	if !moment.Varying(filled.Deviation) {
		return nil, moment.ErrConstant()
	}
	out := &moment.Standard{Scale: filled.Deviation, Mean: filled.Mean, N: filled.Survey.N}
	src, err := f.across(filled)
	if err != nil {
		return nil, err
	}
	out.Completed, err = moment.Complete(ctx, src, k, moment.CompleteOptions{Blocks: f.D.blocks})
	return out, err
}

// across returns the products across questions. Complete records have one
// entry a question, so products of different features are all of that kind.
func (f Family) across(filled *moment.Filled) (moment.Source, error) {
	pairs := filled.Dim() <= moment.PairFeatures
	if filled.Complete() {
		return moment.NewSampled(filled, moment.Formula{Law: moment.Distinct(), Scale: filled.Deviation, Pairs: pairs}, true), nil
	}
	return moment.NewBlocked(filled, f.D.blocks, moment.BlockedOptions{Scale: filled.Deviation, Pairs: pairs})
}

func legal(_ int, x float64) string {
	if x != 0 && x != 1 {
		return "answers are present or not: 0 or 1; where numbers stand for answers, read them so with ‹format› categorical"
	}
	return ""
}

// clip is the least probability of an answer that a decomposition may
// hand to EM.
const clip = 1e-3

// Normalise implements family.Family.
func (f Family) Normalise(_ context.Context, src moment.Source, raw mixture.Params) (mixture.Params, []warn.Warning, error) {
	s, ok := src.(*moment.Standard)
	if !ok {
		return raw, nil, fmt.Errorf("categorical: moments of another family (%T)", src)
	}
	centers := s.Unscale(raw.Centers)
	for h, m := range s.Mean {
		for j, v := range centers.RawRowView(h) {
			if m > 0 && !(v > clip) {
				centers.Set(h, j, clip)
			} else if m == 0 {
				centers.Set(h, j, 0)
			}
		}
	}
	simplex.NormaliseBlocks(centers, f.D.blocks)
	return mixture.New(centers, s.Weights(raw.Weights)), s.Warnings(), nil
}

// sumTol is how far the probabilities of a question may be from one.
const sumTol = 1e-6

// Check reports the first question whose probabilities are none.
func (f density) Check(p mixture.Params) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("categorical: %w", err)
	}
	if p.Dim() != f.dim() {
		return fmt.Errorf("categorical: centers of %d features for questions of %d", p.Dim(), f.dim())
	}
	for i, b := range f.blocks {
		for j := range p.K() {
			sum := 0.0
			for h := b[0]; h < b[1]; h++ {
				v := p.Centers.At(h, j)
				if v < 0 {
					return fmt.Errorf("categorical: probability of feature %d in component %d is %v, want >= 0", h+1, j+1, v)
				}
				sum += v
			}
			if math.Abs(sum-1) > sumTol {
				return fmt.Errorf("categorical: probabilities of question %d in component %d add up to %v, want 1", i+1, j+1, sum)
			}
		}
	}
	return nil
}

// FreeParameters counts, for each component and question, the answers that
// anybody gives, less one.
func (f Family) FreeParameters(p mixture.Params) int {
	n := p.K() - 1
	for _, b := range f.D.blocks {
		given := 0
		for h := b[0]; h < b[1]; h++ {
			for _, v := range p.Centers.RawRowView(h) {
				if v > 0 {
					given++
					break
				}
			}
		}
		n += p.K() * max(given-1, 0)
	}
	return n
}
