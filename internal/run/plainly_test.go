package run

import (
	"errors"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/report"
)

func TestPlainly(t *testing.T) {
	for name, want := range map[string]string{
		"counts of 20 names":     "how many records have each name",
		"records of 20 features": "how many records there are",
		"moment.pairSum of 210":  "how many records have each pair of features (210 numbers)",
		"tree.leafSums of 147":   "records and averages of every group of the tree (147 numbers)",
		"loglinear.eStep of 86 and fit.missing of 1": "expected records and features of every group, for a step of the refinement (86 numbers)" +
			" and how many values are missing (1 numbers)",
		"new.thing of 3":  "sums over the records (3 numbers)",
		"fit.totals of 2": "how much records of a group differ in how many features they have (2 numbers)",
	} {
		if got := Plainly(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The page beside a file of sums promises noise where there is some, and a mask where there is
// one: where enough sites take part, and none asked for open sums.
func TestLeavingPromises(t *testing.T) {
	const mask, bare = "hidden behind a mask", "They have no mask"
	const exactly, noise = "exactly: counts of few people too", "Noise was laid over them"
	for _, c := range []struct {
		name    string
		open    bool
		sites   int
		says    []string
		saysNot []string
	}{
		{"counts of 20 names", false, 3, []string{mask, exactly}, []string{bare, "oise"}},
		{"counts" + noised + "20", false, 3, []string{mask, noise, "with its noise"}, []string{bare, exactly}},
		{"counts of 20 names", true, 3, []string{bare, "Among them are counts"}, []string{mask, "oise"}},
		{"counts" + noised + "20", true, 3, []string{bare, noise, "with their noise"}, []string{mask, "Among them are counts"}},
		{"counts of 20 names", false, 2, []string{bare}, []string{mask}},
		{"counts" + noised + "20", false, 2, []string{bare, noise}, []string{mask}},
	} {
		page := NewLeaving(pass.Round{Name: c.name}, 2, 20, c.open, c.sites, "A").Text()
		for _, words := range c.says {
			if !strings.Contains(page, words) {
				t.Errorf("%s, open %v, %d sites: %q is not on the page:\n%s", c.name, c.open, c.sites, words, page)
			}
		}
		for _, words := range c.saysNot {
			if strings.Contains(page, words) {
				t.Errorf("%s, open %v, %d sites: %q is on the page:\n%s", c.name, c.open, c.sites, words, page)
			}
		}
	}
}

// Records are called what the user says, or what the columns of the data do; a row is a record.
func TestUnitWords(t *testing.T) {
	given := report.Unit{One: "song", Many: "songs"}
	for _, c := range []struct {
		asked, row string
		u          report.Unit
		want       string
	}{
		{"patient", "row", given, "song songs"},
		{"patient", "row", report.Unit{}, "patient patients"},
		{"stay", "claim", report.Unit{}, "stay stays"},
		{"", "claim", report.Unit{}, "claim claims"},
		{"", "row", report.Unit{}, "record records"},
		{"other", "", report.Unit{}, " "},
	} {
		if u := unitWords(c.asked, c.row, c.u); u.One+" "+u.Many != c.want {
			t.Errorf("%q, %q: %q, want %q", c.asked, c.row, u.One+" "+u.Many, c.want)
		}
	}
}

// A shared model has a limit: of data without one it is one record, which hides nothing.
func TestLimitOfAPrivateModel(t *testing.T) {
	for limit, want := range map[int]int{0: 1, 1: 1, 11: 11} {
		r := &Run{Outcome: &fit.Outcome{Model: &model.Model{}}}
		r.Manifest.Encoding, r.Manifest.MinCell = &explain.Encoded{}, limit
		if got := r.sharedPrivate().Limit; got != want {
			t.Errorf("a limit of %d is shared as %d, want %d", limit, got, want)
		}
	}
}

// One file of totals is a fit's; of several none is passed over.
func TestOneFileOfTotals(t *testing.T) {
	for n := 2; n < 4; n++ {
		if _, _, err := prepareTotals(t.Context(), Order{Totals: make([]string, n)}); !errors.Is(err, fit.ErrSettings) {
			t.Errorf("%d files: %v", n, err)
		}
	}
}
