// Package oracle says how well the groups of a draw can be told at all: how well a
// classifier that has seen the labels of half of the records places the other half.
// A law is clear where this is high, and nothing without labels is expected to do
// better.
//
// The classifiers are few and plain: naive Bayes, linear and quadratic discriminants
// with shrinkage, nearest neighbours, a forest of random trees, and for sequences
// Markov chains of the true states.
package oracle

import (
	"github.com/moiety-go/moiety/bank/law"
	"github.com/moiety-go/moiety/bank/score"
)

// learner learns groups from rows and returns what places a row.
type learner func(rows [][]float64, group []int, groups int) func(row []float64) int

// Reach returns the adjusted Rand index that every classifier reaches on records that
// it has not seen, in two folds. The data must have groups.
func Reach(d law.Data) map[string]float64 {
	if d.Steps != nil {
		return reachSteps(d)
	}
	e := encode(d)
	reached := map[string]float64{}
	try := func(name string, rows [][]float64, learn learner) {
		if len(rows) > 0 && len(rows[0]) > 0 {
			reached[name] = score.Rand(d.Group, crossed(rows, d.Group, learn))
		}
	}
	try("naive Bayes", e.levels, naiveBayes)
	try("word frequencies", e.counts, multinomial)
	try("neighbours", e.values, neighbours)
	try("forest", e.values, forest)
	for name, rows := range map[string][][]float64{"values": e.values, "ranks": e.ranks, "numbers": e.narrow} {
		try("linear, "+name, rows, linear(0.1))
		try("linear, shrunk, "+name, rows, linear(0.6))
		if len(rows) > 0 && len(rows[0]) <= 120 {
			try("quadratic, "+name, rows, quadratic)
		}
	}
	return reached
}

// crossed places the records of either half by what was learned from the other: those
// with even and those with odd numbers. Records are in random order.
func crossed(rows [][]float64, group []int, learn learner) []int {
	placed := make([]int, len(rows))
	groups := count(group)
	for fold := range 2 {
		var half [][]float64
		var known []int
		for i := 1 - fold; i < len(rows); i += 2 {
			half, known = append(half, rows[i]), append(known, group[i])
		}
		place := learn(half, known, groups)
		for i := fold; i < len(rows); i += 2 {
			placed[i] = place(rows[i])
		}
	}
	return placed
}

// count is the number of groups, those without a record among them.
func count(group []int) int {
	most := 0
	for _, g := range group {
		most = max(most, g)
	}
	return most + 1
}

// best returns the group with the highest score.
func best(scores []float64) int {
	top := 0
	for g, s := range scores {
		if s > scores[top] {
			top = g
		}
	}
	return top
}
