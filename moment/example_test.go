package moment_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
)

// The second moment of counts has x(x−1) on its diagonal, whose mean is that of
// the square of the mean for Poisson counts.
func ExampleNewSampled() {
	rows := sparse.FromDense([][]float64{{2, 1}, {0, 3}}, 2, false)
	src := moment.NewSampled(pass.NewLocal(rows, 1), moment.Formula{Law: moment.Factorial()}, false)
	p, err := src.Project(context.Background(), mat.NewDense(2, 2, []float64{1, 0, 0, 1}), moment.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Second.RawRowView(0), p.Second.RawRowView(1))
	// Output: [1 1] [1 3]
}
