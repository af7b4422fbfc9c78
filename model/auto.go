package model

import (
	"slices"

	"github.com/moiety-go/moiety/record"
)

// Records says of records what a model is chosen by.
type Records struct {
	Kind      record.Kind
	Sequences bool
	System    string // of their codes
	Missing   bool   // some value is
	Several   bool   // some step of a sequence has more than one feature
}

// IsAuto reports that the records choose the model.
func (s Spec) IsAuto() bool { return s.Own == nil && (s.Model == "" || s.Model == "auto") }

// For fills in what is left to the records: the model, for a tree or for flat
// groups, and those of its settings that they decide.
func (s Spec) For(r Records, tree bool) Spec {
	auto := s.IsAuto()
	if s.Own != nil {
		s.Model = s.Own.Info().Name
	}
	if auto {
		s.Model = chosen(r)
		if tree {
			s.Model = s.Splits()
		}
	}
	return s.suited(r, auto)
}

// chosen is the first model of the table that is for such records and takes what
// is missing in them, or else the first that is for them.
func chosen(r Records) string {
	first := ""
	for _, f := range families() {
		info := f.plain.Info()
		switch {
		case r.Sequences && !info.Sequences,
			!r.Sequences && !slices.Contains(info.For, r.Kind),
			info.System != "" && info.System != r.System:
			continue
		case !r.Missing || info.Missing || r.Sequences:
			return info.Name
		case first == "":
			first = info.Name
		}
	}
	return first
}

// Splits names the model by which a tree of this one splits records: its own name
// but for topics that mix.
func (s Spec) Splits() string {
	if info, ok := s.Info(); ok && info.Tree.SplitAs != "" {
		return info.Tree.SplitAs
	}
	return s.Model
}
