package fit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

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
	Notes   []record.Note `json:"notes,omitempty"`
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

// Guesses returns what stays out of the groups because it was guessed that it does not
// belong to them.
func (r Reading) Guesses() (out []record.Note) {
	for _, n := range r.Notes {
		if n.Of == record.Guess {
			out = append(out, n)
		}
	}
	return out
}

// SetAside is the code of the warning of a guess.
const SetAside = "set-aside"

// Warnings returns what the reading has to warn of: columns were left out by a guess, and
// malformed lines.
func (r Reading) Warnings() (out []warn.Warning) {
	for _, n := range r.Guesses() {
		out = append(out, warn.New(warn.Caution, SetAside,
			"If that is right name them with --label, and if not all columns that make groups with --columns.", "%s", n.Text))
	}
	return append(out, r.malformed()...)
}

// malformed warns of lines that were left out.
func (r Reading) malformed() []warn.Warning {
	n, known := r.Skipped.Value()
	if known && n == 0 || !known && len(r.First) == 0 {
		return nil
	}
	first := ""
	if len(r.First) > 0 {
		first = " The first: " + r.First[0] + "."
	}
	rows, _ := r.Rows.Value()
	words := places(n, rows > 0)
	if !known {
		words = "A few " + strings.SplitN(places(2, rows > 0), " ", 2)[1]
	}
	return []warn.Warning{warn.New(warn.Caution, "malformed",
		"Mend the file, or stop at the first such place with --strict.",
		"%s malformed and left out.%s", words, first)}
}

func places(n int, rows bool) string {
	one, many := "record is", "records are"
	if rows {
		one, many = "row is", "rows are"
	}
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
