package show

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/dataset"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// arrayOf reads an array of numbers back.
func arrayOf(t *testing.T, file []byte, name string, n int) []float64 {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil || len(text) < 8*n || (len(text)-8*n)%npyAlign != 0 {
		t.Fatalf("%s has %d bytes for %d numbers: %v", name, len(text), n, err)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(text[len(text)-8*(n-i):]))
	}
	return out
}

// Deviations and transitions stand at the group they are of, and what is withheld is
// no number.
func TestArraysByHand(t *testing.T) {
	some := report.NumberOf
	r := &report.Report{
		Shape: report.States,
		Groups: []report.Group{
			{ID: "1", Measures: []report.Measure{{Index: 1}, {Index: 0, SD: some(2)}}, Moves: []report.Move{{To: "2", Probability: some(.25)}, {To: "1", Probability: some(.75)}}},
			{ID: "2", Measures: []report.Measure{{Index: 1, SD: some(3)}}, Moves: []report.Move{{To: "1", Probability: some(.5)}, {To: "2"}}},
		},
		Leaves: []int{0, 1},
		Table: report.Table{
			Names: []string{"a", "b"}, Titles: []string{"a", "b"}, Of: []report.Of{report.Value, report.Value},
			Centers: [][]report.Number{{some(1), some(2)}, {some(3), some(4)}}, Weights: []report.Number{some(.5), some(.5)},
		},
	}
	var b bytes.Buffer
	if err := NPZ(&b, r, []uint32{5, 2}, nil); err != nil { // the first is the sixth column of the file
		t.Fatal(err)
	}
	for i, got := range arrayOf(t, b.Bytes(), "columns", 2) {
		if want := []uint64{5, 2}[i]; math.Float64bits(got) != want {
			t.Errorf("feature %d stands in column %d of the file, want %d", i, math.Float64bits(got), want)
		}
	}
	no := math.NaN()
	for name, want := range map[string][]float64{"sd": {2, no, no, 3}, "transitions": {.75, .25, .5, no}} {
		for i, got := range arrayOf(t, b.Bytes(), name, 4) {
			if got != want[i] && !(math.IsNaN(got) && math.IsNaN(want[i])) {
				t.Errorf("%s[%d] is %v, want %v", name, i, got, want[i])
			}
		}
	}
}

// Steps are counted from 1.
func TestStepsByHand(t *testing.T) {
	d := &dataset.Dataset{Vocab: vocab.Numbered(1), IDs: []string{"a", "b"}, Steps: []int{0, 2, 3}, Rows: sparse.Rows{Dim: 1, Ptr: make([]int, 4)}}
	o := report.Placed{Group: []int32{1, 0, 1}, Probability: []float32{.5, 1, 1}}
	r := &report.Report{Groups: []report.Group{{ID: "1"}, {ID: "2"}}, Leaves: []int{0, 1}}
	var b bytes.Buffer
	if err := StepsCSV(t.Context(), &b, r, o, d, nil); err != nil {
		t.Fatal(err)
	}
	if want := "id,step,group,probability\na,1,2,0.5\na,2,1,1\nb,1,2,1\n"; strings.ReplaceAll(b.String(), "\r", "") != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// A page of topics tells no number of fewer than the limit, and lists words by what
// they tell times how often they come.
func TestLDAvisByHand(t *testing.T) {
	some := report.NumberOf
	r := &report.Report{
		Limit: 11, Data: report.Data{Rows: report.CountOf(100)},
		Groups: []report.Group{{ID: "1"}, {ID: "2"}}, Leaves: []int{0, 1},
		Table: report.Table{
			Names: []string{"a", "b"}, Titles: []string{"a", "b"}, Of: []report.Of{report.OfRecords, report.OfRecords},
			Centers: [][]report.Number{{some(.5), some(.2)}, {some(.22), some(.5)}}, Weights: []report.Number{some(.5), some(.5)},
			Overall: []report.Number{some(.36), some(.35)},
		},
	}
	b := newLDAvisBuilder(r)
	for j, want := range [][]float64{{25, math.NaN()}, {11, 25}} { // 10 of them have b
		for f, got := range b.freq[j] {
			if got != want[f] && !(math.IsNaN(got) && math.IsNaN(want[f])) {
				t.Errorf("topic %d: feature %d comes %v times, want %v", j, f, got, want[f])
			}
		}
	}
	b = &ldavisBuilder{
		topics: []int{0, 1}, weights: []float64{.5, .5}, features: []int{0, 1}, names: []string{"rare", "frequent"},
		total: []float64{2, 1000}, freq: [][]float64{{2, 600}, {0, 400}}, used: make([]bool, 2),
	}
	v := &LDAvis{R: 2}
	b.salient(v)
	if got := strings.Join(v.Tinfo.Term, " "); got != "frequent rare" { // 1000·(.6·log 1.2 + .4·log .8) and 2·log 2
		t.Errorf("the most salient are %s", got)
	}
}
