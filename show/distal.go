package show

import (
	"fmt"
	"io"
	"math"

	"github.com/moiety-go/moiety/report"
)

// distalTitle names an outcome.
func distalTitle(x *report.Distal) string {
	if x.Answer != "" {
		return "Share of " + x.Column + " = " + x.Answer
	}
	return "Mean of " + x.Column
}

// distalNote says how outcomes by three steps came about.
func distalNote(r *report.Report) string {
	s := "Corrected for records put into the wrong " + groupNoun(r) + " (three steps, BCH); the 95 % intervals carry that nobody knows for sure who belongs where. " +
		"Counted: of the records put into it, without a correction. ML: by the likelihood of normal outcomes."
	for i := range r.Distal {
		if r.Distal[i].Used {
			s += " The " + groupNoun(r) + "s were made from a column named " + r.Distal[i].Column + ": its differences say nothing."
		}
	}
	return s
}

// distalTables returns outcomes and covariates by three steps as tables.
func distalTables(r *report.Report) []namedTable {
	var out []namedTable
	for i := range r.Distal {
		x := &r.Distal[i]
		write := report.Amount
		if x.Answer != "" {
			write = report.Percent
		}
		number := func(v report.Number) string {
			if f, ok := v.Value(); ok && !math.IsNaN(f) {
				return write(f)
			}
			return ""
		}
		sh := Table{Head: []string{groupNoun(r), "corrected", "95 %", "counted", "ML"}}
		for j, g := range x.Groups {
			sh.Rows = append(sh.Rows, []string{g.Group + " " + r.Leaf(j).Name, number(g.Mean), intervalOf(g.Low, g.High, write), number(g.Counted), number(g.ML)})
		}
		out = append(out, namedTable{Name: distalTitle(x), Label: distalTitle(x) + ", by three steps", Table: sh.filled()})
		if len(x.Slopes) > 0 {
			out = append(out, slopeTable(r, x))
		}
	}
	return out
}

// slopeTable tells a column as a covariate of membership.
func slopeTable(r *report.Report, x *report.Distal) namedTable {
	last := r.Leaf(len(r.Leaves) - 1).ID
	step := "for one more of " + x.Column
	if x.Answer != "" {
		step = "where " + x.Column + " is " + x.Answer
	}
	signed := func(v float64) string { return fmt.Sprintf("%+.3f", v) }
	ratio := func(v float64) string { return report.Amount(math.Exp(v)) }
	sh := Table{Head: []string{groupNoun(r) + " against " + last, "log-odds", "95 %", "odds ratio", "95 % of it"}}
	for j, s := range x.Slopes {
		v, ok := s.Slope.Value()
		if !ok {
			continue
		}
		sh.Rows = append(sh.Rows, []string{s.Group + " " + r.Leaf(j).Name, signed(v), intervalOf(s.Low, s.High, signed), ratio(v), intervalOf(s.Low, s.High, ratio)})
	}
	return namedTable{Name: "Who belongs where, " + step, Label: x.Column + " " + x.Answer + " as a covariate", Table: sh}
}

// distal writes outcomes by three steps.
func (p *page) distal(r *report.Report) {
	if len(r.Distal) == 0 {
		return
	}
	for _, t := range distalTables(r) {
		p.heading(t.Name)
		p.table(append([][]string{t.Table.Head}, t.Table.Rows...))
	}
	p.line("")
	p.text("  ", distalNote(r))
}

// OutcomesCSV writes outcomes.csv: side columns by group by three steps.
func OutcomesCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"column", "answer", "group", "counted", "mean", "se", "se_fixed", "low", "high", "ml", "slope", "slope_se", "slope_low", "slope_high", "used"})
	for _, x := range r.Distal {
		used := map[bool]string{true: "1", false: "0"}[x.Used]
		for j, g := range x.Groups {
			slope := report.DistalSlope{}
			if j < len(x.Slopes) {
				slope = x.Slopes[j]
			}
			t.row([]string{
				x.Column, x.Answer, g.Group, field(g.Counted), field(g.Mean), field(g.SE), field(g.Fixed), field(g.Low), field(g.High), field(g.ML),
				field(slope.Slope), field(slope.SE), field(slope.Low), field(slope.High), used,
			})
		}
	}
	return t.close()
}
