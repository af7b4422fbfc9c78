package explain

import (
	"math"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/report"
)

// tables fills in the whole tables. A center is empty where the count it stands
// for is masked, or where center times n is below the limit.
func (b *builder) tables() {
	t := report.Table{}
	if b.open.limit > 0 {
		t.Features = append([]int{}, b.listed...)
	}
	for _, f := range b.listed {
		t.Names, t.Titles, t.Of = append(t.Names, b.d.vocab.Names[f]), append(t.Titles, b.d.vocab.Title(f)), append(t.Of, b.of[f])
		t.Shorts = append(t.Shorts, b.called(f))
	}
	nodes := append(b.nodes(), 0)
	rows := make([][]report.Number, len(nodes)+len(b.h.leaf)) // shares, overall, centers
	b.sideBySide(len(rows), func(i int) {
		if j := i - len(nodes); j >= 0 {
			rows[i] = b.centers(j, b.h.leaf[j])
		} else {
			rows[i] = b.row(nodes[i])
		}
	})
	last := len(nodes) - 1
	t.Shares, t.Overall, t.Centers = rows[:last:last], rows[last], rows[len(nodes):]
	for j, node := range b.h.leaf {
		w := report.Number{}
		if b.open.sizeOpen(node) {
			w = report.NumberOf(b.params.Weights[j])
		}
		t.Weights = append(t.Weights, w)
		b.topicShares(&t, j, node)
		b.begins(&t, j, node)
	}
	b.r.Table = t
}

// topicShares adds the shares of a topic.
func (b *builder) topicShares(t *report.Table, j, node int) {
	if !b.words() {
		return
	}
	add := func(list *[]report.Number, v float64) {
		n := report.Number{}
		if b.open.sizeOpen(node) {
			n = report.NumberOf(v)
		}
		*list = append(*list, n)
	}
	add(&t.Words, b.wordShare(j, node))
	shares, shared := b.o.Model.Provenance.Shares, b.s.Ring() == report.Shared
	if shares != nil && b.o.Tree == nil && !shared {
		add(&t.Documents, shares.Documents[j])
	}
	if alpha, ok := b.o.Model.Params.Extra[b.info.In(family.Concentration)]; ok && b.soft() && !shared {
		add(&t.Alpha, alpha.At(j, 0))
	}
}

// begins adds the chance that a sequence begins in a state.
func (b *builder) begins(t *report.Table, j, node int) {
	m, ok := b.o.Model.Params.Extra[b.info.In(family.Starts)]
	if !ok || b.r.Shape != report.States || b.s.Ring() == report.Shared {
		return
	}
	x := report.Number{}
	if b.open.sizeOpen(node) {
		x = report.NumberOf(m.RawMatrix().Data[j])
	}
	t.Starts = append(t.Starts, x)
}

// parameters copies what the tables hold of the prior of topics and of the
// starts of sequences to the groups.
func (b *builder) parameters() {
	t := &b.r.Table
	total, known := 0.0, len(t.Alpha) > 0
	for j := range b.r.Leaves {
		g := b.r.Leaf(j)
		if j < len(t.Alpha) {
			g.Alpha = t.Alpha[j]
			total += t.Alpha[j].Or(0)
			known = known && !t.Alpha[j].Masked()
		}
		if j < len(t.Starts) {
			g.Start = t.Starts[j]
		}
	}
	if known {
		b.r.Fit.Alpha0 = report.NumberOf(total)
	}
}

// wordShare returns the share of all words that a topic has.
func (b *builder) wordShare(j, node int) float64 {
	shares := b.o.Model.Provenance.Shares
	switch {
	case b.soft():
		return b.params.Weights[j]
	case shares != nil && b.o.Tree == nil && b.s.Ring() != report.Shared:
		return shares.Words[j]
	}
	return b.tokens[node] / math.Max(b.tokens[0], 1)
}

// row returns the shares of the features that are named at a node.
func (b *builder) row(node int) []report.Number {
	row := make([]report.Number, len(b.listed))
	for i, f := range b.listed {
		if v, ok := b.value(node, f); ok {
			row[i] = report.NumberOf(v)
		}
	}
	return row
}

// centers returns the parameters of the model for the features that are named in group j.
func (b *builder) centers(j, node int) []report.Number {
	row := make([]report.Number, len(b.listed))
	for i, f := range b.listed {
		row[i] = b.center(j, node, f)
	}
	b.hideWords(row, j, node)
	return row
}

// hideWords hides further probabilities of words: they add up to one.
func (b *builder) hideWords(row []report.Number, j, node int) {
	if b.open.limit == 0 {
		return
	}
	hide := newHiding(b.open.limit)
	for f, of := range b.of {
		if of == report.OfWords {
			i := b.place[f]
			hide.see(f, b.params.Centers.At(f, j)*b.expectedOf(j, node, f), i >= 0 && !row[i].Masked())
		}
	}
	for _, f := range hide.more() {
		row[b.place[f]] = report.Number{}
	}
}

// center returns the parameter of the model for feature f in group j.
func (b *builder) center(j, node, f int) report.Number {
	p := b.params.Centers.At(f, j)
	if !b.open.cellOpen(node, f) {
		return report.Number{}
	}
	if b.of[f] != report.Value && b.small(p*b.expectedOf(j, node, f)) {
		return report.Number{}
	}
	return report.NumberOf(p)
}

// expectedOf returns the number that a center is a share of: records, or words.
func (b *builder) expectedOf(j, node, f int) float64 {
	switch {
	case b.soft():
		return b.params.Weights[j] * b.tokens[0]
	case b.of[f] == report.OfWords:
		return b.tokens[node]
	}
	return float64(b.c.n[node])
}
