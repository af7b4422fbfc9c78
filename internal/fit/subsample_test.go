package fit_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
)

// many is more than twice the records that a start is found on, with an uneven
// last block.
const many = 1<<17 + 12*pass.BlockRecords + 77

// TestManyRecords: a start found on part of the records leads to the groups,
// with the same bits for any number of workers, in memory and streamed.
func TestManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: more than a hundred thousand records")
	}
	set := synth.Patients(3, many, 40, 4, 8)
	fitted := func(data fit.Training) *fit.Outcome {
		o, err := fit.Flat(context.Background(), data, fit.Settings{K: 4, Spec: model.Spec{Model: "bernoulli"}})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	one := fitted(dataOf(set.Rows, record.Presence, 1))
	want := saved(t, one)
	for _, workers := range []int{2, 8} {
		streamed := dataOf(set.Rows, record.Presence, workers)
		streamed.Run = passtest.Streamed(set.Rows, workers)
		for name, data := range map[string]fit.Training{"in memory": dataOf(set.Rows, record.Presence, workers), "streamed": streamed} {
			if !bytes.Equal(saved(t, fitted(data)), want) {
				t.Errorf("%s with %d workers gives another model than one worker", name, workers)
			}
		}
	}
	few := dataOf(set.Rows.Slice(0, 60000), record.Presence, 2) // all of them are looked at
	ari := func(o *fit.Outcome, n int) float64 {
		v, err := agree.ARI(labels(o)[:n], set.Labels[:n])
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got, least := ari(one, many), ari(fitted(few), 60000)-.01; got < least {
		t.Errorf("ARI %.3f, on fewer records %.3f", got, least+.01)
	}
}

// TestManySorted: groups that stand together in the file, some between two
// records of a coarser sample, are found as in any other order.
func TestManySorted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: more than a hundred thousand records")
	}
	set := synth.Patients(5, many, 60, 6, 8)
	order := make([]int, many)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return set.Labels[a] - set.Labels[b] })
	truth := make([]int, many)
	for i, r := range order {
		truth[i] = set.Labels[r]
	}
	ari := func(rows sparse.Rows, truth []int) float64 {
		o, err := fit.Flat(context.Background(), dataOf(rows, record.Presence, 2), fit.Settings{K: 6, Spec: model.Spec{Model: "bernoulli"}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := agree.ARI(labels(o), truth)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	drawn, sorted := ari(set.Rows, set.Labels), ari(set.Rows.Pick(order), truth)
	if sorted < drawn-.005 {
		t.Errorf("ARI %.4f of sorted records, %.4f as drawn", sorted, drawn)
	}
}

// TestManyValues: rows with values are looked at in full, and wrong ones
// refused wherever they stand.
func TestManyValues(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: more than a hundred thousand records")
	}
	set := synth.Patients(3, many, 20, 2, 5)
	rows := set.Rows
	rows.Value = make([]float32, len(rows.Index))
	for i := range rows.Value {
		rows.Value[i] = 1
	}
	rows.Value[rows.Ptr[pass.BlockRecords+5]] = 3 // in the second block
	for _, inMemory := range []bool{true, false} {
		data := dataOf(rows, record.Presence, 2)
		if !inMemory {
			data.Run = passtest.Streamed(rows, 2)
		}
		if _, err := fit.Flat(context.Background(), data, fit.Settings{K: 2, Spec: model.Spec{Model: "bernoulli"}}); err == nil {
			t.Error("a presence of 3 is accepted")
		}
	}
}

// TestStreamedTopics: documents that are read anew in every pass, into memory
// that is spoiled after it, give the topics of those in memory.
func TestStreamedTopics(t *testing.T) {
	set := synth.Corpus(3, pass.BlockRecords+900, 300, 4, true)
	for _, refine := range []string{fit.None, fit.EM} {
		fitted := func(data fit.Training) []byte {
			o, err := fit.Flat(context.Background(), data, fit.Settings{K: 4, Spec: model.Spec{Model: "lda"}, Refine: refine})
			if err != nil {
				t.Fatal(err)
			}
			return saved(t, o)
		}
		streamed := dataOf(set.Rows, record.Counts, 2)
		streamed.Run = passtest.Streamed(set.Rows, 2)
		if !bytes.Equal(fitted(streamed), fitted(dataOf(set.Rows, record.Counts, 1))) {
			t.Errorf("refine %q: streamed documents give other topics", refine)
		}
	}
}
