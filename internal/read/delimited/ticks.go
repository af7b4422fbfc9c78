package delimited

import (
	"strings"

	"github.com/moiety-go/moiety/record"
)

// ticks are cells that mark a box, where others leave it empty.
var ticks = map[string]bool{"x": true, "✓": true, "✔": true, "☑": true, "✅": true, "*": true, "•": true}

// ticked finds the columns of boxes: one mark or nothing, and nothing means no. A
// mark that is a word for yes, or 1, may also stand in a column whose noes are all
// missing; so it counts only where no column beside says no.
func (p *Profile) ticked(out []kind) {
	says := false // some column has noes
	for i := range p.Columns {
		c := &p.Columns[i]
		says = says || c.Binary == c.Rows && c.Distinct > 1
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.full || c.Missing == 0 || len(c.sample) != 1 || c.isDeclared() {
			continue
		}
		for text := range c.sample {
			yes, pairs := binaryValue([]byte(text))
			if ticks[strings.ToLower(text)] || strings.EqualFold(text, c.Name) || yes && pairs != 0 && !says {
				out[i] = kind{kind: record.Presence, fits: true, ticked: true}
			}
		}
	}
}

// boxes reports that some column holds marks or nothing.
func boxes(judged []kind) bool {
	for _, k := range judged {
		if k.ticked {
			return true
		}
	}
	return false
}
