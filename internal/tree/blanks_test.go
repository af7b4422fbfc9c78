package tree

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// A center is the mean of the values that are there, in leaves and above.
func TestCentersOfWhatIsThere(t *testing.T) {
	gone := math.NaN()
	rows := sparse.Rows{Dim: 2, Dense: []float64{2, 10, gone, 20, 8, gone, gone, 40}}
	sum := leafSums{leaf: []int32{1, 1, 2, 2}, nodes: 3, d: 2, values: true}
	state, err := pass.RunOne(t.Context(), pass.NewLocal(rows, 1), sum)
	if err != nil {
		t.Fatal(err)
	}
	tree := &Tree{Nodes: []Node{{Parent: -1, Children: []int{1, 2}}, {Parent: 0}, {Parent: 0}}}
	tree.sized(sum.split(state))
	for i, want := range [][]float64{{5, 70. / 3}, {2, 15}, {8, 40}} {
		for h, v := range want {
			if got := tree.Nodes[i].Center[h]; numtest.Off(got, v, 1e-12) {
				t.Errorf("node %d, feature %d: %v, want %v", i, h, got, v)
			}
		}
	}
}
