package show

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Lengths of the lists of a dot plot.
const (
	dotsMost = 10 // features that tell a group apart
	dotsRare = 4
	dotsBoth = 6 // of each of two groups
	// leastRatio is the ratio below which the share says it all.
	leastRatio = 0.05
	nearlyAll  = "nearly all" // what stands for a share that would tell the few who lack it
)

// DotPlot draws what tells a group apart: features as rows, a grey dot for
// everybody, a coloured one for the group, the 95 % interval as a thin line; below
// them what is rare here, and measurements by their distance from everybody's.
// What is withheld is an empty ring with a word.
func DotPlot(r *report.Report, g *report.Group) *Scene {
	return dotPlot(r, g, nil, dotsForm{width: 480, id: "dots-" + groupSlug(g)})
}

// DotPlotOfTwo draws two groups against each other and everybody.
func DotPlotOfTwo(r *report.Report, a, b *report.Group) *Scene {
	return dotPlot(r, a, b, dotsForm{width: 480, id: "dots-" + groupSlug(a) + "-" + groupSlug(b)})
}

// telling returns the features that tell a group apart, by share and ratio: the
// most frequent ones of the whole.
func telling(g *report.Group, most int) []report.Feature {
	if g.Whole {
		return g.Frequent[:min(len(g.Frequent), most)]
	}
	var out []report.Feature
	for _, f := range g.Typical {
		if f.Clear && (f.Ratio.Or(0) > 1 || f.NearlyAll) {
			out = append(out, f)
		}
	}
	weight := func(f report.Feature) float64 {
		share := f.Share.Or(1)
		if f.Of != report.OfRecords {
			return f.Relevance.Or(0)
		}
		return share * math.Log(max(f.Ratio.Or(1), 1))
	}
	sort.SliceStable(out, func(i, j int) bool { return cmp.Less(weight(out[j]), weight(out[i])) })
	return out[:min(len(out), most)]
}

// dotRow is one feature of a plot.
type dotRow struct {
	name, numbers string
	of            report.Of
	here, all     report.Number
	other         report.Number // of the second group
	low, high     report.Number
	word          string // where the number of the group is withheld
}

// dotBlock is rows that share an axis.
type dotBlock struct {
	head string
	rows []dotRow
}

// dots gathers the rows of a plot and its table.
type dots struct {
	r    *report.Report
	a, b *report.Group
}

func (d *dots) blocks() []dotBlock {
	var out []dotBlock
	add := func(head string, list []report.Feature) {
		for len(list) > 0 { // features whose numbers mean different things do not share an axis
			kept, rest := split(list)
			block := dotBlock{head: head}
			for _, f := range kept {
				block.rows = append(block.rows, d.row(f))
			}
			out, list = append(out, block), rest
		}
	}
	switch {
	case d.b != nil:
		add("", d.both())
	case d.a.Whole:
		add("Most frequent", telling(d.a, dotsMost))
	default:
		add("More here than overall", telling(d.a, dotsMost))
		if !topical(d.r) {
			add("Rare here", d.a.Rare[:min(len(d.a.Rare), dotsRare)])
		}
		if len(out) == 0 && len(d.a.Measures) == 0 {
			add("Most frequent", d.a.Frequent[:min(len(d.a.Frequent), dotsMost)])
		}
	}
	if m := d.measures(); len(m.rows) > 0 {
		out = append(out, m)
	}
	return out
}

// idle reports that there is nothing to draw: measurements of everybody are compared
// with nothing.
func (d *dots) idle() bool { return d.a.Whole && d.b == nil && len(d.blocks()) == 0 }

// split parts the features whose numbers mean what those of the first do.
func split(list []report.Feature) (kept, rest []report.Feature) {
	for _, f := range list {
		if f.Of == list[0].Of {
			kept = append(kept, f)
		} else {
			rest = append(rest, f)
		}
	}
	return kept, rest
}

// both returns what tells either of two groups apart.
func (d *dots) both() []report.Feature {
	out := slices.Clone(telling(d.a, dotsBoth))
	for _, f := range telling(d.b, dotsBoth) {
		if slices.ContainsFunc(out, func(o report.Feature) bool { return o.Index == f.Index }) {
			continue
		}
		f.Share, f.NearlyAll = d.share(d.a, f.Index), false
		f.Count, f.Ratio, f.Low, f.High = report.Count{}, report.Number{}, report.Number{}, report.Number{}
		out = append(out, f)
	}
	return out
}

// share returns the share of a feature in a group, by the table of the report.
func (d *dots) share(g *report.Group, feature int) report.Number {
	for i := range d.r.Groups {
		if d.r.Groups[i].ID == g.ID && i < len(d.r.Table.Shares) && feature < len(d.r.Table.Shares[i]) {
			return d.r.Table.Shares[i][feature]
		}
	}
	return report.Number{}
}

func (d *dots) row(f report.Feature) dotRow {
	x := dotRow{name: f.Said(), of: f.Of, here: f.Share, all: f.Overall, low: f.Low, high: f.High}
	if d.a.Whole {
		x.all = report.Number{}
	}
	var parts []string
	switch v, ok := f.Share.Value(); {
	case f.NearlyAll:
		x.word = nearlyAll
		parts = append(parts, x.word)
	case !ok:
		x.word = "withheld"
		parts = append(parts, x.word)
	default:
		parts = append(parts, writeOf(f.Of)(v))
	}
	if d.b != nil {
		x.other, x.low, x.high = d.share(d.b, f.Index), report.Number{}, report.Number{}
		if v, ok := x.other.Value(); ok {
			parts = append(parts, writeOf(f.Of)(v))
		} else {
			parts = append(parts, "withheld")
		}
	} else if v, ok := f.Ratio.Value(); ok && !d.a.Whole && !f.NearlyAll && v >= leastRatio {
		parts = append(parts, about(f)+report.Times(v)+"×")
	}
	x.numbers = strings.Join(parts, " · ")
	return x
}

// writeOf writes numbers of a kind: shares as per cent, averages as they are.
func writeOf(of report.Of) func(float64) string {
	if of == report.Average || of == report.Value {
		return report.Amount
	}
	return report.Percent
}

// about goes before a ratio that is not exact.
func about(f report.Feature) string {
	if f.About {
		return "about "
	}
	return ""
}

// measures returns real features: means in standard deviations from everybody's.
func (d *dots) measures() dotBlock {
	out := dotBlock{head: "Averages, in standard deviations from overall"}
	for _, m := range d.a.Measures[:min(len(d.a.Measures), dotsMost)] {
		x := dotRow{name: m.Title, of: report.Value, here: m.Difference, all: report.NumberOf(0)}
		mean, ok := m.Mean.Value()
		if !ok || d.a.Whole {
			continue
		}
		x.numbers = report.Amount(mean)
		if all, ok := m.Overall.Value(); ok {
			x.numbers += " (overall " + report.Amount(all) + ")"
		}
		if d.b != nil {
			x.numbers = report.Amount(mean)
			for _, o := range d.b.Measures {
				if v, ok := o.Mean.Value(); ok && o.Index == m.Index {
					x.other = o.Difference
					x.numbers += " · " + report.Amount(v)
				}
			}
		}
		out.rows = append(out.rows, x)
	}
	return out
}

// title tells the finding.
func (d *dots) title() string {
	switch {
	case d.b != nil:
		return d.difference()
	case d.a.N.Masked():
		return d.a.Name + ": its numbers are withheld"
	case d.a.Whole && len(d.a.Frequent) > 0:
		return fmt.Sprintf("%s is the most frequent of the %s of all %s", capitalize(featureWord(d.r, d.a.Frequent[0].Said())), d.r.Unit.Features, d.r.Unit.Many)
	}
	for _, f := range telling(d.a, dotsMost) {
		ratio, ok := f.Ratio.Value()
		if !ok {
			continue
		}
		if f.Of == report.Average {
			return fmt.Sprintf("%s is %s%s times as high here as overall", featureWord(d.r, f.Said()), about(f), report.Times(ratio))
		}
		return fmt.Sprintf("%s is %s%s times as frequent here as overall", featureWord(d.r, f.Said()), about(f), report.Times(ratio))
	}
	for _, m := range d.a.Measures {
		if v, ok := m.Difference.Value(); ok && v != 0 && !d.a.Whole {
			return fmt.Sprintf("%s is %.1f standard deviations %s overall", m.Title, math.Abs(v), map[bool]string{true: "above", false: "below"}[v > 0])
		}
	}
	return fmt.Sprintf("No %s is clearly more frequent here than overall", d.r.Unit.Feature)
}

// difference is the title of two groups: the largest difference between them.
func (d *dots) difference() string {
	best, title := 0.0, d.a.Name+" and "+d.b.Name
	for _, b := range d.blocks() {
		for _, x := range b.rows {
			v, ok := x.here.Value()
			w, also := x.other.Value()
			if ok && also && x.of != report.Value && math.Abs(v-w) > best {
				best = math.Abs(v - w)
				title = fmt.Sprintf("%s: %s in %s, %s in %s", x.name, writeOf(x.of)(v), d.a.Name, writeOf(x.of)(w), d.b.Name)
			}
		}
	}
	return title
}

// subtitle says what is drawn.
func (d *dots) subtitle() string {
	if d.b != nil {
		return fmt.Sprintf("%s (%s) beside %s (%s).", d.a.Name, size(d.r, d.a), d.b.Name, size(d.r, d.b))
	}
	return fmt.Sprintf("%s: %s.", d.a.Name, size(d.r, d.a))
}

// table is the table of the same numbers.
func (d *dots) table() Table {
	sh := Table{Head: []string{"", "here", "overall", "ratio", "95 % interval"}}
	if d.b != nil {
		sh.Head = []string{"", d.a.Name, d.b.Name, "overall"}
	}
	write := func(x report.Number, of report.Of) string {
		if v, ok := x.Value(); ok {
			return writeOf(of)(v)
		}
		return ""
	}
	for _, b := range d.blocks() {
		for _, x := range b.rows {
			here := write(x.here, x.of)
			if x.word != "" {
				here = x.word
			}
			if d.b != nil {
				sh.Rows = append(sh.Rows, []string{x.name, here, write(x.other, x.of), write(x.all, x.of)})
				continue
			}
			row := []string{x.name, here, write(x.all, x.of), "", ""}
			if _, ratio, ok := strings.Cut(x.numbers, " · "); ok {
				row[3] = ratio
			}
			if low, ok := x.low.Value(); ok {
				row[4] = strings.TrimSuffix(report.Percent(low), " %") + "–" + report.Percent(x.high.Or(0))
			}
			sh.Rows = append(sh.Rows, row)
		}
	}
	return sh
}
