package bernoulli

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/internal/numtest"
	"github.com/moiety-go/moiety/mixture"
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
			if numtest.Off(present, wantPresent, tol*float64(k)) || numtest.Off(absent, wantAbsent, tol*float64(k)) {
				t.Errorf("%d of %v: %v and %v, want %v and %v", k, edge, present, absent, wantPresent, wantAbsent)
			}
		}
	}
}

// TestTable compares the table of the E-step with its definition, at the ends of
// the range and for fewer and more features than one product holds.
func TestTable(t *testing.T) {
	const k, tol = 3, 1e-12 // of some hundred terms of up to 20
	for _, d := range []int{1, 31, 32, 33, 100} {
		centers, weights := mat.NewDense(d, k, nil), []float64{0.2, 0.7, 0.1}
		for i := range centers.RawMatrix().Data {
			centers.RawMatrix().Data[i] = []float64{0, 1, 1e-9, 0.3, 1e-4, 0.999}[i%7%6]
		}
		got := (density{}).Table(mixture.New(centers, weights))
		for j, w := range weights {
			bias := math.Log(w)
			for h := range d {
				v := clip(centers.At(h, j), stepClip)
				bias += math.Log1p(-v)
				if want := math.Log(v) - math.Log1p(-v); numtest.Off(got.Slope[h*k+j], want, tol) {
					t.Errorf("%d features: log odds %v, want %v", d, got.Slope[h*k+j], want)
				}
			}
			if numtest.Off(got.Bias[j], bias, tol*float64(d)) {
				t.Errorf("%d features: bias %v, want %v", d, got.Bias[j], bias)
			}
		}
	}
}
