package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// Settings say how to fit. The zero value of every field but K works.
type Settings struct {
	K      int        `json:"k,omitempty"` // number of groups of a flat model; 0 for a tree
	Tree   TreeShape  `json:"tree,omitzero"`
	Spec   model.Spec `json:"spec"`   // the model; an empty name or "auto" chooses by the kind of the records
	Method string     `json:"method"` // of decomposition; "" is auto
	Refine string     `json:"refine"` // "em" (also ""), "none"
	Seed   uint64     `json:"seed"`   // of all random streams
	Prior  Prior      `json:"prior"`  // weight of EM's prior in records; Likelihood for none
	// Workers is the number of cores; 0 means all. It changes no bit of the
	// result and is not part of it.
	Workers int `json:"-"`
}

// TreeShape says how a tree grows; see tree.Settings.
type TreeShape struct {
	Leaves    int    `json:"leaves,omitempty"`
	Levels    int    `json:"levels,omitempty"`
	MaxLeaves int    `json:"max_leaves,omitempty"`
	Cautious  bool   `json:"cautious,omitempty"`
	Splitter  string `json:"splitter,omitempty"`
	// Stability says on how many records the repeatability of each split is
	// measured: "sample" (also ""), "full", "off".
	Stability string `json:"stability,omitempty"`
	// Free grows the model-free tree (D-SIDIWO): no model, linear rules only.
	Free bool `json:"free,omitempty"`
}

// Ways to refine.
const (
	EM   = "em"
	None = "none"
)

// Check reports the first setting that makes no sense.
func (s Settings) Check() error {
	if s.K < 0 {
		return fmt.Errorf("fit: %d groups asked for, want at least 1", s.K)
	}
	if s.K > 0 && s.Tree != (TreeShape{}) {
		return fmt.Errorf("fit: %d groups and a tree asked for, want one of them", s.K)
	}
	if _, err := decompose.ByName(s.method()); err != nil {
		return err
	}
	if !slices.Contains([]string{"", EM, None}, s.Refine) {
		return fmt.Errorf("fit: unknown refinement %q, want em or none", s.Refine)
	}
	if m := s.Spec.Model; m != "" && m != "auto" && !slices.Contains(model.Names(), m) {
		return fmt.Errorf("fit: unknown model %q, want auto or one of %s", m, strings.Join(model.Names(), ", "))
	}
	return nil
}

func (s Settings) method() string {
	if s.Method == "" {
		return "auto"
	}
	return s.Method
}

// canonical returns the settings as JSON with fields in a fixed order.
func (s Settings) canonical() json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil { // settings hold only plain values
		return json.RawMessage("null")
	}
	return text
}

// resolved fills in what was left to choose.
func (s Settings) resolved(ctx context.Context, data Data, auto func(record.Kind, bool) string) (Settings, error) {
	if s.Spec.Model == "" || s.Spec.Model == "auto" {
		s.Spec.Model = auto(data.Kind, data.Sequences)
		if data.genotypes() {
			s.Spec.Model, s.Spec.Trials = "binomial", ploidy
		}
		if s.Spec.Model == "bernoulli" {
			blanks, err := incomplete(ctx, data.Run)
			if err != nil {
				return s, err
			}
			if blanks {
				s.Spec.Model = "mixed" // presences of which some are unknown
			}
		}
	}
	if s.Spec.Model == "hmm" && s.Spec.Emission == "" && data.Kind == record.Real {
		s.Spec.Emission = model.Measured
	}
	s.Spec.Seed = s.Seed
	return s, nil
}

// ploidy is the number of copies of an allele that a person may carry.
const ploidy = 2

// genotypes reports counts of alleles.
func (d Data) genotypes() bool {
	return d.Kind == record.Counts && d.Vocab != nil && d.Vocab.System == vocab.Genotypes
}

// Auto returns the model that a fit of these data takes when none is named.
func Auto(data Data, tree bool) model.Spec {
	auto := AutoModel
	if tree {
		auto = AutoTreeModel
	}
	s := model.Spec{Model: auto(data.Kind, data.Sequences)}
	if data.genotypes() {
		s.Model, s.Trials = "binomial", ploidy
	}
	return s
}

// incomplete reports that some value of some record is missing. It looks at all
// records, wherever they are, so that memory, disk and every place choose the
// same model; rows that store no values cost nothing.
func incomplete(ctx context.Context, run pass.Runner) (bool, error) {
	if run.Can().Binary {
		return false, nil
	}
	count, err := pass.RunOne(ctx, run, missing{})
	return err == nil && count[0] > 0, err
}

// missing counts missing values.
type missing struct{}

func (missing) Len() int { return 1 }

func (missing) Add(state []float64, b pass.Block) error {
	n := 0
	for _, v := range b.Rows.Dense {
		if v != v {
			n++
		}
	}
	if b.Rows.Value != nil {
		for _, v := range b.Rows.Value[b.Rows.Ptr[0]:b.Rows.Ptr[b.Rows.N()]] {
			if v != v {
				n++
			}
		}
	}
	state[0] += float64(n)
	return nil
}

// AutoTreeModel returns the model for a tree over records of a kind: documents
// have one topic each in a tree.
func AutoTreeModel(kind record.Kind, sequences bool) string {
	if m := AutoModel(kind, sequences); m != "lda" {
		return m
	}
	return "single-topic"
}

// AutoModel returns the model for records of a kind: the mixture whose
// components are easiest to read. Sequences are hidden Markov chains.
func AutoModel(kind record.Kind, sequences bool) string {
	if sequences {
		return "hmm"
	}
	switch kind {
	case record.Text:
		return "lda"
	case record.Counts:
		return "lda"
	case record.Real:
		return "gaussian"
	case record.Categorical:
		return "categorical"
	case record.Mixed:
		return "mixed"
	default:
		return "bernoulli"
	}
}
