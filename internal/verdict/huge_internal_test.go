package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/moiety-go/moiety/internal/numtest"
)

// drawsSeen counts the numbers that are drawn from it.
type drawsSeen struct {
	rand.Source
	t *testing.T
	n float64
}

func (c *drawsSeen) Uint64() uint64 {
	if c.n++; c.n > 1e5 {
		c.t.Fatal("time goes with the size of a count")
	}
	return c.Source.Uint64()
}

// A count of any size is cut in two in no time, and about in the middle.
func TestHugeCounts(t *testing.T) {
	for _, huge := range []float32{1e4, 1e12, 1e15, 1e30, math.MaxFloat32} {
		b := &bag{cols: 3, ptr: []int{0}}
		for range 12 {
			b.add([]uint32{0, 1, 2}, []float32{1, huge, 2})
		}
		c := newCompletions(b, 2, 1, chances{one: rand.New(&drawsSeen{rand.NewPCG(1, 2), t, 0})})
		for e, v := range b.value {
			if seen := c.seen[e]; seen+c.hidden[e] != float64(v) || v == huge && numtest.Off(seen/float64(v), .5, .03) {
				t.Errorf("%v of %v are seen, %v kept aside", seen, v, c.hidden[e])
			}
		}
	}
}
