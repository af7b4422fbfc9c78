package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/experiments/lab"
	"github.com/moiety-go/moiety/internal/numtest"
)

func figures(t *testing.T) *lab.Book {
	t.Helper()
	b, err := lab.ReadBook(filepath.Join("..", "docs", bookName))
	if err != nil || len(b.Experiments) == 0 {
		t.Fatalf("docs/%s: %d experiments, %v", bookName, len(b.Experiments), err)
	}
	return b
}

// The summary and the tables are made of the figures: nothing on the page between its
// marks is written by hand.
func TestPageIsMadeOfTheFigures(t *testing.T) {
	b := figures(t)
	summary, err := summarise(b)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join("..", "docs", "results.md"): summaryMark + "\n" + string(summary) + "\n" + summaryEnd,
		"tables.md": tablesMark + "\n" + string(tablesOf(b)),
	} {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), want) {
			t.Errorf("%s is not what the figures give: go run -C experiments . page --into ../docs", path)
		}
	}
}

// The rule of the verdicts: seed by seed, within two standard errors a tie.
func TestRuleOfVerdicts(t *testing.T) {
	ours := lab.Series{.90, .94, .92, .96}
	for _, c := range []struct {
		theirs lab.Series
		less   bool
		want   string
	}{
		{lab.Series{.89, .93, .91, .95}, false, "better"}, // always .01 ahead: no error
		{lab.Series{.89, .93, .91, .95}, true, "behind"},
		{lab.Series{.91, .92, .94, .94}, false, "tie"},
		{lab.Series{.80}, false, "better, one run"},
		{lab.Series{.9300001}, false, "tie, one run"},
		{nil, false, "–"},
	} {
		if got := compare(ours, c.theirs, c.less).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %s, want %s", c.theirs, got, c.want)
		}
	}
}

// TestRowsMeasuredAgain measures rows of the page again: with the same seeds they have
// the printed digits, with others they lie within four standard errors. There is one experiment
// of every kind: small ones, trees and topics of texts always, others in the long form.
func TestRowsMeasuredAgain(t *testing.T) {
	page := figures(t)
	same, other := []string{"svtd-fails", "counterexample"}, []string(nil)
	if !testing.Short() {
		same, other = append(same, "tree", "overcomplete", "slices", "realizable", "added-documents", "lda-k2"), []string{"tree", "overcomplete", "slices"}
	}
	if numtest.Scale(0, 0, 1) > 0 { // flat mixtures, texts, a corpus, trees over presences, patients, views
		same = append(same, "flat", "bernoulli-n", "divina", "sotu", "nips", "bernoulli-trees", "patients", "two-views")
	}
	rows := 0
	again := new(lab.Book)
	for _, name := range same {
		if err := one(t.Context(), io.Discard, again, name, false); err != nil {
			t.Fatal(err)
		}
	}
	each(t, page, again, func(place string, was, is lab.Cell) {
		rows++
		if was.Text != is.Text && (runtime.GOARCH == "amd64" || farther(was.Values, is.Values, 1)) {
			t.Errorf("%s: the page says %s, measured again %s", place, was.Text, is.Text)
		}
	})
	fresh := new(lab.Book)
	for _, name := range other {
		if err := one(lab.WithOtherSeeds(t.Context(), 50000), io.Discard, fresh, name, false); err != nil {
			t.Fatal(err)
		}
	}
	each(t, page, fresh, func(place string, was, is lab.Cell) {
		if len(was.Values) < 10 {
			return
		}
		rows++
		if farther(was.Values, is.Values, 4) {
			t.Errorf("%s: the page says %s, other seeds %s: more than four standard errors apart", place, was.Text, is.Text)
		}
	})
	if least := 30; !testing.Short() && rows < least {
		t.Errorf("%d rows were measured again, want at least %d", rows, least)
	}
	t.Logf("%d figures measured again", rows)
}

// farther says that two means are more than so many standard errors apart.
func farther(a, b lab.Series, errors float64) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return numtest.Off(a.Mean(), b.Mean(), errors*math.Hypot(a.Error(), b.Error())+1e-9)
}

// each shows the figures that are in both books, times left out.
func each(t *testing.T, page, again *lab.Book, show func(place string, was, is lab.Cell)) {
	t.Helper()
	for _, e := range again.Experiments {
		for _, was := range page.Experiments {
			if was.Name != e.Name {
				continue
			}
			if len(e.Tables) == 0 { // its data are not on this machine
				t.Logf("skipped: %s: needs real data: MOIETY_DATA, or shared/data beside the repository", e.Name)
				continue
			}
			if len(was.Tables) != len(e.Tables) {
				t.Errorf("%s has %d tables on the page and %d now", e.Name, len(was.Tables), len(e.Tables))
				continue
			}
			for i, table := range e.Tables {
				for r, cells := range table.Rows {
					for c, cell := range cells {
						if !strings.Contains(table.Head[c], "CPU") && r < len(was.Tables[i].Rows) {
							show(e.Name+": "+table.Heading+": "+cells[0].Text+", "+table.Head[c], was.Tables[i].Rows[r][c], cell)
						}
					}
				}
			}
		}
	}
}
