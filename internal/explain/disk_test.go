package explain_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/internal/explain"
	"github.com/moiety-go/moiety/internal/family/hmm"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/vocab"
)

// TestFromDisk: records that stay on disk, in several blocks, are explained to
// the letter as those in memory.
func TestFromDisk(t *testing.T) {
	const n = 2*pass.BlockRecords + 500
	patients := hospital(t, 3, n)
	day := dataset.Side{Name: "day"}
	for i := range n {
		patients.IDs = append(patients.IDs, fmt.Sprintf("p%d", i))
		day.Values = append(day.Values, fmt.Sprintf("20%02d-0%d-17T10:00", 10+i%7, 1+i%9))
	}
	patients.Side = []dataset.Side{day}
	texts := corpus(5, n)
	mixedOutcome, mixed := mixedWorld(n)
	sequenceOutcome, sequences := chains(t, n)
	for name, c := range map[string]struct {
		o *fit.Outcome
		d *dataset.Dataset
		s report.Settings
	}{
		"patients":              {grown(t, patients, fit.TreeShape{Leaves: 3, Stability: "off"}), patients, report.Settings{Health: true, Date: "day"}},
		"patients, all counts":  {flat(t, patients, 3, "bernoulli"), patients, report.Settings{Date: "day"}},
		"texts without ids":     {flat(t, texts, 4, "single-topic"), texts, report.Settings{}},
		"measurements, missing": {mixedOutcome, mixed, report.Settings{}},
		"sequences":             {sequenceOutcome, sequences, report.Settings{Health: true}},
	} {
		path := filepath.Join(t.TempDir(), "rows")
		if err := dataset.Write(path, c.d); err != nil {
			t.Fatal(err)
		}
		f, err := dataset.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fromDisk, err := explain.New(t.Context(), c.o, f, c.s)
		if err != nil {
			t.Fatal(err)
		}
		got, want := asJSON(t, fromDisk), asJSON(t, explained(t, c.o, c.d, c.s))
		if got != want {
			t.Errorf("%s: other words from disk:\n%.600s\nwant\n%.600s", name, got, want)
		}
	}
}

func asJSON(t *testing.T, r *report.Report) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// chains draws walks through two states of three symbols.
func chains(t *testing.T, n int) (*fit.Outcome, *dataset.Dataset) {
	t.Helper()
	p := hmm.NewParams(mat.NewDense(3, 2, []float64{.8, .1, .15, .2, .05, .7}), mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), []float64{.5, .5}, nil)
	draw, err := hmm.New(hmm.Options{}).Sample(p, stream.New(1, "test/chains"), n, family.Shape{Lengths: []int{3, 5}})
	if err != nil {
		t.Fatal(err)
	}
	v := vocab.New([]string{"sleeps", "reads", "walks"})
	o := &fit.Outcome{Model: &model.Model{Spec: model.Spec{Model: "hmm"}, Vocab: v, Params: p}}
	for i := range draw.Rows.N() {
		o.Group, o.Probability = append(o.Group, int32(i%2)), append(o.Probability, .8)
	}
	return o, &dataset.Dataset{Kind: record.Presence, Rows: draw.Rows, Steps: draw.Steps, Vocab: v}
}

// Two runs whose records stay on disk are compared to the letter as those in
// memory, also where little may be kept of the records at a time.
func TestCompareFromDisk(t *testing.T) {
	const n = pass.BlockRecords + 500
	patients, other := hospital(t, 3, n), hospital(t, 4, n)
	for i := range n {
		patients.IDs = append(patients.IDs, fmt.Sprintf("p%d", i))
		other.IDs = append(other.IDs, fmt.Sprintf("p%d", 7*i%n+n/2)) // some twice, some unknown
	}
	texts := corpus(5, n)
	_, chained := chains(t, n)
	chain, _ := chains(t, n)
	mixedOutcome, mixed := mixedWorld(n)
	for name, c := range map[string][2]explain.Side{
		"the same":     {side(t, "a", flat(t, patients, 3, "bernoulli"), patients, report.Settings{}), side(t, "b", flat(t, patients, 2, "bernoulli"), patients, report.Settings{})},
		"others":       {side(t, "a", flat(t, patients, 3, "bernoulli"), patients, report.Settings{}), side(t, "b", flat(t, other, 3, "bernoulli"), other, report.Settings{})},
		"by position":  {side(t, "a", flat(t, texts, 4, "single-topic"), texts, report.Settings{}), side(t, "b", flat(t, texts, 2, "single-topic"), texts, report.Settings{})},
		"sequences":    {side(t, "a", chain, chained, report.Settings{}), side(t, "b", chain, chained, report.Settings{})},
		"measurements": {side(t, "a", mixedOutcome, mixed, report.Settings{}), side(t, "b", mixedOutcome, mixed, report.Settings{})},
	} {
		want, err := json.Marshal(compare(t, c[0], c[1], report.CompareSettings{}))
		if err != nil {
			t.Fatal(err)
		}
		for i := range c {
			path := filepath.Join(t.TempDir(), "rows")
			if err := dataset.Write(path, c[i].Data.(*dataset.Dataset)); err != nil {
				t.Fatal(err)
			}
			f, err := dataset.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			c[i].Data = f
		}
		for _, memory := range []int64{0, 20_000} { // the second in a dozen portions
			got, err := json.Marshal(compare(t, c[0], c[1], report.CompareSettings{Memory: memory}))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s, memory %d: another comparison from disk:\n%.600s\nwant\n%.600s", name, memory, got, want)
			}
		}
	}
}
