package tree

import (
	"slices"
	"testing"
)

// A side is looked into ahead of its turn where there is evidence that it is split, at no
// small share of what its parent gained, and above the last level; nothing else.
func TestLikelySplits(t *testing.T) {
	side := func(gain float64, level int) *branch {
		return &branch{level: level, cut: &cut{split: Split{Gain: gain, Penalty: 10}}}
	}
	w := &growth{builder: &builder{s: Settings{Levels: 3}}, most: 9, busy: 1}
	parent, good, equal := side(640, 0), side(21, 1), side(640, 1)
	for _, b := range []*branch{good, side(20, 1), side(9, 1), {}, side(300, 3), equal, good} {
		w.expect(t.Context(), parent, b)
	}
	if !slices.Equal(w.likely, []*branch{equal, good}) {
		t.Errorf("%d sides are likely to be split, want the two that gain enough", len(w.likely))
	}
	if w.settle(good); !slices.Equal(w.likely, []*branch{equal}) || w.begun != 0 {
		t.Errorf("%d sides are left, %d begun", len(w.likely), w.begun)
	}
}

// A leaf that takes the records of its sibling takes what was counted of them, too.
func TestJoinedLeafCounts(t *testing.T) {
	leaf := func(list []int32, sums ...float64) *branch {
		return &branch{records: &counted{scanned: &scanned{list: list, n: len(list)}, sums: sums}}
	}
	root := &branch{kids: []*branch{leaf([]int32{0, 3, 4}, 2, 1), leaf([]int32{1, 2}, 0, 1)}}
	(&builder{}).joinLeaf(root, root.kids[1])
	got := root.records.(*counted)
	if !slices.Equal(got.list, []int32{0, 1, 2, 3, 4}) || got.Len() != 5 || !slices.Equal(got.sums, []float64{2, 2}) {
		t.Errorf("records %v, %d of them, with features %v", got.list, got.Len(), got.sums)
	}
}
