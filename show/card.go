package show

import (
	"fmt"
	"html/template"
	"math"
	"strings"
	"time"

	"github.com/moiety-go/moiety/report"
)

// chip says how sure something is: a sign, a word and a shape, not colour alone.
type chip struct{ Kind, Sign, Word, Title string }

// chipOf returns the chip of a sureness; the zero chip where it was not judged.
func chipOf(r *report.Report, s report.Sureness) chip {
	say := speech(r)
	switch s {
	case report.Sure:
		return chip{"sure", "✓", say("chip.sure"), say("chip.sure.why")}
	case report.Fair:
		return chip{"fair", "◐", say("chip.fair"), say("chip.fair.why")}
	case report.Doubtful:
		return chip{"doubtful", "?", say("chip.doubtful"), say("chip.doubtful.why")}
	}
	return chip{}
}

// claimChip is the chip of the number of groups.
func claimChip(r *report.Report) chip {
	if r.Claim == nil {
		say := speech(r)
		return chip{"fair", "•", say("chip.asked"), say("chip.asked.why")}
	}
	c := chipOf(r, r.Claim.Sureness)
	c.Title = r.Claim.Reason
	return c
}

// bigNumber is a number that matters, with a line of context.
type bigNumber struct{ Value, Label string }

// bigNumbers are those of the first screen.
func bigNumbers(r *report.Report) []bigNumber {
	say := speech(r)
	noun := nounWord(r, len(r.Leaves) != 1)
	out := []bigNumber{{report.Thousands(len(r.Leaves)), rangeWords(r, noun)}}
	if n := r.Data.Records.String(); n != "" {
		out = append(out, bigNumber{n, word(r, r.Unit.Many)})
	} else {
		out = append(out, bigNumber{say("number.withheld"), word(r, r.Unit.Many)})
	}
	if len(r.Leaves) > 1 {
		if p, ok := r.Largest().Share.Value(); ok {
			out = append(out, bigNumber{report.Percent(p), say("number.largest", r.Largest().Name)})
		}
	}
	if c := r.Claim; c != nil && len(r.Leaves) > 1 {
		if v, ok := c.Repeat.Value(); ok && v > 0 {
			out = append(out, bigNumber{fmt.Sprintf("%.2f", v), say("number.repeat", nounWord(r, true))})
		}
	}
	return out
}

// rangeWords tells which numbers can be defended.
func rangeWords(r *report.Report, noun string) string {
	c, say := r.Claim, speech(r)
	switch {
	case c == nil:
		return say("number.asked", noun)
	case c.Range[0] == c.Range[1] || c.Range[1] == 0:
		return noun
	}
	return say("number.range", noun, c.Range[0], c.Range[1])
}

// eyebrow is the line over the title: what was read, when, of what.
func eyebrow(r *report.Report) string {
	var parts []string
	switch n := len(r.Data.Files); {
	case n == 1:
		parts = append(parts, r.Data.Files[0])
	case n > 1:
		parts = append(parts, fmt.Sprintf("%s and %d more files", r.Data.Files[0], n-1))
	}
	if t, err := time.Parse(time.DateOnly, r.Data.Date); err == nil {
		parts = append(parts, t.Format("2 January 2006"))
	}
	if n := r.Data.Records.String(); n != "" {
		parts = append(parts, n+" "+r.Unit.Many)
	}
	parts = append(parts, report.Thousands(r.Data.Features)+" "+r.Unit.Features)
	if r.Data.Period != "" {
		parts = append(parts, r.Data.Period)
	}
	left := 0
	for _, p := range r.Data.LeftOut {
		if n, ok := p.N.Value(); ok {
			left += n
		}
	}
	if left > 0 {
		parts = append(parts, report.Thousands(left)+" left out")
	}
	return strings.Join(parts, " · ")
}

// lead is what stands below the title: why so many groups, what speaks against
// it, for whom the page is.
func lead(r *report.Report) []string {
	var out []string
	if c := r.Claim; c != nil {
		out = append(out, c.Reason)
		if len(c.Against) > 0 && c.Sureness != report.Sure {
			out = append(out, speech(r)("lead.doubt", c.Against[0]))
		}
	}
	if s := r.RingWords(); s != "" {
		out = append(out, s)
	}
	return out
}

// doubts tells the splits that are not to be built on.
func doubts(r *report.Report) []string {
	say := speech(r)
	var out []string
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Split == nil || !g.Split.Done || g.Split.Sureness != report.Doubtful {
			continue
		}
		var names []string
		for _, id := range g.Children {
			if c, ok := r.Find(id); ok {
				names = append(names, c.Name+" ("+c.ID+")")
			}
		}
		s := say("doubt", allOf(r, names))
		if g.Split.Doubt != "" {
			out = append(out, s+". "+g.Split.Doubt)
			continue
		}
		if v, ok := g.Split.Stability.Value(); ok {
			s += say("doubt.again", fmt.Sprintf("%.2f", v))
		}
		out = append(out, s+".")
	}
	return out
}

// htmlCard is a group in a few lines.
type htmlCard struct {
	Slug, ID, Name, Share, Of string
	Chip                      chip
	Style                     template.CSS
	Bar                       string // width, in per cent
	Marks                     []mark
	Outcomes                  []string
	Born, Gone                int
	Hidden                    bool
}

// mark is one thing that marks a group, with a small bar.
type mark struct {
	Name, Number, More string
	From, Width, Tick  string // in per cent of the room; no Width, no bar
}

// cardMarks are the features of a card.
const (
	cardMarks = 3
	cardWords = 8
)

// newCards returns the cards of all groups; those of the recommended level are
// not hidden.
func newCards(r *report.Report) []htmlCard {
	l := newLevels(r)
	shown := make(map[int]bool)
	for _, i := range l.shown(l.best) {
		shown[i] = true
	}
	var order []int
	if r.Shape == report.Tree {
		order = append(order, l.shown(l.best)...)
		for i := range r.Groups {
			if !shown[i] && r.Groups[i].Parent != "" {
				order = append(order, i)
			}
		}
	} else {
		order = r.Leaves
	}
	var out []htmlCard
	front, _ := partSides(r)
	for _, i := range order {
		g := &r.Groups[i]
		c := htmlCard{
			Slug: groupSlug(g), ID: g.ID, Name: g.Name, Share: shareWords(g), Of: ofWords(r, g), Chip: chipOf(r, g.Sureness), Style: hueStyle(r, g),
			Bar: percentWidth(g.Share.Or(0)), Marks: marksOf(r, g), Born: l.born[i], Gone: l.gone[i], Hidden: !shown[i] && r.Shape == report.Tree,
		}
		for _, s := range outcomesOf(front, g) {
			c.Outcomes = append(c.Outcomes, strings.ReplaceAll(s, " %", "\u00a0%")) // a sign stays with its number
		}
		out = append(out, c)
	}
	return out
}

// cardsKey says what the small bars of the cards are.
func cardsKey(r *report.Report, cards []htmlCard) string {
	if len(r.Leaves) == 1 {
		return ""
	}
	shares, means := false, false
	for _, c := range cards {
		for _, m := range c.Marks {
			if m.From == "0%" {
				shares = true
			} else {
				means = true
			}
		}
	}
	noun, say := nounWord(r, false), speech(r)
	switch {
	case shares && means:
		return say("card.both", noun)
	case means:
		return say("card.means", noun)
	}
	return say("card.shares", noun)
}

// cardsTitle is the title above the cards.
func cardsTitle(r *report.Report) string {
	if len(r.Leaves) == 1 {
		return speech(r)("card.all", word(r, r.Unit.Many))
	}
	return speech(r)("card.title", nounWord(r, true))
}

// ofWords tells the size of a group: "875 of 6,000 patients".
func ofWords(r *report.Report, g *report.Group) string {
	n, all, say := g.N.String(), r.Data.Rows.String(), speech(r)
	switch {
	case n == "":
		return say("card.size.withheld")
	case r.Soft:
		return say("card.of.soft", word(r, r.Unit.Features), n, word(r, r.Unit.Many))
	case !g.Counted.Masked(): // the share is the model's
		return say("card.of.put", n, word(r, rowUnit(r)))
	case all == "":
		return say("card.of.n", n, word(r, rowUnit(r)))
	}
	return say("card.of", n, all, word(r, rowUnit(r)))
}

// hueStyle gives an element the colours of a group.
func hueStyle(r *report.Report, g *report.Group) template.CSS {
	fill, edge := groupColours(r, g)
	return template.CSS(fmt.Sprintf("--hue:var(--%s);--hue-edge:var(--%s)", fill.role, edge.role))
}

func percentWidth(share float64) string { return fmt.Sprintf("%.1f%%", 100*min(max(share, 0), 1)) }

// marksOf returns what marks a group, as bars: shares from 0 to 1, words beside
// the most frequent of them, means as distances from everybody's.
func marksOf(r *report.Report, g *report.Group) []mark {
	most := cardMarks
	if topical(r) {
		most = cardWords
	}
	list := telling(g, most)
	top := 0.0
	for _, f := range list {
		top = max(top, f.Share.Or(0), f.Overall.Or(0))
	}
	var out []mark
	for _, f := range list {
		whole := 1.0
		if f.Of != report.OfRecords {
			whole = max(top, 1e-12)
		}
		m := mark{Name: f.Said(), Number: speech(r)("often.nearly"), From: "0%", Width: "100%"}
		if v, ok := f.Share.Value(); ok {
			m.Number, m.Width = writeOf(f.Of)(v), percentWidth(v/whole)
		}
		if v, ok := f.Ratio.Value(); ok && !g.Whole {
			m.More = speech(r)("card.often", about(f), report.Times(v))
			if f.Of == report.Average {
				m.More = speech(r)("card.many", about(f), report.Times(v))
			}
		}
		if v, ok := f.Overall.Value(); ok && !g.Whole {
			m.Tick = percentWidth(v / whole)
		}
		out = append(out, m)
	}
	for _, x := range g.Measures {
		mean, ok := x.Mean.Value()
		d, known := x.Difference.Value()
		if sd, has := x.SD.Value(); g.Whole && ok && has && len(out) < cardWords { // of everybody: nothing to compare with
			out = append(out, mark{Name: x.Title, Number: report.Amount(mean), More: "± " + report.Amount(sd)})
			continue
		}
		if len(out) >= most || !ok || !known || g.Whole {
			continue
		}
		const reach = 2.5 // standard deviations from the middle of the bar to its end
		half := min(math.Abs(d)/reach, 1) / 2
		out = append(out, mark{
			Name: x.Title, Number: report.Amount(mean), More: fmt.Sprintf("%+.1f sd", d), Tick: "50.0%",
			From: percentWidth(0.5 + min(d/reach, 0)/2*min(1, math.Abs(reach/max(math.Abs(d), reach)))), Width: percentWidth(half),
		})
	}
	return out
}
