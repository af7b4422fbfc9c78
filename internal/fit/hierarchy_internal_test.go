package fit

import (
	"slices"
	"testing"

	"github.com/moiety-go/moiety/internal/synth"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/internal/verdict"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/vocab"
)

// The evidence of a split is that of the groups on either side of it, whatever the order of the
// leaves, and also where groups were cut further.
func TestEvidenceOfSplits(t *testing.T) {
	for _, leaves := range []int{0, 7} {
		rows := synth.Patients(1, 6000, 60, 5, 6).Rows
		data := Training{Run: pass.NewLocal(rows, 2), Vocab: vocab.Numbered(rows.Dim), Kind: record.Presence}
		s := Settings{Seed: 1, Workers: 2, Tree: TreeShape{Leaves: leaves}}
		h, r := madeTree(t, data, s)
		v := h.v
		if v.Groups < 4 || slices.IsSorted(r.Groups) || leaves > 0 && len(r.Groups) != leaves {
			t.Fatalf("%d groups are claimed, leaves %v: nothing is shown", v.Groups, r.Groups)
		}
		// Which group of the claim a leaf lies in is what most of its records have there.
		claimed, err := placedIn(t.Context(), data, v.Found)
		if err != nil {
			t.Fatal(err)
		}
		of := map[int]int{}
		for _, l := range r.Tree.Leaf() {
			count := make([]int, v.Groups)
			for i, at := range r.Leaf {
				if int(at) == l {
					count[claimed[i]]++
				}
			}
			of[l] = slices.Index(count, slices.Max(count))
		}
		shown := 0
		for _, n := range r.Tree.Nodes {
			if n.IsLeaf() || n.Split.Finer {
				continue
			}
			under := r.Tree.Under(n.Children)
			var pair [2][]int
			for _, l := range r.Tree.Leaf() {
				if side := under[l]; side >= 0 && !slices.Contains(pair[side], of[l]) {
					pair[side] = append(pair[side], of[l])
				}
			}
			want, err := v.Found.Evidence(t.Context(), 1, [][2][]int{pair})
			if err != nil {
				t.Fatal(err)
			}
			if got := (verdict.Evidence{Nats: n.Split.Nats, Error: n.Split.Error}); got != want[0] {
				t.Errorf("%d leaves asked for, node %s: evidence %v, want %v of groups %v", leaves, n.ID, got, want[0], pair)
			}
			shown++
		}
		if shown != v.Groups-1 {
			t.Errorf("%d splits of %d groups", shown, v.Groups)
		}
	}
}

// madeTree makes the tree over the groups of the verdict on records.
func madeTree(t *testing.T, data Training, s Settings) (*hierarchy, *tree.Result) {
	t.Helper()
	v, err := judge(t.Context(), data, s)
	if err != nil {
		t.Fatal(err)
	}
	h, err := newHierarchy(t.Context(), data, s, v)
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h, r
}
