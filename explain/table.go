package explain

// tables fills in the whole tables. A center is empty where the count it stands
// for is masked, or where center times n is below the limit.
func (b *builder) tables() {
	t := Table{}
	if b.open.limit > 0 {
		t.Features = append([]int{}, b.listed...)
	}
	for _, f := range b.listed {
		t.Names, t.Titles, t.Of = append(t.Names, b.d.vocab.Names[f]), append(t.Titles, b.d.vocab.Title(f)), append(t.Of, b.of[f])
	}
	for j, node := range b.h.leaf {
		row := make([]Number, len(b.of))
		for _, f := range b.listed {
			row[f] = b.center(j, node, f)
		}
		b.hideWords(row, j, node)
		t.Centers = append(t.Centers, b.only(row))
		w := Number{}
		if b.open.sizeOpen(node) {
			w = NumberOf(b.params.Weights[j])
		}
		t.Weights = append(t.Weights, w)
	}
	for _, node := range b.nodes() {
		t.Shares = append(t.Shares, b.row(node))
	}
	t.Overall = b.row(0)
	b.r.Table = t
}

func (b *builder) row(node int) []Number {
	row := make([]Number, len(b.of))
	for _, f := range b.listed {
		if v, ok := b.value(node, f); ok {
			row[f] = NumberOf(v)
		}
	}
	return b.only(row)
}

// only keeps the numbers of the features that are named.
func (b *builder) only(row []Number) []Number {
	out := make([]Number, len(b.listed))
	for i, f := range b.listed {
		out[i] = row[f]
	}
	return out
}

// hideWords hides further probabilities of words: they add up to one.
func (b *builder) hideWords(row []Number, j, node int) {
	if b.open.limit == 0 {
		return
	}
	hide := newHiding(b.open.limit)
	for f, of := range b.of {
		if of == OfWords {
			hide.see(f, b.params.Centers.At(f, j)*b.expectedOf(j, node, f), row[f].known)
		}
	}
	for _, f := range hide.more() {
		row[f] = Number{}
	}
}

// center returns the parameter of the model for feature f in group j.
func (b *builder) center(j, node, f int) Number {
	p := b.params.Centers.At(f, j)
	if !b.open.cellOpen(node, f) {
		return Number{}
	}
	if b.of[f] != Value && b.small(p*b.expectedOf(j, node, f)) {
		return Number{}
	}
	return NumberOf(p)
}

// expectedOf returns the number that a center is a share of: records, or words.
func (b *builder) expectedOf(j, node, f int) float64 {
	switch {
	case b.soft():
		return b.params.Weights[j] * b.tokens[0]
	case b.of[f] == OfWords:
		return b.tokens[node]
	}
	return float64(b.c.n[node])
}
