package explain_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
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
		if !ok {
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
	for seed := range uint64(4) {
		d := hospital(t, seed, 1000)
		for _, leaves := range []int{2, 3, 6, 9} {
			for _, s := range []report.Settings{{}, {Health: true}, {Health: true, Share: true}} {
				checkNames(t, fmt.Sprintf("tree of %d, seed %d, %+v", leaves, seed, s), explained(t, grown(t, d, fit.TreeShape{Leaves: leaves}), d, s))
			}
		}
		checkNames(t, "flat", explained(t, flat(t, d, 5, ""), d, report.Settings{}))
	}
}

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
