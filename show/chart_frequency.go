package show

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/explain"
)

// FeatureOrder chooses the features of a frequency chart.
type FeatureOrder int

// Orders of features.
const (
	ByShare     FeatureOrder = iota // the most frequent, as [P] Fig. 1a
	ByRelevance                     // the most typical
)

const chartFeatures = 20

// FrequencyChart draws the features of a group: the bar is the share in the
// group, the thin line the share overall, the whisker the 95 % interval ([P]
// Fig. 1a). Groups of real features get a chart of differences instead.
func FrequencyChart(r *explain.Report, g *explain.Group, order FeatureOrder) *Scene {
	list := g.Frequent
	if order == ByRelevance {
		list = g.Typical
	}
	list, dropped := ofOneKind(list)
	if len(list) == 0 && len(g.Measures) > 0 {
		return measureChart(r, g)
	}
	c := &frequencyChart{r: r, g: g, list: list[:min(len(list), chartFeatures)], order: order}
	return c.scene(dropped)
}

// ofOneKind keeps the features whose numbers mean what those of the first do:
// shares and averages do not share an axis.
func ofOneKind(list []explain.Feature) (kept []explain.Feature, dropped int) {
	for _, f := range list {
		if f.Of == list[0].Of {
			kept = append(kept, f)
		} else {
			dropped++
		}
	}
	return kept, dropped
}

type frequencyChart struct {
	r     *explain.Report
	g     *explain.Group
	list  []explain.Feature
	order FeatureOrder
}

func (c *frequencyChart) average() bool { return len(c.list) > 0 && c.list[0].Of == explain.Average }

// number writes a share, or an average.
func (c *frequencyChart) number(v float64) string {
	if c.average() {
		return explain.Amount(v)
	}
	return explain.Percent(v)
}

func (c *frequencyChart) scene(dropped int) *Scene {
	f := newFrame("frequency-"+groupSlug(c.g), chartWidth, c.title(), c.subtitle())
	f.s.Sheet = featureSheet(c.r, c.list)
	if len(c.list) == 0 {
		return f.notes(c.population())
	}
	paint := leafPaint(c.g)
	keys := []key{
		boxKey("in the group", Style{Fill: paint}),
		{"overall", func(x, y float64) []Mark { return []Mark{overallTick(x+9, y-7, 14)} }},
	}
	if !c.list[0].Low.Masked() {
		keys = append(keys, key{"95 % interval", func(x, y float64) []Mark { return whisker(x+1, x+17, y) }})
	}
	f.legend(keys)
	c.rows(f, paint)
	notes := []string{c.population()}
	if dropped > 0 {
		notes = append(notes, fmt.Sprintf("%d further %s are counted in another way and not drawn here.", dropped, c.r.Unit.Features))
	}
	for _, x := range c.list {
		if x.NearlyAll {
			notes = append(notes, "Pale bar: nearly all; the exact number is withheld.")
			break
		}
	}
	f.s.Desc = cleanLine(f.s.Desc + " " + c.g.Text)
	return f.notes(notes...)
}

// overallTick is the thin line of the share overall, with a pale rim so that it
// shows on bars too.
func overallTick(x, y, h float64) Mark {
	return Box{X: x - 1.75, Y: y, W: 3.5, H: h, Style: Style{Fill: inkPaint(), Stroke: paperPaint()}}
}

const frequencyRow = 19

// rows draws names, bars and numbers.
func (c *frequencyChart) rows(f *frame, paint Paint) {
	names := make([]string, len(c.list))
	numbers := make([]string, len(c.list))
	column := 0.0
	var all []float64
	for i, x := range c.list {
		names[i] = label(x.Name, x.Title)
		numbers[i] = c.numbers(x)
		column = max(column, textWidth(numbers[i], smallSize, false))
		all = append(all, x.Share.Or(0), x.High.Or(0), x.Overall.Or(0))
		if x.NearlyAll {
			all = append(all, 1)
		}
	}
	left := chartEdge + nameColumn(names, f.inner()*mostWords) + 8
	right := f.s.Width - chartEdge - column - 8
	height := frequencyRow * float64(len(c.list))
	x, ticks := newScale(all, left, right, false, true)
	if !c.average() && x.high > 1 {
		x.high, ticks = 1, []float64{0, .2, .4, .6, .8, 1}
	}
	c.ticks(f.s, x, ticks, f.y, height)
	for i, feature := range c.list {
		y := f.y + frequencyRow*float64(i)
		f.s.Add(Label{X: left - 8, Y: y + frequencyRow/2 + wordSize*0.35, Text: fitLabel(names[i], left-8-chartEdge, wordSize, false), Size: wordSize, Anchor: End, Fill: inkPaint()},
			Layer{Title: names[i] + ": " + numbers[i], Marks: c.bar(feature, x, y, paint)},
			Label{X: f.s.Width - chartEdge, Y: y + frequencyRow/2 + smallSize*0.35, Text: numbers[i], Size: smallSize, Anchor: End, Fill: mutedPaint()})
	}
	f.y += height + tickGap + smallSize*leading
}

func (c *frequencyChart) ticks(s *Scene, x scale, ticks []float64, top, height float64) {
	end := math.Inf(-1)
	for _, t := range ticks {
		at := x.at(t)
		s.Add(Rule{X1: at, Y1: top, X2: at, Y2: top + height, Style: Style{Stroke: faintPaint()}})
		word := tickWords(t)
		if !c.average() {
			word = tickWords(math.Round(t*1e6)/1e4) + " %"
		}
		if half := textWidth(word, smallSize, false) / 2; at-half > end+6 {
			s.Add(Label{X: at, Y: top + height + tickGap + smallSize*ascent, Text: word, Size: smallSize, Anchor: Middle, Fill: mutedPaint()})
			end = at + half
		}
	}
}

func (c *frequencyChart) bar(f explain.Feature, x scale, y float64, paint Paint) []Mark {
	zero := x.at(0)
	var out []Mark
	if share, ok := f.Share.Value(); ok {
		out = append(out, Box{X: zero, Y: y + 3, W: x.at(share) - zero, H: frequencyRow - 6, Style: Style{Fill: paint}})
	} else if f.NearlyAll {
		out = append(out, Box{X: zero, Y: y + 3, W: x.at(1) - zero, H: frequencyRow - 6, Style: Style{Fill: paint, Alpha: 0.35}})
	}
	if !f.Low.Masked() && !f.High.Masked() {
		out = append(out, whisker(x.at(f.Low.Or(0)), x.at(f.High.Or(0)), y+frequencyRow/2)...)
	}
	if overall, ok := f.Overall.Value(); ok {
		out = append(out, overallTick(x.at(overall), y+2, frequencyRow-4))
	}
	return out
}

// numbers writes share, count and ratio: "71 % · 854 · 4.1×".
func (c *frequencyChart) numbers(f explain.Feature) string {
	if f.NearlyAll {
		return "nearly all"
	}
	var parts []string
	if v, ok := f.Share.Value(); ok {
		parts = append(parts, c.number(v))
	}
	if n := f.Count.String(); n != "" && !c.average() {
		parts = append(parts, n)
	}
	if v, ok := f.Ratio.Value(); ok && !c.g.Whole {
		parts = append(parts, about(f)+explain.Times(v)+"×")
	}
	return strings.Join(parts, " · ")
}

// about goes before a ratio that is not exact.
func about(f explain.Feature) string {
	if f.About {
		return "about "
	}
	return ""
}

// title tells the finding: the clearest feature of the group.
func (c *frequencyChart) title() string {
	if c.g.N.Masked() {
		return groupWord(c.r, c.g) + ": its numbers are withheld"
	}
	for _, f := range c.g.Typical {
		ratio, ok := f.Ratio.Value()
		if !f.Clear || !ok || c.g.Whole {
			continue
		}
		if f.Of == explain.Average {
			return fmt.Sprintf("%s: %s is %s%s times as high as overall", groupWord(c.r, c.g), featureWord(c.r, f.Title), about(f), explain.Times(ratio))
		}
		return fmt.Sprintf("%s: %s is %s%s times as frequent as overall", groupWord(c.r, c.g), featureWord(c.r, f.Title), about(f), explain.Times(ratio))
	}
	if c.g.Whole && len(c.list) > 0 {
		return fmt.Sprintf("%s is the most frequent of the %s of all %s", featureWord(c.r, c.list[0].Title), c.r.Unit.Features, c.r.Unit.Many)
	}
	return fmt.Sprintf("%s: no %s is clearly more frequent than overall", groupWord(c.r, c.g), c.r.Unit.Feature)
}

func (c *frequencyChart) subtitle() string {
	what := "Most frequent "
	if c.order == ByRelevance {
		what = "Most typical "
	}
	of := "share of its " + c.r.Unit.Many
	if len(c.list) > 0 && c.list[0].Of == explain.OfWords {
		of = "share of its words"
	}
	if c.average() {
		of = "average a " + c.r.Unit.One
	}
	text := what + c.r.Unit.Features + ", " + of + "; at the right share, count and ratio to overall."
	if c.g.Whole {
		text = what + c.r.Unit.Features + ", " + of + "."
	}
	return text
}

// population tells how many the shares are of.
func (c *frequencyChart) population() string {
	parts := []string{}
	if n := c.g.N.String(); n != "" {
		parts = append(parts, fmt.Sprintf("N = %s %s in the group", n, rowUnit(c.r)))
	} else {
		parts = append(parts, "N of the group is withheld")
	}
	if n := c.r.Data.Rows.String(); n != "" {
		parts = append(parts, n+" in all")
	}
	return strings.Join(parts, ", ") + "."
}

// featureSheet is the table of a list of features.
func featureSheet(r *explain.Report, list []explain.Feature) Sheet {
	if len(list) == 0 {
		return Sheet{Head: []string{r.Unit.Feature}}
	}
	sh := Sheet{Head: headings(r, list)}
	for _, f := range list {
		sh.Rows = append(sh.Rows, featureRow(f))
	}
	return sh
}
