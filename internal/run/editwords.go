package run

import (
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
)

// editsInWords adds to the text of every group what was done to it by hand ([P]
// Rem. 1), so that no page of it can be read without knowing. It gives no
// numbers: the moves of single records are small ones.
func (r *Run) editsInWords(report *report.Report, edited *fit.Outcome) {
	if len(r.Edits.List()) == 0 {
		return
	}
	names, notes := r.Edits.Names(), r.Edits.Notes()
	in, out := r.moved(edited)
	for i := range report.Groups {
		g := &report.Groups[i]
		j, isGroup := r.Find(g.ID)
		if names[g.ID] != "" {
			g.Text += " Its name was given by hand."
		}
		switch {
		case !isGroup:
		case in[j] && out[j]:
			g.Text += " Records were moved into it and out of it by hand."
		case in[j]:
			g.Text += " Records were moved into it by hand."
		case out[j]:
			g.Text += " Records were moved out of it by hand."
		}
		if notes[g.ID] != "" {
			g.Text += " Note: " + notes[g.ID]
		}
	}
}

// moved tells the groups that records were moved into and out of.
func (r *Run) moved(edited *fit.Outcome) (in, out []bool) {
	in, out = make([]bool, r.Outcome.K()), make([]bool, r.Outcome.K())
	for i, g := range r.Outcome.Group {
		if to := edited.Group[i]; to != g {
			in[to], out[g] = true, true
		}
	}
	return in, out
}
