package record

import (
	"errors"
	"fmt"
)

// Problems collects what was wrong with an input. Under Strict the first
// malformed place ends the reading; otherwise it is skipped, counted and shown.
// A Problems belongs to one goroutine.
type Problems struct {
	Strict  bool
	Skipped int            // malformed places in all
	First   []*ParseError  // the first few of them
	Repairs map[string]int // things repaired on the way, by description
	Notes   []string       // remarks about the whole input, in words for people
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

// Repaired counts n repairs of one description.
func (p *Problems) Repaired(what string, n int) {
	if p.Repairs == nil {
		p.Repairs = make(map[string]int)
	}
	p.Repairs[what] += n
}

// Note adds a remark about the whole input.
func (p *Problems) Note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// ErrNoColumn is what errors about a column are that was asked for by name and
// that the data lack: a wrong use of the program, not wrong data.
var ErrNoColumn = errors.New("no such column")

// NoColumn words such an error.
func NoColumn(format string, args ...any) error { return noColumn{fmt.Errorf(format, args...)} }

type noColumn struct{ error }

func (e noColumn) Unwrap() error        { return e.error }
func (e noColumn) Is(target error) bool { return target == ErrNoColumn }
