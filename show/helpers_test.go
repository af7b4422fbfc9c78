package show_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -run %s -update writes it)", err, t.Name())
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what was written:\n%s", path, got)
	}
}

var diseases = []string{
	"Heart failure", "Hypertension", "Chronic kidney disease", "Anaemia", "Diabetes",
	"Mitral valve disease", "Pulmonary hypertension", "Atrial fibrillation",
	"Chronic airway obstruction", "Pneumonia", "Obesity", "Tobacco use", "Gout", "Fracture of hip",
}

var profiles = []float64{ // kidney, valve, lung
	.97, .99, .98,
	.60, .35, .40,
	.75, .10, .08,
	.40, .15, .12,
	.50, .20, .22,
	.05, .70, .04,
	.06, .55, .15,
	.25, .60, .20,
	.08, .07, .80,
	.05, .05, .40,
	.20, .03, .10,
	.10, .08, .50,
	.20, .05, .04,
	.01, .02, .01,
}

// hospital draws patients of three known groups.
func hospital(t *testing.T, seed uint64, n int) *dataset.Dataset {
	t.Helper()
	p := mixture.New(mat.NewDense(len(diseases), 3, profiles), []float64{.5, .3, .2})
	draw, err := bernoulli.New(bernoulli.Options{}).Sample(p, stream.New(seed, "test/hospital"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(diseases))
	for h := range names {
		names[h] = fmt.Sprint(400 + h)
	}
	d := &dataset.Dataset{
		Kind: record.Presence, Rows: draw.Rows,
		Vocab: &vocab.Vocab{Names: names, Titles: slices.Clone(diseases), System: "icd9"},
		Side:  []dataset.Side{{Name: "admitted", Values: make([]string, n)}},
	}
	for i := range n {
		d.IDs = append(d.IDs, fmt.Sprintf("P%04d", i+1))
		d.Side[0].Values[i] = fmt.Sprintf("2016-%02d-%02dT10:00", i%12+1, i%28+1)
	}
	return d
}

// corpus draws documents of one topic each.
func corpus(seed uint64, n int) *dataset.Dataset {
	set := synth.HierarchicalTopics(seed, n, 60, .1)
	names := make([]string, set.Rows.Dim)
	for h := range names {
		names[h] = fmt.Sprintf("word%02d", h)
	}
	return &dataset.Dataset{Kind: record.Counts, Rows: set.Rows, Vocab: &vocab.Vocab{Names: names, System: vocab.Text}}
}

// laboratory draws measurements of two groups.
func laboratory(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	p := gaussian.NewParams(mat.NewDense(3, 2, []float64{70, 52, 13.5, 9.1, 4, 4.1}), []float64{.7, .3}, []float64{1, 1})
	draw, err := gaussian.New(gaussian.Options{}).Sample(p, stream.New(1, "test/laboratory"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Dataset{Kind: record.Real, Rows: draw.Rows, Vocab: vocab.New([]string{"age", "haemoglobin", "potassium"})}
}

// walks draws sequences of three symbols from two states.
func walks(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	p := hmm.NewParams(mat.NewDense(3, 2, []float64{.8, .1, .15, .2, .05, .7}), mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), []float64{.5, .5}, nil)
	draw, err := hmm.New(hmm.Options{}).Sample(p, stream.New(1, "test/walks"), n, family.Shape{Lengths: []int{20, 30}})
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Dataset{Kind: record.Presence, Rows: draw.Rows, Steps: draw.Steps, Vocab: vocab.New([]string{"rest", "walk", "run"})}
}

func source(d *dataset.Dataset) fit.Training {
	return fit.Training{Run: d.Runner(2), Vocab: d.Vocab, Kind: d.Kind, Sequences: d.Steps != nil, Fingerprint: "0123abcd"}
}

func flat(t *testing.T, d *dataset.Dataset, k int, name string) *fit.Outcome {
	t.Helper()
	o, err := fit.Flat(t.Context(), source(d), fit.Settings{K: k, Spec: model.Spec{Model: name}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	o.Model.Provenance.Program = "moiety test"
	return o
}

func grown(t *testing.T, d *dataset.Dataset, shape fit.TreeShape) *fit.Outcome {
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

func explained(t *testing.T, o *fit.Outcome, d *dataset.Dataset, s report.Settings) *report.Report {
	t.Helper()
	r, err := explain.New(t.Context(), o, d, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
