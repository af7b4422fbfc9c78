package explain

import (
	"slices"
	"strconv"
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
	s := []string{b.sizeWords(g)}
	add := func(sentence string) { s = append(s, sentence) }
	if n, known := g.N.Value(); !known || n == 0 {
		return strings.Join(s, " ")
	}
	if g.Whole {
		if words := b.featureWords(g.Frequent, textFeatures, false); len(words) > 0 {
			add(b.say("paragraph.frequent", strings.Join(words, ", ")))
		}
	} else {
		s = append(s, b.difference(g)...)
	}
	if words := b.measureWords(g); len(words) > 0 {
		add(b.say("paragraph.average", strings.Join(words, "; ")))
	}
	if n, _ := g.N.Value(); n < smallGroup {
		add(b.say("paragraph.small"))
	}
	s = append(s, b.certaintyWords(g)...)
	s = append(append(s, b.moveWords(g)...), waitWords(g)...)
	if st, ok := b.stability(g); ok {
		add(b.say("paragraph.again", b.l.Word(repeatable(st)), decimals(st)))
	}
	return strings.Join(s, " ")
}

// sizeWords tells how large a group is.
func (b *builder) sizeWords(g *report.Group) string {
	u := b.r.Unit
	n, known := g.N.Value()
	switch {
	case !known:
		s := b.say("size.withheld", b.r.Limit, b.l.Word(u.Many))
		if ids := b.openBelow(g.ID); len(ids) > 0 {
			s += b.say("size.holds", b.joined(ids))
		}
		return s
	case n == 0 && !b.soft():
		return b.say("size.none", b.l.Word(b.stepUnit().One))
	case g.Whole && n == 1:
		return b.say("size.only", b.l.Word(u.One))
	case g.Whole && b.r.Shape == report.Tree && len(g.Children) > 0:
		return b.say("size.all", b.quantity(n, b.stepUnit()))
	case g.Whole:
		return b.say("size.whole", b.quantity(n, b.stepUnit()))
	case b.soft():
		s := b.say("size.soft", report.Percent(g.Share.Or(0)), b.wholeWords())
		if mean, ok := g.Document.Value(); ok {
			s += b.say("size.soft.mean", report.Percent(mean), b.say("a", article(u.One), b.l.Word(u.One)))
		}
		return s + b.say("size.soft.largest", b.quantity(n, u))
	}
	if low, ok := g.Low.Value(); ok {
		return b.say("size.interval", report.Percent(g.Share.Or(0)), b.l.Word(u.Many), report.Percent(low), report.Percent(g.High.Or(1)), b.quantity(n, u))
	}
	return b.say("size.plain", b.quantity(n, b.stepUnit()), report.Percent(g.Share.Or(0)))
}

// openBelow lists the groups below a node whose sizes are reported, the uppermost.
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

// article is the English one of a noun.
func article(noun string) string {
	if strings.ContainsAny(noun[:min(1, len(noun))], "aeio") {
		return "an"
	}
	return "a"
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
		s = append(s, b.say("difference.typical", strings.Join(words, ", ")))
	} else if len(g.Measures) == 0 {
		s = append(s, b.say("difference.none", b.l.Word(b.r.Unit.Feature)))
		if words := b.featureWords(g.Frequent, textFeatures, false); len(words) > 0 {
			s = append(s, b.say("paragraph.frequent", strings.Join(words, ", ")))
		}
	}
	if words := b.featureWords(g.Rare, textRare, true); len(words) > 0 && !b.words() {
		s = append(s, b.say("difference.rare", strings.Join(words, ", ")))
	}
	return s
}

// featureWords tells the first features of a list, with their ratio if asked
// and if the numbers carry it.
func (b *builder) featureWords(fs []report.Feature, most int, ratio bool) []string {
	var out []string
	said := false // "as often as overall", once
	for _, f := range fs[:min(len(fs), most)] {
		words, than := b.numbersOf(f, ratio, said)
		said = said || than
		out = append(out, f.Said()+" ("+words+")")
	}
	return out
}

// numbersOf tells how frequent a feature is; than says that it was told what a ratio is
// a ratio to, which is not said again once it was.
func (b *builder) numbersOf(f report.Feature, ratio, said bool) (words string, than bool) {
	if f.NearlyAll {
		return b.say("often.nearly"), false
	}
	share, overall := f.Share.Or(0), f.Overall.Or(0)
	what := report.Percent(share)
	switch f.Of {
	case report.OfWords:
		what = b.say("often.words", what, b.l.Word(b.r.Unit.Counted()))
	case report.Average:
		what = b.say("often.average", report.Amount(share))
	}
	if f.Of == report.OfRecords && share == 0 {
		return b.say("often.none", b.overallWords(f)), false
	}
	r, known := f.Ratio.Value()
	if !ratio || !known {
		return what, false
	}
	// A ratio of tiny counts sounds exact and is not.
	if n, counted := f.Out.Value(); counted && overall*float64(n) < leastForTimes {
		return b.say("often.overall", what, b.overallWords(f)), false
	}
	times := report.Times(r)
	if f.About {
		times = b.say("often.about", times)
	}
	switch {
	case said:
		return b.say("often.times", what, times), true
	case f.Of == report.Average:
		return b.say("often.times.many", what, times), true
	}
	return b.say("often.times.often", what, times), true
}

func (b *builder) overallWords(f report.Feature) string {
	if f.About {
		return b.say("often.about", report.Percent(f.Overall.Or(0)))
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
			s += " (" + b.differenceWords(d) + ")"
		}
		out = append(out, s)
	}
	return out
}

func (b *builder) differenceWords(d float64) string {
	switch {
	case d >= 0.05:
		return b.say("measure.above", strconv.FormatFloat(d, 'f', 1, 64))
	case d <= -0.05:
		return b.say("measure.below", strconv.FormatFloat(-d, 'f', 1, 64))
	}
	return b.say("measure.as")
}

// certaintyWords tells how sure the records of a group are.
func (b *builder) certaintyWords(g *report.Group) []string {
	if g.Certainty == nil || g.Whole || b.soft() {
		return nil
	}
	sure, known := g.Certainty.Sure.Value()
	if !known {
		return []string{b.say("sure.mean", report.Percent(g.Certainty.Mean.Or(0)))}
	}
	s := b.say("sure.share", report.Percent(sure))
	if d := g.Certainty.Doubtful.Or(0); d > 0 {
		s += b.say("sure.doubtful", report.Percent(d))
	}
	return []string{s + "."}
}

// moveWords tells where a state goes.
func (b *builder) moveWords(g *report.Group) []string {
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
		s = append(s, b.say("move.stays", decimals(p)))
	}
	if p, ok := next.Probability.Value(); ok {
		s = append(s, b.say("move.leaves", next.To, decimals(p)))
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
