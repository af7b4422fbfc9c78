package tree

import (
	"slices"
	"testing"
)

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
