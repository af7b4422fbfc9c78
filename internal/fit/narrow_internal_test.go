package fit

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Of five features one is in all records, one in none and one in two: two are left to tell
// parts apart, and groups of these have all five again.
func TestTold(t *testing.T) {
	rows := sparse.Rows{Dim: 5, Ptr: []int{0}}
	for i := range 8 {
		rows.Index = append(rows.Index, 0)
		if i < 3 {
			rows.Index = append(rows.Index, 2)
		}
		if i < 2 {
			rows.Index = append(rows.Index, 3)
		}
		if i >= 3 {
			rows.Index = append(rows.Index, 4)
		}
		rows.Ptr = append(rows.Ptr, len(rows.Index))
	}
	data := Training{Kind: record.Presence, Vocab: &vocab.Vocab{}}
	by := data.differing(rows)
	if want := []int{2, 4}; !reflect.DeepEqual(by.kept, want) {
		t.Fatalf("features %v are kept, want %v", by.kept, want)
	}
	inner := by.narrow(rows)
	if first, _ := inner.Row(0); inner.Dim != 2 || inner.N() != 8 || !reflect.DeepEqual(first, []uint32{0}) {
		t.Errorf("narrow rows %+v", inner)
	}
	wide := by.widen(mixture.New(mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), []float64{.5, .5}))
	if wide.Dim() != 5 || wide.Centers.At(4, 0) != .2 || wide.Centers.At(2, 1) != .1 {
		t.Errorf("wide groups %v", mat.Formatted(wide.Centers))
	}
	for _, h := range []int{0, 1, 3} {
		if a, b := wide.Centers.At(h, 0), wide.Centers.At(h, 1); a != b || a <= 0 || a >= 1 {
			t.Errorf("feature %d: %g and %g, want one frequency between 0 and 1", h, a, b)
		}
	}
	if all := (Training{Kind: record.Categorical, Vocab: &vocab.Vocab{}}).differing(rows); all.kept != nil {
		t.Error("answers are cut out of their questions")
	}
}
