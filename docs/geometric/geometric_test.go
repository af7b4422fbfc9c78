package geometric_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/docs/geometric"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
)

func params() mixture.Params {
	return mixture.New(mat.NewDense(6, 3, []float64{
		3, .5, 1,
		.1, 4, 1,
		.2, .3, 2,
		1, 1, 1,
		5, 1, 3,
		.7, .7, 6,
	}), []float64{.5, .3, .2})
}

// TestBattery puts the example through what every model goes through.
func TestBattery(t *testing.T) {
	negative := params()
	negative.Centers.Set(2, 1, -.1)
	familytest.Run(t, geometric.Family{}, familytest.Case{
		Params: params(), Illegal: []mixture.Params{negative}, Free: 2 + 6*3,
		Coordinates: func(src moment.Source, p mixture.Params) mixture.Params {
			return familytest.Divide(p, src.(*moment.Sampled).Formula().Scale)
		},
	})
}
