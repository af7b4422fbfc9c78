package show_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TestStatesInTables: starts and transitions of states are those of the model,
// and each row of them adds up to one.
func TestStatesInTables(t *testing.T) {
	d := walks(t, 60)
	o := flat(t, d, 2, "")
	r := explained(t, o, d, report.Settings{})
	rows := parsed(t, func(w io.Writer) error { return show.TransitionsCSV(w, r) })
	if strings.Join(rows[0], ",") != "from,1,2" || len(rows) != 3 {
		t.Fatalf("%v", rows)
	}
	for _, row := range rows[1:] {
		a, _ := strconv.ParseFloat(row[1], 64)
		b, _ := strconv.ParseFloat(row[2], 64)
		if numtest.Off(a+b, 1, 1e-9) {
			t.Errorf("%v", row)
		}
	}
	weights := parsed(t, func(w io.Writer) error { return show.WeightsCSV(w, r) })
	if strings.Join(weights[0], ",") != "group,weight,start" || numtest.Off(r.Leaf(0).Start.Or(9)+r.Leaf(1).Start.Or(9), 1, 1e-9) {
		t.Errorf("%v", weights)
	}
}

// TestTopicsInTables: α adds up to α0, and OCTIS' matrix of documents has a row a
// topic and a column a document.
func TestTopicsInTables(t *testing.T) {
	d := corpus(1, 200)
	o := flat(t, d, 3, "lda")
	r := explained(t, o, d, report.Settings{})
	sum := 0.0
	for j := range r.Leaves {
		sum += r.Leaf(j).Alpha.Or(math.NaN())
	}
	if v, ok := r.Fit.Alpha0.Value(); !ok || numtest.Off(v, sum, 1e-12) || !r.Fit.Bound {
		t.Errorf("α0 %v, α add up to %v", v, sum)
	}
	var b bytes.Buffer
	theta := &show.Probabilities{Rows: 2, Each: func(visit func([]float64) error) error { return visit([]float64{.1, .2, .7, .5, .3, .2}) }}
	if err := show.OCTIS(&b, r, theta); err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b.Bytes(), &raw); err != nil {
		t.Fatal(err)
	}
	var m [][]float64
	if err := json.Unmarshal(raw["topic-document-matrix"], &m); err != nil {
		t.Fatal(err)
	}
	if len(m) != 3 || len(m[0]) != 2 || m[0][1] != .5 || m[2][0] != .7 {
		t.Errorf("%v", m)
	}
}

// TestOCTISArrays: OCTIS' own file has a topic a row in both matrices, and its
// vocabulary is by number.
func TestOCTISArrays(t *testing.T) {
	d := corpus(1, 200)
	r := explained(t, flat(t, d, 3, "lda"), d, report.Settings{})
	var b bytes.Buffer
	theta := &show.Probabilities{Rows: 2, Each: func(visit func([]float64) error) error { return visit([]float64{.1, .2, .7, .5, .3, .2}) }}
	if err := show.OCTISArrays(&b, r, theta); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("topic-document-matrix.npy")
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(f)
	if err != nil || !strings.Contains(string(all), "(3, 2)") {
		t.Fatalf("%q, %v", all[:80], err)
	}
	var got []float64
	for data := all[len(all)-48:]; len(data) > 0; data = data[8:] {
		got = append(got, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	if want := []float64{.1, .5, .2, .3, .7, .2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	b.Reset()
	if err := show.OCTISVocabulary(&b, r); err != nil {
		t.Fatal(err)
	}
	var words map[string]string
	if err := json.Unmarshal(b.Bytes(), &words); err != nil || len(words) != len(r.Table.Names)+1 || words["0"] != r.Table.Names[0] {
		t.Errorf("%v, %v", err, words)
	}
}
