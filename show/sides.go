package show

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/report"
)

// htmlSide is a side column by group, as a table with bars.
type htmlSide struct {
	Title, Sentence string
	Rows            []sideRow
}

// sideRow is one group of a side column.
type sideRow struct {
	Name, Number, Interval, Width string
}

const (
	sideLevels   = 4 // answers of a column that a page shows
	sideOutcomes = 3 // side columns reported on the card of a group
)

// newSides returns the side columns of a report: one table for numbers, one for
// every answer, of two answers the second.
func newSides(r *report.Report) []htmlSide {
	var out []htmlSide
	for i := range r.Sides {
		c := &r.Sides[i]
		switch {
		case c.Withheld:
		case c.Kind == report.SideNumber:
			out = append(out, numberSide(r, c))
		default:
			from := 0
			if len(c.All.Levels) == 2 {
				from = 1
			}
			for l := from; l < min(len(c.All.Levels), from+sideLevels); l++ {
				out = append(out, levelSide(r, c, l))
			}
		}
	}
	return out
}

// sideWords says how a side column was tested.
func sideWords(c *report.SideColumn) string {
	s := ""
	if p, ok := c.Adjusted.Value(); ok {
		s = fmt.Sprintf("%s, p %s after Holm's correction.", c.Test, pValue(p))
	}
	if c.Used {
		s += " The groups were made from a column of this name: a difference says nothing."
	}
	return s
}

// pValue writes a p-value.
func pValue(p float64) string {
	if p < .0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("= %.4f", p)
}

func numberSide(r *report.Report, c *report.SideColumn) htmlSide {
	out, most := htmlSide{Title: c.Name, Sentence: "Mean, with 95 % interval. " + sideWords(c)}, 0.0
	for _, p := range c.Parts {
		most = max(most, math.Abs(p.Mean.Or(0)))
	}
	for j, p := range c.Parts {
		g := r.Leaf(j)
		row := sideRow{Name: g.ID + " " + g.Name, Width: "0%"}
		if v, ok := p.Mean.Value(); ok {
			row.Number, row.Width = report.Amount(v), barWidth(math.Abs(v), most)
			row.Interval = intervalOf(p.Low, p.High, report.Amount)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func levelSide(r *report.Report, c *report.SideColumn, l int) htmlSide {
	out := htmlSide{Title: c.Name + " = " + c.All.Levels[l].Name, Sentence: "Share, with 95 % interval. " + sideWords(c)}
	for j, p := range c.Parts {
		g := r.Leaf(j)
		row := sideRow{Name: g.ID + " " + g.Name, Width: "0%"}
		if len(p.Levels) > l {
			if v, ok := p.Levels[l].Share.Value(); ok {
				row.Number, row.Width = report.Percent(v), barWidth(v, 1)
				row.Interval = intervalOf(p.Levels[l].Low, p.Levels[l].High, report.Percent)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// barWidth is the width of a bar as a part of its room.
func barWidth(v, most float64) string {
	if !(most > 0) {
		return "0%"
	}
	return strconv.FormatFloat(100*v/most, 'f', 1, 64) + "%"
}

func intervalOf(low, high report.Number, write func(float64) string) string {
	a, okA := low.Value()
	b, okB := high.Value()
	if !okA || !okB {
		return ""
	}
	return write(a) + " to " + write(b)
}

// outcomesOf tells the side columns of one group, those that clearly differ
// between groups.
func outcomesOf(r *report.Report, g *report.Group) []string {
	var out []string
	for _, c := range byWeight(r) {
		if g.Number < 1 || c.Withheld || c.Used || c.Adjusted.Or(1) >= .05 || len(out) >= sideOutcomes {
			continue
		}
		p := c.Parts[g.Number-1]
		if v, ok := p.Mean.Value(); ok {
			out = append(out, fmt.Sprintf("%s %s on average (%s)", c.Name, report.Amount(v), intervalOf(p.Low, p.High, report.Amount)))
		}
		if len(p.Levels) >= 2 {
			x := p.Levels[1]
			if len(p.Levels) > 2 { // what sets the group apart most
				far := func(at int) float64 {
					if at >= len(c.All.Levels) || restLevel(p.Levels[at].Name) {
						return 0
					}
					return math.Abs(p.Levels[at].Share.Or(0) - c.All.Levels[at].Share.Or(0))
				}
				best := 0
				for at := range p.Levels {
					if far(at) > far(best) {
						best = at
					}
				}
				x = p.Levels[best]
			}
			if v, ok := x.Share.Value(); ok {
				out = append(out, fmt.Sprintf("%s = %s: %s (%s)", c.Name, x.Name, report.Percent(v), intervalOf(x.Low, x.High, report.Percent)))
			}
		}
	}
	return out
}

// restLevel tells the levels that are no answer of anybody's: what is left of rare
// answers, and no answer at all. They mark no group.
func restLevel(name string) bool { return name == "(other)" || name == "(missing)" }

// sides writes the side columns of a group.
func (p *page) sides(r *report.Report, g *report.Group) {
	if g.Number < 1 || len(r.Sides) == 0 {
		return
	}
	rows := [][]string{{"column", "here", "95 %", "overall", "difference", "p (Holm)"}}
	for _, c := range byWeight(r) {
		if c.Withheld {
			continue
		}
		rows = append(rows, sideRows(c, c.Parts[g.Number-1])...)
	}
	if len(rows) > 1 {
		p.heading("Side columns, of the records put into it")
		p.table(rows)
	}
}

func sideRows(c *report.SideColumn, x report.SidePart) [][]string {
	number := func(v report.Number, write func(float64) string) string {
		if w, ok := v.Value(); ok {
			return write(w)
		}
		return ""
	}
	sd := func(v float64) string { return fmt.Sprintf("%+.2f sd", v) }
	test := ""
	if v, ok := c.Adjusted.Value(); ok {
		test = pValue(v)
	}
	if c.Kind == report.SideNumber {
		return [][]string{{
			c.Name + " (mean)", number(x.Mean, report.Amount), intervalOf(x.Low, x.High, report.Amount), number(c.All.Mean, report.Amount),
			number(x.Difference, sd), test,
		}}
	}
	var out [][]string
	for l, v := range x.Levels {
		overall := ""
		if l < len(c.All.Levels) {
			overall = number(c.All.Levels[l].Share, report.Percent)
		}
		out = append(out, []string{
			c.Name + " = " + v.Name, number(v.Share, report.Percent), intervalOf(v.Low, v.High, report.Percent), overall, number(v.Difference, sd), test,
		})
		test = ""
	}
	return out
}

// GroupsCSV writes groups.csv: group, and for every side column of numbers its
// mean, interval, n, sd, median and difference from all others in standard
// deviations; of answers the share of each, its interval and difference.
func GroupsCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	head := []string{"group"}
	for i := range r.Sides {
		head = append(head, sideHead(&r.Sides[i])...)
	}
	t.row(head)
	for j, id := range groupIDs(r) {
		row := []string{id}
		for i := range r.Sides {
			row = append(row, sideFields(&r.Sides[i], r.Sides[i].Parts[j])...)
		}
		t.row(row)
	}
	return t.close()
}

func sideHead(c *report.SideColumn) []string {
	if c.Kind == report.SideNumber {
		return []string{c.Name, c.Name + "_low", c.Name + "_high", c.Name + "_n", c.Name + "_sd", c.Name + "_median", c.Name + "_difference"}
	}
	var out []string
	for _, l := range c.All.Levels {
		name := c.Name + "=" + l.Name
		out = append(out, name, name+"_low", name+"_high", name+"_difference")
	}
	return out
}

func sideFields(c *report.SideColumn, p report.SidePart) []string {
	if c.Kind == report.SideNumber {
		n := ""
		if v, ok := p.N.Value(); ok {
			n = strconv.Itoa(v)
		}
		return []string{field(p.Mean), field(p.Low), field(p.High), n, field(p.SD), field(p.Median), field(p.Difference)}
	}
	var out []string
	for l := range c.All.Levels {
		if l < len(p.Levels) {
			x := p.Levels[l]
			out = append(out, field(x.Share), field(x.Low), field(x.High), field(x.Difference))
		} else {
			out = append(out, "", "", "", "")
		}
	}
	return out
}

// SidesCSV writes sides.csv: how the side columns were tested.
func SidesCSV(w io.Writer, r *report.Report) error {
	t := newTable(w)
	t.row([]string{"column", "kind", "test", "p", "p_holm", "used", "withheld"})
	flag := map[bool]string{true: "1", false: "0"}
	for _, c := range r.Sides {
		t.row([]string{c.Name, c.Kind, c.Test, field(c.P), field(c.Adjusted), flag[c.Used], flag[c.Withheld]})
	}
	return t.close()
}
