package explain

import (
	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/vocab"
)

// people counts the records behind rows that are steps: a state may have many
// steps of few people, and so may a feature. Every record is counted once in
// every node and in node 0, which holds all; the nodes are those of a flat fit.
type people struct {
	in    *once   // node: with a step there
	with  []*once // by feature: with a step there that has it, or a value of it
	empty *once   // with a step there that has no feature at all
}

// once counts records of rising numbers, each once a node.
type once struct{ n, last []int }

func newOnce(nodes int) *once { return &once{make([]int, nodes), make([]int, nodes)} }

func (o *once) meet(node, record int) {
	for _, i := range [...]int{0, node} {
		if o.last[i] <= record {
			o.last[i] = record + 1
			o.n[i]++
		}
	}
}

func newPeople(nodes, dim int) *people {
	p := &people{in: newOnce(nodes), empty: newOnce(nodes)}
	for range dim {
		p.with = append(p.with, newOnce(nodes))
	}
	return p
}

// all lists what is counted.
func (p *people) all() []*once { return append([]*once{p.in, p.empty}, p.with...) }

// meet counts the record of row i at a leaf.
func (p *people) meet(leaf, record int, d *dataset.Dataset, i int) {
	p.in.meet(leaf, record)
	some := false
	eachEntry(d, i, func(h int, v float64) {
		if v == v && (v != 0 || d.Rows.IsDense()) {
			p.with[h].meet(leaf, record)
			some = true
		}
	})
	if !some {
		p.empty.meet(leaf, record)
	}
}

// answers returns the people of every answer to a question, and those of none.
func (p *people) answers(col vocab.Column) [][]int {
	var out [][]int
	for f := col.From; f < col.To; f++ {
		out = append(out, p.with[f].n)
	}
	return append(out, p.empty.n)
}
