package decompose_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/decompose"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

// Exact moments give the parameters back.
func ExampleAuto() {
	truth := mixture.New(mat.NewDense(3, 2, []float64{.9, .1, .2, .7, .3, .4}), []float64{.75, .25})
	found, err := decompose.Auto(context.Background(), moment.NewExact(truth), 2, decompose.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := found.Params.Reorder(found.Params.Order())
	fmt.Printf("%.3f %.3f\n", p.Weights, p.Centers.RawRowView(0))
	// Output: [0.750 0.250] [0.900 0.100]
}
