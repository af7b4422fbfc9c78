package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/report"
)

const (
	nameFeatures  = 3 // in a name
	textFeatures  = 4 // typical ones in a paragraph
	textRare      = 2
	smallGroup    = 30 // records below which shares are shaky
	leastForTimes = 5  // expected count from which a ratio is spoken of
)

// clearDifference is the difference of means, in standard deviations, that is
// worth a word.
const clearDifference = 0.5

func level(d float64) string {
	if d > 0 {
		return "high"
	}
	return "low"
}

// paragraph tells a group in a few honest sentences.
func (b *builder) paragraph(g *report.Group) string {
	var s []string
	add := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	s = append(s, b.sizeWords(g))
	if n, known := g.N.Value(); !known || n == 0 {
		return strings.Join(s, " ")
	}
	if g.Whole {
		if words := b.featureWords(g.Frequent, textFeatures, false); len(words) > 0 {
			add("Most frequent: %s.", strings.Join(words, ", "))
		}
	} else {
		s = append(s, b.difference(g)...)
	}
	if words := b.measureWords(g); len(words) > 0 {
		add("On average: %s.", strings.Join(words, "; "))
	}
	if n, _ := g.N.Value(); n < smallGroup {
		add("A small group: read its shares with care.")
	}
	s = append(s, b.certaintyWords(g)...)
	s = append(append(s, moveWords(g)...), waitWords(g)...)
	if st, ok := b.stability(g); ok {
		add("The split that made this group was found again in other samples: %s (%.2f).", repeatable(st), st)
	}
	return strings.Join(s, " ")
}

// sizeWords tells how large a group is.
func (b *builder) sizeWords(g *report.Group) string {
	u := b.r.Unit
	n, known := g.N.Value()
	switch {
	case !known:
		s := fmt.Sprintf("The size of this group is withheld, so that no number of fewer than %d %s can be found.", b.r.Limit, u.Many)
		if ids := b.openBelow(g.ID); len(ids) > 0 {
			s += fmt.Sprintf(" It holds %s, among others.", list(ids))
		}
		return s
	case n == 0 && !b.soft():
		return fmt.Sprintf("No %s lies in this group.", b.stepUnit().One)
	case g.Whole && n == 1:
		return fmt.Sprintf("The only %s.", u.One)
	case g.Whole && b.r.Shape == report.Tree && len(g.Children) > 0:
		return fmt.Sprintf("All %s.", quantity(n, b.stepUnit()))
	case g.Whole:
		return fmt.Sprintf("All %s: this group is the whole.", quantity(n, b.stepUnit()))
	case b.soft():
		s := fmt.Sprintf("%s of %s", report.Percent(g.Share.Or(0)), b.wholeWords())
		if mean, ok := g.Document.Value(); ok {
			s += fmt.Sprintf(", on average %s of %s", report.Percent(mean), article(u.One))
		}
		return s + fmt.Sprintf("; the largest topic of %s.", quantity(n, u))
	}
	if low, ok := g.Low.Value(); ok {
		return fmt.Sprintf("%s of all %s (95 %% interval %s to %s); %s put into it.", report.Percent(g.Share.Or(0)), u.Many, report.Percent(low), report.Percent(g.High.Or(1)), quantity(n, u))
	}
	return fmt.Sprintf("%s (%s).", quantity(n, b.stepUnit()), report.Percent(g.Share.Or(0)))
}

// openBelow lists the groups below a node whose sizes are told, the uppermost.
func (b *builder) openBelow(id string) []string {
	var out []string
	b.h.below(b.open.sizes(b.h), slices.Index(b.h.ids, id), func(q int) { out = append(out, b.h.ids[q]) })
	return out
}

// stepUnit is the unit of rows: steps, where records are sequences.
func (b *builder) stepUnit() report.Unit {
	if b.r.Shape == report.States {
		return report.Unit{One: "step", Many: "steps"}
	}
	return b.r.Unit
}

func article(noun string) string {
	if strings.ContainsAny(noun[:min(1, len(noun))], "aeio") {
		return "an " + noun
	}
	return "a " + noun
}

// difference tells what is typical of a group and what is rare in it.
func (b *builder) difference(g *report.Group) []string {
	var s []string
	var clear []report.Feature
	for _, f := range g.Typical {
		if f.Clear {
			clear = append(clear, f)
		}
	}
	if len(g.Views) > 0 {
		s = append(s, b.viewWords(g)...)
	} else if words := b.featureWords(clear, textFeatures, true); len(words) > 0 {
		s = append(s, fmt.Sprintf("Typical: %s.", strings.Join(words, ", ")))
	} else if len(g.Measures) == 0 {
		s = append(s, fmt.Sprintf("No %s is clearly more frequent than overall.", b.r.Unit.Feature))
		if words := b.featureWords(g.Frequent, textFeatures, false); len(words) > 0 {
			s = append(s, fmt.Sprintf("Most frequent: %s.", strings.Join(words, ", ")))
		}
	}
	if words := b.featureWords(g.Rare, textRare, true); len(words) > 0 && !b.words() {
		s = append(s, fmt.Sprintf("Rare here: %s.", strings.Join(words, ", ")))
	}
	return s
}

// featureWords tells the first features of a list, with their ratio if asked
// and if the numbers carry it.
func (b *builder) featureWords(fs []report.Feature, most int, ratio bool) []string {
	var out []string
	said := false // "as often as overall", once
	for _, f := range fs[:min(len(fs), most)] {
		words := b.numbersOf(f, ratio)
		if said {
			words = strings.TrimSuffix(strings.TrimSuffix(words, " as often as overall"), " as many as overall")
		}
		said = said || strings.HasSuffix(words, "as overall")
		out = append(out, f.Title+" ("+words+")")
	}
	return out
}

func (b *builder) numbersOf(f report.Feature, ratio bool) string {
	if f.NearlyAll {
		return "nearly all"
	}
	share, overall := f.Share.Or(0), f.Overall.Or(0)
	what := report.Percent(share)
	often := "as often as overall"
	switch f.Of {
	case report.OfWords:
		what += " of its words"
	case report.Average:
		what = report.Amount(share) + " on average"
		often = "as many as overall"
	}
	if f.Of == report.OfRecords && share == 0 {
		return "none, " + overallWords(f) + " overall"
	}
	r, known := f.Ratio.Value()
	if !ratio || !known {
		return what
	}
	// A ratio of tiny counts sounds exact and is not.
	if n, counted := f.Out.Value(); counted && overall*float64(n) < leastForTimes {
		return what + ", " + overallWords(f) + " overall"
	}
	if f.About {
		return what + ", about " + report.Times(r) + " times " + often
	}
	return what + ", " + report.Times(r) + " times " + often
}

func overallWords(f report.Feature) string {
	if f.About {
		return "about " + report.Percent(f.Overall.Or(0))
	}
	if f.Of == report.Average {
		return report.Amount(f.Overall.Or(0))
	}
	return report.Percent(f.Overall.Or(0))
}

// measureWords tells the real features that differ most.
func (b *builder) measureWords(g *report.Group) []string {
	var out []string
	for _, m := range g.Measures[:min(len(g.Measures), textFeatures)] {
		mean, known := m.Mean.Value()
		if !known {
			continue
		}
		s := m.Title + " " + report.Amount(mean)
		if sd, ok := m.SD.Value(); ok {
			s += " ± " + report.Amount(sd)
		}
		if d, ok := m.Difference.Value(); ok && !g.Whole {
			s += " (" + differenceWords(d) + ")"
		}
		out = append(out, s)
	}
	return out
}

func differenceWords(d float64) string {
	switch {
	case d >= 0.05:
		return fmt.Sprintf("%.1f standard deviations above overall", d)
	case d <= -0.05:
		return fmt.Sprintf("%.1f standard deviations below overall", -d)
	}
	return "as overall"
}

// certaintyWords tells how sure the records of a group are.
func (b *builder) certaintyWords(g *report.Group) []string {
	if g.Certainty == nil || g.Whole || b.soft() {
		return nil
	}
	sure, known := g.Certainty.Sure.Value()
	if !known {
		return []string{fmt.Sprintf("How sure: on average %s.", report.Percent(g.Certainty.Mean.Or(0)))}
	}
	s := fmt.Sprintf("How sure: %s of them belong here with a probability above 0.9", report.Percent(sure))
	if d := g.Certainty.Doubtful.Or(0); d > 0 {
		s += fmt.Sprintf(", %s with one below 0.5", report.Percent(d))
	}
	return []string{s + "."}
}

// moveWords tells where a state goes.
func moveWords(g *report.Group) []string {
	stays, next := report.Number{}, report.Move{}
	for _, m := range g.Moves {
		if m.To == g.ID {
			stays = m.Probability
		} else if next.To == "" {
			next = m
		}
	}
	var s []string
	if p, ok := stays.Value(); ok {
		s = append(s, fmt.Sprintf("The next step stays in this state with a probability of %.2f.", p))
	}
	if p, ok := next.Probability.Value(); ok {
		s = append(s, fmt.Sprintf("If it leaves, it goes most often to state %s (%.2f).", next.To, p))
	}
	return s
}

// stability returns how repeatable the split is that made the group.
func (b *builder) stability(g *report.Group) (float64, bool) {
	if p, ok := b.r.Find(g.Parent); ok && p.Split != nil {
		return p.Split.Stability.Value()
	}
	return 0, false
}
