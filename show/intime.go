package show

import (
	"fmt"

	"github.com/moiety-go/moiety/report"
)

// inTimeNote says what the tables of sequences in time are of.
func inTimeNote(r *report.Report) string {
	s := ""
	if HasWaits(r) {
		s = "How long it is to the next step is told of steps that one follows, by a log-normal law in every state; the 95 % interval is that of the median."
	}
	if len(r.Courses) > 0 {
		if s != "" {
			s += " "
		}
		s += "A course is a kind of " + r.Unit.Many + " by how they pass through the states."
	}
	return s
}

// inTimeTables returns when the next step comes, and the courses, as tables.
func inTimeTables(r *report.Report) []namedTable {
	var out []namedTable
	if sh := waitTable(r); len(sh.Rows) > 0 {
		out = append(out, namedTable{Name: "Which state comes next, and when", Label: "Which state comes next, and when", Table: sh.filled()})
	}
	if sh := courseTable(r); len(sh.Rows) > 0 {
		out = append(out, namedTable{Name: "Courses", Label: "Courses", Table: sh})
	}
	return out
}

// waitTable has a row a state whose wait is reported: the likeliest next state, and how
// long it is to the next step.
func waitTable(r *report.Report) Table {
	sh := Table{}
	for j := range r.Leaves {
		g := r.Leaf(j)
		if g.Wait == nil {
			continue
		}
		unit := ""
		if g.Wait.Unit != "" {
			unit = ", " + g.Wait.Unit
		}
		sh.Head = []string{"state", "stays", "else most often to", "next step after" + unit, "95 %", "half of the time", "no step follows"}
		row := []string{g.ID + " " + g.Name, "", "", amountOf(g.Wait.Median), intervalOf(g.Wait.Low, g.Wait.High, report.Amount), intervalOf(g.Wait.Quarter, g.Wait.Quarters, report.Amount), ""}
		for _, m := range g.Moves {
			switch {
			case m.To == g.ID:
				row[1] = fmt.Sprintf("%.2f", m.Probability.Or(0))
			case row[2] == "":
				row[2] = fmt.Sprintf("%s (%.2f)", m.To, m.Probability.Or(0))
			}
		}
		if v, ok := g.Wait.Last.Value(); ok {
			row[6] = report.Percent(v)
		}
		sh.Rows = append(sh.Rows, row)
	}
	return sh
}

func amountOf(n report.Number) string {
	if v, ok := n.Value(); ok {
		return report.Amount(v)
	}
	return ""
}

// courseTable has a row a course: how many take it, and what it does.
func courseTable(r *report.Report) Table {
	sh := Table{Head: []string{"course", r.Unit.Many, "share"}}
	for _, c := range r.Courses {
		sh.Rows = append(sh.Rows, []string{c.ID + ": " + c.Words, c.N.String(), percentOf(c.Share)})
	}
	return sh
}

func percentOf(n report.Number) string {
	if v, ok := n.Value(); ok {
		return report.Percent(v)
	}
	return ""
}

// waits writes when the next step comes, a line a state.
func (p *page) waits(r *report.Report) {
	some := false
	for j := range r.Leaves {
		g := r.Leaf(j)
		if words := g.Wait.Words(); words != "" {
			if !some {
				p.heading("When the next step comes")
			}
			some = true
			p.item("  ", "     ", "state "+g.ID+": "+words[len("the next step comes "):])
		}
	}
}

// inTime writes the tables of sequences in time on paper.
func (f *pdfFlow) inTime(r *report.Report) {
	tables := inTimeTables(r)
	if tables == nil || f.y+f.fineTall(r)+200 > pdfTall-pdfEdge {
		return
	}
	f.section("In time")
	for _, t := range tables {
		f.table(t)
	}
}
