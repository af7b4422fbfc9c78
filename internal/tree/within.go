package tree

import (
	"math"
	"slices"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/mixture"
)

// Within orders groups that lie inside larger ones as Joined wants them (see Settings.Cut):
// of says in which of the larger ones, 0 to whole−1, each lies. The first of the order stand
// for the larger ones, the others name the one that they are joined with: of all pairs inside
// a larger one the two first that lose least. Every larger one has a group.
func Within(f family.Family, groups mixture.Params, of []int, whole int) (order, cut []int) {
	own := lawOf(f, groups)
	open, loss := single(groups, own), newLosses(own)
	type merge struct{ into, from int }
	var merges []merge
	for {
		least, a, b := math.Inf(1), -1, -1
		for i, x := range open {
			for j := range i {
				if y := open[j]; x != nil && y != nil && of[i] == of[j] {
					if l := loss.of(x, y); l < least || a < 0 {
						least, a, b = l, j, i
					}
				}
			}
		}
		if a < 0 {
			break
		}
		merges = append(merges, merge{a, b})
		open[a], open[b] = loss.joined(open[a], open[b]), nil
	}
	order = make([]int, whole)
	at := make([]int, len(of)) // of every group: its place in the order
	for i, g := range of {
		if open[i] != nil {
			order[g], at[i] = i, g
		}
	}
	for _, m := range slices.Backward(merges) { // the last joined was cut first
		at[m.from] = len(order)
		order, cut = append(order, m.from), append(cut, at[m.into])
	}
	return order, cut
}
