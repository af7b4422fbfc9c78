package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/numtest"
	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// checkNames holds the rules of names: siblings differ, no child says again what
// its parent is called, 40 letters at most, no "not elsewhere classified".
func checkNames(t *testing.T, what string, r *report.Report) {
	t.Helper()
	parts := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(c rune) bool { return c == ',' || c == ';' })
	}
	seen := make(map[string]string)
	for i := range r.Groups {
		g := &r.Groups[i]
		if n := utf8.RuneCountInString(g.Name); n == 0 || n > 40 {
			t.Errorf("%s: %s is called %q, %d letters", what, g.ID, g.Name, n)
		}
		if strings.Contains(g.Name, "elsewhere classified") {
			t.Errorf("%s: %s is called %q", what, g.ID, g.Name)
		}
		if other, ok := seen[strings.ToLower(g.Name)]; ok {
			t.Errorf("%s: %s and %s are both called %q", what, other, g.ID, g.Name)
		}
		seen[strings.ToLower(g.Name)] = g.ID
		p, ok := r.Find(g.Parent)
		if !ok || strings.Contains(p.Name, " or ") { // one child or the other: nothing in common
			continue
		}
		for _, a := range parts(p.Name) {
			for _, b := range parts(g.Name) {
				if strings.TrimSpace(a) == strings.TrimSpace(b) {
					t.Errorf("%s: %s is called %q, and %s below it %q", what, p.ID, p.Name, g.ID, g.Name)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	for seed := range uint64(numtest.Scale(1, 4, 4)) {
		d := hospital(t, seed, 1000)
		for _, leaves := range []int{2, 3, 6, 9} {
			for _, s := range []report.Settings{{}, {Health: true}, {Health: true, Share: true}} {
				checkNames(t, fmt.Sprintf("tree of %d, seed %d, %+v", leaves, seed, s), explained(t, grown(t, d, fit.TreeShape{Leaves: leaves}), d, s))
			}
		}
		checkNames(t, "flat", explained(t, flat(t, d, 5, ""), d, report.Settings{}))
	}
}

// TestNothingInCommon: a branch of groups that share nothing is not called by what one of
// them has, which most of its records have not: it is one or the other.
func TestNothingInCommon(t *testing.T) {
	titles := []string{"Birth", "Tears", "Lung cancer", "Metastases", "Diabetes", "Gout", "Anaemia", "Stroke"}
	centers := mat.NewDense(len(titles), 3, []float64{
		.80, .01, .01,
		.75, .01, .01,
		.01, .80, .01,
		.01, .75, .01,
		.01, .01, .80,
		.01, .01, .75,
		.30, .30, .02,
		.10, .10, .10,
	})
	draw, err := bernoulli.New(bernoulli.Options{}).Sample(mixture.New(centers, []float64{.3, .3, .4}), stream.New(1, "test/common"), 600, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	d := &dataset.Dataset{Kind: record.Presence, Rows: draw.Rows, Vocab: &vocab.Vocab{Names: names, Titles: titles}}
	r := explained(t, grown(t, d, fit.TreeShape{Leaves: 3}), d, report.Settings{})
	checkNames(t, "nothing in common", r)
	for _, g := range r.Groups {
		if g.IsLeaf() || g.Parent == "" {
			continue
		}
		if a, b, ok := strings.Cut(g.Name, " or "); !ok || !slices.Contains(titles, sentence(a)) || !slices.Contains(titles, sentence(b)) {
			t.Errorf("%s is called %q, and holds two groups that share nothing", g.ID, g.Name)
		}
	}
	// The anaemia that both have is what they have in common, and then they are called so.
	centers.SetRow(6, []float64{.9, .9, .02})
	draw, err = bernoulli.New(bernoulli.Options{}).Sample(mixture.New(centers, []float64{.3, .3, .4}), stream.New(1, "test/common"), 600, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	d.Rows = draw.Rows
	for _, g := range explained(t, grown(t, d, fit.TreeShape{Leaves: 3}), d, report.Settings{}).Groups {
		if !g.IsLeaf() && g.Parent != "" && !strings.HasPrefix(g.Name, "Anaemia") {
			t.Errorf("%s is called %q, and has Anaemia in common", g.ID, g.Name)
		}
	}
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// TestNamesOfPeople: a name that somebody gave stands as it is.
func TestNamesOfPeople(t *testing.T) {
	d := hospital(t, 1, 600)
	r := explained(t, grown(t, d, fit.TreeShape{Leaves: 3}), d, report.Settings{Names: map[string]string{"1.1": "Ours"}})
	if g, _ := r.Find("1.1"); g.Name != "Ours" {
		t.Errorf("1.1 is called %q", g.Name)
	}
}

// TestAbsenceNames: where a group is known by what it lacks, it is called so.
func TestAbsenceNames(t *testing.T) {
	d := hospital(t, 1, 1000)
	r := explained(t, grown(t, d, fit.TreeShape{Leaves: 3}), d, report.Settings{})
	said := false
	for _, g := range r.Groups {
		low := strings.ToLower(g.Name)
		said = said || strings.Contains(low, "rarely ") || strings.Contains(low, "no ")
		for _, f := range g.Typical { // what is clearly frequent is never called absent
			for _, absent := range []string{"no ", "rarely "} {
				if f.Clear && strings.Contains(low, absent+strings.ToLower(f.Short)) {
					t.Errorf("%s is called %q, and %s is frequent there", g.ID, g.Name, f.Title)
				}
			}
		}
	}
	if !said {
		t.Error("no group is known by what it lacks")
	}
}
