package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/sets"
	"github.com/moiety-go/moiety/bank/split"
)

// setOf is a real set beside what other methods make of it.
type setOf struct {
	judged
	peers []sets.Peer
}

// WriteSets writes what came out of the real sets among the draws: by part, by kind, where
// a sure answer was wrong, what failed, and the worst sets of the choosing part.
func WriteSets(w io.Writer, draws []result.Draw, peers map[string][]sets.Peer) {
	all := besidePeers(draws, peers)
	if len(all) == 0 {
		return
	}
	t := tabler{w: w}
	fmt.Fprint(w, setsLegend)
	plain := make([]judged, len(all))
	for i, s := range all {
		plain[i] = s.judged
	}
	t.setsBy("part", all, partsOf(plain), func(s setOf) string { return string(s.Part) })
	kinds := different(plain, kindOf)
	t.setsBy("kind", all, kinds, func(s setOf) string { return kindOf(s.judged) })
	t.setsAndPeers(all, kinds)
	t.sureAndWrong(plain)
	t.failures(plain)
	t.worstSets(all)
}

const setsLegend = `
# Real sets

One group: how often that was claimed. Within one: the number of groups is at most one off the number
of classes, and above one where that is, as claimed and as divided (groups that records were placed
in). In range: the number of classes is in the range that was claimed. The index is the mean adjusted
Rand index with the classes; clear: a classifier that has seen classes reaches .9 in cross-validation.
Sure and wrong, CPU: as of laws.
`

// besidePeers puts real sets beside their peers; the classifier is their oracle.
func besidePeers(draws []result.Draw, peers map[string][]sets.Peer) []setOf {
	oracles := oracle.Table{}
	var some []result.Draw
	for _, d := range draws {
		if d.Hand != sets.Hand {
			continue
		}
		some = append(some, d)
		for _, p := range peers[d.Law] {
			if p.Role == sets.Taught {
				oracles[oracle.Case{Hand: d.Hand, Law: d.Law, N: d.N}] = oracle.Best(map[uint64]map[string]float64{d.Seed: {p.Method: p.ARI}})
			}
		}
	}
	slices.SortFunc(some, result.Compare)
	all := make([]setOf, len(some))
	for i, j := range judge(some, oracles) {
		all[i] = setOf{j, peers[j.Law]}
	}
	return all
}

// setsBy writes a table with a row for every name and one for all sets.
func (t tabler) setsBy(title string, all []setOf, names []string, of func(setOf) string) {
	t.head("Real sets by "+title, title, "sets", "one group", "within one, claimed", "divided", "in range",
		"index, clear", "index, hard", "index, told", "classifier", "sure", "sure and wrong", "CPU", "failed")
	for _, name := range names {
		t.row(setFigures(name, matching(all, func(s setOf) bool { return of(s) == name }))...)
	}
	if len(names) > 1 {
		t.row(setFigures("all", all)...)
	}
}

// matching returns the sets that a rule holds of.
func matching(all []setOf, rule func(setOf) bool) []setOf {
	return slices.DeleteFunc(slices.Clone(all), func(s setOf) bool { return !rule(s) })
}

// setFigures returns the cells of a row.
func setFigures(name string, all []setOf) []string {
	draws := make([]judged, len(all))
	for i, s := range all {
		draws[i] = s.judged
	}
	grouped := where(draws, func(j judged) bool { return !j.single() })
	alone := func(j judged) float64 { return index(j.Alone) }
	return []string{
		name, fmt.Sprint(len(draws)),
		share(draws, func(j judged) bool { return j.Alone.Groups == 1 }),
		share(draws, func(j judged) bool { return near(j.Alone.Groups, j) }),
		share(draws, func(j judged) bool { return near(j.Alone.Shown, j) }),
		share(draws, func(j judged) bool { return j.Alone.Low <= j.Groups && j.Groups <= j.Alone.High }),
		meanOf(where(grouped, judged.clear), alone), meanOf(where(grouped, judged.hard), alone),
		meanOf(grouped, func(j judged) float64 { return index(*j.Told) }), meanOf(where(grouped, func(j judged) bool { return j.tried }), reach),
		share(draws, func(j judged) bool { return j.Alone.Sure }), sureAndWrong(draws), seconds(draws), failed(draws),
	}
}

// near says whether a number is at most one off the number of classes. One group is near
// to one population only, and nothing else is.
func near(groups int, j judged) bool {
	if groups < 2 || j.single() {
		return groups == j.Groups
	}
	return max(groups-j.Groups, j.Groups-groups) <= 1
}

// meanOf writes the mean of a figure and of how many draws, such as ".54 of 12".
func meanOf(draws []judged, figure func(judged) float64) string {
	if len(draws) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d", decimals(mean(draws, figure)), len(draws))
}

// setsAndPeers writes, for every kind, the mean index of every method on the sets where it
// gave an answer, and on the same sets that of the program.
func (t tabler) setsAndPeers(all []setOf, kinds []string) {
	columns := slices.Concat([]string{"method"}, kinds, []string{"all", "within one of the classes"})
	t.head("Other methods on the same sets, theirs : the program's", columns...)
	for _, role := range []sets.Role{sets.Alone, sets.Told} {
		for _, method := range methodsOf(all, role) {
			cells := []string{map[sets.Role]string{sets.Alone: "left alone: ", sets.Told: "told: "}[role] + method}
			for _, kind := range append(slices.Clone(kinds), "") {
				cells = append(cells, duel(all, kind, method, role))
			}
			t.row(append(cells, closeness(all, method, role))...)
		}
	}
}

// bestOf is the name under which the best of all methods stands, chosen by the classes.
const bestOf = "the best of these, by the classes"

// methodsOf returns the methods of a role in their order.
func methodsOf(all []setOf, role sets.Role) []string {
	var names []string
	for _, s := range all {
		for _, p := range s.peers {
			if p.Role == role && !slices.Contains(names, p.Method) {
				names = append(names, p.Method)
			}
		}
	}
	slices.Sort(names)
	return append(names, bestOf)
}

// made returns what a method made of a set with classes.
func (s setOf) made(method string, role sets.Role) (sets.Peer, bool) {
	found, ok := sets.Peer{ARI: -1}, false
	for _, p := range s.peers {
		if !s.single() && p.Role == role && (p.Method == method || method == bestOf) && p.ARI > found.ARI {
			found, ok = p, true
		}
	}
	return found, ok
}

// duel writes the mean indices of a method and of the program, and the number of sets.
func duel(all []setOf, kind, method string, role sets.Role) string {
	theirs, ours, n := 0.0, 0.0, 0
	for _, s := range all {
		p, ok := s.made(method, role)
		if !ok || kind != "" && kindOf(s.judged) != kind {
			continue
		}
		answer := s.Draw.Alone
		if role == sets.Told {
			answer = *s.Draw.Told
		}
		theirs, ours, n = theirs+p.ARI, ours+index(answer), n+1
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s : %s of %d", decimals(theirs/float64(n)), decimals(ours/float64(n)), n)
}

// closeness writes on how many sets with classes a method left alone found a number within
// one of theirs.
func closeness(all []setOf, method string, role sets.Role) string {
	if role != sets.Alone || method == bestOf {
		return ""
	}
	theirs, ours, n := 0, 0, 0
	for _, s := range all {
		if p, ok := s.made(method, role); ok {
			theirs, ours, n = theirs+int(truth(near(p.Groups, s.judged))), ours+int(truth(near(s.Draw.Alone.Shown, s.judged))), n+1
		}
	}
	return fmt.Sprintf("%d : %d of %d", theirs, ours, n)
}

// worstSets lists the sets of the choosing part by what they lack of the best that any
// method reached left alone.
func (t tabler) worstSets(all []setOf) {
	some := matching(all, func(s setOf) bool { return s.Part == split.Choose })
	slices.SortStableFunc(some, func(a, b setOf) int { return -cmp.Compare(a.lacks(), b.lacks()) })
	t.head("The choosing part, the worst sets first", "set", "kind", "records", "classes", "claimed", "divided", "index", "told", "best left alone", "best told", "classifier", "CPU")
	for _, s := range some {
		t.row(s.Law, kindOf(s.judged), fmt.Sprint(s.Records), fmt.Sprint(s.Groups), saidWord(s.Alone), fmt.Sprint(s.Alone.Shown), indexCell(s.judged), s.toldCell(),
			s.bestCell(sets.Alone), s.bestCell(sets.Told), reachCell(s.judged), fmt.Sprintf("%.1f", s.Alone.CPU))
	}
}

// lacks is how far the program, left alone, is behind the best of the others; of one
// population whether it was cut.
func (s setOf) lacks() float64 {
	if s.single() {
		return truth(!s.right())
	}
	p, _ := s.made(bestOf, sets.Alone)
	return max(p.ARI, 0) - index(s.Draw.Alone)
}

// saidWord writes a claim with its word for sureness.
func saidWord(a result.Answer) string { return strings.TrimSpace(said(a) + " " + a.Sureness) }

// toldCell writes the index where the number was told.
func (s setOf) toldCell() string {
	if s.Draw.Told == nil {
		return ""
	}
	return decimals(index(*s.Draw.Told))
}

// bestCell writes the best of the others and what it is.
func (s setOf) bestCell(role sets.Role) string {
	p, ok := s.made(bestOf, role)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s, %s, %d", decimals(p.ARI), p.Method, p.Groups)
}
