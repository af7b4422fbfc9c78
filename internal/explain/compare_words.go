package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// write writes all sentences, once the numbers stand.
func (c *comparer) write() {
	o := c.out
	for i := range o.Pairs {
		o.Pairs[i].Text = c.pairWords(&o.Pairs[i])
		o.Pairs[i].Changed = changeWords(o.Pairs[i].Features)
	}
	for i := range o.AloneA {
		o.AloneA[i].Text = c.aloneWords(&o.AloneA[i], "A", "B")
	}
	for i := range o.AloneB {
		o.AloneB[i].Text = c.aloneWords(&o.AloneB[i], "B", "A")
	}
	o.Summary = append(o.Summary, c.sharedWords(), c.featureWords())
	if o.Same {
		o.Summary = append(o.Summary, c.sameWords())
	} else {
		o.Summary = append(append(o.Summary, c.agreementWords(), c.groupWords()), c.joinWords()...)
	}
	if s := report.RingWords(o.Ring, o.Limit, o.Rounded); s != "" {
		o.Summary = append(o.Summary, s)
	}
}

// sharedWords tells the records in both.
func (c *comparer) sharedWords() string {
	o, many := c.out, c.out.Unit.Many
	if c.uncounted {
		return fmt.Sprintf("Groups are compared by their %s, not by the %s in them.", o.Unit.Features, many)
	}
	if o.Matched == report.ByFeatures {
		return fmt.Sprintf("No %s of A can be recognised in B, so groups are compared by their %s.", c.out.Unit.One, o.Unit.Features)
	}
	how := "by their ids"
	if o.Matched == report.ByPosition {
		how = "by their order, for want of ids"
	}
	n, known := o.Shared.Value()
	a, b := o.OnlyA.Or(0), o.OnlyB.Or(0)
	switch {
	case o.Ring == report.Shared && known && (o.OnlyA.Masked() || o.OnlyB.Masked()):
		return fmt.Sprintf("About %s are in both runs, matched %s.", quantity(n, o.Unit), how)
	case !known:
		return fmt.Sprintf("The %s were matched %s; how many are in only one of the runs is withheld.", many, how)
	case a == 0 && b == 0:
		return fmt.Sprintf("Both runs hold the same %s, matched %s.", quantity(n, o.Unit), how)
	}
	return fmt.Sprintf("%s are in both runs, %s only in A and %s only in B, matched %s.", sentence(quantity(n, o.Unit)), report.Thousands(a), report.Thousands(b), how)
}

// mostNamed is the number of features that are named before "and others".
const mostNamed = 3

// featureWords tells the features in both.
func (c *comparer) featureWords() string {
	f, u := c.out.Common, c.out.Unit
	if len(f.OnlyA)+len(f.OnlyB) == 0 {
		return fmt.Sprintf("Both have the same %s %s.", report.Thousands(f.Both), c.featureNoun(f.Both))
	}
	var parts []string
	if f.Both == 0 {
		parts = append(parts, fmt.Sprintf("the runs have no %s in common", u.Feature))
	} else {
		parts = append(parts, fmt.Sprintf("%s %s are in both", report.Thousands(f.Both), c.featureNoun(f.Both)))
	}
	for _, side := range []struct {
		name  string
		names []string
	}{{"A", f.OnlyA}, {"B", f.OnlyB}} {
		if n := len(side.names); n > 0 {
			named := list(side.names)
			if n > mostNamed {
				named = strings.Join(side.names[:mostNamed], ", ") + ", …"
			}
			parts = append(parts, fmt.Sprintf("%s only in %s (%s)", report.Thousands(n), side.name, named))
		}
	}
	return sentence(strings.Join(parts, ", ")) + "."
}

func (c *comparer) featureNoun(n int) string {
	if n == 1 {
		return c.out.Unit.Feature
	}
	return c.out.Unit.Features
}

func (c *comparer) sameWords() string {
	k := len(c.out.Pairs)
	s := fmt.Sprintf("Nothing changed: both runs make the same %d groups of them", k)
	if k == 1 {
		s = "Nothing changed: both runs make one group of them"
	}
	if renamed := c.renamed(); len(renamed) > 0 {
		return s + ", but for names: " + strings.Join(renamed, "; ") + "."
	}
	return s + "."
}

// renamed tells the pairs of other names.
func (c *comparer) renamed() []string {
	var out []string
	for _, p := range c.out.Pairs {
		if p.A.Name != p.B.Name {
			out = append(out, fmt.Sprintf("%s is %s", c.refWords(p.A), c.refWords(p.B)))
		}
	}
	return out
}

// agreementWords tells how well the runs agree.
func (c *comparer) agreementWords() string {
	o := c.out
	if o.Matched == report.ByFeatures {
		return "How well they agree on single " + o.Unit.Many + " is not known."
	}
	ari, known := o.ARI.Value()
	if !known {
		return "How well they agree is withheld: it would tell small numbers."
	}
	about := ""
	if step, rounded := o.Within.Value(); rounded {
		about = fmt.Sprintf(", rounded to %s", trimNumber(step))
	}
	// Chance may be worse than none: people are told 0.
	s := fmt.Sprintf("The two runs %s (%.2f of 1%s).", agreement(ari), max(ari, 0), about)
	if v, ok := o.Stayed.Value(); ok {
		s += fmt.Sprintf(" %s of the %s in both are in groups that are alike.", report.Percent(v), o.Unit.Many)
	}
	return s
}

func trimNumber(v float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

// agreement says how good an adjusted Rand index is.
func agreement(ari float64) string {
	switch {
	case ari >= 0.9:
		return "agree very well"
	case ari >= 0.75:
		return "agree well"
	case ari >= 0.5:
		return "agree in part"
	case ari >= 0.2:
		return "agree little"
	}
	return "hardly agree"
}

// groupWords counts pairs and groups that are alone.
func (c *comparer) groupWords() string {
	o := c.out
	noun := func(n int) string {
		if n == 1 {
			return "1 group"
		}
		return report.Thousands(n) + " groups"
	}
	pairs := "1 pair of them is alike"
	if n := len(o.Pairs); n != 1 {
		pairs = fmt.Sprintf("%d pairs of them are alike", n)
	}
	s := fmt.Sprintf("A has %s and B %s; %s", noun(len(o.A.Groups)), noun(len(o.B.Groups)), pairs)
	if len(o.AloneA) > 0 {
		s += fmt.Sprintf(", %d of A without a partner", len(o.AloneA))
	}
	if len(o.AloneB) > 0 {
		s += fmt.Sprintf(", %d of B without a partner", len(o.AloneB))
	}
	return s + "."
}

// refWords names a group: `1.2 "Heart failure"`.
func (c *comparer) refWords(g report.GroupRef) string { return fmt.Sprintf("%s \"%s\"", g.ID, g.Name) }

// pairWords tells what became of a group.
func (c *comparer) pairWords(p *report.Pair) string {
	s := []string{c.sizeWords(p)}
	if kept := c.keptWords(p); kept != "" {
		s = append(s, kept)
	}
	if d, ok := p.Distance.Value(); ok {
		s = append(s, fmt.Sprintf("How far apart by their %s: %.2f (0 is the same).", c.out.Unit.Features, d))
	}
	if len(p.In) > 0 {
		s = append(s, "New in it: "+strings.Join(c.flowWords(p.In, "from", "were not in A"), "; ")+".")
	}
	if p.Withheld {
		s = append(s, "Further moves may be withheld.")
	}
	return strings.Join(s, " ")
}

// sizeWords tells both sizes.
func (c *comparer) sizeWords(p *report.Pair) string {
	n, known := p.A.N.Value()
	m, also := p.B.N.Value()
	switch {
	case !known || !also:
		return "Sizes are withheld."
	case n == m:
		return fmt.Sprintf("%s in both.", sentence(quantity(n, c.out.Unit)))
	}
	return fmt.Sprintf("%s in A (%s), %s in B (%s).", sentence(quantity(n, c.out.Unit)), report.Percent(p.A.Share.Or(0)), report.Thousands(m), report.Percent(p.B.Share.Or(0)))
}

// keptWords tells how many stayed and where the others went.
func (c *comparer) keptWords(p *report.Pair) string {
	many := c.out.Unit.Many
	kept, known := p.Kept.Value()
	if !known {
		if p.Like == "" {
			return ""
		}
		if n, m := p.A.N.Or(0), p.B.N.Or(0); n > m {
			return fmt.Sprintf("%s of the %s in B's group were in it.", sentence(string(p.Like)), many)
		}
		return fmt.Sprintf("%s of its %s stayed.", sentence(string(p.Like)), many)
	}
	if kept == 1 && p.Known.Or(0) == 1 {
		return "The same " + many + "."
	}
	s := fmt.Sprintf("It kept %s of its %s", report.Percent(kept), many)
	if len(p.Out) > 0 {
		s += "; " + strings.Join(c.flowWords(p.Out, "moved to", "are not in B"), "; ")
	}
	return s + "."
}

// flowWords tells moves: `41 (3.4 %) moved to 1.2 "Lung"`.
func (c *comparer) flowWords(list []report.Flow, verb, outside string) []string {
	const most = 3
	var out []string
	for i, f := range list {
		if i == most {
			out = append(out, fmt.Sprintf("%d smaller moves", len(list)-most))
			break
		}
		n := f.N.String()
		if v, ok := f.Share.Value(); ok {
			n += " (" + report.Percent(v) + ")"
		}
		if f.Group == "" {
			out = append(out, n+" "+outside)
			continue
		}
		out = append(out, fmt.Sprintf("%s %s %s \"%s\"", n, verb, f.Group, f.Name))
	}
	return out
}

// changeWords tells the features that changed.
func changeWords(list []report.Change) string {
	var more, less []string
	for _, f := range list {
		a, b := f.A.Share.Or(0), f.B.Share.Or(0)
		write := report.Percent
		if f.Of == report.Average || f.Of == report.Value {
			write = report.Amount
		}
		words := fmt.Sprintf("%s (from %s to %s)", f.Said(), write(a), write(b))
		if b > a {
			more = append(more, words)
		} else {
			less = append(less, words)
		}
	}
	var out []string
	if len(more) > 0 {
		out = append(out, "More in B: "+strings.Join(more, "; ")+".")
	}
	if len(less) > 0 {
		out = append(out, "Less in B: "+strings.Join(less, "; ")+".")
	}
	return strings.Join(out, " ")
}

// aloneWords tells a group without a partner.
func (c *comparer) aloneWords(a *report.Alone, own, other string) string {
	size := "Its size is withheld"
	if n, ok := a.Group.N.Value(); ok {
		size = sentence(quantity(n, c.out.Unit))
		if v, ok := a.Group.Share.Value(); ok {
			size += " (" + report.Percent(v) + ")"
		}
	}
	shown := ""
	if c.someWithheld(other) {
		shown = " that is shown"
	}
	s := fmt.Sprintf("%s. No group of %s%s is like it", size, other, shown)
	if a.Group.N.Masked() {
		s = size + ", and with it what it is like"
	}
	if len(a.Flows) > 0 {
		verb, outside := "are in", "are not in B"
		if own == "B" {
			verb, outside = "were in", "were not in A"
		}
		s += ": of its " + c.out.Unit.Many + " " + strings.Join(c.flowWords(a.Flows, verb, outside), "; ")
	}
	s += "."
	if a.Like != "" {
		verb := "are"
		if own == "B" {
			verb = "were"
		}
		s += fmt.Sprintf(" %s of its %s %s in %s of %s.", sentence(string(a.Like)), c.out.Unit.Many, verb, a.In, other)
	}
	if a.Withheld {
		s += " Further moves may be withheld."
	}
	return s
}

// someWithheld reports whether a group of a side is withheld.
func (c *comparer) someWithheld(side string) bool {
	groups := c.out.A.Groups
	if side == "B" {
		groups = c.out.B.Groups
	}
	return slices.ContainsFunc(groups, func(g report.GroupRef) bool { return g.N.Masked() })
}
