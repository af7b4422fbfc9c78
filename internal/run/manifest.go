package run

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/warn"
)

const (
	manifestKind = "moiety run"
	// manifestVersion 2 goes with a list of checksums; a new key of a later
	// program needs another version, or omitempty.
	manifestVersion = 2
)

// Manifest tells all about a run but its numbers.
type Manifest struct {
	Kind    string `json:"kind"`
	Version int    `json:"version"`
	Program string `json:"program"`

	Records  int `json:"records"`
	Features int `json:"features"`
	Groups   int `json:"groups"`
	// HoldsRecords warns whoever passes the folder on: it holds the encoded
	// rows of every record.
	HoldsRecords bool `json:"holds_records"`
	// Health says that the records are diagnoses of people; MinCell is the
	// smallest count that is shown of them, 0 for all.
	Health  bool `json:"health"`
	MinCell int  `json:"min_cell"`

	Seed     uint64      `json:"seed"`
	Data     string      `json:"data"` // fingerprint of the encoded rows
	Settings Settings    `json:"settings"`
	Inputs   []fit.Input `json:"inputs"`
	Reading  fit.Reading `json:"reading"`
	// Plan is how new records are encoded to be placed. Encoding tells what
	// the encoder made of the records.
	Plan     encode.Plan      `json:"plan"`
	Encoding *explain.Encoded `json:"encoding"`
	// Verdict says how many groups there are and why, where it made the fit.
	Verdict *verdict.Verdict `json:"verdict,omitempty" gate:"evidence and numbers of groups"`
	// Choice says which model evidence chose for a number of groups that was asked
	// for, and why.
	Choice *model.Choice `json:"choice,omitempty" gate:"evidence"`
	// Tables are the counts of groups over all sites of a run that holds no
	// records: its reports are made of them, behind the gate.
	Tables explain.Tables `json:"tables,omitempty"`
	// Batches says how the records came, where they came by updates.
	Batches *fit.Batches `json:"batches,omitempty"`
	// Warnings are all of them, the heaviest first.
	Warnings []warn.Warning `json:"warnings"`

	// Timings are the only thing that may differ between two runs of the same
	// data and settings. They stand last: see sealed.
	Timings Timings `json:"timings"`
}

// Settings are what the user asked for, at every stage.
type Settings struct {
	Read   fit.ReadSettings `json:"read"`
	Encode encode.Settings  `json:"encode"`
	Fit    json.RawMessage  `json:"fit"` // resolved: what was left to choose is filled in
	Within string           `json:"within,omitempty"`
}

// Timings tell when and how long.
type Timings struct {
	Started string      `json:"started,omitempty"` // RFC 3339
	Stages  []fit.Stage `json:"stages,omitempty"`
	Sum     string      `json:"sum,omitempty"` // checksum of the rest of the timings
}

func newTimings(t *fit.Timer) Timings {
	var out Timings
	out.Started, out.Stages = t.Stages()
	out.Sum = out.sum()
	return out
}

// heaviestFirst joins warnings by falling weight, each once.
func heaviestFirst(lists ...[]warn.Warning) []warn.Warning {
	out := []warn.Warning{}
	for _, list := range lists {
		for _, w := range list {
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	warn.Sort(out)
	return out
}

// orderLeaves numbers leaves as fit does: by falling size, then left to right.
func orderLeaves(t *tree.Tree, leaves []int) {
	slices.SortStableFunc(leaves, func(a, b int) int { return cmp.Compare(t.Nodes[b].N, t.Nodes[a].N) })
}

// groupID returns the id of group j.
func groupID(o *fit.Outcome, j int) string {
	if o.Tree != nil {
		return o.Tree.Nodes[o.Leaves[j]].ID
	}
	return strconv.Itoa(j + 1)
}
