// Package model joins a family, its parameters and the names of its features
// into what a fit gives: an immutable model that can be saved, loaded and
// asked about new records, and that remembers how it came about.
package model

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Model is a fitted model. It is immutable and safe for many goroutines.
type Model struct {
	Spec       Spec
	Params     mixture.Params
	Vocab      *vocab.Vocab
	Provenance Provenance
}

// Provenance tells how a model came about.
type Provenance struct {
	Program     string          `json:"program"`     // name and version
	Settings    json.RawMessage `json:"settings"`    // canonical JSON of the settings
	Seed        uint64          `json:"seed"`        // of every random stream
	Data        string          `json:"data"`        // fingerprint of the records
	Records     int             `json:"records"`     // records fitted
	Objective   float64         `json:"objective"`   // log-likelihood, less constant terms
	Iterations  int             `json:"iterations"`  // of the refinement
	Diagnostics json.RawMessage `json:"diagnostics"` // of the decomposition
	Warnings    []warn.Warning  `json:"warnings"`
	// Prior is the weight of the prior of the refinement in records, 0 for
	// maximum likelihood; nil of trees and of fits before it was kept.
	Prior *float64 `json:"prior,omitempty"`
	// Starts are those that maximum likelihood was tried from.
	Starts *mixture.Starts `json:"starts,omitempty"`
	// Rule is what records are placed by, of groups that are parts of the records and were
	// not refined; nil where the model places them.
	Rule *mixture.Rule `json:"rule,omitempty"`
	// Shares are those of documents and words that topics have, nil of other
	// models, of trees, and of fits before they were kept.
	Shares *mixture.Shares `json:"shares,omitempty"`
	// Courses are the kinds of sequences by how they pass through the states, nil
	// where none were asked for.
	Courses *mixture.Courses `json:"courses,omitempty"`
	// Waits say how long it is from a step to the next, nil where steps have no
	// times or come at regular ones.
	Waits *mixture.Waits `json:"waits,omitempty"`
	// Choice says why this model and not another for the same records, where
	// evidence chose; nil where it was asked for or nothing was open.
	Choice *Choice `json:"choice,omitempty"`
	// Shared says of every view whether it shares groups with the others; nil of other
	// models and where that was not asked.
	Shared []Sharing `json:"shared,omitempty"`
}

// Sharing says how far a view tells the groups that the others tell, of records that did
// not take part in learning.
type Sharing struct {
	View      string  `json:"view"`
	Agreement float64 `json:"agreement" gate:"evidence"` // 0 by chance, 1 where both are sure and the same
	P         float64 `json:"p" gate:"evidence"`         // that chance agrees as well
}

// Choice is a model that evidence chose over another.
type Choice struct {
	Model  string  `json:"model"`
	Over   string  `json:"over"`
	Nats   float64 `json:"nats" gate:"evidence"`  // by which it predicts more of what was kept aside, or less than clearly less
	Error  float64 `json:"error" gate:"evidence"` // standard error of Nats
	Reason string  `json:"reason"`
}

// Family returns the family of the model.
func (m *Model) Family() (family.Family, error) { return m.Spec.Family(m.Vocab) }

// Check reports the first inconsistency.
func (m *Model) Check() error {
	switch {
	case m == nil:
		return errors.New("model: no model")
	case m.Vocab == nil:
		return errors.New("model: Vocab is nil, want the names of the features")
	case m.Params.Centers == nil || m.Params.Centers.IsEmpty():
		return errors.New("model: Params has no Centers")
	}
	f, err := m.Family()
	if err != nil {
		return err
	}
	if m.Params.Dim() != m.Vocab.Len() {
		return fmt.Errorf("model: centers of %d features but %d names", m.Params.Dim(), m.Vocab.Len())
	}
	return f.Check(m.Params)
}

// Shares reports that more than chance speaks for shared groups.
func (s Sharing) Shares() bool { return s.P <= 0.05 }
