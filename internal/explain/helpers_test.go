package explain_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
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

// hospital draws patients of three known groups: kidney, heart valve, lung.
func hospital(t *testing.T, seed uint64, n int) *dataset.Dataset {
	t.Helper()
	titles := []string{
		"Heart failure", "Hypertension", "Chronic kidney disease", "Anaemia", "Diabetes",
		"Mitral valve disease", "Pulmonary hypertension", "Atrial fibrillation",
		"Chronic airway obstruction", "Pneumonia", "Obesity", "Tobacco use", "Gout", "Fracture of hip",
	}
	centers := mat.NewDense(len(titles), 3, []float64{
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
	})
	draw, err := bernoulli.New(bernoulli.Options{}).Sample(mixture.New(centers, []float64{.5, .3, .2}), stream.New(seed, "test/hospital"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(titles))
	for h := range names {
		names[h] = fmt.Sprint(400 + h)
	}
	return &dataset.Dataset{
		Kind: record.Presence, Rows: draw.Rows,
		Vocab: &vocab.Vocab{Names: names, Titles: titles, System: "icd9"},
	}
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

func data(d *dataset.Dataset) fit.Training {
	run := d.Runner(2)
	return fit.Training{Run: run, Vocab: d.Vocab, Kind: d.Kind, Sequences: d.Steps != nil, Fingerprint: "test"}
}

func flat(t *testing.T, d *dataset.Dataset, k int, name string) *fit.Outcome {
	t.Helper()
	o, err := fit.Flat(t.Context(), data(d), fit.Settings{K: k, Spec: model.Spec{Model: name}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func grown(t *testing.T, d *dataset.Dataset, shape fit.TreeShape) *fit.Outcome {
	t.Helper()
	if shape.Leaves > 0 { // quickly, by splitting records: what is told of a tree is tested here
		shape.Splitter = tree.Auto
	}
	o, err := fit.Tree(t.Context(), data(d), fit.Settings{Tree: shape, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
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

// wide returns a row of a table with a place for every feature of the
// vocabulary: those that are not named are masked.
func wide(rep *report.Report, row []report.Number, dim int) []report.Number {
	out := make([]report.Number, dim)
	for i, x := range row {
		out[rep.Table.Feature(i)] = x
	}
	return out
}

// numberOf returns the number of a feature of a list in the vocabulary.
func numberOf(rep *report.Report, index int) int { return rep.Table.Feature(index) }
