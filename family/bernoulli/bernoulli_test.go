package bernoulli_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/moiety-go/moiety/family/bernoulli"
	"github.com/moiety-go/moiety/family/familytest"
	"github.com/moiety-go/moiety/mixture"
	"github.com/moiety-go/moiety/moment"
	"github.com/moiety-go/moiety/stream"
)

func params() mixture.Params {
	r := stream.New(1, "bernoulli test")
	m := mat.NewDense(14, 3, nil)
	for i := range m.RawMatrix().Data {
		m.RawMatrix().Data[i] = .05 + .9*r.Float64()
	}
	return mixture.New(m, []float64{.5, .3, .2})
}

func scaled(src moment.Source, p mixture.Params) mixture.Params {
	if s, ok := src.(*moment.Standard); ok {
		return familytest.Divide(p, s.Scale)
	}
	return p
}

func TestBattery(t *testing.T) {
	illegal := params()
	illegal.Centers.Set(2, 1, 1.1)
	for name, o := range map[string]bernoulli.Options{"alone": {}, "blocks": {Blocks: [][2]int{{2, 4}, {8, 11}}}} {
		t.Run(name, func(t *testing.T) {
			familytest.Run(t, bernoulli.New(o), familytest.Case{
				Params: params(), Coordinates: scaled, Illegal: []mixture.Params{illegal}, Free: 2 + 14*3,
			})
		})
	}
}
