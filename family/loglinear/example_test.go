package loglinear_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/loglinear"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/sparse"
)

// The log density of a record is a bias and a slope for every feature: here of
// Poisson counts of average 8 and 1 in the first group, 1 and 8 in the second.
func ExampleTable() {
	p := mixture.New(mat.NewDense(2, 2, []float64{8, 1, 1, 8}), []float64{.5, .5})
	t := loglinear.Logs(p)
	for h := range t.D {
		for j, v := range p.Centers.RawRowView(h) {
			t.Bias[j] -= v
			t.Slope[h*t.K+j] = math.Log(v)
		}
	}
	rows := sparse.FromDense([][]float64{{7, 2}, {0, 9}, {3, 3}}, 2, false)
	posterior, logs := make([]float64, 6), make([]float64, 3)
	t.Posterior(rows, posterior, logs)
	for i := range 3 {
		fmt.Printf("%.3f\n", posterior[2*i:][:2])
	}
	// Output:
	// [1.000 0.000]
	// [0.000 1.000]
	// [0.500 0.500]
}
