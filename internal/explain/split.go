package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/report"

	"github.com/moiety-go/moiety/family"
)

// split tells the evidence of a node's split, or why there was none.
func (b *builder) split(g *report.Group, node int) {
	if b.o.Tree == nil {
		return
	}
	n := &b.o.Tree.Nodes[node]
	s := n.Split
	if s == nil {
		return
	}
	g.Split = &report.Split{Done: !n.IsLeaf()}
	// Gains change with every record: they are not shared.
	if b.r.Ring != report.Shared && (s.Gain != 0 || s.Penalty != 0) {
		// Whole numbers: more digits mean nothing to a reader.
		g.Split.Gain, g.Split.Penalty = report.NumberOf(math.Round(s.Gain)), report.NumberOf(math.Round(s.Penalty))
		g.Split.Gap = report.NumberOf(math.Round(s.Gap*1000) / 1000)
	}
	g.Split.Finer, g.Split.Doubt = s.Finer, b.inUnits(s.Doubt)
	if b.r.Ring == report.Shared && s.Doubt != "" { // figures change with every record
		g.Split.Doubt = "This split is not sure."
	}
	if b.r.Ring != report.Shared && s.Error > 0 {
		g.Split.Evidence, g.Split.Error = report.NumberOf(s.Nats), report.NumberOf(s.Error)
	}
	if s.Stability >= 0 && b.r.Ring != report.Shared {
		g.Split.Stability = report.NumberOf(s.Stability)
	}
	g.Split.Sureness = b.splitSureness(g.Split, s)
	if !g.Split.Done {
		if b.r.Ring != report.Shared { // it follows from exact gains
			g.Split.Why = b.refusal(s.Refused, node) + b.wouldSplit(s)
		}
		return
	}
	features := make([]int, len(s.Features))
	for i, d := range s.Features {
		features[i] = d.Feature
	}
	if b.r.Ring == report.Shared {
		features = b.apart(node, n.Children, len(features))
	}
	for _, f := range features {
		if x, ok := b.separator(f, n.Children); ok {
			g.Split.Separates = append(g.Split.Separates, x)
		}
	}
}

// splitSureness is that of the verdict where there is one: what it doubts is not
// sure, however well it was found again, and what was only asked for is doubtful.
func (b *builder) splitSureness(g *report.Split, s *tree.Split) report.Sureness {
	again := surenessOf(g.Stability)
	switch {
	case b.o.Verdict == nil || !g.Done:
		return again
	case s.Doubt == "":
		return report.Sure
	case s.Finer || again == report.Doubtful || again == "":
		return report.Doubtful
	}
	return report.Fair
}

// wouldSplit says what would tell the parts of a leaf apart, in names that may be
// read; no numbers, which nobody has counted for these parts.
func (b *builder) wouldSplit(s *tree.Split) string {
	var more [2][]string
	for _, d := range s.Features {
		side := 0
		if d.Z < 0 {
			side = 1
		}
		if b.place[d.Feature] >= 0 && len(more[side]) < nameFeatures {
			more[side] = append(more[side], b.short(d.Feature))
		}
	}
	switch {
	case len(more[0]) > 0 && len(more[1]) > 0:
		return fmt.Sprintf(" One part would have more %s, the other more %s.", list(more[0]), list(more[1]))
	case len(more[0])+len(more[1]) > 0:
		return fmt.Sprintf(" One part would have more %s.", list(append(more[0], more[1]...)))
	}
	return ""
}

// apart returns the features that tell two children apart most, best first, by
// what is shared of them: the order by exact counts would tell more than these.
func (b *builder) apart(node int, children []int, most int) []int {
	type gap struct {
		f int
		z float64
	}
	var list []gap
	for f := range b.of {
		x, ok := b.separator(f, children)
		all, known := b.value(node, f)
		if !ok || !known {
			continue
		}
		v := math.Abs(all)
		switch b.of[f] {
		case report.OfRecords:
			v = all * (1 - all)
		case report.Value:
			_, sd := b.c.deviation(node, f)
			v = sd * sd
		}
		if z := math.Abs(x.Share[0].Or(0)-x.Share[1].Or(0)) / math.Sqrt(v); z > 0 && !math.IsInf(z, 0) {
			list = append(list, gap{f, z})
		}
	}
	falling(list, func(x gap) float64 { return x.z })
	out := make([]int, 0, most)
	for _, x := range list[:min(most, len(list))] {
		out = append(out, x.f)
	}
	return out
}

// separator returns a feature with its shares in the two children, where both
// may be read.
func (b *builder) separator(f int, children []int) (report.Separator, bool) {
	x := report.Separator{Index: b.place[f], Name: b.d.vocab.Names[f], Title: b.d.vocab.Title(f), Short: b.called(f), Of: b.of[f]}
	if b.place[f] < 0 {
		return x, false
	}
	for c, child := range children {
		v, ok := b.value(child, f)
		if !ok {
			return x, false
		}
		x.Share[c] = report.NumberOf(v)
	}
	return x, true
}

// value returns the share of a feature at a node, or the mean of a real one.
func (b *builder) value(node, f int) (float64, bool) {
	if b.of[f] != report.Value {
		return b.share(node, f)
	}
	if !b.open.cellOpen(node, f) || b.c.n[node] == b.c.missing(node, f) {
		return 0, false
	}
	mean, _ := b.c.deviation(node, f)
	return mean, true
}

// refusal says why a leaf was not split, without its size where that is masked.
func (b *builder) refusal(why string, node int) string {
	if strings.HasPrefix(why, "only ") || why == "" {
		if !b.open.sizeOpen(node) {
			return "Not split: too few " + b.r.Unit.Many + "."
		}
		return "Not split: only " + quantity(b.c.n[node], b.r.Unit) + "."
	}
	return "Not split: " + why + "."
}

// moves tells where a state goes next.
func (b *builder) moves(g *report.Group) {
	t, ok := b.params.Extra[b.info.In(family.Transitions)]
	if b.r.Shape != report.States || !ok || g.N.Masked() {
		return
	}
	for to := range b.params.K() {
		if b.open.sizeOpen(b.h.leaf[to]) {
			g.Moves = append(g.Moves, report.Move{To: b.h.ids[b.h.leaf[to]], Probability: report.NumberOf(t.At(g.Number-1, to))})
		}
	}
	falling(g.Moves, func(x report.Move) float64 { return x.Probability.Or(0) })
}
