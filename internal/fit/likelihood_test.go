package fit_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/lca/lcatest"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/warn"
)

func answers(s *lcatest.Set, workers int) fit.Training {
	return fit.Training{Run: pass.NewLocal(s.Rows, workers), Vocab: s.Vocab, Kind: record.Categorical}
}

// TestMaximumLikelihood: without a prior a flat fit of latent classes ends at
// the best maximum that other programs know; with the usual prior it does not.
func TestMaximumLikelihood(t *testing.T) {
	numtest.NotShort(t)
	figures := lcatest.Reference(t)
	for _, c := range []struct {
		set string
		k   int
	}{{"gss82", 3}, {"alzheimer", 4}, {"hivtests", 3}, {"carcinoma", 5}, {"dentistry", 2}} {
		set := lcatest.Load(t, c.set, false)
		want, _ := lcatest.Best(figures, c.set, c.k)
		o, err := fit.Flat(context.Background(), answers(set, 2), fit.Settings{K: c.k, Prior: fit.Likelihood})
		if err != nil {
			t.Fatal(err)
		}
		p := o.Model.Provenance
		if numtest.Off(p.Objective, want, .01) {
			t.Errorf("%s, %d classes: %.4f, want %.4f", c.set, c.k, p.Objective, want)
		}
		if p.Prior == nil || *p.Prior != 0 || p.Starts == nil || p.Starts.Tried < 50 || p.Starts.Reached < 4 {
			t.Errorf("%s, %d classes: prior %v, starts %+v", c.set, c.k, p.Prior, p.Starts)
		}
		if !strings.Contains(string(p.Settings), `"prior":0`) {
			t.Errorf("settings %s", p.Settings)
		}
		if again, err := fit.Flat(context.Background(), answers(set, 8), fit.Settings{K: c.k, Prior: fit.Likelihood}); err != nil || again.Model.Provenance.Objective != p.Objective {
			t.Errorf("%s: other bits on other cores (%v)", c.set, err)
		}
	}
	set := lcatest.Load(t, "carcinoma", false)
	o, err := fit.Flat(context.Background(), answers(set, 2), fit.Settings{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	if p := o.Model.Provenance; p.Objective > -295 || p.Prior == nil || *p.Prior != 1 || p.Starts != nil || !strings.Contains(string(p.Settings), `"prior":1`) {
		t.Errorf("with the usual prior: %v, prior %v, starts %v, settings %s", p.Objective, p.Prior, p.Starts, p.Settings)
	}
}

// TestMoreClassesThanDirections: where moments tell too few directions apart
// maximum likelihood starts elsewhere, and says what such a model is worth.
func TestMoreClassesThanDirections(t *testing.T) {
	set := lcatest.Load(t, "values", false)
	with, err := fit.Flat(context.Background(), answers(set, 2), fit.Settings{K: 9})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(with.Model.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "beyond-moments" }) {
		t.Fatal("nine directions in four yes-or-no questions: the test tests nothing")
	}
	o, err := fit.Flat(context.Background(), answers(set, 2), fit.Settings{K: 9, Prior: fit.Likelihood})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range o.Model.Provenance.Warnings {
		if w.Code == "not-identified" && strings.Contains(w.Text, "44 parameters") && strings.Contains(w.Text, "15 free cells") {
			return
		}
	}
	t.Errorf("no word on identification: %v", o.Model.Provenance.Warnings)
}

// TestLikelihoodOfOtherModels: models that are no latent classes climb from the
// moments' answer, and from where the prior leads, to no less than either.
func TestLikelihoodOfOtherModels(t *testing.T) {
	set := lcatest.Load(t, "alzheimer", false)
	for _, name := range []string{"poisson", "bernoulli", "categorical", "mixed"} {
		s := fit.Settings{K: 2, Spec: model.Spec{Model: name}}
		with, err := fit.Flat(context.Background(), answers(set, 2), s)
		if err != nil {
			t.Fatal(name, err)
		}
		s.Prior = fit.Likelihood
		without, err := fit.Flat(context.Background(), answers(set, 2), s)
		if err != nil {
			t.Fatal(name, err)
		}
		a, b := with.Model.Provenance, without.Model.Provenance
		if b.Objective < a.Objective-1e-6 || b.Starts == nil || b.Starts.Tried < 2 {
			t.Errorf("%s: %v without a prior, %v with one; %+v", name, b.Objective, a.Objective, b.Starts)
		}
	}
}

func TestPriorAsJSON(t *testing.T) {
	for _, c := range []struct {
		prior fit.Prior
		text  string
	}{{0, "1"}, {fit.Likelihood, "0"}, {2.5, "2.5"}, {-7, "0"}} {
		text, err := json.Marshal(c.prior)
		if err != nil || string(text) != c.text {
			t.Errorf("%v is written as %s (%v), want %s", float64(c.prior), text, err, c.text)
		}
		var back fit.Prior
		if err := json.Unmarshal(text, &back); err != nil || back.Records() != c.prior.Records() {
			t.Errorf("%s is read as %v (%v)", text, float64(back), err)
		}
	}
	var p fit.Prior
	if json.Unmarshal([]byte("-1"), &p) == nil {
		t.Error("a prior of -1 records was read")
	}
}
