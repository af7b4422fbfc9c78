package explain

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/moiety-go/moiety/family"
	"github.com/moiety-go/moiety/report"
)

// TestWordDistance compares the short way of words to that of features of all kinds.
func TestWordDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	for _, n := range []int{0, 1, 100} {
		x, y, of := make([]float64, n), make([]float64, n), make([]report.Of, n)
		for f := range of {
			x[f], y[f], of[f] = r.Float64()/float64(n), r.Float64()/float64(n), report.OfWords
			switch r.IntN(5) {
			case 0:
				x[f] = math.NaN()
			case 1:
				y[f] = 0
			case 2:
				y[f] = x[f]
			}
		}
		words := &builder{of: of, info: family.Info{Unit: family.Only(family.WordShare)}}
		other := &builder{of: of, info: family.Info{Unit: family.Only(family.WordShare), Views: true}}
		if got, want := words.distance(x, y, nil), other.distance(x, y, nil); got != want {
			t.Errorf("%d words: %v, want %v", n, got, want)
		}
	}
}

// TestRollupInParts adds up a tree of many features in the obvious way.
func TestRollupInParts(t *testing.T) {
	const d = 10_001
	h := &hierarchy{parent: []int{-1, 0, 0, 1, 1}}
	filled := func(workers int) *cells {
		c := &cells{n: make([]int, 5), chance: make([]float64, 5), have: table[int32](5, d), sum: table[float64](5, d)}
		for l := range c.sure {
			c.sure[l] = make([]int, 5)
		}
		r := rand.New(rand.NewPCG(2, 12))
		for _, leaf := range []int{2, 3, 4} {
			for f := range d {
				c.have[leaf][f], c.sum[leaf][f] = r.Int32N(9), r.Float64()
			}
		}
		if workers > 0 {
			c.rollup(h, workers)
			return c
		}
		for f := range d {
			for i := 4; i > 0; i-- {
				c.have[h.parent[i]][f] += c.have[i][f]
				c.sum[h.parent[i]][f] += c.sum[i][f]
			}
		}
		return c
	}
	want := filled(0)
	for _, workers := range []int{1, 2, 16} {
		if got := filled(workers); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: other sums", workers)
		}
	}
}
