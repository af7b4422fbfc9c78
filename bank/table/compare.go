package table

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
)

// pair is a draw in two runs.
type pair struct{ before, after judged }

// Compare writes what changed between two runs, on the draws that both have.
func Compare(w io.Writer, before, after []result.Draw, oracles oracle.Table) {
	pairs := paired(judge(before, oracles), judge(after, oracles))
	fmt.Fprintf(w, "%d draws in both; %d only before, %d only after.\n", len(pairs), len(before)-len(pairs), len(after)-len(pairs))
	t := tabler{w: w}
	t.rules(pairs)
	t.differences(pairs)
	t.changes(pairs)
}

// paired finds the draws that both runs have, in their order.
func paired(before, after []judged) []pair {
	order := func(a, b judged) int { return result.Compare(a.Draw, b.Draw) }
	slices.SortFunc(after, order)
	slices.SortFunc(before, order)
	var pairs []pair
	for _, b := range before {
		if i, ok := slices.BinarySearchFunc(after, b, order); ok {
			pairs = append(pairs, pair{b, after[i]})
		}
	}
	return pairs
}

// rules tells how often each thing holds before and after, and on how many draws it
// came or went.
func (t tabler) rules(pairs []pair) {
	t.head("How often", "", "draws", "before", "after", "gained", "lost")
	for _, r := range []struct {
		name      string
		of, holds func(judged) bool
	}{
		{"number right", anyDraw, judged.right},
		{"one population, whole", judged.single, judged.right},
		{"clear groups, number right", judged.clear, judged.right},
		{"hard groups, number right", judged.hard, judged.right},
		{"groups without a classifier, number right", judged.untried, judged.right},
		{"sure", anyDraw, func(j judged) bool { return j.Alone.Sure }},
		{"sure and wrong", anyDraw, judged.sureWrong},
		{"sure and wrong by members", anyDraw, judged.sureByMembers},
		{"failed", anyDraw, func(j judged) bool { return j.failures() > 0 }},
	} {
		var draws, before, after, gained, lost int
		for _, p := range pairs {
			if !r.of(p.before) {
				continue
			}
			b, a := int(truth(r.holds(p.before))), int(truth(r.holds(p.after)))
			draws, before, after = draws+1, before+b, after+a
			gained, lost = gained+max(0, a-b), lost+max(0, b-a)
		}
		t.row(r.name, fmt.Sprint(draws), fmt.Sprint(before), fmt.Sprint(after), fmt.Sprint(gained), fmt.Sprint(lost))
	}
}

// anyDraw holds of every draw.
func anyDraw(judged) bool { return true }

// differences tells the means of figures and of their paired differences.
func (t tabler) differences(pairs []pair) {
	t.head("How much", "", "draws", "before", "after", "difference, 95 %")
	for _, f := range []struct {
		name   string
		of     func(judged) bool
		figure func(judged) float64
	}{
		{"index, clear groups", judged.clear, func(j judged) float64 { return index(j.Alone) }},
		{"index, hard groups", judged.hard, func(j judged) float64 { return index(j.Alone) }},
		{"index, groups without a classifier", judged.untried, func(j judged) float64 { return index(j.Alone) }},
		{"index, number told", func(j judged) bool { return j.Told != nil }, func(j judged) float64 { return index(*j.Told) }},
		{"CPU seconds, left alone", anyDraw, func(j judged) float64 { return j.Alone.CPU }},
		{"CPU seconds, number told", func(j judged) bool { return j.Told != nil }, func(j judged) float64 { return j.Told.CPU }},
	} {
		var before, after []float64
		for _, p := range pairs {
			if f.of(p.before) && f.of(p.after) {
				before, after = append(before, f.figure(p.before)), append(after, f.figure(p.after))
			}
		}
		t.row(f.name, fmt.Sprint(len(before)), fmt.Sprintf("%.3f", average(before)), fmt.Sprintf("%.3f", average(after)), difference(before, after))
	}
}

// difference writes the mean paired difference with half its 95 % interval.
func difference(before, after []float64) string {
	if len(before) < 2 {
		return ""
	}
	change, squares := average(after)-average(before), 0.0
	for i := range before {
		squares += math.Pow(after[i]-before[i]-change, 2)
	}
	n := float64(len(before))
	return fmt.Sprintf("%+.3f ± %.3f", change, 1.96*math.Sqrt(squares/(n-1)/n))
}

// average is the mean of numbers, 0 of none.
func average(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(1, len(x)))
}

// changes lists the laws of which an answer changed: its number, its sureness, or its
// index by .02 or more.
func (t tabler) changes(pairs []pair) {
	t.head("Laws that changed", "law", "kind", "groups", "said before", "said after", "index before", "after")
	for from, to := 0, 0; from < len(pairs); from = to {
		for to = from; to < len(pairs) && nameOf(pairs[to].before) == nameOf(pairs[from].before); to++ {
		}
		before, after := sides(pairs[from:to])
		if slices.ContainsFunc(pairs[from:to], pair.changed) {
			t.row(nameOf(before[0]), kindOf(before[0]), fmt.Sprint(before[0].Groups), saidAll(before), saidAll(after), meanIndexCell(before), meanIndexCell(after))
		}
	}
}

// sides takes pairs apart.
func sides(pairs []pair) (before, after []judged) {
	for _, p := range pairs {
		before, after = append(before, p.before), append(after, p.after)
	}
	return before, after
}

// changed says whether there is a change to speak of.
func (p pair) changed() bool {
	b, a := p.before.Alone, p.after.Alone
	return b.Groups != a.Groups || b.Sure != a.Sure || b.Failed() != a.Failed() || math.Abs(index(b)-index(a)) >= 0.02
}
