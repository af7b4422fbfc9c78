// Package record says what a reader yields: records in columns, batch by
// batch, and the places where the input was not what it should be.
//
// Step in the flow: read -> record -> encode. Features are numbers into a
// dictionary that the reader fills in order of first appearance; nothing here
// knows probability, thresholds or code systems.
package record

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what the numbers of a source are.
type Kind int

// Kinds of records.
const (
	Presence    Kind = iota // a feature is there or not: codes, 0/1 tables
	Counts                  // whole numbers >= 0: words, occurrences
	Real                    // measurements; every column is present or missing
	Categorical             // one level per column: features are "column=level"
	Mixed                   // columns of different kinds in one record
	Text                    // running text, not yet cut into tokens
)

func (k Kind) String() string {
	return [...]string{"presence", "counts", "real", "categorical", "mixed", "text"}[k]
}

// Batch is a run of records in columns. All slices with an entry per record
// have the same length or are nil.
type Batch struct {
	IDs []string // nil: records are numbered from 1
	// Record i has the entries Ptr[i] to Ptr[i+1] of Feature (numbers into the
	// source's Dict) and Value. A nil Value means ones; NaN means missing.
	Ptr     []int
	Feature []uint32
	Value   []float64
	// Small stands in place of Value where every value is a whole number from 1
	// to 255: an eighth of the memory.
	Small []uint8
	// Text holds the running text of each record, for sources of kind Text.
	Text []string
	// Side holds, for each of Schema.Side, the record's value, "" if missing.
	Side [][]string
	// Steps is set for sequences: Ptr then delimits steps, and record i is
	// steps Steps[i] to Steps[i+1].
	Steps []int
	// Gaps are the places among the records, from 0 to N, at which a row of the input was left
	// out, one each and in order: records without ids have the numbers of their rows. A
	// reader may hand over a batch of gaps alone.
	Gaps []int
	// Distinct says that no feature comes twice in a record.
	Distinct bool
	// Kept says that the source does not use the slices again: whoever gets the
	// batch may keep them without a copy, and change what they hold. The memory
	// behind the end of a slice may be that of the next batch.
	Kept bool
}

// StepTimes is the name of the side column of a source of sequences whose steps
// have times: those of the steps of the record, with blanks between them, days such
// as 2008-12-31 or 2008-12-31T15:04:05, or numbers.
const StepTimes = "(times)"

// At returns value e.
func (b *Batch) At(e int) float64 {
	switch {
	case b.Small != nil:
		return float64(b.Small[e])
	case b.Value != nil:
		return b.Value[e]
	}
	return 1
}

// N returns the number of records in the batch.
func (b *Batch) N() int {
	switch {
	case b.Steps != nil:
		return len(b.Steps) - 1
	case b.Text != nil:
		return len(b.Text)
	default:
		return max(len(b.Ptr)-1, 0)
	}
}

// Column is one column of a real, categorical or mixed source.
type Column struct {
	Name   string
	Kind   Kind     // Presence, Counts, Real or Categorical
	Levels []uint32 // features of a categorical column, in order of appearance
	// Feature is the feature of a column that is not categorical.
	Feature uint32
}

// Schema tells what a source holds; it is complete when Read has returned.
type Schema struct {
	Format  string // "long", "uci", ...: the contract's word for it
	Kind    Kind
	Dict    *Dict    // feature names
	Columns []Column // for Real, Categorical and Mixed
	Side    []string // names of the side columns, which never enter a fit
	// Decimal is the decimal sign of the numbers in side columns; 0 means a point.
	Decimal byte
	// System is the code system the source itself declares per feature name
	// prefix ("9:", "10:"), or "" if it says nothing.
	System string
	// Titles gives what the source itself says a feature means, by feature
	// name: the display text of a code, the name of a concept. It may be nil.
	Titles map[string]string
	// OfPatients says that by the names of its columns the source holds records of patients:
	// an id of patients, or diagnoses. Counts of them are masked, whatever the codes are.
	OfPatients bool
	// Numbered says that the ids are numbers of rows, some of which were left out.
	Numbered bool
	// Sparse says that an entry that is not stored is zero, not missing. It
	// matters for Real only: counts and presences are always so.
	Sparse bool
	// Looks says, by feature name, what the columns of a table of numbers look like one by
	// one, where nobody named the format and all were read as one kind; else it is nil.
	Looks map[string]Kind
}

// A Source yields records.
type Source interface {
	// Read hands batches to yield, in input order and from one goroutine, until
	// the input ends, yield fails, or the context is done. Malformed places go
	// to the Problems the source was opened with.
	Read(ctx context.Context, yield func(*Batch) error) error
	// Schema describes the source; complete after Read.
	Schema() *Schema
}

// ParseError is one malformed place in the input.
type ParseError struct {
	File   string
	Line   int    // from 1; 0 when unknown
	Column int    // from 1; 0 when the whole line is meant
	Name   string // of the column, where it has one
	Text   string
	Msg    string // what is wrong and what to do
}

func (e *ParseError) Error() string {
	s := e.File
	switch {
	case e.Line > 0 && e.Name != "":
		s = fmt.Sprintf("%s, line %d, column %s", s, e.Line, e.Name)
	case e.Line > 0 && e.Column > 0:
		s = fmt.Sprintf("%s:%d:%d", s, e.Line, e.Column)
	case e.Line > 0:
		s = fmt.Sprintf("%s:%d", s, e.Line)
	}
	if e.Text == "" {
		return s + ": " + e.Msg
	}
	return s + ": " + e.Msg + ": " + quoted(e.Text)
}

// quoted writes a piece of the user's file as it stands, shortened, with
// control characters made visible.
func quoted(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return `"` + strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) && r != ' ' {
			return '·'
		}
		return r
	}, text) + `"`
}
