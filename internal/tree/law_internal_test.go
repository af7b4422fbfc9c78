package tree

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// Logarithms of many at a time give what one after the other does, also of what is not there.
func TestPlogps(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 200} {
		list, want := make([]float64, n), 0.0
		for i := range list {
			list[i] = float64(i*i%17)/16 - .01*float64(i%2)
			want += plogp(list[i])
		}
		if got := plogps(list); numtest.Off(got, want, 1e-12*(1+math.Abs(want))) {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
	}
	if got := plogps([]float64{0, -1e-17, 1}); got != 0 {
		t.Errorf("of nothing and of all: %v", got)
	}
}
