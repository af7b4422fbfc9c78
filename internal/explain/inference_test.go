package explain_test

import (
	"testing"

	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
)

// TestSharesAreTheModelsOwn: of latent classes the share of a feature is the
// class's own probability, its interval that of the parameter, and the share of
// the records put into the group is called counted.
func TestSharesAreTheModelsOwn(t *testing.T) {
	d := hospital(t, 3, 600)
	o := flat(t, d, 3, "")
	r := explained(t, o, d, report.Settings{})
	inf := r.Inference
	if inf == nil || !inf.Together || inf.Singular || inf.Parameters != 3*14+2 || inf.LogLikelihood.Masked() || inf.EntropyR2.Or(0) < .3 {
		t.Fatalf("%+v", inf)
	}
	n := make([]int, 3)
	for _, g := range o.Group {
		n[g]++
	}
	wider := 0
	for j := range r.Leaves {
		g := r.Leaf(j)
		if numtest.Off(g.Share.Or(0), o.Model.Params.Weights[j], exact) || numtest.Off(g.Counted.Or(0), float64(n[j])/600, exact) || !(g.Low.Or(1) < g.Share.Or(0)) {
			t.Errorf("group %d: %+v, %+v, %+v", j+1, g.Share, g.Counted, g.Low)
		}
		for _, f := range g.Frequent {
			have := 0
			for i, group := range o.Group {
				if int(group) == j && d.Rows.At(i, f.Index) != 0 {
					have++
				}
			}
			if numtest.Off(f.Share.Or(-1), o.Model.Params.Centers.At(f.Index, j), exact) || numtest.Off(f.Counted.Or(-1), float64(have)/float64(n[j]), exact) {
				t.Errorf("group %d, %s: %+v, counted %+v", j+1, f.Title, f.Share, f.Counted)
			}
			low, high := explain.Wilson(float64(have), float64(n[j]))
			if f.High.Or(0)-f.Low.Or(1) > high-low {
				wider++
			}
		}
	}
	if wider < 30 { // of 42: not knowing who belongs to a group costs
		t.Errorf("%d intervals are wider than those of counted shares", wider)
	}
	var sums [3]float64
	for j, row := range inf.Posterior {
		for _, x := range row {
			sums[j] += x.Or(0)
		}
		if count, _ := inf.Modal[j].Value(); count != n[j] || numtest.Off(sums[j], 1, 1e-9) {
			t.Errorf("row %d of the classification adds up to %v; %d records, want %d", j+1, sums[j], count, n[j])
		}
	}
	if len(inf.Questions) != 14 || len(inf.Pairs) == 0 || inf.Tested != 14*13/2 {
		t.Errorf("%d questions, %d pairs of %d", len(inf.Questions), len(inf.Pairs), inf.Tested)
	}
}

// TestNoInference: trees, reports to be shared, other models and groups changed
// by hand have no parameters to trust; small cells have no estimate.
func TestNoInference(t *testing.T) {
	d := hospital(t, 3, 600)
	o := flat(t, d, 3, "")
	for name, r := range map[string]*report.Report{
		"tree":   explained(t, grown(t, d, fit.TreeShape{Leaves: 3}), d, report.Settings{}),
		"shared": explained(t, o, d, report.Settings{Share: true}),
		"moved":  explained(t, o, d, report.Settings{Counted: true}),
		"topics": explained(t, flat(t, corpus(1, 200), 3, "lda"), corpus(1, 200), report.Settings{}),
	} {
		if r.Inference != nil {
			t.Errorf("%s: %+v", name, r.Inference)
		}
	}
	r := explained(t, o, d, report.Settings{Health: true, MinCell: 40})
	masked := 0
	for _, q := range r.Inference.Questions {
		for _, a := range q.Answers {
			for j, e := range a.Groups {
				n, _ := r.Leaf(j).N.Value()
				v, ok := e.Value.Value()
				if !ok {
					masked++
				}
				if ok && (v*float64(n) < 40 || (1-v)*float64(n) < 40) {
					t.Errorf("group %d, %s: %v of %d records are told", j+1, a.Name, v, n)
				}
				if !ok && (!e.SE.Masked() || !e.Low.Masked() || !e.High.Masked() || !e.Outer.Masked() || !e.Resampled.Masked()) {
					t.Errorf("group %d, %s: a masked probability with %+v", j+1, a.Name, e)
				}
			}
		}
	}
	if masked == 0 {
		t.Error("nothing was masked: the test tests nothing")
	}
}
