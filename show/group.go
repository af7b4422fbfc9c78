package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Group writes the page of one group.
func Group(w io.Writer, r *report.Report, id string, o Options) error {
	g, ok := r.Find(id)
	if !ok {
		return fmt.Errorf("show: no group %q; there are %s", id, ids(r))
	}
	p := &page{w: w, o: o}
	for i, l := range wrap(plain(g.Name), o.width()-columns(g.ID+"  ")) {
		lead := g.ID + "  "
		if i > 0 {
			lead = strings.Repeat(" ", columns(lead))
		}
		p.line("%s", o.strong(lead+l))
	}
	p.line("")
	p.text("", g.Text)
	if g.Sureness == report.Doubtful {
		p.line("")
		p.text("", "? Doubtful: the split that made this group came out otherwise in other samples of the same data.")
	}
	p.dots(r, g)
	top := o.top(pageTop)
	if g.Whole {
		p.features(r, "Most frequent", alone(g.Frequent), top)
	} else {
		if len(g.Views) == 0 {
			p.features(r, "Typical, by relevance", g.Typical, top)
		}
		for _, v := range g.Views {
			p.features(r, "Typical in view "+v.View, v.Typical, top)
		}
		p.features(r, "Most frequent", g.Frequent, top)
		p.features(r, "Rare here", g.Rare, top)
	}
	p.lacking(r, g)
	p.measures(g.Measures, top)
	p.sides(r, g)
	p.trends(r, g)
	p.relations(r, g)
	return p.err
}

// lacking says that shares are of those with a value, where some have none: the
// number of a feature over that of the group is another.
func (p *page) lacking(r *report.Report, g *report.Group) {
	n, known := g.N.Value()
	for _, f := range g.Frequent {
		if out, ok := f.Out.Value(); known && ok && out < n && f.Of == report.OfRecords {
			p.line("")
			p.text("", fmt.Sprintf("Values are missing: shares are of those that have one, such as %s of the %s %s for %s.", f.Out, g.N, r.Unit.Many, plain(f.Name)))
			return
		}
	}
}

// ids lists the first groups, for somebody who mistyped one.
func ids(r *report.Report) string {
	const most = 12
	var out []string
	for i := range r.Groups {
		if i == most {
			return strings.Join(out, ", ") + ", …"
		}
		out = append(out, r.Groups[i].ID)
	}
	return strings.Join(out, ", ")
}

// features writes a table of features.
func (p *page) features(r *report.Report, title string, list []report.Feature, top int) {
	if len(list) == 0 {
		return
	}
	p.heading(title)
	list = list[:min(len(list), top)]
	rows := [][]string{headings(r, list)}
	for _, f := range list {
		rows = append(rows, featureRow(f))
	}
	p.table(rows)
}

func headings(r *report.Report, list []report.Feature) []string {
	share := map[report.Of]string{report.OfWords: "of " + r.Unit.Counted(), report.Average: "average", report.OfRecords: "share"}[list[0].Of]
	for _, f := range list {
		if f.Of != list[0].Of {
			share = "share or average"
		}
	}
	n := "n"
	for _, f := range list {
		if v, ok := f.Counted.Value(); ok && v != f.Share.Or(v) {
			n = "counted" // among those put into the group, whose share it is not
		}
	}
	return []string{r.Unit.Feature, n, share, "overall", "ratio", "95 %", "relevance"}
}

func featureRow(f report.Feature) []string {
	write := report.Percent
	if f.Of == report.Average {
		write = report.Amount
	}
	number := func(x report.Number, write func(float64) string) string {
		if v, ok := x.Value(); ok {
			return write(v)
		}
		return ""
	}
	row := []string{
		labelled(f.Name, f.Title, f.Said()), f.Count.String(), number(f.Share, write), number(f.Overall, write),
		number(f.Ratio, report.Times), "", number(f.Relevance, func(v float64) string { return fmt.Sprintf("%.2f", v) }),
	}
	if f.NearlyAll {
		row[2] = "nearly all"
	}
	for _, c := range []int{3, 4} {
		if f.About && row[c] != "" && row[c] != "0" {
			row[c] = "about " + row[c]
		}
	}
	low, known := f.Low.Value()
	if high, ok := f.High.Value(); known && ok {
		row[5] = strings.TrimSuffix(report.Percent(low), " %") + "–" + report.Percent(high)
	}
	return row
}

// label joins the name of a feature and its title: "428 Heart failure".
func label(name, title string) string {
	if name == title {
		return plain(name)
	}
	return plain(name + " " + title)
}

// signed is a feature in drawings: its code, where it has one, and what it is called.
func signed(name, title, said string) string {
	if name == title {
		return plain(said)
	}
	return label(name, said)
}

// labelled is a feature in tables, which hold its code and its official title beside what it
// is called everywhere: "401 High blood pressure (Essential hypertension)".
func labelled(name, title, said string) string {
	if strings.EqualFold(title, said) || name == title {
		return label(name, title)
	}
	return plain(name + " " + said + " (" + title + ")")
}

// table writes rows in columns: the first to the left and clipped to what is
// left of the width, numbers to the right. Columns that are all empty are left
// out.
func (p *page) table(rows [][]string) {
	width := make([]int, len(rows[0]))
	for c := 1; c < len(width); c++ {
		filled := false
		for i, row := range rows {
			width[c] = max(width[c], columns(row[c]))
			filled = filled || i > 0 && row[c] != ""
		}
		if !filled {
			width[c] = -1
		}
	}
	room := p.o.width() - 2
	for c := 1; c < len(width); c++ {
		if width[c] >= 0 {
			room -= width[c] + 2
		}
	}
	for c := len(width) - 1; c > 1 && room < leastName; c-- { // a narrow terminal has fewer columns
		if width[c] >= 0 {
			room += width[c] + 2
			width[c] = -1
		}
	}
	for _, row := range rows {
		width[0] = max(width[0], columns(row[0]))
	}
	width[0] = min(width[0], max(room, leastName))
	for _, row := range rows {
		line := "  " + padRight(clip(row[0], width[0]), width[0])
		for c := 1; c < len(row); c++ {
			if width[c] >= 0 {
				line += "  " + strings.Repeat(" ", width[c]-columns(row[c])) + row[c]
			}
		}
		p.line("%s", line)
	}
}

// measures writes a table of real features.
func (p *page) measures(list []report.Measure, top int) {
	if len(list) == 0 {
		return
	}
	p.heading("Measurements, most different first")
	rows := [][]string{{"measurement", "n", "mean", "sd", "overall", "difference"}}
	amount := func(x report.Number) string {
		if v, ok := x.Value(); ok {
			return report.Amount(v)
		}
		return ""
	}
	for _, m := range list[:min(len(list), top)] {
		row := []string{label(m.Name, m.Title), m.Out.String(), amount(m.Mean), amount(m.SD), amount(m.Overall), ""}
		if v, ok := m.Difference.Value(); ok {
			row[5] = fmt.Sprintf("%+.1f sd", v)
		}
		rows = append(rows, row)
	}
	p.table(rows)
}

// nothingAlike is the distance from which two groups have next to nothing in
// common: they overlap by less than one in a million.
const nothingAlike = 13.8

// relations writes what connects the group with others: its split, its
// neighbours, its records.
func (p *page) relations(r *report.Report, g *report.Group) {
	if g.Split != nil && g.Split.Why != "" {
		p.heading("Inside")
		p.text("  ", g.Split.Why)
	}
	if len(g.Nearest) > 0 {
		p.heading("Most like it")
		if g.Nearest[0].Distance.Or(0) >= nothingAlike {
			p.text("  ", "Nothing is like it.")
		}
		for _, n := range g.Nearest {
			if n.Distance.Or(0) >= nothingAlike {
				break
			}
			p.item("  "+n.ID+"  ", "  "+strings.Repeat(" ", len(n.ID)+2), fmt.Sprintf("%s (distance %.2f)", n.Name, n.Distance.Or(0)))
		}
	}
	if len(g.Moves) > 0 {
		p.heading("Next step")
		for _, m := range g.Moves {
			p.line("  to %s  %.2f", m.To, m.Probability.Or(0))
		}
		if words := g.Wait.Words(); words != "" {
			p.text("  ", words)
		}
	}
	if len(g.Records) > 0 {
		p.heading("Representative " + r.Unit.Many)
		word := "probability"
		if r.Soft {
			word = "share"
		}
		for _, e := range g.Records {
			p.line("  %s  (%s %.2f)%s", plain(e.ID), word, e.Probability.Or(0), spoken(e.Words))
			p.snippet(e.Text)
		}
	}
}

// spoken lists the words of a record that speak for its group.
func spoken(words []string) string {
	if len(words) == 0 {
		return ""
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = plain(w)
	}
	return "  by " + strings.Join(out, ", ")
}
