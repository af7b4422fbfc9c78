package fit

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/agree"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Sizes of two kinds that overlap: columns go together, so that one population
// describes so few records best, and a mixture slices them across the thin direction.
// Told two groups they are cut by size, and that it is a cut is said; where the kinds
// lie apart they are found, and nothing is said.
func TestGivenGroupsWithoutEvidence(t *testing.T) {
	const n, d, draws = 60, 4, 6
	run := func(seed uint64, apart float64) (ari float64, cut bool) {
		r := stream.New(seed, "test/cut")
		rows, truth := sparse.Rows{Dim: d}, make([]int, n)
		for i := range n {
			truth[i] = i % 2
			size := r.NormFloat64() + apart*float64(truth[i])
			for range d {
				rows.Dense = append(rows.Dense, 10+size+.3*r.NormFloat64())
			}
		}
		data := Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(d), Kind: record.Real}
		out, err := Flat(t.Context(), data, Settings{K: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int, n)
		for i, g := range out.Group {
			got[i] = int(g)
		}
		if ari, err = agree.ARI(got, truth); err != nil {
			t.Fatal(err)
		}
		return ari, slices.ContainsFunc(out.Model.Provenance.Warnings, func(w warn.Warning) bool { return w.Code == "cut" })
	}
	sum := 0.0
	for seed := range uint64(draws) {
		ari, cut := run(4000+seed, 2)
		if sum += ari; !cut {
			t.Errorf("draw %d: nothing says that one group describes the records as well", seed)
		}
	}
	const least = .25 // of .47 at the best border; slices across the sizes are at 0
	if sum/draws < least {
		t.Errorf("agreement %.2f, want %.2f: not cut by size", sum/draws, least)
	}
	if ari, cut := run(5000, 7); ari < .99 || cut {
		t.Errorf("kinds that lie apart: agreement %.2f, cut %v", ari, cut)
	}
}
