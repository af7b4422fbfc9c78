package delimited

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/record"
)

// Declared says what columns hold: somebody said so, or the file does by the type of a
// column. What cells look like never overrules it.
type Declared struct {
	Column string // a name or a pattern
	Kind   record.Kind
}

// declaredKinds are the words for what a column holds.
var declaredKinds = map[string]record.Kind{
	"answers": record.Categorical, "ordered": record.Categorical, "counts": record.Counts,
	"measurements": record.Real, "presence": record.Presence,
}

// ParseColumns tells names and patterns of columns that make groups from NAME=kind, which
// says what a column holds and chooses none.
func ParseColumns(words []string) (columns []string, kinds []Declared) {
	for _, w := range words {
		name, word := w, ""
		if at := strings.LastIndexByte(w, '='); at > 0 {
			name, word = w[:at], w[at+1:]
		}
		if kind, ok := declaredKinds[word]; ok {
			kinds = append(kinds, Declared{strings.Trim(name, `"`), kind})
		} else {
			columns = append(columns, w)
		}
	}
	return columns, kinds
}

// declare keeps what columns were declared as, by the file and then by the user, who has
// the last word. Files may declare what others of them lack.
func (p *Profile) declare(o Options) error {
	for _, d := range o.Typed {
		for i := range p.Columns {
			if c := &p.Columns[i]; c.Name == d.Column || d.Column == "*" {
				c.declared = &d.Kind
			}
		}
	}
	for _, d := range o.Kinds {
		columns, err := p.match([]string{d.Column})
		if err != nil {
			return fmt.Errorf("‹columns›: %w", err)
		}
		for _, i := range columns {
			p.Columns[i].declared = &d.Kind
		}
	}
	return nil
}

// isDeclared reports a column of which it was said what it holds.
func (c *Column) isDeclared() bool { return c.declared != nil }

// judgeDeclared takes a column as what it was declared.
func (c *Column) judgeDeclared(k *kind) {
	k.kind, k.fits, k.marks = *c.declared, c.Rows > 0, nil
	if k.odd = c.unfit(k.kind); !k.fits {
		k.why = "it is empty"
	}
}
