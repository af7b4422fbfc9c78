package showtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/codes"
	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/family/gaussian"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"gonum.org/v1/gonum/mat"
)

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

// Hospital draws patients of three known groups.
func Hospital(t *testing.T, seed uint64, n int) *dataset.Dataset {
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

// Corpus draws documents of one topic each.
func Corpus(seed uint64, n int) *dataset.Dataset {
	set := synth.HierarchicalTopics(seed, n, 60, .1)
	names := make([]string, set.Rows.Dim)
	for h := range names {
		names[h] = fmt.Sprintf("word%02d", h)
	}
	return &dataset.Dataset{Kind: record.Counts, Rows: set.Rows, Vocab: &vocab.Vocab{Names: names, System: vocab.Text}}
}

// Laboratory draws measurements of two groups.
func Laboratory(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	p := gaussian.NewParams(mat.NewDense(3, 2, []float64{70, 52, 13.5, 9.1, 4, 4.1}), []float64{.7, .3}, []float64{1, 1})
	draw, err := gaussian.New(gaussian.Options{}).Sample(p, stream.New(1, "test/laboratory"), n, family.Shape{})
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Dataset{Kind: record.Real, Rows: draw.Rows, Vocab: vocab.New([]string{"age", "haemoglobin", "potassium"})}
}

// Walks draws sequences of three symbols from two states.
func Walks(t *testing.T, n int) *dataset.Dataset {
	t.Helper()
	p := hmm.NewParams(mat.NewDense(3, 2, []float64{.8, .1, .15, .2, .05, .7}), mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), []float64{.5, .5}, nil)
	draw, err := hmm.New(hmm.Options{}).Sample(p, stream.New(1, "test/walks"), n, family.Shape{Lengths: []int{20, 30}})
	if err != nil {
		t.Fatal(err)
	}
	return &dataset.Dataset{Kind: record.Presence, Rows: draw.Rows, Steps: draw.Steps, Vocab: vocab.New([]string{"rest", "walk", "run"})}
}

// Bags makes a data set of bags of names, the most frequent features first.
func Bags(t *testing.T, kind record.Kind, bags [][]string) *dataset.Dataset {
	t.Helper()
	count := make(map[string]int)
	for _, b := range bags {
		for _, name := range b {
			count[name]++
		}
	}
	var names []string
	for name, n := range count {
		if n > 2 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	v := vocab.New(names)
	place := make(map[string]int)
	for i, name := range names {
		place[name] = i
	}
	table := make([][]float64, len(bags))
	for i, b := range bags {
		table[i] = make([]float64, len(names))
		for _, name := range b {
			if at, ok := place[name]; ok {
				table[i][at]++
			}
		}
	}
	binary := kind == record.Presence
	if binary {
		for _, row := range table {
			for i := range row {
				row[i] = min(row[i], 1)
			}
		}
	}
	return &dataset.Dataset{Kind: kind, Rows: sparse.FromDense(table, len(names), binary), Vocab: v}
}

// Ward is the example hospital, with the names of its diagnoses.
func Ward(t *testing.T, seed uint64, n int) *dataset.Dataset {
	t.Helper()
	var list [][]string
	for _, p := range synth.Hospital(seed, n) {
		list = append(list, p.Codes)
	}
	d := Bags(t, record.Presence, list)
	d.Vocab.System = "icd9"
	d.Vocab.Titles = make([]string, d.Vocab.Len())
	for i, name := range d.Vocab.Names {
		d.Vocab.Titles[i] = codes.Title(codes.ICD9, name, codes.Three)
	}
	return d
}

// Library is the example corpus.
func Library(t *testing.T, seed uint64, n int) *dataset.Dataset {
	t.Helper()
	stop := strings.Fields("the a of and to in is for that was with on as by at from its are it this be an or which were has have not their but after when they all one more than had been also into over out only")
	var list [][]string
	for _, a := range synth.Articles(seed, n) {
		words := strings.FieldsFunc(strings.ToLower(a.Text), func(r rune) bool { return r < 'a' || r > 'z' })
		list = append(list, slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 || slices.Contains(stop, w) }))
	}
	return Bags(t, record.Counts, list)
}
