// Package showtest makes data and reports of every shape, drawn or made up, for tests of what
// is shown of them: in package show, and in a browser.
package showtest

import (
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/report"
)

func source(d *dataset.Dataset) fit.Training {
	return fit.Training{Run: d.Runner(2), Vocab: d.Vocab, Kind: d.Kind, Sequences: d.Steps != nil, Fingerprint: "0123abcd"}
}

// Flat fits k groups by a family.
func Flat(t *testing.T, d *dataset.Dataset, k int, name string) *fit.Outcome {
	t.Helper()
	o, err := fit.Flat(t.Context(), source(d), fit.Settings{K: k, Spec: model.Spec{Model: name}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o.Model.Provenance.Program = "moiety test"
	return o
}

// Grown grows a tree.
func Grown(t *testing.T, d *dataset.Dataset, shape fit.TreeShape) *fit.Outcome {
	t.Helper()
	if shape.Leaves > 0 { // quickly, by splitting records: what is told of a tree is tested here
		shape.Splitter = tree.Auto
	}
	o, err := fit.Tree(t.Context(), source(d), fit.Settings{Tree: shape, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o.Tree.Provenance.Program = "moiety test"
	return o
}

// Explained reports what was fitted.
func Explained(t *testing.T, o *fit.Outcome, d *dataset.Dataset, s report.Settings) *report.Report {
	t.Helper()
	r, err := explain.New(t.Context(), o, d, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Cases are reports of every shape.
func Cases(t *testing.T) map[string]*report.Report {
	h1, h2, c, l, w := Hospital(t, 1, 800), Hospital(t, 2, 150), Corpus(1, 400), Laboratory(t, 300), Walks(t, 60)
	health := report.Settings{Health: true, Date: "admitted"}
	return map[string]*report.Report{
		"hospital-tree":  Explained(t, Grown(t, h1, fit.TreeShape{}), h1, health),
		"hospital-flat":  Explained(t, Flat(t, h1, 3, ""), h1, report.Settings{Date: "admitted"}),
		"hospital-small": Explained(t, Grown(t, h2, fit.TreeShape{Leaves: 4}), h2, health),
		"hospital-one":   Explained(t, Flat(t, h2, 1, ""), h2, health),
		"corpus-tree":    Explained(t, Grown(t, c, fit.TreeShape{Leaves: 3}), c, report.Settings{}),
		"corpus-lda":     Explained(t, Flat(t, c, 3, "lda"), c, report.Settings{}),
		"laboratory":     Explained(t, Flat(t, l, 2, ""), l, report.Settings{Health: true}),
		"walks":          Explained(t, Flat(t, w, 2, ""), w, report.Settings{}),
	}
}
