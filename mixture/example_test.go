package mixture_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
)

// Centers have a row for each feature and a column for each component.
func ExampleParams_Reorder() {
	p := mixture.New(mat.NewDense(2, 2, []float64{.1, .9, .5, .2}), []float64{.25, .75})
	q := p.Reorder(p.Order()) // by falling weight
	fmt.Println(q.Weights, q.Centers.RawRowView(0))
	// Output: [0.75 0.25] [0.9 0.1]
}
