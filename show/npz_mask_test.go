package show_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"testing"

	"github.com/moiety-go/moiety/report"
	"github.com/moiety-go/moiety/show"
)

// TestMaskedIsNaN: what is withheld is no number in an array, and nothing else
// is: 0 would read as "nobody".
func TestMaskedIsNaN(t *testing.T) {
	none, zero, some := report.Number{}, report.NumberOf(0), report.NumberOf(.25)
	r := &report.Report{
		Groups: []report.Group{{ID: "1", Number: 1}, {ID: "2", Number: 2}}, Leaves: []int{0, 1},
		Table: report.Table{
			Names: []string{"a", "b"}, Titles: []string{"a", "b"}, Of: []report.Of{report.OfRecords, report.OfRecords},
			Centers: [][]report.Number{{some, none}, {zero, some}}, Weights: []report.Number{some, none},
		},
	}
	var b bytes.Buffer
	if err := show.NPZ(&b, r, nil, nil); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"centers": {.25, math.NaN(), 0, .25}, "weights": {.25, math.NaN()}} {
		f, err := z.Open(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		text = text[len(text)-8*len(want):]
		for i, w := range want {
			got := math.Float64frombits(binary.LittleEndian.Uint64(text[8*i:]))
			if got != w && !(math.IsNaN(got) && math.IsNaN(w)) {
				t.Errorf("%s[%d] is %v, want %v", name, i, got, w)
			}
		}
	}
}
