// Package table puts the results of the bank into words and Markdown.
package table

import (
	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
)

// good is the share of the oracle's index below which the members of a sure answer
// are called wrong.
const good = 0.9

// judged is a draw beside what its oracle reaches.
type judged struct {
	result.Draw
	reach float64 // of the oracle
	tried bool    // whether there is an oracle
}

// judge puts draws beside their oracles.
func judge(draws []result.Draw, oracles oracle.Table) []judged {
	all := make([]judged, len(draws))
	for i, d := range draws {
		all[i].Draw = d
		all[i].reach, all[i].tried = oracles.Of(oracle.Case{Hand: d.Hand, Law: d.Law, N: d.N}, d.Seed)
	}
	return all
}

// single says whether the draw is of one population.
func (j judged) single() bool { return j.Groups == 1 }

// clear says whether the groups can be told well.
func (j judged) clear() bool { return !j.single() && j.tried && j.reach >= oracle.Clear }

// hard says whether the groups cannot be told well.
func (j judged) hard() bool { return !j.single() && j.tried && j.reach < oracle.Clear }

// untried says whether there are groups and no oracle.
func (j judged) untried() bool { return !j.single() && !j.tried }

// right says whether the number of groups is right. One population of sequences is also
// whole where the states are what the steps show: then nothing hidden is claimed.
func (j judged) right() bool {
	return j.Alone.Groups == j.Groups || j.single() && j.Alone.Visible
}

// mixedUp says whether the members fall short of what the oracle reaches.
func (j judged) mixedUp() bool {
	return !j.single() && j.tried && index(j.Alone) < good*j.reach
}

// sureWrong says whether a sure answer is wrong, by its number or by its members.
func (j judged) sureWrong() bool { return j.Alone.Sure && (!j.right() || j.mixedUp()) }

// sureByMembers says whether a sure answer is wrong by its members only.
func (j judged) sureByMembers() bool { return j.Alone.Sure && j.right() && j.mixedUp() }

// failures counts the fits without an answer.
func (j judged) failures() int {
	n := 0
	if j.Alone.Failed() {
		n++
	}
	if j.Told != nil && j.Told.Failed() {
		n++
	}
	return n
}

// loss is how much is wrong with the answer, from 0 to 1: of one population whether it
// was cut, of groups what is missing from the index that the oracle reaches.
func (j judged) loss() float64 {
	if j.single() {
		return truth(!j.right())
	}
	reach := 1.0
	if j.tried {
		reach = max(j.reach, 0.01)
	}
	return min(1, max(0, 1-index(j.Alone)/reach))
}

// truth is 1 or 0.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// index is the adjusted Rand index of an answer, 0 where there is none.
func index(a result.Answer) float64 {
	if a.ARI == nil {
		return 0
	}
	return *a.ARI
}
