package run

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/moiety-go/moiety/internal/encode"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
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

	Seed     uint64   `json:"seed"`
	Data     string   `json:"data"` // fingerprint of the encoded rows
	Settings Settings `json:"settings"`
	Inputs   []Input  `json:"inputs"`
	Reading  Reading  `json:"reading"`
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
	Batches *Batches `json:"batches,omitempty"`
	// Warnings are all of them, the heaviest first.
	Warnings []warn.Warning `json:"warnings"`

	// Timings are the only thing that may differ between two runs of the same
	// data and settings. They stand last: see sealed.
	Timings Timings `json:"timings"`
}

// Settings are what the user asked for, at every stage.
type Settings struct {
	Read   ReadSettings    `json:"read"`
	Encode encode.Settings `json:"encode"`
	Fit    json.RawMessage `json:"fit"` // resolved: what was left to choose is filled in
	Within string          `json:"within,omitempty"`
}

// Input is one file that was read.
type Input struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"` // as stored; -1 when unknown
}

// Reading tells what the reader met.
type Reading struct {
	Skipped report.Count  `json:"skipped"`        // malformed records, or rows of them
	Rows    report.Count  `json:"rows"`           // read, where several make a record
	Unit    string        `json:"unit,omitempty"` // the word for one record, where a row is not a person
	People  report.Count  `json:"people"`         // of whom the records are then
	First   []string      `json:"first,omitempty"`
	Repairs []report.Part `json:"repairs,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
}

// Behind returns the reading as it passes a gate. What is wrong with single
// records is not shared.
func (r Reading) Behind(g explain.Gate) Reading {
	let := func(c report.Count) report.Count {
		if n, ok := c.Value(); ok {
			return g.Count(n)
		}
		return c
	}
	out := Reading{Skipped: let(r.Skipped), Rows: let(r.Rows), Unit: r.Unit, People: let(r.People)}
	for _, p := range r.Repairs {
		out.Repairs = append(out.Repairs, report.Part{Name: p.Name, N: let(p.N)})
	}
	if g.Ring != report.Shared { // neither is what the files looked like
		out.First = r.First
		for _, note := range r.Notes {
			out.Notes = append(out.Notes, explain.MaskWords(note, g.Ring, g.Limit))
		}
	}
	return out
}

// Timings tell when and how long.
type Timings struct {
	Started string  `json:"started,omitempty"` // RFC 3339
	Stages  []Stage `json:"stages,omitempty"`
	Sum     string  `json:"sum,omitempty"` // checksum of the rest of the timings
}

// Stage is one stage and its seconds.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// ReadSettings are the options of reading that belong to the result: not the
// machine's.
type ReadSettings struct {
	Format       string   `json:"format,omitempty"`
	ID           string   `json:"id,omitempty"`
	Code         string   `json:"code,omitempty"`
	Count        string   `json:"count,omitempty"`
	Text         string   `json:"text,omitempty"`
	Time         string   `json:"time,omitempty"`
	Label        []string `json:"label,omitempty"`
	Columns      []string `json:"columns,omitempty"`
	Freq         string   `json:"freq,omitempty"`
	Unit         string   `json:"unit,omitempty"`
	Header       string   `json:"header,omitempty"`
	Separator    string   `json:"separator,omitempty"`
	Decimal      string   `json:"decimal,omitempty"`
	Lines        string   `json:"lines,omitempty"`
	VocabFile    string   `json:"vocab_file,omitempty"`
	IDsFile      string   `json:"ids_file,omitempty"`
	Sheet        string   `json:"sheet,omitempty"`
	Encoding     string   `json:"encoding,omitempty"`
	Transpose    bool     `json:"transpose,omitempty"`
	System       string   `json:"system,omitempty"`
	Schema       string   `json:"schema,omitempty"`
	Table        string   `json:"table,omitempty"`
	SourceValues bool     `json:"source_values,omitempty"`
	Cohort       int64    `json:"cohort,omitempty"`
	CohortSchema string   `json:"cohort_schema,omitempty"`
	SkipLines    int      `json:"skip_lines,omitempty"`
	Strict       bool     `json:"strict,omitempty"`
	// SkipMalformed is the share of the records that might be left out.
	SkipMalformed float64 `json:"skip_malformed,omitempty"`
}

// NewReadSettings keeps the part of the options that belongs to the result.
func NewReadSettings(o read.Options) ReadSettings {
	return ReadSettings{
		Format: o.Format, ID: o.ID, Code: o.Code, Count: o.Count, Text: o.Text, Time: o.Time,
		Label: o.Label, Columns: o.Columns, Freq: o.Freq, Unit: o.Unit, Header: o.Header, Separator: o.Separator,
		Decimal: o.Decimal, Lines: o.Lines, VocabFile: o.VocabFile, IDsFile: o.IDsFile, Sheet: o.Sheet, Encoding: o.Encoding,
		Transpose: o.Transpose, System: o.System, Schema: o.OMOP.Schema, Table: o.OMOP.Table,
		SourceValues: o.OMOP.SourceValues, Cohort: o.OMOP.Cohort, CohortSchema: o.OMOP.CohortSchema,
		SkipLines: o.SkipLines, Strict: o.Strict, SkipMalformed: o.SkipMalformed,
	}
}

// Options returns the options of reading.
func (s ReadSettings) Options() read.Options {
	return read.Options{
		Reading: record.Reading{
			Format: s.Format, ID: s.ID, Code: s.Code, Count: s.Count, Text: s.Text, Time: s.Time,
			Label: s.Label, Columns: s.Columns, Freq: s.Freq, Unit: s.Unit, Header: s.Header, Separator: s.Separator,
			Decimal: s.Decimal, Lines: s.Lines, VocabFile: s.VocabFile, IDsFile: s.IDsFile, Sheet: s.Sheet, Encoding: s.Encoding,
			Transpose: s.Transpose, System: s.System, SkipLines: s.SkipLines, Strict: s.Strict, SkipMalformed: s.SkipMalformed,
			OMOP: record.OMOP{
				Schema: s.Schema, Table: s.Table, SourceValues: s.SourceValues,
				Cohort: s.Cohort, CohortSchema: s.CohortSchema,
			},
		},
	}
}

// NewReading keeps what was wrong with an input.
func NewReading(p *record.Problems) Reading {
	r := Reading{Skipped: report.CountOf(p.Skipped), Rows: report.CountOf(p.Rows), Notes: p.Notes}
	if r.Unit = p.Unit; p.People > 0 {
		r.People = report.CountOf(p.People)
	}
	for _, e := range p.First {
		r.First = append(r.First, e.Error())
	}
	for what, n := range p.Repairs {
		r.Repairs = append(r.Repairs, report.Part{Name: what, N: report.CountOf(n)})
	}
	slices.SortFunc(r.Repairs, func(a, b report.Part) int {
		x, _ := a.N.Value()
		y, _ := b.N.Value()
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a.Name, b.Name))
	})
	return r
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
	slices.SortStableFunc(out, func(a, b warn.Warning) int { return cmp.Compare(b.Weight, a.Weight) })
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

// Warnings returns what the reading has to warn of.
func (r Reading) Warnings() []warn.Warning { return skippedWarning(r) }
