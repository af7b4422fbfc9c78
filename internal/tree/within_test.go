package tree_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/family/bernoulli"
	"github.com/moiety-go/moiety/internal/tree"
	"github.com/moiety-go/moiety/mixture"
)

// Five groups inside two: of the four in the second the two pairs that lie close are joined
// first, and then what came of them.
func TestWithin(t *testing.T) {
	at := []float64{.9, .1, .14, .5, .55}
	centers := mat.NewDense(2, len(at), nil)
	for j, p := range at {
		centers.Set(0, j, p)
		centers.Set(1, j, .3)
	}
	p := mixture.New(centers, []float64{.2, .2, .2, .2, .2})
	order, cut := tree.Within(bernoulli.New(bernoulli.Options{}), p, []int{0, 1, 1, 1, 1}, 2)
	if !slices.Equal(order, []int{0, 1, 3, 2, 4}) && !slices.Equal(order, []int{0, 1, 3, 4, 2}) {
		t.Errorf("order %v: the first two stand for the larger ones, the last joined was cut first", order)
	}
	if len(cut) != 3 || cut[0] != 1 {
		t.Fatalf("cut %v", cut)
	}
	for i, from := range cut[1:] {
		if pair := [2]int{order[from], order[3+i]}; pair != [2]int{1, 2} && pair != [2]int{3, 4} {
			t.Errorf("%v are joined, which do not lie close", pair)
		}
	}
}
