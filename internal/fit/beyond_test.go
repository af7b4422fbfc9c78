package fit

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// narrow are 40 records of three features.
func narrow(t *testing.T, kind record.Kind, workers int) Training {
	t.Helper()
	r := stream.New(5, "test/narrow")
	var rows sparse.Rows
	if kind == record.Real {
		rows = sparse.Rows{Dim: 3}
		for i := range 40 {
			rows.Dense = append(rows.Dense, float64(i%4)*3+r.NormFloat64(), float64(i%2)*4+r.NormFloat64(), r.NormFloat64())
		}
	} else {
		b := sparse.NewBuilder(3, kind == record.Presence)
		for range 40 {
			var index []uint32
			var value []float32
			for h := range uint32(3) {
				n := r.IntN(5)
				if kind == record.Presence {
					n %= 2
				}
				if n > 0 {
					index, value = append(index, h), append(value, float32(n))
				}
			}
			if kind == record.Presence {
				value = nil
			}
			if err := b.Add(index, value); err != nil {
				t.Fatal(err)
			}
		}
		rows = b.Rows()
	}
	return Training{Run: pass.NewLocal(rows, workers), Vocab: vocab.Numbered(3), Kind: kind}
}

// More groups than moments tell apart, or than there are features, are fitted all
// the same: said in a warning, none of them empty, the same for any workers.
func TestBeyondTheMoments(t *testing.T) {
	for _, c := range []struct {
		kind record.Kind
		spec model.Spec
		k    int
	}{
		{record.Counts, model.Spec{Model: "lda"}, 5},
		{record.Counts, model.Spec{Model: "single-topic"}, 5},
		{record.Counts, model.Spec{Model: "poisson"}, 5},
		{record.Counts, model.Spec{Model: "binomial"}, 5},
		{record.Presence, model.Spec{Model: "bernoulli"}, 5},
		{record.Real, model.Spec{Model: "gaussian", Covariance: model.Spherical}, 5},
		{record.Real, model.Spec{Model: "gaussian", Variance: model.Shared}, 5},
	} {
		t.Run(fmt.Sprintf("%s %s", c.spec.Model, c.spec.Variance), func(t *testing.T) {
			var first *Outcome
			for _, workers := range numtest.Workers() {
				out, err := Flat(t.Context(), narrow(t, c.kind, workers), Settings{K: c.k, Seed: 1, Spec: c.spec, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = out
				}
				if out.K() != first.K() || !reflect.DeepEqual(out.Group, first.Group) {
					t.Errorf("%d workers give other groups", workers)
				}
			}
			if first.K() < 4 || first.K() > c.k {
				t.Errorf("%d groups of %d", first.K(), c.k)
			}
			if c.spec.Model != "lda" && first.anyEmpty() {
				t.Error("a group holds nobody")
			}
			codes := map[string]bool{}
			for _, w := range first.Model.Provenance.Warnings {
				codes[w.Code] = true
			}
			if !codes["beyond-moments"] || first.K() < c.k && !codes["fewer-groups"] {
				t.Errorf("warnings: %v", codes)
			}
		})
	}
}

// As many groups as moments tell apart need no cuts, and records that are all the
// same cannot be cut.
func TestNotBeyond(t *testing.T) {
	out, err := Flat(t.Context(), narrow(t, record.Presence, 0), Settings{K: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range out.Model.Provenance.Warnings {
		if w.Code == "beyond-moments" {
			t.Error(w.Text)
		}
	}
	b := sparse.NewBuilder(3, true)
	for range 20 {
		if err := b.Add([]uint32{0, 2}, nil); err != nil {
			t.Fatal(err)
		}
	}
	rows := b.Rows()
	same := Training{Run: pass.NewLocal(rows, 0), Vocab: vocab.Numbered(3), Kind: record.Presence}
	if out, err := Flat(t.Context(), same, Settings{K: 2, Seed: 1}); err == nil && out.anyEmpty() {
		t.Errorf("%d groups of equal records", out.K())
	}
}

// A tree that splits records has no empty leaf, with a size or without.
func TestNoLeafIsEmpty(t *testing.T) {
	for _, kind := range []record.Kind{record.Real, record.Presence, record.Counts} {
		for _, leaves := range []int{0, 8, 16} {
			out, err := Tree(t.Context(), narrow(t, kind, 0), Settings{Seed: 1, Tree: TreeShape{Splitter: "sidiwo", Leaves: leaves}})
			if err != nil {
				t.Fatal(err)
			}
			if out.anyEmpty() {
				t.Errorf("%v, %d leaves asked for: one of %d is empty", kind, leaves, out.K())
			}
			for i, n := range out.Tree.Nodes {
				if n.N == 0 {
					t.Errorf("%v, %d leaves asked for: node %d holds nobody", kind, leaves, i)
				}
			}
		}
	}
}

// Cuts by hand: two heaps on a line and one record far off.
func TestCutter(t *testing.T) {
	rows := sparse.Rows{Dim: 1, Dense: []float64{0, 1, 0, 10, 11, 100}}
	c := newCutter(rows, false, make([]int32, 6))
	if k := c.cut(3); k != 3 || !slices.Equal(c.label, []int32{2, 2, 2, 0, 0, 1}) {
		t.Errorf("%d parts: %v", k, c.label)
	}
	c = newCutter(rows, false, make([]int32, 6))
	if k := c.cut(9); k != 5 { // two records are the same
		t.Errorf("%d parts of five kinds", k)
	}
}

// anyEmpty reports that some group holds none of the records.
func (o *Outcome) anyEmpty() bool {
	size := make([]int, o.K())
	for _, g := range o.Group {
		size[g]++
	}
	return slices.Contains(size, 0)
}
