package fit

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
	"github.com/moiety-go/moiety/warn"
)

// Admixed people are told to lie between the groups, and the other model is offered; people of
// one population each are not.
func TestBetweenGroupsIsSaid(t *testing.T) {
	const n, loci = 200, 200
	for _, admixed := range []bool{false, true} {
		r := stream.New(3, "fit/test/between")
		chance := make([][3]float64, loci)
		for h := range chance {
			for j := range 3 {
				chance[h][j] = .05 + .9*r.Float64()
			}
		}
		table := make([][]float64, n)
		for i := range table {
			table[i] = make([]float64, loci)
			share := r.Float64()
			for h := range loci {
				for range 2 {
					from := i % 3
					if admixed && i%2 == 1 && r.Float64() < share {
						from = (i + 1) % 3
					}
					if r.Float64() < chance[h][from] {
						table[i][h]++
					}
				}
			}
		}
		v := vocab.Numbered(loci)
		v.System = vocab.Genotypes
		data := Training{Run: pass.NewLocal(sparse.FromDense(table, loci, false), 1), Kind: record.Counts, Vocab: v}
		for name, s := range map[string]Settings{"flat": {K: 3, Seed: 1}, "tree": {Tree: TreeShape{Leaves: 3, Stability: "off"}, Seed: 1}} {
			journey := Flat
			if s.K == 0 {
				journey = Tree
			}
			o, err := journey(t.Context(), data, s)
			if err != nil {
				t.Fatal(err)
			}
			if err := noteBetween(t.Context(), o, data); err != nil {
				t.Fatal(err)
			}
			said := o.Model.Provenance.Warnings
			if o.Tree != nil {
				said = o.Tree.Provenance.Warnings
			}
			if slices.ContainsFunc(said, func(w warn.Warning) bool { return w.Code == "between-groups" }) != admixed {
				t.Errorf("%s, admixed %v: %v", name, admixed, said)
			}
		}
	}
}
