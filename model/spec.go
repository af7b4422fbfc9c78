package model

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/vocab"
)

// Spec names a family and its settings, in the words of the command line. The
// columns of the vocabulary tell the rest.
type Spec struct {
	Model   string  `json:"model"`             // "bernoulli", "lda", ...
	Moments string  `json:"moments,omitempty"` // bernoulli: "corrected" (also ""), "raw"
	Weights string  `json:"weights,omitempty"` // documents: "saturating" (also ""), "length", "equal", "three-words"
	Alpha0  float64 `json:"alpha0,omitempty"`  // lda: 0 means estimated
	// Inference is how lda infers the topics of a document: "variational" (also
	// ""), "gibbs".
	Inference string `json:"inference,omitempty"`
	Variance  string `json:"variance,omitempty"` // gaussian: "own" (also ""), "shared"
	// Covariance is the shape of a gaussian's components: "auto" (also ""),
	// "spherical", "common", "diagonal", "tied", "full"; Logs are the features of which
	// logarithms are taken.
	Covariance string `json:"covariance,omitempty"`
	Logs       []int  `json:"logs,omitempty"`
	// Calm is what a count of every feature weighs under single-topic, where counts
	// scatter more than chance; the parameters keep it.
	Calm     []float64 `json:"-"`
	Trials   int       `json:"trials,omitempty"`   // binomial: 0 means the largest count seen, -1 an estimate by moments
	Views    []View    `json:"views,omitempty"`    // multiview
	Emission string    `json:"emission,omitempty"` // hmm: "discrete" (also ""), "gaussian", "bernoulli", "poisson"
	Seed     uint64    `json:"seed,omitempty"`
	// Own is a family that is not in the table, made for the features at hand.
	Own family.Family `json:"-"`
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

	Variational = "variational"
	Gibbs       = "gibbs"
)

// Names returns the names of all models.
func Names() []string {
	var out []string
	for _, f := range families() {
		out = append(out, f.plain.Info().Name)
	}
	return out
}

// Infos returns what is to be known of all models, in the order help shows them.
func Infos() []family.Info {
	var out []family.Info
	for _, f := range families() {
		out = append(out, f.plain.Info())
	}
	return out
}

// Info returns what is to be known of the model before there are data; ok is
// false for an unknown name.
func (s Spec) Info() (info family.Info, ok bool) {
	if s.Own != nil {
		return s.Own.Info(), true
	}
	for _, f := range families() {
		if info = f.plain.Info(); info.Name == s.Model {
			return info, true
		}
	}
	return family.Info{}, false
}

// With returns the spec with its family, if it is one of these, which are not in
// the table.
func (s Spec) With(more []family.Family) Spec {
	for _, f := range more {
		if f != nil && f.Info().Name == s.Model {
			s.Own = f
		}
	}
	return s
}

// Family returns the family that the spec names, for features of the given
// vocabulary.
func (s Spec) Family(v *vocab.Vocab) (family.Family, error) {
	if s.Own != nil {
		return s.Own, nil
	}
	for _, w := range []struct{ what, word, a, b string }{
		{"moments", s.Moments, Corrected, Raw},
		{"variance", s.Variance, Own, Shared},
		{"inference", s.Inference, Variational, Gibbs},
	} {
		if w.word != "" && w.word != w.a && w.word != w.b {
			return nil, fmt.Errorf("model: unknown %s %q, want %s or %s", w.what, w.word, w.a, w.b)
		}
	}
	if e := s.Emission; e != "" && e != Symbols && e != Measured && e != Presences && e != Counted {
		return nil, fmt.Errorf("model: unknown emission %q, want %s, %s, %s or %s", e, Symbols, Measured, Presences, Counted)
	}
	for _, f := range families() {
		if f.plain.Info().Name == s.Model {
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
