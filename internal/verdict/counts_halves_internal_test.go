package verdict

import (
	"context"
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// A group more that neither half of the records shows, and that halves place differently,
// is no group: the claim is what both show, and the range ends at what was found.
func TestGroupsThatNeitherHalfShows(t *testing.T) {
	const n, d, k = 400, 20, 3
	r := stream.New(4, "test")
	b := sparse.NewBuilder(d, false)
	group := make([]int, n)
	for i := range n {
		group[i] = i % k
		var index []uint32
		var value []float32
		for j := range d {
			v := 1 + r.IntN(3)
			if j%k == group[i] {
				v += 8 + r.IntN(5)
			}
			index, value = append(index, uint32(j)), append(value, float32(v))
		}
		if err := b.Add(index, value); err != nil {
			t.Fatal(err)
		}
	}
	drawn, err := drawBag(context.Background(), pass.NewLocal(b.Rows(), 0), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	base := drawn.overall()
	// One component too many, and halves that were made to show it disagree.
	f := &bagFound{drawnBag: drawn, components: 4, path: 4, repeat: .5, parts: [2]int{k, k}}
	f.mix, f.cuts = drawn.cutAt(4, base, 1, "all")
	f.leaves = singly(4)
	f.taken = make([]cut, 3)
	byGroup := make([]int, n)
	for i := range byGroup {
		byGroup[i] = group[drawn.record[i]]
	}
	f.alone = [2][]int{byGroup, byGroup}
	if err := f.asHalves(context.Background(), base, Settings{Seed: 1}); err != nil {
		t.Fatal(err)
	}
	v := f.verdict(Words{}.filled(true))
	if v.Groups != k || v.Range[1] != 4 || v.Sure || f.repeat != 1 {
		t.Errorf("%d groups, %v, sure %v, halves %v", v.Groups, v.Range, v.Sure, f.repeat)
	}
	// Halves that agree about all groups leave the claim.
	f.leaves, f.repeat, f.more = singly(4), .95, 0
	if err := f.asHalves(context.Background(), base, Settings{Seed: 1}); err != nil || len(f.leaves) != 4 {
		t.Error(len(f.leaves), err)
	}
}
