package explain

import (
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// Reading returns what a reader met as it passes the gate. What is wrong with
// single records is not shared.
func (g Gate) Reading(r fit.Reading) fit.Reading {
	let := func(c report.Count) report.Count {
		if n, ok := c.Value(); ok {
			return g.Count(n)
		}
		return c
	}
	out := fit.Reading{Skipped: let(r.Skipped), Rows: let(r.Rows), Unit: r.Unit, People: let(r.People)}
	for _, p := range r.Repairs {
		out.Repairs = append(out.Repairs, report.Part{Name: p.Name, N: let(p.N)})
	}
	if g.Ring != report.Shared { // neither is what the files looked like
		out.First = r.First
		for _, note := range r.Notes {
			note.Text = MaskWords(note.Text, g.Ring, g.Limit)
			out.Notes = append(out.Notes, note)
		}
	}
	return out
}
