package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// TestSurveysAsAsked walks what people who know latent classes asked of the program on
// the public surveys: they are read as answers or say how they are, with and without
// gaps; one model has one likelihood, whatever its table is called; all digits are
// printed; a model of more parameters than cells is told so.
func TestSurveysAsAsked(t *testing.T) {
	numtest.NotShort(t)
	of := func(name string) string { return numtest.Data(t, "lca", name+".csv") }
	for name, want := range map[string]string{
		"carcinoma": "7 questions with answers 1 to 2; as measurements: --format real",
		"hads":      "14 questions with answers 0 to 3; as measurements: --format real",
		"gss82":     "(categorical)",
		"dentistry": "(binary)",
	} {
		said := strings.Join(strings.Fields(done(t, "inspect", of(name), "-q")), " ")
		if !strings.Contains(said, want) || strings.Contains(said, "hold codes") {
			t.Errorf("inspect %s: %.400s\nwant %q", name, said, want)
		}
	}
	dir := t.TempDir()
	likelihood := func(args ...string) float64 {
		folder := filepath.Join(dir, "r")
		done(t, append(append([]string{"fit"}, args...), "--prior", "0", "-o", folder, "--force", "-q")...)
		var doc struct {
			L float64 `json:"log_likelihood"`
		}
		if err := json.Unmarshal([]byte(done(t, "eval", folder, "--json", "-q")), &doc); err != nil {
			t.Fatal(err)
		}
		return doc.L
	}
	for _, c := range []struct {
		args []string
		want float64 // reference-numbers.md §7.1
	}{
		{[]string{of("carcinoma"), "-k", "3"}, -293.7050},
		{[]string{of("carcinoma"), "--model", "categorical", "-k", "3"}, -293.7050},
		{[]string{of("alzheimer"), "--format", "binary", "-k", "2"}, -749.4184},
		{[]string{of("alzheimer"), "--format", "categorical", "-k", "2"}, -749.4184},
		{[]string{of("cheating"), "--label", "GPA", "--model", "categorical", "-k", "2"}, -440.0271},
	} {
		if got := likelihood(c.args...); numtest.Off(got, c.want, .01) {
			t.Errorf("%v: %.4f, want %.4f", c.args[1:], got, c.want)
		}
	}
	if words := done(t, "eval", filepath.Join(dir, "r"), "-q"); !strings.Contains(words, "Log-likelihood (maximum likelihood, no prior): -440.0271") {
		t.Errorf("eval: %s", words)
	}
	if code, _, said := do(t, "fit", of("election"), "--label", "VOTE3,AGE,EDUC,GENDER,PARTY", "-k", "3", "-o", filepath.Join(dir, "gaps"), "-q"); code != 0 {
		t.Errorf("answers with gaps: exit %d, %s", code, said)
	}
	if head, _, _ := strings.Cut(done(t, "assign", filepath.Join(dir, "r"), of("cheating"), "--probabilities", "all", "-q"), "\n"); head != "id,group,probability,1,2" {
		t.Errorf("assign: %s", head)
	}
	if said := strings.Join(strings.Fields(done(t, "choose", of("values"), "-q")), " "); !strings.Contains(said, "a model of 4 groups has 19 parameters, and the table of all answers only 15 free cells") {
		t.Errorf("choose: %s", said)
	}
}
