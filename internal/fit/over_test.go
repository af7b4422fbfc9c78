package fit_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/pass/passtest"
)

// TestJoinedTrees is the battery of trees over sites: every model whose groups can
// be joined gives at ten uneven sites the tree of one machine, with the same bits
// at all sites, and every record goes to the same leaf. The others say why not.
func TestJoinedTrees(t *testing.T) {
	numtest.NotShort(t)
	for name, j := range journeys() {
		t.Run(name, func(t *testing.T) {
			j.s.Double, j.s.Over = true, true
			local := pass.NewSequences(j.rows, j.steps, 2)
			want, err := fit.Flat(t.Context(), j.data(local), j.s)
			if name == "lda" || name == "hmm" {
				if err == nil {
					t.Errorf("a tree over groups that cannot be joined")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := len(want.Tree.Nodes); n != 2*joinedGroups-1 {
				t.Fatalf("%d nodes over %d groups", n, joinedGroups)
			}
			trees := make([]string, 10)
			err = passtest.SplitAt(j.rows, nil, uneven(local.Len())["10 sites"], 1).Each(t.Context(), func(ctx context.Context, place int, r pass.Runner) error {
				got, err := fit.Flat(ctx, j.data(r), j.s)
				if err != nil {
					return err
				}
				if err := sameTree(got.Tree, want.Tree); err != nil {
					return err
				}
				text, err := got.Tree.Bytes()
				if err != nil {
					return err
				}
				trees[place] = string(text)
				return samePlaced(got, want, r.Can().First, 1e-6)
			})
			if err != nil {
				t.Fatal(err)
			}
			for place, text := range trees {
				if text != trees[0] {
					t.Errorf("site %d has another tree than site 0", place)
				}
			}
		})
	}
}

func sameTree(got, want *tree.Tree) error {
	if len(got.Nodes) != len(want.Nodes) {
		return fmt.Errorf("%d nodes, want %d", len(got.Nodes), len(want.Nodes))
	}
	for i, n := range got.Nodes {
		w := want.Nodes[i]
		if n.ID != w.ID || n.N != w.N || !slices.Equal(n.Children, w.Children) {
			return fmt.Errorf("node %s of %d records, want %s of %d", n.ID, n.N, w.ID, w.N)
		}
		for h, v := range n.Center {
			if !(math.Abs(v-w.Center[h]) <= 1e-9*max(1, math.Abs(v))) {
				return fmt.Errorf("node %s, feature %d: %v, want %v", n.ID, h, v, w.Center[h])
			}
		}
		if !n.IsLeaf() && !(math.Abs(n.Split.Gain-w.Split.Gain) <= 1e-6*max(1, math.Abs(w.Split.Gain))) {
			return fmt.Errorf("node %s gains %v, want %v", n.ID, n.Split.Gain, w.Split.Gain)
		}
	}
	return nil
}
