package show_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// comparisons are of every kind: the same records, others, masked ones, trees.
func comparisons(t *testing.T) map[string]*report.Comparison {
	h1, h2, c, l, w := hospital(t, 1, 800), hospital(t, 2, 500), corpus(1, 400), laboratory(t, 300), walks(t, 60)
	for i := range h2.IDs {
		h2.IDs[i] = "other-" + h2.IDs[i]
	}
	health := report.Settings{Health: true, MinCell: 11, Counted: true}
	of := func(name string, o *fit.Outcome, d *dataset.Dataset, s report.Settings) explain.Side {
		return explain.Side{Name: name, Outcome: o, Data: d, Report: explained(t, o, d, s)}
	}
	out := map[string]*report.Comparison{}
	for name, x := range map[string][2]explain.Side{
		"compare-flat":     {of("three", flat(t, h1, 3, ""), h1, report.Settings{Counted: true}), of("four", flat(t, h1, 4, ""), h1, report.Settings{Counted: true})},
		"compare-health":   {of("tree", grown(t, h1, fit.TreeShape{Leaves: 4}), h1, health), of("three", flat(t, h1, 3, ""), h1, health)},
		"compare-features": {of("first", flat(t, h1, 3, ""), h1, health), of("second", flat(t, h2, 4, ""), h2, health)},
		"compare-corpus":   {of("lda", flat(t, c, 3, "lda"), c, report.Settings{}), of("tree", grown(t, c, fit.TreeShape{Leaves: 3}), c, report.Settings{})},
		"compare-lab":      {of("two", flat(t, l, 2, ""), l, health), of("three", flat(t, l, 3, ""), l, health)},
		"compare-walks":    {of("two", flat(t, w, 2, ""), w, report.Settings{}), of("one", flat(t, w, 1, ""), w, report.Settings{})},
		"compare-steps":    {of("two", flat(t, w, 2, ""), w, health), of("one", flat(t, w, 1, ""), w, health)},
		"compare-same":     {of("three", flat(t, h1, 3, ""), h1, health), of("again", flat(t, h1, 3, ""), h1, health)},
	} {
		var err error
		if out[name], err = explain.Compare(t.Context(), x[0], x[1], report.CompareSettings{Top: 4}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestCompareWords(t *testing.T) {
	for name, c := range comparisons(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := show.Compare(&b, c, show.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, l := range strings.Split(b.String(), "\n") {
				if n := utf8.RuneCountInString(l); n > 80 {
					t.Errorf("a line of %d letters: %s", n, l)
				}
			}
			golden(t, name+".txt", b.Bytes())
		})
	}
}

func TestCompareDocument(t *testing.T) {
	var b bytes.Buffer
	if err := show.CompareJSON(&b, comparisons(t)["compare-health"]); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Format  string
		Version int
		Pairs   []struct{ Text string }
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != show.CompareFormat || doc.Version != report.CompareVersion || len(doc.Pairs) == 0 || doc.Pairs[0].Text == "" {
		t.Errorf("got %+v", doc)
	}
}
