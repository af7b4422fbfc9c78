package encode

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

var nan = math.NaN()

// clinic is a table of mixed columns: age (real), sex (categorical), ill
// (presence), visits (counts), and site, which never changes.
func clinic() *fake {
	d := record.NewDict()
	for _, name := range []string{"age", "sex=F", "sex=M", "ill", "visits", "site=north"} {
		d.Add(name)
	}
	f := &fake{schema: record.Schema{Format: "wide", Kind: record.Mixed, Dict: d, Columns: []record.Column{
		{Name: "age", Kind: record.Real, Feature: 0},
		{Name: "sex", Kind: record.Categorical, Levels: []uint32{1, 2}},
		{Name: "ill", Kind: record.Presence, Feature: 3},
		{Name: "visits", Kind: record.Counts, Feature: 4},
		{Name: "site", Kind: record.Categorical, Levels: []uint32{5}},
	}}}
	f.batches = []*record.Batch{{
		Ptr:     []int{0, 4, 7, 9, 12},
		Feature: []uint32{0, 1, 3, 4 /**/, 2, 4, 5 /**/, 0, 1 /**/, 0, 1, 3},
		Value:   []float64{71, 1, 1, 2 /**/, 1, 5, 1 /**/, 0, 1 /**/, 64.5, 1, nan},
	}}
	return f
}

func TestMixed(t *testing.T) {
	r := encode(t, clinic(), Settings{})
	v := r.Vocab()
	if got := strings.Join(v.Names, " "); got != "age sex=F sex=M ill visits" {
		t.Fatalf("features %q", got)
	}
	want := []vocab.Column{
		{Name: "age", Kind: vocab.Real, From: 0, To: 1},
		{Name: "sex", Kind: vocab.Categorical, From: 1, To: 3},
		{Name: "ill", Kind: vocab.Presence, From: 3, To: 4},
		{Name: "visits", Kind: vocab.Counts, From: 4, To: 5},
	}
	if !reflect.DeepEqual(v.Columns, want) {
		t.Errorf("columns %+v", v.Columns)
	}
	if dataset.LayoutOf(held(r).Rows) != dataset.Valued {
		t.Error("one real column of five: rows should be sparse")
	}
	table := [][]float64{{71, 1, 0, 1, 2}, {nan, 0, 1, 0, 5}, {0, 1, 0, 0, 0}, {64.5, 1, 0, nan, 0}}
	checkRows(t, r, table)
	if !strings.Contains(warnings(r), "constant-columns: 1 column never changes and was left out: site.") {
		t.Errorf("warnings %s", warnings(r))
	}
	r = encode(t, clinic(), Settings{Encoding: dataset.Encoding{Include: []string{"age", "visits"}}})
	if dataset.LayoutOf(held(r).Rows) != dataset.Dense {
		t.Error("half of the columns are real: rows should be dense")
	}
	checkRows(t, r, [][]float64{{71, 2}, {nan, 5}, {0, 0}, {64.5, 0}})
	r = encode(t, clinic(), Settings{Encoding: dataset.Encoding{Exclude: []string{"sex"}}})
	if got := strings.Join(r.Vocab().Names, " "); got != "age ill visits" {
		t.Errorf("a column is excluded by its name: %q", got)
	}
}

func checkRows(t *testing.T, r *Result, table [][]float64) {
	t.Helper()
	for i, row := range table {
		for h, want := range row {
			if got := held(r).Rows.At(i, h); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("record %d, %s: %g, want %g", i, r.Vocab().Names[h], got, want)
			}
		}
	}
}

// measured is a table of measurements; an entry that is not there is missing,
// or zero where the source says so.
func measured(zero bool) *fake {
	d := record.NewDict()
	d.Add("x")
	d.Add("y")
	d.Add("same")
	f := &fake{schema: record.Schema{Format: "real", Kind: record.Real, Dict: d, Sparse: zero}}
	f.batches = []*record.Batch{{
		Ptr:     []int{0, 3, 5, 7},
		Feature: []uint32{0, 1, 2 /**/, 1, 2 /**/, 0, 2},
		Value:   []float64{1.5, -2, 7 /**/, 3, 7 /**/, nan, 7},
	}}
	return f
}

func TestReal(t *testing.T) {
	r := encode(t, measured(false), Settings{})
	if !held(r).Rows.IsDense() || r.Vocab().Columns != nil || held(r).Kind != record.Real {
		t.Error("measurements should be dense rows without columns")
	}
	if got := strings.Join(r.Vocab().Names, " "); got != "y" {
		// x has one value and then only missing ones.
		t.Errorf("features %q", got)
	}
	r = encode(t, measured(true), Settings{})
	if got := strings.Join(r.Vocab().Names, " "); got != "x y" {
		t.Errorf("features %q", got)
	}
	checkRows(t, r, [][]float64{{1.5, -2}, {0, 3}, {nan, 0}})
}

func TestCategorical(t *testing.T) {
	d := record.NewDict()
	for _, name := range []string{"v1=n", "v1=y", "v2=y", "v2=n"} {
		d.Add(name)
	}
	f := &fake{schema: record.Schema{Format: "wide", Kind: record.Categorical, Dict: d, Columns: []record.Column{
		{Name: "v1", Kind: record.Categorical, Levels: []uint32{0, 1}},
		{Name: "v2", Kind: record.Categorical, Levels: []uint32{2, 3}},
	}}}
	f.batches = []*record.Batch{{Ptr: []int{0, 2, 4, 5, 7}, Feature: []uint32{0, 2, 1, 3, 1, 1, 2}}}
	r := encode(t, f, Settings{})
	if got := strings.Join(r.Vocab().Names, " "); got != "v1=y v1=n v2=y v2=n" {
		t.Errorf("levels by falling frequency: %q", got)
	}
	if !held(r).Rows.IsBinary() || len(r.Vocab().Columns) != 2 || r.Vocab().Columns[1] != (vocab.Column{Name: "v2", Kind: vocab.Categorical, From: 2, To: 4}) {
		t.Errorf("columns %+v", r.Vocab().Columns)
	}
	if row(r, 2) != "v1=y" {
		t.Errorf("a missing answer leaves its block empty: %q", row(r, 2))
	}
}

// TestPresenceWithMissing: presences of which some are unknown are answers, and
// an unknown one is none; new records are encoded in the same way.
func TestPresenceWithMissing(t *testing.T) {
	f := lists("binary", record.Presence, "a b", "b c", "a")
	f.batches[0].Value = append(make([]float64, 7), 1, 0, 1, nan, 1)
	r := encode(t, f, Settings{})
	if held(r).Kind != record.Categorical || !held(r).Rows.IsBinary() || len(r.Vocab().Columns) != 3 {
		t.Fatalf("%s records with the columns %v, want answers", held(r).Kind, r.Vocab().Columns)
	}
	want := map[string][]float64{
		"a=0": {0, 1, 0}, "a=1": {1, 0, 1}, "b=0": {1, 0, 1}, "b=1": {0, 1, 0}, "c=0": {1, 0, 1}, "c=1": {0, 0, 0},
	}
	check := func(d *dataset.Dataset) {
		t.Helper()
		for h, name := range d.Vocab.Names {
			for i, w := range want[name] {
				if got := d.Rows.At(i, h); got != w {
					t.Errorf("%s of record %d is %g, want %g", name, i, got, w)
				}
			}
		}
	}
	check(held(r))
	again := lists("binary", record.Presence, "a b", "b c", "a")
	again.batches[0].Value = append(make([]float64, 7), 1, 0, 1, nan, 1)
	_, err := Apply(t.Context(), again, r.Summary.Plan, r.Vocab(), 1, func(_ int, d *dataset.Dataset) error {
		check(d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSequences(t *testing.T) {
	f := lists("sequences", record.Presence, "a", "b", "a", "c", "b", "b")
	f.schema.Dict = record.NewDict()
	for _, name := range []string{"a", "b", "c"} {
		f.schema.Dict.Add(name)
	}
	f.batches = []*record.Batch{
		{Steps: []int{0, 2, 3}, Ptr: []int{0, 1, 2, 3}, Feature: []uint32{0, 1, 0}, IDs: []string{"p", "q"}},
		{Steps: []int{0, 0, 3}, Ptr: []int{0, 1, 2, 3}, Feature: []uint32{2, 1, 1}, IDs: []string{"r", "s"}},
	}
	r := encode(t, f, Settings{})
	if !reflect.DeepEqual(held(r).Steps, []int{0, 2, 3, 3, 6}) || held(r).Rows.N() != 6 || r.Len() != 4 {
		t.Fatalf("steps %v over %d rows", held(r).Steps, held(r).Rows.N())
	}
	var got []string
	for i := range 6 {
		got = append(got, row(r, i))
	}
	if strings.Join(got, " ") != "a b a c b b" {
		t.Errorf("steps are %q", got)
	}
	r = encode(t, f, Settings{Encoding: dataset.Encoding{Where: "has b"}})
	if strings.Join(held(r).IDs, " ") != "p s" || !reflect.DeepEqual(held(r).Steps, []int{0, 2, 5}) {
		t.Errorf("records %v, steps %v", held(r).IDs, held(r).Steps)
	}
}

// TestSparseMeasurements: what a sparse row does not store is zero, in the least and the largest
// value and in the mean.
func TestSparseMeasurements(t *testing.T) {
	src := &fake{schema: record.Schema{Format: "svmlight", Kind: record.Real, Dict: record.NewDict(), Sparse: true}}
	x, y := src.schema.Dict.Add("x"), src.schema.Dict.Add("y")
	src.batches = []*record.Batch{{
		Ptr: []int{0, 2, 3, 4, 5}, Feature: []uint32{x, y, x, y, y}, Value: []float64{2, -1, 4.5, -2.5, -0.5},
	}}
	r := encode(t, src, Settings{})
	for i, want := range []Measured{{Mean: 6.5 / 4, Low: 0, High: 4.5}, {Mean: -1, Low: -2.5, High: 0}} {
		top := r.Summary.Top[i]
		if top.Measured == nil || *top.Measured != want || top.Records != 4 {
			t.Errorf("%s: %+v of %d records, want %+v of 4", top.Name, top.Measured, top.Records, want)
		}
	}
}
