package explain

import (
	"strings"

	"github.com/moiety-go/moiety/report"
)

// Least agreement (adjusted Rand index) of what was found again.
const (
	sureAgain = 0.9
	fairAgain = 0.75
)

// surenessOf judges how well something was found again.
func surenessOf(agreement report.Number) report.Sureness {
	v, ok := agreement.Value()
	switch {
	case !ok:
		return ""
	case v >= sureAgain:
		return report.Sure
	case v >= fairAgain:
		return report.Fair
	}
	return report.Doubtful
}

// claim tells the verdict of the fit, nil where the number was asked for.
func (b *builder) claim() *report.Claim {
	v := b.o.Verdict
	if v == nil {
		return nil
	}
	c := &report.Claim{Groups: v.Groups, Range: v.Range, Sureness: report.Doubtful, Reason: b.inUnits(v.Reason), Continuum: v.Continuum}
	if again, measured := v.Again(); measured && b.r.Ring != report.Shared {
		c.Repeat = report.NumberOf(again)
	}
	switch {
	case v.Sure:
		c.Sureness = report.Sure
	case b.r.Shape == report.States && v.Repeat < sureAgain: // states are placed step by step: less is no state of anything
	case v.Groups == 1: // one population where two groups can be defended
	case v.Range[1]-v.Range[0] <= max(1, v.Groups/4) && v.Repeat >= fairAgain:
		c.Sureness = report.Fair
	}
	for _, d := range v.Against {
		c.Against = append(c.Against, b.inUnits(d.Text))
	}
	return c
}

// trust says of every group how sure it is: as sure as the split that made it,
// or, of a flat fit, as the claim.
func (b *builder) trust() {
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		if p, ok := b.r.Find(g.Parent); ok && p.Split != nil {
			g.Sureness = p.Split.Sureness
		} else if c := b.r.Claim; c != nil && b.r.Shape != report.Tree {
			g.Sureness = c.Sureness
		}
	}
}

// next says what to do now: about doubts, and with the groups. What to do about a
// warning stands with the warning.
func (b *builder) next() []string {
	r := b.r
	var out []string
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Split != nil && g.Split.Done && g.Split.Sureness == report.Doubtful && len(out) < 2 {
			out = append(out, b.say("next.doubtful", b.joined(g.Children), b.childNames(g)))
		}
	}
	if len(r.Leaves) == 1 {
		return append(out, b.say("next.one", b.l.Word(r.Unit.Many)))
	}
	out = append(out, b.say("next.names", b.l.Word(r.Unit.Many)))
	if r.Shape != report.States {
		out = append(out, b.say("next.place", b.l.Word(r.Unit.Many)))
	}
	return out
}

// childNames names the children of a group.
func (b *builder) childNames(g *report.Group) string {
	var names []string
	for _, id := range g.Children {
		if c, ok := b.r.Find(id); ok {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, " / ")
}
