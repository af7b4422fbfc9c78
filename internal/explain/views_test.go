package explain_test

import (
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Two groups share alleles and codes: g1, g2 go with c1, and g3, g4 with c2. The report
// tells what belongs together, view by view, and that the views share the groups.
func TestViewsOfGroups(t *testing.T) {
	r := stream.New(1, "explain/views")
	b := sparse.NewBuilder(8, false)
	for i := range 400 {
		var index []uint32
		var value []float32
		put := func(h int, x float32) {
			if x > 0 {
				index, value = append(index, uint32(h)), append(value, x)
			}
		}
		often := func(of int) float64 {
			if i%2 == of {
				return .85
			}
			return .15
		}
		for h := range 6 { // the last two loci tell nothing
			p := .5
			if h < 4 {
				p = often(h / 2)
			}
			x := float32(0)
			for range 2 {
				if r.Float64() < p {
					x++
				}
			}
			put(h, x)
		}
		for h := range 2 {
			if r.Float64() < often(h) {
				put(6+h, 1)
			}
		}
		if err := b.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	rows := b.Rows()
	d := &dataset.Dataset{Kind: record.Counts, Rows: rows, Vocab: vocab.New([]string{"g1", "g2", "g3", "g4", "g5", "g6", "c1", "c2"})}
	data := fit.Training{Run: pass.NewLocal(rows, 1), Vocab: d.Vocab, Kind: d.Kind, Fingerprint: "views"}
	o, err := fit.Flat(t.Context(), data, fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "multiview", Views: []model.View{
		{Name: "g*", From: 0, To: 6, Spec: model.Spec{Model: "binomial", Trials: 2}},
		{Name: "c*", From: 6, To: 8, Spec: model.Spec{Model: "bernoulli"}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := explain.New(t.Context(), o, d, report.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(rep.Summary, " "); !strings.Contains(s, "share the groups") || !strings.Contains(s, "g* (agreement") || !strings.Contains(s, "c* (agreement") {
		t.Errorf("the summary does not tell which views share groups: %s", s)
	}
	pairs := map[string]string{"c1": "g1 g2", "c2": "g3 g4"}
	for _, g := range rep.Groups {
		if len(g.Views) != 2 || len(g.Views[1].Typical) != 1 || len(g.Views[0].Typical) != 2 {
			t.Fatalf("group %s is marked by %+v", g.ID, g.Views)
		}
		for _, f := range g.Views[0].Typical {
			if code := g.Views[1].Typical[0].Name; !strings.Contains(pairs[code], f.Name) {
				t.Errorf("%s stands beside %s", f.Name, code)
			}
		}
		if !strings.Contains(g.Text, "Typical in g*: ") || !strings.Contains(g.Text, "Typical in c*: ") {
			t.Errorf("group %s: %s", g.ID, g.Text)
		}
	}
	if rep.Unit.Feature != "feature" {
		t.Errorf("a feature of two views is called %q", rep.Unit.Feature)
	}
	shared, err := explain.New(t.Context(), o, d, report.Settings{Share: true})
	if err != nil || strings.Contains(strings.Join(shared.Summary, " "), "agreement") {
		t.Errorf("a report to be shared tells how well views agree (%v)", err)
	}
}
