package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/bernoulli"
	"github.com/moiety-go/moiety/family/poisson"
	"github.com/moiety-go/moiety/family/singletopic"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/vocab"
)

// Spec names a family and its settings, in the words of the command line. The
// columns of the vocabulary tell the rest.
type Spec struct {
	Model    string  `json:"model"`              // "bernoulli", "lda", ...
	Moments  string  `json:"moments,omitempty"`  // bernoulli: "corrected" (also ""), "raw"
	Weights  string  `json:"weights,omitempty"`  // documents: "saturating" (also ""), "length", "equal", "three-words"
	Alpha0   float64 `json:"alpha0,omitempty"`   // lda: 0 means estimated
	Variance string  `json:"variance,omitempty"` // gaussian: "own" (also ""), "shared"
	Trials   float64 `json:"trials,omitempty"`   // binomial: 0 means the largest count seen
	Views    []View  `json:"views,omitempty"`    // multiview
	Emission *Spec   `json:"emission,omitempty"` // hmm
	Seed     uint64  `json:"seed,omitempty"`
}

// View is one view of a multi-view model: features From to To-1.
type View struct {
	From int  `json:"from"`
	To   int  `json:"to"`
	Spec Spec `json:"spec"`
}

// families is the table of all models, in the order help shows them.
var families = []struct {
	name string
	make func(Spec, *vocab.Vocab) (family.Family, error)
}{
	{"bernoulli", func(s Spec, v *vocab.Vocab) (family.Family, error) {
		return bernoulli.New(bernoulli.Options{Raw: s.Moments == "raw", Blocks: blocks(v, vocab.Presence)}), nil
	}},
	{"poisson", func(Spec, *vocab.Vocab) (family.Family, error) { return poisson.New(), nil }},
	{"single-topic", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
		return singletopic.New(singletopic.Options{Weights: moment.Weighting(s.Weights), Seed: s.Seed})
	}},
}

// Names returns the names of all models.
func Names() []string {
	out := make([]string, len(families))
	for i, f := range families {
		out[i] = f.name
	}
	return out
}

// Family returns the family that the spec names, for features of the given
// vocabulary.
func (s Spec) Family(v *vocab.Vocab) (family.Family, error) {
	if s.Moments != "" && !slices.Contains([]string{"corrected", "raw"}, s.Moments) {
		return nil, fmt.Errorf("model: unknown moments %q, want corrected or raw", s.Moments)
	}
	for _, f := range families {
		if f.name == s.Model {
			return f.make(s, v)
		}
	}
	return nil, fmt.Errorf("model: unknown model %q, want one of %s", s.Model, strings.Join(Names(), ", "))
}

// blocks returns the runs of more than one feature among the columns of a kind.
func blocks(v *vocab.Vocab, kind vocab.Kind) [][2]int {
	var out [][2]int
	for _, c := range v.Columns {
		if c.Kind == kind && c.To-c.From > 1 {
			out = append(out, [2]int{c.From, c.To})
		}
	}
	return out
}
