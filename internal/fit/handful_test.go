package fit

import (
	"testing"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/record"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// Leaves beyond the claim are groups of a size to speak of: six odd records, which gain more
// than any other cut, are no leaf while others can be cut.
func TestLeavesAskedForAreNoHandful(t *testing.T) {
	const n, d, odd = 900, 24, 6
	r := stream.New(3, "test/thin")
	b := sparse.NewBuilder(d, true)
	for i := range n {
		var index []uint32
		for j := range uint32(d) {
			p := .25
			if i < odd {
				p = .05 + .9*float64(boolNumber(j >= d/2))
			}
			if r.Float64() < p {
				index = append(index, j)
			}
		}
		if err := b.Add(index, nil); err != nil {
			t.Fatal(err)
		}
	}
	data := Training{Run: pass.NewLocal(b.Rows(), 0), Vocab: vocab.Numbered(d), Kind: record.Presence}
	out, err := Tree(t.Context(), data, Settings{Seed: 1, Tree: TreeShape{Leaves: 4}})
	if err != nil {
		t.Fatal(err)
	}
	size := sizes(2, out.Group, out.K())
	for _, s := range size {
		if s < leastPart(n, 4) {
			t.Errorf("groups of %v", size)
			break
		}
	}
}

func boolNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}
