package explain

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// viewMarks sorts the clear ones of typical features by view: what of the one goes with
// what of the other ([T] conclusions, genotype and phenotype). They are taken from the
// list that the gate has passed.
func (b *builder) viewMarks(node int, all []ranked) []report.ViewMarks {
	var out []report.ViewMarks
	for _, v := range b.o.Model.Spec.Views {
		own := b.firsts(all, func(f *ranked) (float64, bool) {
			if at := b.listed[f.index]; !f.clear || at < v.From || v.To <= at {
				return 0, false
			}
			return b.relevance(f)
		})
		marks := report.ViewMarks{View: v.Name, Typical: b.shown(node, own)}
		for i := range marks.Typical {
			marks.Typical[i].Clear = true
		}
		out = append(out, marks)
	}
	return out
}

// viewWords tells what marks a group in each view; measured ones are reported as such.
func (b *builder) viewWords(g *report.Group) []string {
	var out []string
	for i, v := range g.Views {
		words := b.featureWords(v.Typical, textFeatures, true)
		switch {
		case len(words) > 0:
			out = append(out, b.say("difference.view", v.View, strings.Join(words, ", ")))
		case !b.measuredView(i):
			out = append(out, b.say("difference.view.none", v.View))
		}
	}
	return out
}

// measuredView reports that a view holds measurements.
func (b *builder) measuredView(i int) bool {
	return b.of[b.o.Model.Spec.Views[i].From] == report.Value
}

// sharingWords says which views share the groups. How well they agree changes with
// every record, so that it is not for reports to be shared.
func (b *builder) sharingWords() []string {
	if b.r.Ring == report.Shared {
		return nil
	}
	var both []string
	for _, v := range b.o.Model.Provenance.Shared {
		if v.Shares() {
			both = append(both, fmt.Sprintf("%s (agreement %.2f, p = %.2g)", v.View, v.Agreement, v.P))
		}
	}
	if len(both) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Views that share the groups of the others, on %s that did not take part in learning: %s. Agreement is 0 by chance and 1 where both are sure and the same.",
		b.r.Unit.Many, list(both))}
}
