// Package inference says how far the parameters of latent classes can be
// trusted: standard errors and intervals that carry the uncertainty of
// membership, measures of how well records are told apart and of how well the
// classes explain them, a bootstrap test of one more class, and what else is
// known of the records, by class.
//
// Scores and information are Sums over a pass.Runner, so they merge across
// machines; the bootstrap needs the records themselves (internal/lca).
//
// Step in the flow: after a flat fit, before explain, which masks and words
// what is found here. It must not know files, names or small cells.
package inference

import (
	"fmt"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/lca"
	"github.com/moiety-go/moiety/mixture"
)

// edgeRecords is the expected number of records below which an answer of a
// class, or a class, is at the edge: nobody gives it, and a standard error would
// be that of a parameter which cannot go further.
const edgeRecords = 0.05

// layout numbers the free parameters: log-odds of the classes against the
// largest, then for every class and question the log-odds of its answers
// against the likeliest, those at the edge left out.
type layout struct {
	*lca.Coding
	m      lca.Model
	k      int
	weight []int   // of every class: its parameter, or -1
	top    int     // the largest class, which the others are compared with
	answer [][]int // class × column: its parameter, or -1
	open   []bool  // class × column: not at the edge
	class  [][]int // of every class: its parameters of answers, rising
	n      int
}

// newLayout numbers the parameters of a model of so many records.
func newLayout(f family.Family, p mixture.Params, records int) (*layout, error) {
	q := family.QuestionsOf(f, p.Dim())
	if q == nil {
		return nil, fmt.Errorf("inference: %w: the model %s has no questions with answers", ErrOther, f.Info().Name)
	}
	l := &layout{Coding: lca.NewCoding(q), k: p.K()}
	l.m = (&lca.Table{Coding: l.Coding}).Model(p)
	for c, w := range l.m.Weights {
		if w > l.m.Weights[l.top] {
			l.top = c
		}
	}
	l.weight, l.open = make([]int, l.k), make([]bool, l.k*l.Columns())
	for c, w := range l.m.Weights {
		l.weight[c] = -1
		if c != l.top && w*float64(records) >= edgeRecords {
			l.weight[c] = l.n
			l.n++
		}
	}
	for c := range l.k {
		l.answers(c, l.m.Weights[c]*float64(records))
	}
	return l, nil
}

// answers numbers the parameters of a class of so many records.
func (l *layout) answers(c int, records float64) {
	place := make([]int, l.Columns())
	for j := range place {
		place[j] = -1
	}
	var own []int
	for q := range l.Questions() {
		from, top, free := l.First(q), l.First(q), 0
		for j := from; j < from+l.Answers(q); j++ {
			if v := l.p(c, j); v*records >= edgeRecords && (1-v)*records >= edgeRecords {
				l.open[c*l.Columns()+j] = true
				free++
			}
			if l.p(c, j) > l.p(c, top) {
				top = j
			}
		}
		if free < 2 { // one answer takes all
			for j := from; j < from+l.Answers(q); j++ {
				l.open[c*l.Columns()+j] = false
			}
			continue
		}
		for j := from; j < from+l.Answers(q); j++ {
			if j != top && l.open[c*l.Columns()+j] {
				place[j] = l.n
				own = append(own, l.n)
				l.n++
			}
		}
	}
	l.answer, l.class = append(l.answer, place), append(l.class, own)
}

// p returns the probability of a column in a class.
func (l *layout) p(c, column int) float64 { return l.m.P[column*l.k+c] }

// isOpen reports an answer that is not at the edge.
func (l *layout) isOpen(c, column int) bool { return l.open[c*l.Columns()+column] }
