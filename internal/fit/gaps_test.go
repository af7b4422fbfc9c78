package fit_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass/passtest"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/warn"
)

// gaps are records of two groups, every tenth value of which is missing.
func gaps(kind record.Kind) (rows sparse.Rows, group []int) {
	r := stream.New(6, "gaps")
	rows.Dim = 6
	for i := range 300 {
		group = append(group, i%2)
		for h := range rows.Dim {
			v := float64((i+h)%2)*7 + r.NormFloat64()
			if kind == record.Counts {
				v = math.Round(max(8*v+20, 0))
			}
			if r.IntN(10) == 0 {
				v = math.NaN()
			}
			rows.Dense = append(rows.Dense, v)
		}
	}
	return rows, group
}

// Missing measurements and counts are skipped, whatever model was named for them:
// flat and tree, in memory and on disk, and that is said.
func TestGapsAreSkipped(t *testing.T) {
	for _, c := range []struct {
		kind  record.Kind
		model string
	}{{record.Real, ""}, {record.Real, "gaussian"}, {record.Counts, "poisson"}, {record.Counts, "binomial"}} {
		rows, group := gaps(c.kind)
		for _, k := range []int{0, 2} {
			if testing.Short() && k == 0 && c.model != "" {
				continue // judged in full elsewhere
			}
			journey := fit.Flat
			if k == 0 {
				journey = fit.Tree
			}
			s := fit.Settings{K: k, Seed: 1, Spec: model.Spec{Model: c.model}}
			here, err := journey(t.Context(), dataOf(rows, c.kind, 2), s)
			if err != nil {
				t.Fatalf("%s, %d groups: %v", c.model, k, err)
			}
			if here.K() != 2 {
				t.Errorf("%v %q, %d asked for: %d groups", c.kind, c.model, k, here.K())
			}
			found := make([]int, len(here.Group))
			for i, g := range here.Group {
				found[i] = int(g)
			}
			if ari, _ := agree.ARI(found, group); ari < .95 {
				t.Errorf("%v %q, %d asked for: ARI %.2f", c.kind, c.model, k, ari)
			}
			if !slices.ContainsFunc(here.Model.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "missing-skipped" }) {
				t.Errorf("%v %q: nothing said", c.kind, c.model)
			}
			if k == 0 {
				continue
			}
			disk := dataOf(rows, c.kind, 8)
			disk.Run = passtest.Streamed(rows, 8)
			there, err := journey(t.Context(), disk, s)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(saved(t, here), saved(t, there)) {
				t.Errorf("%v %q: another model on disk", c.kind, c.model)
			}
		}
	}
}

// What is wrong for another reason stays an error.
func TestNoGaps(t *testing.T) {
	rows, _ := gaps(record.Real)
	for i, v := range rows.Dense {
		if v != v {
			rows.Dense[i] = 0
		}
	}
	rows.Dense[3] = math.Inf(1)
	if _, err := fit.Flat(t.Context(), dataOf(rows, record.Real, 1), fit.Settings{K: 2, Seed: 1}); err == nil {
		t.Error("an infinite value is no gap")
	}
}

// A model of columns that is asked for by name takes measurements and counts as
// its columns.
func TestColumnsAskedFor(t *testing.T) {
	for _, kind := range []record.Kind{record.Real, record.Counts} {
		rows, group := gaps(kind)
		for e, v := range rows.Dense {
			if v != v {
				rows.Dense[e] = 10
			}
		}
		out, err := fit.Flat(t.Context(), dataOf(rows, kind, 2), fit.Settings{K: 2, Seed: 1, Spec: model.Spec{Model: "mixed"}})
		if err != nil {
			t.Fatalf("%v: %v", kind, err)
		}
		found := make([]int, len(out.Group))
		for i, g := range out.Group {
			found[i] = int(g)
		}
		if a, err := agree.ARI(group, found); err != nil || a < .9 {
			t.Errorf("%v: agreement %.2f, %v", kind, a, err)
		}
	}
}
