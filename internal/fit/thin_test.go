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
)

// Who asks for three groups gets the three that are there, and no group of its own
// for a record with a wrong digit.
func TestWrongDigitsAreNoGroup(t *testing.T) {
	const n, d, k = 150, 3, 3
	for draw := range 4 {
		r := stream.New(uint64(3000+draw), "test/digits")
		rows, truth := sparse.Rows{Dim: d}, make([]int, n)
		for i := range n {
			truth[i] = i % k
			for h := range d {
				x := 5*float64((truth[i]>>min(h, 1))&1) + r.NormFloat64()
				if i < 2 && h == i {
					x = 10*x + 25 // a wrong digit
				}
				rows.Dense = append(rows.Dense, x)
			}
		}
		data := Training{Run: pass.NewLocal(rows, 1), Vocab: vocab.Numbered(d), Kind: record.Real}
		out, err := Flat(t.Context(), data, Settings{K: k, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		size, got := sizes(2, out.Group, k), make([]int, n)
		for i, g := range out.Group {
			got[i] = int(g)
		}
		if ari, err := agree.ARI(got, truth); err != nil || slices.Min(size) < 5 || ari < .85 {
			t.Errorf("draw %d: groups of %v, agreement %.2f (%v)", draw, size, ari, err)
		}
	}
}
