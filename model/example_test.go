package model_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/model"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/sparse"
	"github.com/moiety-go/moiety/vocab"
)

// A model is a family, its parameters and the names of its features; it is asked
// about new records without the data it came from.
func ExampleModel() {
	m := &model.Model{
		Spec: model.Spec{Model: "bernoulli"}, Vocab: vocab.New([]string{"asthma", "gout"}),
		Params: mixture.New(mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), []float64{.5, .5}),
	}
	f, err := m.Family()
	if err != nil {
		fmt.Println(err)
		return
	}
	chances := make([]float64, 2)
	patient := sparse.FromDense([][]float64{{1, 0}}, 2, true)
	if err := f.Posterior(m.Params, pass.Block{Rows: patient}, chances); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.3f\n", f.Info().Group, chances)
	// Output: group: [0.973 0.027]
}
