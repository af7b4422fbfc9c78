package explain

import (
	"fmt"
	"testing"
)

// TestHiddenPartsOfHiddenGroups: a group of 18 whose two children are hidden must not follow
// from others, because 18 in two that are each below 11 are 8 to 10 each.
func TestHiddenPartsOfHiddenGroups(t *testing.T) {
	const limit = 11
	h := &hierarchy{parent: []int{-1, 0, 0, 2, 2}, children: [][]int{{1, 2}, nil, {3, 4}, nil, nil}}
	for _, c := range []struct {
		a, b int // the children of the second group
		told bool
	}{
		{9, 9, false},
		{10, 8, false},
		{10, 10, false},
		{6, 2, false},
		{10, 11, true}, // 21 in two cannot both be small
		{40, 3, true},
	} {
		n := []int{0, 282, c.a + c.b, c.a, c.b}
		n[0] = n[1] + n[2]
		open := h.protect(division{classes: [][]int{n}, limit: limit}, allOpen(len(n)))
		if told := open[2] || open[0] && open[1]; told != c.told {
			t.Errorf("%s: open %v", fmt.Sprint(n), open)
		}
	}
}
