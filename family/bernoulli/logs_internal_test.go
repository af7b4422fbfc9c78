package bernoulli

import (
	"math"
	"testing"
)

// TestLogs compares logarithms of products with sums of logarithms, at the ends
// of the range and for more components than one product holds.
func TestLogs(t *testing.T) {
	const tol = 1e-12 // of some hundred terms of up to 20
	for _, k := range []int{1, 16, 32, 33, 100} {
		for _, edge := range []float64{0, 1, 0.3} {
			row := make([]float64, k)
			wantPresent, wantAbsent := 0.0, 0.0
			for j := range row {
				if row[j] = edge; j%5 == 4 {
					row[j] = float64(j) / 200
				}
				v := clip(row[j], stepClip)
				wantPresent += math.Log(v)
				wantAbsent += math.Log1p(-v)
			}
			present, absent := logs(row)
			if math.Abs(present-wantPresent) > tol*float64(k) || math.Abs(absent-wantAbsent) > tol*float64(k) {
				t.Errorf("%d of %v: %v and %v, want %v and %v", k, edge, present, absent, wantPresent, wantAbsent)
			}
		}
	}
}
