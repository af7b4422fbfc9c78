package model

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/family/bernoulli"
	"github.com/moiety-go/moiety/family/binomial"
	"github.com/moiety-go/moiety/family/categorical"
	"github.com/moiety-go/moiety/family/exponential"
	"github.com/moiety-go/moiety/family/gaussian"
	"github.com/moiety-go/moiety/family/hmm"
	"github.com/moiety-go/moiety/family/lda"
	"github.com/moiety-go/moiety/family/mixed"
	"github.com/moiety-go/moiety/family/multiview"
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
	Trials   int     `json:"trials,omitempty"`   // binomial: 0 means the largest count seen
	Views    []View  `json:"views,omitempty"`    // multiview
	Emission string  `json:"emission,omitempty"` // hmm: "discrete" (also ""), "gaussian"
	Seed     uint64  `json:"seed,omitempty"`
}

// View is one view of a multi-view model: features From to To-1.
type View struct {
	Name         string `json:"name,omitempty"`
	From         int    `json:"from"`
	To           int    `json:"to"`
	Spec         Spec   `json:"spec"`
	EmptyMissing bool   `json:"empty_missing,omitempty"`
}

// Words of a Spec.
const (
	Corrected = "corrected"
	Raw       = "raw"
	Own       = "own"
	Shared    = "shared"
	Symbols   = "discrete"
	Measured  = "gaussian"
)

// families is the table of all models, in the order help shows them. It is a
// function because multi-view models look their views up in it.
func families() []entry {
	return []entry{
		{"bernoulli", func(s Spec, v *vocab.Vocab) (family.Family, error) {
			return bernoulli.New(bernoulli.Options{Raw: s.Moments == Raw, Blocks: blocks(v, vocab.Presence)}), nil
		}},
		{"categorical", func(_ Spec, v *vocab.Vocab) (family.Family, error) {
			return categorical.New(categorical.Options{Blocks: Questions(v)})
		}},
		{"poisson", func(Spec, *vocab.Vocab) (family.Family, error) { return poisson.New(), nil }},
		{"binomial", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			return binomial.New(binomial.Options{Trials: s.Trials})
		}},
		{"exponential", func(Spec, *vocab.Vocab) (family.Family, error) { return exponential.New(), nil }},
		{"mixed", func(_ Spec, v *vocab.Vocab) (family.Family, error) {
			return mixed.New(mixed.Options{Columns: v.Columns, Dim: v.Len()})
		}},
		{"single-topic", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			return singletopic.New(singletopic.Options{Weights: moment.Weighting(s.Weights), Seed: s.Seed})
		}},
		{"lda", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			return lda.New(lda.Options{Alpha0: s.Alpha0, Weights: moment.Weighting(s.Weights), Seed: s.Seed})
		}},
		{"gaussian", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			o := gaussian.Options{}
			if s.Variance == Shared {
				o.Variance = gaussian.Shared
			}
			return gaussian.New(o), nil
		}},
		{"multiview", multiView},
		{"hmm", func(s Spec, _ *vocab.Vocab) (family.Family, error) {
			o := hmm.Options{}
			if s.Emission == Measured {
				o.Emission = hmm.Gaussian
			}
			return hmm.New(o), nil
		}},
	}
}

type entry struct {
	name string
	make func(Spec, *vocab.Vocab) (family.Family, error)
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

// Names returns the names of all models.
func Names() []string {
	var out []string
	for _, f := range families() {
		out = append(out, f.name)
	}
	return out
}

// Family returns the family that the spec names, for features of the given
// vocabulary.
func (s Spec) Family(v *vocab.Vocab) (family.Family, error) {
	for _, w := range []struct{ what, word, a, b string }{
		{"moments", s.Moments, Corrected, Raw},
		{"variance", s.Variance, Own, Shared},
		{"emission", s.Emission, Symbols, Measured},
	} {
		if w.word != "" && w.word != w.a && w.word != w.b {
			return nil, fmt.Errorf("model: unknown %s %q, want %s or %s", w.what, w.word, w.a, w.b)
		}
	}
	for _, f := range families() {
		if f.name == s.Model {
			return f.make(s, v)
		}
	}
	return nil, fmt.Errorf("model: unknown model %q, want one of %s", s.Model, strings.Join(Names(), ", "))
}

// Questions returns the runs of features of all columns, features without a
// column being a question of their own.
func Questions(v *vocab.Vocab) [][2]int {
	var out [][2]int
	at := 0
	for _, c := range v.Columns {
		for ; at < c.From; at++ {
			out = append(out, [2]int{at, at + 1})
		}
		out, at = append(out, [2]int{c.From, c.To}), c.To
	}
	for ; at < v.Len(); at++ {
		out = append(out, [2]int{at, at + 1})
	}
	return out
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

// IsTopics reports that groups are topics of documents: their features are words.
func (s Spec) IsTopics() bool { return s.Model == "lda" || s.Model == "single-topic" }

// IsMixed reports that a record has a share in every group.
func (s Spec) IsMixed() bool { return s.Model == "lda" }
