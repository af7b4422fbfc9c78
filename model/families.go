package model

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/binomial"
	"github.com/moiety-go/moiety/internal/family/categorical"
	"github.com/moiety-go/moiety/internal/family/exponential"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/family/lda"
	"github.com/moiety-go/moiety/internal/family/mixed"
	"github.com/moiety-go/moiety/internal/family/multiview"
	"github.com/moiety-go/moiety/internal/family/poisson"
	"github.com/moiety-go/moiety/internal/family/singletopic"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// families is the table of all models, in the order help shows them. It is a
// function because multi-view models look their views up in it.
func families() []entry {
	return []entry{
		{bernoulli.Family{}, func(s Spec, v *vocab.Vocab) (family.Family, error) {
			return bernoulli.New(bernoulli.Options{Raw: s.Moments == Raw, Blocks: blocks(v, vocab.Presence)}), nil
		}},
		{categorical.Family{}, func(_ Spec, v *vocab.Vocab) (family.Family, error) {
			return categorical.New(categorical.Options{Blocks: Questions(v)})
		}},
		{poisson.Family{}, func(Spec, *vocab.Vocab) (family.Family, error) { return poisson.New(), nil }},
		{binomial.Family{}, func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			if s.Trials == estimated {
				return binomial.New(binomial.Options{ByMoments: true})
			}
			return binomial.New(binomial.Options{Trials: s.Trials})
		}},
		{exponential.Family{}, func(Spec, *vocab.Vocab) (family.Family, error) { return exponential.New(), nil }},
		{&mixed.Family{}, func(_ Spec, v *vocab.Vocab) (family.Family, error) {
			return mixed.New(mixed.Options{Columns: v.Columns, Dim: v.Len()})
		}},
		{&singletopic.Family{}, func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			return singletopic.New(singletopic.Options{Weights: moment.Weighting(s.Weights), Seed: s.Seed, Calm: s.Calm})
		}},
		{&lda.Family{}, func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			o := lda.Options{Alpha0: s.Alpha0, Weights: moment.Weighting(s.Weights), Seed: s.Seed}
			if s.Inference == Gibbs {
				o.Inference = lda.Inference{Method: lda.Gibbs, Seed: s.Seed}
			}
			return lda.New(o)
		}},
		{gaussian.Family{}, func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			o := gaussian.Options{}
			if s.Variance == Shared {
				o.Variance = gaussian.Shared
			}
			return gaussian.ByName(s.Covariance, s.Logs, o)
		}},
		{&multiview.Family{}, multiView},
		{hmm.Family{}, func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			switch s.Emission {
			case Measured:
				return hmm.New(hmm.Options{Emission: hmm.Gaussian}), nil
			case Presences:
				return hmm.New(hmm.Options{Of: bernoulli.New(bernoulli.Options{})}), nil
			case Counted:
				return hmm.New(hmm.Options{Of: poisson.Family{}}), nil
			}
			return hmm.New(hmm.Options{}), nil
		}},
	}
}

// entry is a model of the table: a family made for no data, whose Info tells of
// it, and the way to make it for features of a vocabulary.
type entry struct {
	plain family.Family
	make  func(Spec, *vocab.Vocab) (family.Family, error)
}

// Spherical is the word for round components of measurements.
const Spherical = gaussian.Spherical

// What states emit.
const (
	Symbols   = "discrete" // one symbol a step
	Measured  = "gaussian"
	Presences = "bernoulli" // a set of codes a step
	Counted   = "poisson"   // a count of each
)

// ploidy is the number of copies of an allele that a person may carry.
const ploidy = 2

// suited fills in what the records say of a model's settings; auto means that
// they chose the model as well.
func (s Spec) suited(r Records, auto bool) Spec {
	switch {
	case s.Model == (binomial.Family{}).Info().Name && auto && r.System == vocab.Genotypes:
		s.Trials = ploidy
	case s.Model == (hmm.Family{}).Info().Name && s.Emission == "":
		s.Emission = emissionOf(r)
	}
	return s
}

// emissionOf is what steps of such records show: "" for one symbol each.
func emissionOf(r Records) string {
	switch {
	case r.Kind == record.Real:
		return Measured
	case r.Kind == record.Counts:
		return Counted
	case r.Several:
		return Presences
	}
	return ""
}

func multiView(s Spec, v *vocab.Vocab) (family.Family, error) {
	views := make([]multiview.View, len(s.Views))
	for i, view := range s.Views {
		f, err := view.Spec.Family(part(v, view.From, view.To))
		if err != nil {
			return nil, fmt.Errorf("model: view %d: %w", i+1, err)
		}
		views[i] = multiview.View{Name: view.Name, From: view.From, To: view.To, Family: f, EmptyMissing: view.EmptyMissing}
	}
	return multiview.New(multiview.Options{Views: views})
}

// part returns the vocabulary of features from to to-1.
func part(v *vocab.Vocab, from, to int) *vocab.Vocab {
	from, to = min(max(from, 0), v.Len()), min(max(to, 0), v.Len())
	out := &vocab.Vocab{Names: v.Names[from:max(from, to)], System: v.System}
	if v.Titles != nil {
		out.Titles = v.Titles[from:max(from, to)]
	}
	for _, c := range v.Columns {
		if c.From >= from && c.To <= to {
			c.From, c.To = c.From-from, c.To-from
			out.Columns = append(out.Columns, c)
		}
	}
	return out
}
