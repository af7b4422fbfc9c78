package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
)

// Settings say how to fit. The zero value of every field but K works.
type Settings struct {
	K    int       `json:"k,omitempty"` // number of groups of a flat model; 0 for a tree
	Tree TreeShape `json:"tree,omitzero"`
	Over bool      `json:"over,omitempty"` // with K: join the groups into a tree, from below
	// Courses is the number of kinds of sequences to tell by how they pass through
	// the states; 0 tells none.
	Courses int        `json:"courses,omitempty"`
	Spec    model.Spec `json:"spec"`   // the model; an empty name or "auto" chooses by the kind of the records
	Method  string     `json:"method"` // of decomposition, or to divide the records; "" is auto
	// Slices says what SIDIWO minimises, here and in the splits of a tree:
	// "projected" (also ""), squares over the slices of M3 seen in the leading
	// subspace, or "all", the papers' sum of norms over all slices.
	Slices string `json:"slices,omitempty"`
	Refine string `json:"refine"` // "em" (also ""), "none"
	Seed   uint64 `json:"seed"`   // of all random streams
	Prior  Prior  `json:"prior"`  // weight of EM's prior in records; Likelihood for none
	// Double sums up in double precision throughout: slower, and the same to 1e-9
	// wherever records lie.
	Double bool `json:"double,omitempty"`
	// Sooner divides the sizes from which on records are sampled, for those who check
	// that a sample of a small file is the same wherever its records lie; 0 leaves them.
	Sooner int `json:"sooner,omitempty"`
	// Privacy learns with noise, so that no one person can be told from the model.
	Privacy Privacy `json:"privacy,omitzero"`
	// Workers is the number of cores; 0 means all. It changes no bit of the
	// result and is not part of it.
	Workers int `json:"-"`

	form      *verdict.Form // of measurements, where a verdict found one
	likeliest bool          // no other division than the likeliest mixture's
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

// Objectives of SIDIWO.
const (
	ProjectedSlices = "projected"
	AllSlices       = "all"
)

// Check reports the first setting that makes no sense.
func (s Settings) Check() error {
	if s.K < 0 {
		return fmt.Errorf("fit: %d groups asked for, want at least 1", s.K)
	}
	if s.Courses < 0 {
		return fmt.Errorf("fit: %d courses asked for, want at least 1", s.Courses)
	}
	if s.Courses > 0 && (s.Over || s.Tree.Grown()) {
		return fmt.Errorf("fit: courses are kinds of sequences, which have states and no tree: leave ‹courses› or the tree out")
	}
	if s.K > 0 && s.Tree != (TreeShape{}) {
		return fmt.Errorf("fit: %d groups and a tree asked for, want one of them", s.K)
	}
	if s.Privacy != (Privacy{}) && (s.K == 0 || !(s.Privacy.Epsilon > 0)) {
		return fmt.Errorf("fit: differential privacy needs ε above 0 and a number of groups, Settings.K")
	}
	if s.Over && s.K == 0 {
		return fmt.Errorf("fit: a tree over the groups of a flat model needs their number, Settings.K")
	}
	if err := CheckMethod(s.method()); err != nil {
		return err
	}
	if !slices.Contains([]string{"", ProjectedSlices, AllSlices}, s.Slices) {
		return fmt.Errorf("fit: unknown slices %q, want projected or all", s.Slices)
	}
	if s.Slices != "" && !s.diagonalises() {
		return fmt.Errorf("fit: slices are a setting of the methods sidiwo and d-sidiwo and of trees without a model, not of %s", s.method())
	}
	if !slices.Contains([]string{"", EM, None}, s.Refine) {
		return fmt.Errorf("fit: unknown refinement %q, want em or none", s.Refine)
	}
	if c := s.Spec.Covariance; s.Refine == None && !slices.Contains([]string{"", "auto", model.Spherical}, c) {
		return Unsuited("covariance %s without EM: the moments of measurements tell round groups alone, and EM gives them their shape; leave ‹covariance› out, or ‹refine› none", c)
	}
	if m := s.Spec.Model; s.Spec.Own == nil && !s.Spec.IsAuto() && !slices.Contains(model.Names(), m) {
		return fmt.Errorf("fit: unknown model %q, want auto or one of %s", m, strings.Join(model.Names(), ", "))
	}
	return nil
}

// diagonalises says that the method, or that of the tree's splits, makes slices of M3 diagonal
// together.
func (s Settings) diagonalises() bool {
	return s.Tree.Free || slices.Contains([]string{s.Method, s.Tree.Splitter}, tree.Sidiwo) || slices.Contains([]string{s.Method, s.Tree.Splitter}, tree.DSidiwo)
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

// resolved fills in what was left to choose, for a tree or a flat model.
func (s Settings) resolved(ctx context.Context, data Training, tree bool) (Settings, error) {
	r := data.records()
	if s.Spec.IsAuto() && r.Kind == record.Presence { // the others are chosen whatever is missing
		var err error
		if r.Missing, err = incomplete(ctx, data.Run); err != nil {
			return s, err
		}
	}
	if r.Sequences {
		several, err := pass.RunOne(ctx, data.Run, severalAtOnce{})
		if err != nil {
			return s, err
		}
		r.Several = several[0] > 0
	}
	s.Spec = s.Spec.For(r, tree)
	if s.Spec.Covariance == "auto" {
		s.Spec.Covariance = ""
	}
	s.Spec.Seed = s.Seed
	return s, nil
}

// records says what a model is chosen by.
func (d Training) records() model.Records {
	r := model.Records{Kind: d.Kind, Sequences: d.Sequences}
	if d.Vocab != nil {
		r.System = d.Vocab.System
	}
	return r
}

// Auto returns the model that a fit of these data takes when none is named.
func Auto(data Training, tree bool) model.Spec { return model.Spec{}.For(data.records(), tree) }

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

// severalAtOnce counts the steps of sequences that hold more than one feature.
type severalAtOnce struct{}

func (severalAtOnce) Len() int { return 1 }

func (severalAtOnce) Add(state []float64, b pass.Block) error {
	for i := 0; i < b.Rows.N() && !b.Rows.IsDense(); i++ {
		if index, _ := b.Rows.Row(i); len(index) > 1 {
			state[0]++
		}
	}
	return nil
}
