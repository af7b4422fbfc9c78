package loglinear_test

import (
	"math"
	"testing"

	"github.com/moiety-go/moiety/sparse"
)

// TestPlaces compares places with the posteriors: the same component, the first
// of equals, and its probability.
func TestPlaces(t *testing.T) {
	const n, d = 3000, 90
	sets := layouts(n, 7)
	sets["many"], sets["counts"] = records(n, d, true), records(n, d, false)
	for name, rows := range sets {
		for _, k := range []int{1, 2, 5, 16, 65} {
			table := randomTable(rows.Dim, k, name == "valued")
			if k == 5 { // two components that cannot be told apart
				table.Bias[3] = table.Bias[2]
				for h := range rows.Dim {
					table.Slope[h*k+3] = table.Slope[h*k+2]
				}
			}
			post := make([]float64, n*k)
			table.Posterior(rows, post, nil)
			group, probability := make([]int32, n), make([]float32, n)
			places := table.Places()
			for lo := 0; lo < n; lo += 1000 {
				places.Of(rows.Slice(lo, lo+1000), group[lo:], probability[lo:])
			}
			for i := range n {
				best := 0
				for j, v := range post[i*k:][:k] {
					if v > post[i*k+best] {
						best = j
					}
				}
				if int(group[i]) != best || probability[i] != float32(post[i*k+best]) {
					t.Fatalf("%s k=%d: row %d in component %d of probability %v, want %d of %v", name, k, i, group[i], probability[i], best, post[i*k+best])
				}
			}
		}
	}
}

// TestPlacesNaN: a row with a value that is no number is placed as by its
// posteriors.
func TestPlacesNaN(t *testing.T) {
	rows := sparse.Rows{Dim: 3, Ptr: []int{0, 2, 3}, Index: []uint32{0, 2, 1}, Value: []float32{1, float32(math.NaN()), 2}}
	for _, k := range []int{2, 5} {
		table := randomTable(3, k, false)
		group, probability, post := make([]int32, 2), make([]float32, 2), make([]float64, 2*k)
		table.Places().Of(rows, group, probability)
		table.Posterior(rows, post, nil)
		for i, g := range group {
			if want := float32(post[k*i+int(g)]); probability[i] != want && want == want {
				t.Errorf("%d components, row %d: probability %v, want %v", k, i, probability[i], want)
			}
		}
	}
}
