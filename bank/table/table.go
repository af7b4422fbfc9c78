package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/bank/oracle"
	"github.com/moiety-go/moiety/bank/result"
	"github.com/moiety-go/moiety/bank/split"
)

// worst is the number of the worst laws that are listed.
const worst = 25

// Write writes what came out of the draws: by part, by kind and by hand, then where a
// sure answer was wrong, what failed, and the worst laws.
func Write(w io.Writer, draws []result.Draw, oracles oracle.Table) {
	all := judge(slices.SortedFunc(slices.Values(draws), result.Compare), oracles)
	t := tabler{w: w, sizes: different(all, func(j judged) int { return j.N })}
	fmt.Fprint(w, legend)
	t.by("part", all, partsOf(all), func(j judged) string { return string(j.Part) })
	t.by("kind", all, different(all, kindOf), kindOf)
	t.by("hand", all, different(all, handOf), handOf)
	t.sureAndWrong(all)
	t.failures(all)
	t.worst(all)
}

const legend = `Clear: a classifier that has seen labels reaches an adjusted Rand index of .9; hard: it does not.
Cells of groups: numbers right, the mean index, and the classifier's. Sure and wrong: the number is not
right, or the members reach less than .9 of the classifier's index; 95 % interval, draws taken as
independent. CPU: median, 95 %, most, seconds of a fit left alone.
`

func kindOf(j judged) string { return string(j.Kind) }
func handOf(j judged) string { return j.Hand }
func nameOf(j judged) string { return j.Hand + ": " + j.Law }

// partsOf returns the parts that there are, in their order.
func partsOf(draws []judged) []string {
	var parts []string
	for _, p := range split.Parts() {
		if number(draws, func(j judged) bool { return j.Part == p }) > 0 {
			parts = append(parts, string(p))
		}
	}
	return parts
}

// tabler writes tables of draws of some sizes.
type tabler struct {
	w     io.Writer
	sizes []int
}

// row writes a row of a table.
func (t tabler) row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, " | "))
}

// head writes the head of a table under a title.
func (t tabler) head(title string, columns ...string) {
	fmt.Fprintf(t.w, "\n## %s\n\n", title)
	t.row(columns...)
	fmt.Fprintln(t.w, "|"+strings.Repeat("---|", len(columns)))
}

// by writes a table with a row for every name and one for all draws.
func (t tabler) by(title string, draws []judged, names []string, of func(judged) string) {
	columns := []string{title, "draws", "one population, whole"}
	for _, kind := range []string{"clear", "hard"} {
		for _, n := range t.sizes {
			columns = append(columns, fmt.Sprintf("%s, %d", kind, n))
		}
	}
	t.head("By "+title, append(columns, "no classifier", "told", "sure", "sure and wrong", "CPU", "failed")...)
	for _, name := range names {
		t.row(t.figures(name, where(draws, func(j judged) bool { return of(j) == name }))...)
	}
	if len(names) > 1 {
		t.row(t.figures("all", draws)...)
	}
}

// figures returns the cells of a row.
func (t tabler) figures(name string, draws []judged) []string {
	cells := []string{name, fmt.Sprint(len(draws)), share(where(draws, judged.single), judged.right)}
	for _, kind := range []func(judged) bool{judged.clear, judged.hard} {
		for _, n := range t.sizes {
			cells = append(cells, agreement(where(draws, func(j judged) bool { return kind(j) && j.N == n })))
		}
	}
	sure := share(draws, func(j judged) bool { return j.Alone.Sure })
	return append(cells, agreement(where(draws, judged.untried)), told(draws), sure, sureAndWrong(draws), seconds(draws), failed(draws))
}

// sureAndWrong lists the draws where a sure answer was wrong.
func (t tabler) sureAndWrong(draws []judged) {
	t.head("Sure and wrong", "law", "kind", "part", "n", "seed", "groups", "said", "index", "classifier's")
	for _, d := range where(draws, judged.sureWrong) {
		t.row(nameOf(d), kindOf(d), string(d.Part), fmt.Sprint(d.N), fmt.Sprint(d.Seed), fmt.Sprint(d.Groups), said(d.Alone), indexCell(d), reachCell(d))
	}
}

// failures lists the fits that failed.
func (t tabler) failures(draws []judged) {
	failed := where(draws, func(j judged) bool { return j.failures() > 0 })
	if len(failed) == 0 {
		return
	}
	t.head("Failed", "law", "n", "seed", "fit", "exit", "words")
	for _, d := range failed {
		if d.Alone.Failed() {
			t.row(nameOf(d), fmt.Sprint(d.N), fmt.Sprint(d.Seed), "alone", fmt.Sprint(d.Alone.Exit), d.Alone.Error)
		}
		if d.Told != nil && d.Told.Failed() {
			t.row(nameOf(d), fmt.Sprint(d.N), fmt.Sprint(d.Seed), "told", fmt.Sprint(d.Told.Exit), d.Told.Error)
		}
	}
}

// worst lists the laws whose answers are worst, by their mean loss.
func (t tabler) worst(draws []judged) {
	t.head("The worst laws", "law", "kind", "part", "groups", "numbers right", "said", "index", "classifier's", "loss")
	laws := byLaw(draws)
	slices.SortStableFunc(laws, func(a, b []judged) int { return -cmp.Compare(mean(a, judged.loss), mean(b, judged.loss)) })
	for _, d := range laws[:min(worst, len(laws))] {
		loss := mean(d, judged.loss)
		if loss == 0 {
			return
		}
		t.row(nameOf(d[0]), kindOf(d[0]), string(d[0].Part), fmt.Sprint(d[0].Groups), share(d, judged.right), saidAll(d), meanIndexCell(d), meanReachCell(d), decimals(loss))
	}
}

// byLaw puts the draws of every law together; draws are in their order.
func byLaw(draws []judged) [][]judged {
	var laws [][]judged
	for i, d := range draws {
		if i == 0 || nameOf(d) != nameOf(draws[i-1]) {
			laws = append(laws, nil)
		}
		laws[len(laws)-1] = append(laws[len(laws)-1], d)
	}
	return laws
}
