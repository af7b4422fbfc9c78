package pass

import (
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// Several workers are at a block where blocks are few, and never more than there are.
func TestPerBlock(t *testing.T) {
	for _, c := range []struct{ workers, blocks, want int }{
		{1, 1, 1}, {2, 1, 2}, {2, 7, 2}, {2, 8, 1}, {16, 1, 16}, {16, 3, 16}, {16, 5, 13}, {16, 49, 2}, {16, 64, 1}, {16, 1000, 1}, {8, 0, 8},
	} {
		if got := perBlock(c.workers, c.blocks); got != c.want {
			t.Errorf("%d workers, %d blocks: %d at a block, want %d", c.workers, c.blocks, got, c.want)
		}
	}
	b := NewLocal(sparse.Rows{Dim: 1, Dense: make([]float64, 10)}, 4).block(t.Context(), 0)
	if b.Workers() != 4 || b.Part(2, 5).Workers() != 4 || (Block{}).Workers() != 1 {
		t.Errorf("a block has %d workers, a part %d, one by hand %d", b.Workers(), b.Part(2, 5).Workers(), Block{}.Workers())
	}
}
