package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Problems collects what was wrong with an input. Under Strict the first
// malformed place ends the reading; otherwise it is skipped, counted and shown.
// A Problems belongs to one goroutine.
type Problems struct {
	Strict bool
	// Allow is the share of the records that may be left out because they are
	// malformed; 0 means 1 %, and none for a cell that contradicts the format
	// that was asked for.
	Allow   float64
	Skipped int // malformed places in all
	// Contradicted counts those among them that have a cell which the format
	// that was asked for does not allow.
	Contradicted int
	// Missing counts the entries that files lack that are cut off, of Promised.
	Missing, Promised int
	// Rows is the number of rows read where several make one record, else 0.
	Rows int
	// Unit is the word for one record where the columns say what a row is, such as
	// claim, and People the number of those the records are of.
	Unit    string
	People  int
	First   []*ParseError  // the first few malformed places
	Repairs map[string]int // things repaired on the way, by description
	LeftOut map[string]int // rows that are no records, by what they are
	Notes   []Note         // remarks about the whole input, in words for people
}

// usualLoss is the share of the records that may be left out unasked.
const usualLoss = 0.01

// TooMany returns an error when more of an input was left out than may be, of
// which so many records were read.
func (p *Problems) TooMany(records int) error {
	what, n := "records", records
	if p.Rows > 0 {
		what, n = "rows", p.Rows
	}
	lost, of, words := p.Skipped, n+p.Skipped, what+" would be left out"
	if float64(p.Missing)*float64(of) > float64(lost)*float64(p.Promised) {
		lost, of, words = p.Missing, p.Promised, "entries are missing"
	}
	allow := max(p.Allow, usualLoss)
	named := p.Contradicted > 0 && p.Allow == 0
	if lost == 0 || len(p.First) == 0 || float64(lost) <= allow*float64(of) && !named {
		return nil
	}
	share := 100 * float64(lost) / float64(of)
	remedy := "mend the file"
	if named {
		remedy = "leave ‹format› out, and every cell is read"
	}
	return fmt.Errorf("%d of %d %s (%.1f %%); %s, or allow the loss with ‹skip-malformed› %v%%; the first: %w",
		lost, of, words, share, remedy, math.Ceil(10*share)/10, p.First[0])
}

// keepFirst is the number of malformed places that are kept with their text.
const keepFirst = 20

// Malformed reports a malformed place. It returns the error under Strict, and
// nil when reading should go on.
func (p *Problems) Malformed(e *ParseError) error {
	p.Skipped++
	if len(p.First) < keepFirst {
		p.First = append(p.First, e)
	}
	if p.Strict {
		return e
	}
	return nil
}

// Foremost is Malformed for what says more than any single place, such as a header that does
// not fit: it is told before the others.
func (p *Problems) Foremost(e *ParseError) error {
	err := p.Malformed(e)
	p.First = append([]*ParseError{e}, slices.DeleteFunc(p.First, func(o *ParseError) bool { return o == e })...)
	p.First = p.First[:min(len(p.First), keepFirst)]
	return err
}

// CutOff is Foremost for a file that has fewer entries than its header promises.
func (p *Problems) CutOff(e *ParseError, there, promised int) error {
	p.Missing, p.Promised = p.Missing+promised-there, p.Promised+promised
	return p.Foremost(e)
}

// Repaired counts n repairs of one description.
func (p *Problems) Repaired(what string, n int) {
	if p.Repairs == nil {
		p.Repairs = make(map[string]int)
	}
	p.Repairs[what] += n
}

// LeaveOut counts n rows that are no records.
func (p *Problems) LeaveOut(what string, n int) {
	if p.LeftOut == nil {
		p.LeftOut = make(map[string]int)
	}
	p.LeftOut[what] += n
}

// Thousands writes a number with commas between the thousands, as notes do.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Several writes a number and what there is so often: "1 row has", "1,200 rows
// have".
func Several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// ErrNoColumn is what errors about a column are that was asked for by name and
// that the data lack: a wrong use of the program, not wrong data.
var ErrNoColumn = errors.New("no such column")

// NoColumn words such an error.
func NoColumn(format string, args ...any) error { return noColumn{fmt.Errorf(format, args...)} }

type noColumn struct{ error }

func (e noColumn) Unwrap() error        { return e.error }
func (e noColumn) Is(target error) bool { return target == ErrNoColumn }
