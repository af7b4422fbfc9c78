package encode

import (
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/record"
)

// Plan is what Encode decided about a source: all that Apply needs, besides the
// vocabulary, to encode new records in the same way. It is stored with a model
// as JSON.
type Plan struct {
	Kind   string `json:"kind"`   // of the source: presence, counts, real, categorical, mixed, text
	Layout string `json:"layout"` // of the rows: binary, valued, dense

	Presence bool `json:"presence,omitempty"` // a feature is there or not, however often
	Answers  bool `json:"answers,omitempty"`  // presences of which some are unknown are kept as answers 0 and 1
	Words    bool `json:"words,omitempty"`    // features are words

	System codes.System  `json:"system"`           // icd9, icd10 or none; the winner where both are present
	Mixed  bool          `json:"mixed,omitempty"`  // both versions: names carry "9:" or "10:"
	Marked bool          `json:"marked,omitempty"` // the source marks versions; a code without mark is no ICD code
	Levels []codes.Level `json:"levels,omitempty"`
	Zeros  codes.Zeros   `json:"zeros"`
	Vote   codes.Vote    `json:"vote"`

	Language  string   `json:"language,omitempty"`  // of the texts
	Stopwords string   `json:"stopwords,omitempty"` // language of the stop words, "list", or none
	StopList  []string `json:"stop_list,omitempty"`
	Stem      bool     `json:"stem,omitempty"`
	Ngrams    int      `json:"ngrams,omitempty"`
	MinLength int      `json:"min_length,omitempty"`
	Numbers   bool     `json:"numbers,omitempty"`
	Turkish   bool     `json:"turkish,omitempty"`

	// Calls says what missing calls of genotypes are taken for; nil where none is missing.
	Calls *Calls `json:"calls,omitempty"`
	// Sparse says that a measurement that is not stored is zero, not missing.
	Sparse bool `json:"sparse,omitempty"`
}

// newPlan holds what is known before the records are read.
func newPlan(s Settings) *Plan {
	p := &Plan{System: codes.None, Ngrams: max(s.Ngrams, 1), MinLength: s.MinLength, Numbers: s.Numbers}
	if p.MinLength == 0 {
		p.MinLength = 2
	}
	p.Turkish = languageName(s.Stopwords) == "turkish"
	return p
}

// kindOf reads the plan's kind back.
func (p *Plan) kindOf() record.Kind {
	for k := record.Presence; k <= record.Text; k++ {
		if k.String() == p.Kind {
			return k
		}
	}
	return record.Presence
}

// isCodes reports that features are diagnosis codes.
func (p *Plan) isCodes() bool { return p.System != codes.None && p.System != "" }

// hasColumns reports that features are columns of a table, which keep their
// order and may be missing.
func hasColumns(k record.Kind) bool {
	return k == record.Real || k == record.Categorical || k == record.Mixed
}
