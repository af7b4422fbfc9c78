package run

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/presence"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/warn"
)

// twoGroups are batches of a table of presences in two groups; those after the
// drifting one have other frequencies.
func twoGroups(batches, each, drift int, low float64) arriving {
	r := stream.New(19, "two groups")
	a := arriving{head: "id,x0,x1,x2,x3,x4,x5,x6,x7,x8,x9", s: fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "bernoulli"}}}
	for b := range batches {
		p := [2]float64{.1, .9}
		if b >= drift {
			p[0] = low
		}
		var lines []string
		for i := range each {
			row := fmt.Sprintf("d%d-%d", b, i)
			for h := range 10 {
				row += fmt.Sprintf(",%d", b2i(r.Float64() < p[b2i((h < 5) == (i%2 == 0))]))
			}
			lines = append(lines, row)
		}
		a.lines = append(a.lines, lines)
	}
	return a
}

func (a arriving) sums(t *testing.T, data string) *Run {
	t.Helper()
	o := Order{Order: fit.Order{Args: []string{data}, Fit: a.s}, KeepSums: true, Out: filepath.Join(t.TempDir(), "run")}
	r, err := Make(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func more(file string, forget float64) Update {
	return Update{Forget: forget, Order: Order{Order: fit.Order{Args: []string{file}}}}
}

// TestSumsWithoutRows: batches that add their sums to a run without records give the
// counts of one fit of all, exactly; its groups and its report are near to those; no
// file of the run holds a record; a batch twice and a record that cannot be there are
// refused, and one that is taken out leaves the counts as if it had never been.
func TestSumsWithoutRows(t *testing.T) {
	t.Parallel()
	a := twoGroups(4, 500, 4, 0)
	r := a.sums(t, a.file(t, a.lines[:1], ""))
	for b := range a.lines[1:] {
		r = updated(t, r, more(a.file(t, a.lines[b+1:b+2], ""), 0))
	}
	all := a.sums(t, a.file(t, a.lines, ""))
	sameSums(t, r, all)
	if got, want := r.Manifest.Tables[0], 2000.0; got != want || r.Manifest.HoldsRecords || r.Manifest.Records != 0 || len(r.Manifest.Batches.Records) != 4 || r.Manifest.Batches.Forget != 0 {
		t.Errorf("%v records in the tables, want %v; %+v", got, want, r.Manifest.Batches)
	}
	at, got, want := featuresIn(r, all), r.Outcome.Model.Params.Centers, all.Outcome.Model.Params.Centers
	swap := b2i(math.Abs(got.At(0, 0)-want.At(at[0], 0)) > .5) // two groups of one size
	for h, o := range at {
		for j := range 2 {
			if x, y := got.At(h, j), want.At(o, (j+swap)%2); numtest.Off(x, y, .01) {
				t.Errorf("feature %d of group %d: %.4f, by one fit %.4f", h, j, x, y)
			}
		}
	}
	if !slices.ContainsFunc(r.Manifest.Warnings, func(w warn.Warning) bool { return w.Code == "basis-loss" }) {
		t.Errorf("no loss of the basis is told: %+v", r.Manifest.Warnings)
	}
	files, err := os.ReadDir(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(r.Path, f.Name()))
		if err != nil || strings.Contains(string(text), "d0-7") {
			t.Errorf("%s holds an id (%v)", f.Name(), err)
		}
	}
	if _, err := r.Update(t.Context(), more(a.file(t, a.lines[2:3], ""), 0)); err == nil || !strings.Contains(err.Error(), "count twice") {
		t.Errorf("a batch twice: %v", err)
	}
	if _, err := r.Update(t.Context(), Update{Withdraw: []string{"d0-7"}}); err == nil || !strings.Contains(err.Error(), "‹withdraw-data›") {
		t.Errorf("by an id: %v", err)
	}
	one := a
	one.lines = [][]string{{a.lines[2][5]}}
	less := updated(t, r, Update{Taken: []string{one.file(t, one.lines, "")}})
	sameSums(t, less, a.sums(t, a.file(t, a.lines, strings.Split(a.lines[2][5], ",")[0])))
	if !slices.ContainsFunc(less.Manifest.Warnings, func(w warn.Warning) bool { return w.Code == "withdrawn" && strings.Contains(w.Text, "What remains") }) {
		t.Errorf("the page does not say what remains: %+v", less.Manifest.Warnings)
	}
}

// sameSums compares the whole numbers of two runs.
func sameSums(t *testing.T, r, all *Run) {
	t.Helper()
	got, err := r.Sums()
	if err != nil {
		t.Fatal(err)
	}
	want, err := all.Sums()
	if err != nil {
		t.Fatal(err)
	}
	at, pairs := featuresIn(r, all), presence.Doubles{Dim: len(got.Single)}
	if got.N != want.N {
		t.Errorf("%v records, by one fit %v", got.N, want.N)
	}
	for h := range at {
		if got.Single[h] != want.Single[at[h]] {
			t.Errorf("%v records have feature %d, by one fit %v", got.Single[h], h, want.Single[at[h]])
		}
		for m := h + 1; m < len(at); m++ {
			if x, y := got.Double[pairs.At(h, m)], want.Double[pairs.At(min(at[h], at[m]), max(at[h], at[m]))]; x != y {
				t.Errorf("%v records have features %d and %d, by one fit %v", x, h, m, y)
			}
		}
	}
}

// featuresIn returns the number of every feature of a run in another one.
func featuresIn(r, all *Run) (at []int) {
	for _, name := range r.Outcome.Model.Vocab.Names {
		at = append(at, slices.Index(all.Outcome.Model.Vocab.Names, name))
	}
	return at
}

// TestSumsForget: groups that drift are followed within three batches where half is
// forgotten, without any record of before.
func TestSumsForget(t *testing.T) {
	t.Parallel()
	a := twoGroups(8, 400, 5, .4)
	r := a.sums(t, a.file(t, a.lines[:1], ""))
	for b := range a.lines[1:] {
		r = updated(t, r, more(a.file(t, a.lines[b+1:b+2], ""), .5))
	}
	low := 0.0
	for h := range 10 {
		low += min(r.Outcome.Model.Params.Centers.At(h, 0), r.Outcome.Model.Params.Centers.At(h, 1)) / 10
	}
	if numtest.Off(low, .4, .05) {
		t.Errorf("after three batches of .4 the groups stand at %.3f", low)
	}
	if got := r.Manifest.Batches.Forget; got != .5 {
		t.Errorf("each batch counts half of the one after it, and the run says %v", got)
	}
}

// TestSumsBeyond: records of another law ask for a fit of all.
func TestSumsBeyond(t *testing.T) {
	t.Parallel()
	d, n := numtest.Scale(16, 40, 40), numtest.Scale(400, 2000, 2000)
	r := stream.New(5, "other")
	a := arriving{head: "id", s: fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "bernoulli"}}}
	for h := range d {
		a.head += fmt.Sprintf(",x%d", h)
	}
	law := func(name string, n int, first func(h int) bool) (lines []string) {
		for i := range n {
			row := fmt.Sprint(name, i)
			for h := range d {
				row += fmt.Sprintf(",%d", b2i(r.Float64() < [2]float64{.2, .6}[b2i(first(h) == (i%2 == 0))]))
			}
			lines = append(lines, row)
		}
		return lines
	}
	halves := func(h int) bool { return h < d/2 }
	a.lines = [][]string{law("a", n, halves), law("b", n, halves), law("c", 2*n, func(h int) bool { return h%2 == 0 })}
	first := a.sums(t, a.file(t, a.lines[:1], ""))
	updated(t, first, more(a.file(t, a.lines[1:2], ""), 0)) // the same law goes on
	_, err := first.Update(t.Context(), more(a.file(t, a.lines[2:], ""), .01))
	if err == nil || !strings.Contains(err.Error(), "fit anew with all records") {
		t.Errorf("another law: %v", err)
	}
	a.s.K = 0
	o := Order{Order: fit.Order{Args: []string{a.file(t, a.lines, "")}, Fit: a.s}, KeepSums: true, Out: filepath.Join(t.TempDir(), "run")}
	if _, err := Make(t.Context(), o); err == nil || !strings.Contains(err.Error(), "‹keep›") {
		t.Errorf("a tree: %v", err)
	}
}
