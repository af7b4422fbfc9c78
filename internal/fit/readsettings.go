package fit

import (
	"github.com/moiety-go/moiety/internal/read"
	"github.com/moiety-go/moiety/record"
)

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
