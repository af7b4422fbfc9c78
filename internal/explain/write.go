package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/pattern"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/warn"
)

// write writes all words, once the numbers stand.
func (b *builder) write() {
	b.r.Claim = b.claim()
	b.trust()
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		if g.Split != nil && g.Split.Done {
			g.Split.Why = b.splitWords(g)
		}
		g.Text = b.paragraph(g)
	}
	b.withheld()
	b.r.Summary = b.summary()
	b.r.Next = b.next()
	b.r.Methods = b.methods()
	b.r.Glossary = b.glossary()
}

// withheld warns where groups are not shown, because large ones are lost with
// the small.
func (b *builder) withheld() {
	n := 0
	for j := range b.r.Leaves {
		if b.r.Leaf(j).N.Masked() {
			n++
		}
	}
	if n == 0 {
		return
	}
	b.r.Warnings = append(b.r.Warnings, warn.New(warn.Caution, "withheld-groups",
		"Ask for fewer groups, or leave out the few unusual "+b.r.Unit.Many+", and the others can be shown.",
		"%d of the %d groups are withheld: a group is too small to be shown, and others could give it away.", n, len(b.r.Leaves)))
	warn.Sort(b.r.Warnings)
}

// splitWords says what separates the two children and how clear it is.
func (b *builder) splitWords(g *report.Group) string {
	var more [2][]string
	for _, x := range g.Split.Separates {
		side := 0
		if x.Share[1].Or(0) > x.Share[0].Or(0) {
			side = 1
		}
		if len(more[side]) < nameFeatures {
			more[side] = append(more[side], x.Said())
		}
	}
	var s []string
	for side, words := range more {
		if len(words) > 0 {
			s = append(s, b.say("split.more", g.Children[side], b.joined(words)))
		}
	}
	parts := slices.Clone(g.Children)
	for i, id := range parts {
		if child, ok := b.r.Find(id); ok && !child.N.Masked() { // the name of another is its id
			parts[i] = child.Name + " (" + id + ")"
		}
	}
	out := b.say("split.into", b.joined(parts))
	if len(s) > 0 {
		out += " " + sentence(strings.Join(s, "; ")) + "."
	}
	evidence, kept := g.Split.Evidence.Value()
	if kept {
		out += b.say("split.evidence", report.Thousands(int(evidence)), report.Thousands(int(g.Split.Error.Or(0))))
	}
	gain, known := g.Split.Gain.Value()
	if penalty := g.Split.Penalty.Or(0); known && penalty > 0 && !kept {
		out += b.say("split.gain", report.Thousands(int(gain)), report.Thousands(int(penalty)))
	}
	if st, ok := g.Split.Stability.Value(); ok {
		out += b.say("split.repeatable", b.l.Word(repeatable(st)), decimals(st))
	}
	if g.Split.Doubt != "" {
		out += b.say("split.doubt", g.Split.Doubt)
	}
	return out
}

// modelWords tells the model for people.
func (b *builder) modelWords() string {
	if b.r.Shape == report.Tree {
		return "a tree of " + b.info.Words
	}
	return b.info.Words
}

// summary tells the whole story in a few sentences.
func (b *builder) summary() []string {
	r := b.r
	k := len(r.Leaves)
	noun := b.groupNoun()
	s := append([]string{b.formed(k, noun)}, b.verdictWords()...)
	s = append(s, fmt.Sprintf("They have %s different %s.", report.Thousands(r.Data.Features), b.featureNoun(r.Data.Features)))
	if k == 1 {
		return append(s, b.limitWords()...)
	}
	first, last := r.Largest(), r.Smallest()
	if p, ok := first.Share.Value(); ok {
		s = append(s, fmt.Sprintf("The largest %s, %s, holds %s of %s: %s.", noun, first.ID, report.Percent(p), b.wholeWords(), first.Name))
	}
	if p, ok := last.Share.Value(); ok {
		s = append(s, fmt.Sprintf("The smallest, %s, holds %s: %s.", last.ID, report.Percent(p), last.Name))
	}
	return append(append(s, b.sharingWords()...), b.limitWords()...)
}

// formed is the first sentence: how many records form how many groups.
func (b *builder) formed(k int, noun string) string {
	r := b.r
	all := "The " + r.Unit.Many
	if n, ok := r.Data.Records.Value(); ok {
		if all = quantity(n, r.Unit); n == 1 {
			return fmt.Sprintf("%s is one %s.", all, noun)
		}
	}
	switch {
	case k == 1:
		return fmt.Sprintf("%s form one %s.", all, noun)
	case r.Shape == report.Tree:
		return fmt.Sprintf("%s form %d %ss, in a tree of %s.", all, k, noun, levels(r.Fit.Levels))
	}
	return fmt.Sprintf("%s form %d %ss.", all, k, noun)
}

// verdictWords says why there are so many groups, and what speaks against it.
func (b *builder) verdictWords() []string {
	v := b.o.Verdict
	if v == nil {
		return b.choiceWords()
	}
	var out []string
	switch k := len(b.r.Leaves); {
	case k != v.Groups && v.Groups == 1:
		out = append(out, "So many were asked for; the "+b.r.Unit.Many+" show one "+b.groupNoun()+".")
	case k != v.Groups:
		out = append(out, fmt.Sprintf("So many were asked for; the %s show %d %ss.", b.r.Unit.Many, v.Groups, b.groupNoun()))
	case v.Sure && k > 1:
		out = append(out, fmt.Sprintf("Other %s of the same kind would show the same %ss.", b.r.Unit.Many, b.groupNoun()))
	}
	out = append(out, b.inUnits(v.Reason))
	if len(v.Against) > 0 && !v.Sure {
		out = append(out, "Not sure: "+b.inUnits(v.Against[0].Text))
	}
	return out
}

// choiceWords says why records are taken to mix groups, or not to, where evidence
// chose.
func (b *builder) choiceWords() []string {
	if b.o.Model == nil || b.o.Model.Provenance.Choice == nil {
		return nil
	}
	return []string{b.inUnits(b.o.Model.Provenance.Choice.Reason)}
}

// plainNoun finds the words of other rooms for records and what they have, with
// their article; no flags, and no parts of words.
var plainNoun = pattern.New(`(^|[\s("])([Aa]n? )?([Rr]ecords?|features?)\b`)

// inUnits calls records, and what they have, as the report calls them.
func (b *builder) inUnits(text string) string { return b.l.Translate(InUnits(text, b.r.Unit)) }

// InUnits calls records, and what they have, by the words of a unit.
func InUnits(text string, u report.Unit) string {
	name := map[string]string{"record": u.One, "records": u.Many, "feature": u.Feature, "features": u.Features}
	return plainNoun.ReplaceAllStringFunc(text, func(s string) string {
		m := plainNoun.FindStringSubmatch(s)
		word := name[strings.ToLower(m[3])]
		if word == "" {
			return s
		}
		if m[3][0] == 'R' {
			word = sentence(word)
		}
		if m[2] == "" {
			return m[1] + word
		}
		article := m[2][:1]
		if strings.ContainsRune("aeiou", rune(word[0])) {
			article += "n"
		}
		return m[1] + article + " " + word
	})
}

func levels(n int) string {
	if n == 1 {
		return "one level"
	}
	return fmt.Sprintf("%d levels", n)
}

// wholeWords is what shares of groups are shares of.
func (b *builder) wholeWords() string {
	switch {
	case b.soft():
		return b.say("whole", b.l.Word(b.r.Unit.Features))
	case b.r.Shape == report.States:
		return b.say("whole", b.l.Word("steps"))
	}
	return b.say("whole", b.l.Word(b.r.Unit.Many))
}

func (b *builder) featureNoun(n int) string {
	if n == 1 {
		return b.r.Unit.Feature
	}
	return b.r.Unit.Features
}

func (b *builder) limitWords() []string {
	if s := b.r.RingWords(); s != "" {
		return []string{s}
	}
	return nil
}
