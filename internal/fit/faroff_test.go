package fit_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// TestFarValues: values far from all others make no groups, move none, and are spoken of;
// the same bytes on any number of cores and on disk.
func TestFarValues(t *testing.T) {
	const n, d = 400, 3
	r, rows := stream.New(2, "far values"), sparse.Rows{Dim: d}
	for i := range n {
		for range d {
			rows.Dense = append(rows.Dense, 20+8*float64(i%2)+r.NormFloat64())
		}
	}
	for at := 0; at < len(rows.Dense); at += 97 {
		rows.Dense[at] = 999
	}
	data := dataOf(rows, record.Real, 1)
	want, err := fit.Tree(t.Context(), data, fit.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if want.K() != 2 || !slices.ContainsFunc(want.Tree.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "far-values" }) {
		t.Fatalf("%d groups; %v", want.K(), want.Tree.Provenance.Warnings)
	}
	for i, g := range want.Group {
		if g != want.Group[i%2] {
			t.Errorf("record %d is in the wrong group", i)
		}
	}
	for h := range d {
		for j := range 2 {
			if c := want.Model.Params.Centers.At(h, j); c > 30 {
				t.Errorf("center %d of feature %d: %g", j, h, c)
			}
		}
	}
	for _, other := range []fit.Training{dataOf(rows, record.Real, 2), dataOf(rows, record.Real, 8), data} {
		if other.Run == data.Run {
			other.Run = passtest.Streamed(rows, 2)
		}
		got, err := fit.Tree(t.Context(), other, fit.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(saved(t, got), saved(t, want)) {
			t.Error("another model on other cores or on disk")
		}
	}
}
